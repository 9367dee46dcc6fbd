"""Puzzles over HTTP.  Nothing is kept here: whoever solves them keeps their own progress."""

from __future__ import annotations

import asyncio
import datetime as dt
import random
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from litestar import get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK

from gridlock.errors import NotationError, quote
from gridlock.puzzles import sentences
from gridlock.puzzles.collection import THEMES, daily_puzzle, find_puzzle, next_puzzle
from gridlock.puzzles.puzzle import Attempt, Puzzle
from gridlock.puzzles.rating import Rating
from gridlock.rulebooks import catalogue
from gridlock.web import puzzle_view as view
from gridlock.web.api import GameId, TheRequest, TheSearches
from gridlock.web.exchange import TEXT_LENGTH
from gridlock.web.limiter import address_of
from gridlock.web.responses import refusals
from gridlock.web.waiting import while_connected

if TYPE_CHECKING:
    from gridlock.web.searches import EngineFor, Searches

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
    return await _judge(puzzle, data, searches, request)


async def _judge(
    puzzle: Puzzle, data: view.Try, searches: Searches, request: TheRequest
) -> view.Tried:
    """Return what comes of a try; what refutes a wrong one is searched."""
    before = view.read_attempt(puzzle, data.found, data.mistakes)
    cell, after = view.try_cell(before, data.cell)
    if after.mistakes == before.mistakes:
        return view.show_right(before, after)

    def refute(engine_for: EngineFor) -> view.Tried:
        line = engine_for(before.position.game).refute(before.position, cell)
        return view.show_wrong(before, line)

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


def read_mistake(
    game: GameId,
    position: Annotated[
        str, QueryParameter(description="The position text.", max_length=TEXT_LENGTH)
    ],
    winning: Annotated[
        str, QueryParameter(description="The cells that win there.", max_length=TEXT_LENGTH)
    ],
) -> Callable[[], Puzzle]:
    """Return what reads the mistake that a request is about, which may take a while."""
    return partial(view.read_mistake, game, position, winning)


TheMistake = NamedDependency[Callable[[], Puzzle]]
_WITH_MISTAKE = {"read": Provide(read_mistake, sync_to_thread=False)}


@get("/api/mistakes", dependencies=_WITH_MISTAKE, responses=refusals(400), sync_to_thread=True)
def show_mistake(read: TheMistake) -> view.PuzzleInfo:
    """Return a position that somebody won and gave away as a puzzle; only they keep it."""
    return view.show_mistake(read())


@post(
    "/api/mistakes/tries",
    status_code=HTTP_200_OK,
    dependencies=_WITH_MISTAKE,
    responses=refusals(400, 409, 413, 415),
)
async def try_mistake(
    read: TheMistake, data: JSONBody[view.Try], searches: TheSearches, request: TheRequest
) -> view.Tried:
    """Try a cell in place of a mistake: a wrong one is refuted."""
    return await _judge(await asyncio.to_thread(read), data, searches, request)


@get(
    "/api/mistakes/solution",
    dependencies=_WITH_MISTAKE,
    responses=refusals(400),
    sync_to_thread=True,
)
def show_better(read: TheMistake) -> view.SolutionInfo:
    """Return what would have won in place of a mistake."""
    return view.show_solution(Attempt.at(read()))


ROUTES: list[Any] = [
    show_collection,
    show_daily,
    show_next,
    show_puzzle,
    try_cell,
    show_solution,
    show_share,
    rate,
    show_mistake,
    try_mistake,
    show_better,
]
