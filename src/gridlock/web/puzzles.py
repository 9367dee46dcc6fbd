"""Puzzles over HTTP.  Nothing is kept here: whoever solves them keeps their own progress."""

from __future__ import annotations

import asyncio
import datetime as dt
import random
from typing import TYPE_CHECKING, Annotated, Any

from litestar import get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK

from gridlock.errors import LimitError, NotationError, quote
from gridlock.puzzles import sentences
from gridlock.puzzles.collection import THEMES, daily_puzzle, find_puzzle, next_puzzle
from gridlock.puzzles.puzzle import Attempt
from gridlock.puzzles.rating import Rating
from gridlock.rulebooks import catalogue
from gridlock.web import puzzle_view as view
from gridlock.web.api import TheRequest, TheSearches
from gridlock.web.limiter import address_of
from gridlock.web.responses import refusals
from gridlock.web.waiting import while_connected

if TYPE_CHECKING:
    from gridlock.web.searches import EngineFor

PuzzleId = Annotated[str, PathParameter(description="The id of a puzzle.")]
Found = Annotated[
    list[view.CellName] | None,
    QueryParameter(
        description="The cells that the solver has found so far, in their order.",
        max_items=view.MOST_CELLS,
    ),
]
Mistakes = Annotated[
    int, QueryParameter(description="How many tries were wrong.", ge=0, le=view.MOST_COUNTED)
]
Day = Annotated[dt.date | None, QueryParameter(description="The visitor's day.")]


@get("/api/puzzles", responses=refusals(400), sync_to_thread=True)
def show_collection() -> view.Collection:
    """Return how many puzzles each game has, and what they are about."""
    return view.show_collection()


@get("/api/daily", responses=refusals(400), sync_to_thread=True)
def show_daily(date: Day = None) -> view.DailyPuzzle:
    """Return the puzzle of a day, by default of the server's: the same for everybody."""
    day = date or dt.date.today()
    return view.DailyPuzzle(day.isoformat(), view.show_puzzle(Attempt.at(daily_puzzle(day))))


@post(
    "/api/puzzles/next",
    status_code=HTTP_200_OK,
    responses=refusals(400, 404, 413, 415),
    sync_to_thread=True,
)
def show_next(data: JSONBody[view.NextQuestion]) -> view.PuzzleInfo:
    """Return a puzzle that suits a rating and has not been seen; when all have been, one again."""
    if data.game is not None:
        catalogue.game(data.game)
    if data.theme is not None and data.theme not in THEMES:
        raise NotationError(f"there is no theme {quote(data.theme)}: choose {', '.join(THEMES)}")
    rating = Rating().rating if data.rating is None else data.rating
    found = next_puzzle(
        rating, random.Random(), game_id=data.game, theme=data.theme, seen=frozenset(data.seen)
    )
    return view.show_puzzle(Attempt.at(found))


@get(
    "/api/puzzles/{puzzle_id:str}",
    responses=refusals(400, 404, 409),
    sync_to_thread=True,
)
def show_puzzle(puzzle_id: PuzzleId, found: Found = None) -> view.PuzzleInfo:
    """Return a puzzle, as somebody sees it who has found some of its cells."""
    return view.show_puzzle(view.read_attempt(find_puzzle(puzzle_id), found or ()))


@post(
    "/api/puzzles/{puzzle_id:str}/tries",
    status_code=HTTP_200_OK,
    responses=refusals(400, 404, 409, 413, 415),
)
async def try_cell(
    puzzle_id: PuzzleId, data: JSONBody[view.Try], searches: TheSearches, request: TheRequest
) -> view.Tried:
    """Try a cell: a right one is answered by the other player, a wrong one is refuted."""
    puzzle = await asyncio.to_thread(find_puzzle, puzzle_id)  # the first of a game reads its file
    before = view.read_attempt(puzzle, data.found, data.mistakes)
    cell, after = view.try_cell(before, data.cell)
    if after.mistakes == before.mistakes:
        return view.show_right(before, after)

    def refute(engine_for: EngineFor) -> view.Tried:
        engine = engine_for(before.position.game)
        try:
            line = engine.best_line(before.position.play(cell))
        except LimitError:  # that it is wrong is known all the same
            line = ()
        return view.show_wrong(before, (cell, *line))

    asked = searches.ask(address_of(request.scope), refute)
    return await while_connected(request, asked)


@get(
    "/api/puzzles/{puzzle_id:str}/solution",
    responses=refusals(400, 404, 409),
    sync_to_thread=True,
)
def show_solution(puzzle_id: PuzzleId, found: Found = None) -> view.SolutionInfo:
    """Return what is left to find; somebody who asks for it has not solved the puzzle."""
    return view.show_solution(view.read_attempt(find_puzzle(puzzle_id), found or ()))


@get(
    "/api/puzzles/{puzzle_id:str}/share",
    responses=refusals(400, 404, 409),
    sync_to_thread=True,
)
def show_share(
    puzzle_id: PuzzleId,
    found: Found = None,
    mistakes: Mistakes = 0,
    date: Day = None,
    streak: Annotated[
        int, QueryParameter(description="Days solved in a row.", ge=0, le=view.MOST_COUNTED)
    ] = 0,
) -> view.ShareText:
    """Return a result as a text for friends; with a date, that of the daily puzzle."""
    attempt = view.read_attempt(find_puzzle(puzzle_id), found or (), mistakes)
    return view.ShareText(sentences.to_share(attempt, date, streak))


@post(
    "/api/puzzles/{puzzle_id:str}/rating",
    status_code=HTTP_200_OK,
    responses=refusals(400, 404, 413, 415),
    sync_to_thread=True,
)
def rate(puzzle_id: PuzzleId, data: JSONBody[view.PuzzleResult]) -> view.Rated:
    """Return somebody's rating after a first try, which only they keep."""
    return view.rate(find_puzzle(puzzle_id), data)


ROUTES: list[Any] = [
    show_collection,
    show_daily,
    show_next,
    show_puzzle,
    try_cell,
    show_solution,
    show_share,
    rate,
]
