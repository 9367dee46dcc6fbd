"""Puzzles as they go over the wire: everything is said here, so that the page knows no rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import msgspec

from gridlock.errors import IllegalMoveError, NotationError
from gridlock.model import Player
from gridlock.puzzles import sentences
from gridlock.puzzles.collection import THEMES, puzzles_of
from gridlock.puzzles.progress import PAUSES, Mistake, Progress
from gridlock.puzzles.puzzle import Attempt, Puzzle
from gridlock.puzzles.rating import Rating
from gridlock.rulebooks.catalogue import RULEBOOKS, find_rulebook
from gridlock.sentences import why_refused
from gridlock.web.room import RefusedError
from gridlock.web.wire import Board, show_board

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gridlock.model import Position

MOST_CELLS = 100
"""How many cells somebody may have found: no line is nearly as long."""

MOST_SEEN = 2000
"""How many ids of puzzles a request may name: those of more would be larger than it may be."""

MOST_COUNTED = 1_000_000  # wrong tries, or puzzles in a row
_MOST_POINTS = 4000.0
_DEVIATIONS = (1.0, 350.0)
_VOLATILITIES = (0.001, 1.0)

CellName = Annotated[str, msgspec.Meta(max_length=10)]
PuzzleId = Annotated[str, msgspec.Meta(max_length=20)]
Points = Annotated[float, msgspec.Meta(ge=0, le=_MOST_POINTS)]
Deviation = Annotated[float, msgspec.Meta(ge=_DEVIATIONS[0], le=_DEVIATIONS[1])]
Volatility = Annotated[float, msgspec.Meta(ge=_VOLATILITIES[0], le=_VOLATILITIES[1])]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_COUNTED)]


class Theme(msgspec.Struct, frozen=True):
    """What a puzzle may be about, in words."""

    id: str
    text: str


class GamePuzzles(msgspec.Struct, frozen=True):
    """The puzzles of a game: how many there are, and what they are about."""

    game: str
    count: int
    themes: tuple[str, ...]


class Collection(msgspec.Struct, frozen=True):
    """All puzzles, by what somebody may choose.

    ``pauses`` are the days until a mistake of somebody's own comes back, by how often it has been
    solved; after the last it is learnt.
    """

    games: tuple[GamePuzzles, ...]
    themes: tuple[Theme, ...]
    pauses: tuple[int, ...]


class Step(msgspec.Struct, frozen=True):
    """An action of a line: whose it is, and the board after it."""

    cell: str
    player: Player
    board: Board


class AttemptInfo(msgspec.Struct, frozen=True):
    """How far somebody has come with a puzzle.

    ``found`` are the solver's own cells so far, ``last`` are the other player's answers to the last
    of them, and ``task`` says what is to be found next.
    """

    found: tuple[str, ...]
    last: tuple[str, ...]
    board: Board
    task: str
    solved: bool


class PuzzleInfo(msgspec.Struct, frozen=True):
    """A puzzle, without its solution; ``clue`` gives no cell away."""

    id: str
    game: str
    size: str
    solver: Player
    rating: int
    themes: tuple[str, ...]
    title: str
    clue: str
    attempt: AttemptInfo


class DailyPuzzle(msgspec.Struct, frozen=True):
    """The puzzle of a day."""

    date: str
    puzzle: PuzzleInfo


class NextQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants next, how well they solve, and the puzzles that they have seen."""

    game: Annotated[str, msgspec.Meta(max_length=20)] | None = None
    theme: Annotated[str, msgspec.Meta(max_length=20)] | None = None
    rating: Points | None = None
    seen: Annotated[list[PuzzleId], msgspec.Meta(max_length=MOST_SEEN)] = []


class Try(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The next cell, after those that were found, and how many tries were wrong before."""

    cell: CellName
    found: Annotated[list[CellName], msgspec.Meta(max_length=MOST_CELLS)] = []
    mistakes: Count = 0


class Tried(msgspec.Struct, frozen=True):
    """What came of a try, and ``text`` says it.

    After a right one ``steps`` are it and the answers of the other player; after a wrong one, it
    and how the other player wins, if that was found in time.
    """

    right: bool
    text: str
    steps: tuple[Step, ...]
    attempt: AttemptInfo


class SolutionInfo(msgspec.Struct, frozen=True):
    """What is left of the solution, in words and step by step."""

    text: str
    steps: tuple[Step, ...]


class ShareText(msgspec.Struct, frozen=True):
    """A result as a text for friends, which gives nothing away."""

    text: str


class PuzzleRating(msgspec.Struct, frozen=True):
    """How well somebody solves puzzles, and how surely that is known, by Glicko-2."""

    rating: Points
    deviation: Deviation
    volatility: Volatility


class PuzzleResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How somebody's first try went, and how they stood before; without a rating, as everybody."""

    solved: bool
    rating: PuzzleRating | None = None
    streak: Count = 0


class Rated(msgspec.Struct, frozen=True):
    """How somebody stands after a puzzle; ``shown`` is the rating as people see it."""

    rating: PuzzleRating
    shown: str
    streak: int
    text: str


def show_collection() -> Collection:
    """Return what there is to choose from."""
    games = []
    for game in RULEBOOKS:
        found = puzzles_of(game)
        themes = {theme for puzzle in found for theme in puzzle.themes}
        games.append(GamePuzzles(game, len(found), tuple(one for one in THEMES if one in themes)))
    return Collection(tuple(games), tuple(Theme(*theme) for theme in THEMES.items()), PAUSES)


def read_mistake(game: str, position: str, winning: str) -> Puzzle:
    """Return a mistake of somebody's own as a puzzle, or raise an error that says what is wrong."""
    find_rulebook(game)
    puzzle = Mistake(game, position, winning, due="").puzzle()
    if not puzzle.line:
        raise NotationError("no cell wins: a mistake has one that does")
    for cell in puzzle.also:
        if reason := why_refused(puzzle.position, cell):
            raise NotationError(f"this cell cannot win: {reason}")
    return puzzle


def show_mistake(puzzle: Puzzle) -> PuzzleInfo:
    """Return a mistake of somebody's own, as they see it before they try it again."""
    shown = show_puzzle(Attempt.at(puzzle))
    return msgspec.structs.replace(shown, title=sentences.title_of_mistake(puzzle))


def show_puzzle(attempt: Attempt) -> PuzzleInfo:
    """Return a puzzle as somebody sees it who has come so far."""
    puzzle = attempt.puzzle
    game = puzzle.position.game
    return PuzzleInfo(
        puzzle.id,
        game.rulebook.id,
        str(game.grid),
        puzzle.solver,
        puzzle.rating,
        puzzle.themes,
        sentences.title(puzzle),
        sentences.clue(puzzle),
        show_attempt(attempt),
    )


def show_attempt(attempt: Attempt) -> AttemptInfo:
    """Return how far somebody has come."""
    puzzle = attempt.puzzle
    game = puzzle.position.game
    played = zip(puzzle.positions(), puzzle.line[: attempt.played], strict=False)
    found = (cell for position, cell in played if position.mover is puzzle.solver)
    return AttemptInfo(
        tuple(map(game.name, found)),
        tuple(map(game.name, attempt.answer)),
        show_board(attempt.position),
        "" if attempt.is_solved else sentences.task(attempt),
        attempt.is_solved,
    )


def read_attempt(puzzle: Puzzle, found: Sequence[str], mistakes: int = 0) -> Attempt:
    """Return the attempt of somebody who has found some cells, or raise ``RefusedError``.

    What was right in one release may be wrong in another, so the whole way is checked.
    """
    attempt = Attempt.at(puzzle)
    for name in found:
        after = None if attempt.is_solved else _try(attempt, name)
        if after is None or after.mistakes:
            raise RefusedError("found", "these cells do not solve the puzzle so far")
        attempt = after
    return replace(attempt, mistakes=mistakes)


def try_cell(attempt: Attempt, name: str) -> tuple[int, Attempt]:
    """Return a cell, and the attempt after it was tried, or raise ``RefusedError``."""
    if attempt.is_solved:
        raise RefusedError("over", "the puzzle is solved")
    return attempt.position.game.cell(name), _try(attempt, name)


def _try(attempt: Attempt, name: str) -> Attempt:
    cell = attempt.position.game.cell(name)
    try:
        return attempt.try_(cell)
    except IllegalMoveError as error:
        raise RefusedError(error.code, why_refused(attempt.position, cell)) from None


def show_right(before: Attempt, after: Attempt) -> Tried:
    """Return what came of a right try."""
    text = sentences.solved(after) if after.is_solved else sentences.answer(after)
    cells = after.puzzle.line[before.played : after.played]
    return Tried(True, text, _steps(before.position, cells), show_attempt(after))


def show_wrong(attempt: Attempt, line: tuple[int, ...]) -> Tried:
    """Return what came of a wrong try, with the line that refutes it."""
    text = sentences.wrong(attempt, line)
    return Tried(False, text, _steps(attempt.position, line), show_attempt(attempt))


def show_solution(attempt: Attempt) -> SolutionInfo:
    """Return what is left to find."""
    cells = attempt.puzzle.line[attempt.played :]
    text = "" if attempt.is_solved else sentences.solution(attempt)
    return SolutionInfo(text, _steps(attempt.position, cells))


def _steps(position: Position, cells: Iterable[int]) -> tuple[Step, ...]:
    steps = []
    for cell in cells:
        mover = position.mover
        position = position.play(cell)
        steps.append(Step(position.game.name(cell), mover, show_board(position)))
    return tuple(steps)


def rate(puzzle: Puzzle, result: PuzzleResult) -> Rated:
    """Return how somebody stands after their first try at a puzzle."""
    told = result.rating
    rating = Rating(told.rating, told.deviation, told.volatility) if told else Rating()
    before = Progress(rating, streak=result.streak)
    after = before.after(puzzle, solved=result.solved)
    # What is answered here is what is told the next time, so it has to be within the same bounds.
    kept = PuzzleRating(
        _within(after.rating.rating, 0, _MOST_POINTS),
        _within(after.rating.deviation, *_DEVIATIONS),
        _within(after.rating.volatility, *_VOLATILITIES),
    )
    text = sentences.standing(before, after)
    return Rated(kept, str(after.rating), after.streak, text)


def _within(value: float, least: float, most: float) -> float:
    return min(most, max(least, value))
