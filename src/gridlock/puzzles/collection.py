"""The puzzles that come with the program: one file a rulebook, one puzzle a line."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from gridlock.errors import PuzzleError, quote
from gridlock.model import Game
from gridlock.notation import board_of
from gridlock.puzzles.puzzle import Puzzle
from gridlock.rulebooks.catalogue import RULEBOOKS

if TYPE_CHECKING:
    import random
    from collections.abc import Collection
    from datetime import date

THEMES = {
    "mirror": "answer each move on the opposite side",
    "split": "split the board",
    "reserve": "keep a move in hand",
    "parity": "count who moves last",
    "trap": "leave no way out",
    "dash": "dash for the corner",
}
"""What a puzzle may be about, in words."""

_NEAR = 150  # points of rating within which a puzzle suits somebody
_STRIDE = 37  # neighbours in a file are alike, and should not be on neighbouring days


def puzzles_of(game_id: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a rulebook, the easiest first; none where there are none."""
    return _read(game_id) if game_id in RULEBOOKS else ()


@lru_cache
def _read(game_id: str) -> tuple[Puzzle, ...]:
    file = files(__package__) / "data" / f"{game_id}.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.is_file() else ()
    return tuple(read_puzzle(line) for line in lines)


def games_with_puzzles() -> list[str]:
    """Return the rulebooks that have puzzles; one that was just added has none."""
    return [game_id for game_id in RULEBOOKS if puzzles_of(game_id)]


def read_puzzle(line: str) -> Puzzle:
    """Return the puzzle of a line of a file."""
    fields = json.loads(line)
    game = game_of(fields["id"].partition("-")[0], fields["position"])
    return Puzzle(
        fields["id"],
        game.position(fields["position"]),
        tuple(game.cell(name) for name in fields["line"].split()),
        fields["rating"],
        tuple(fields["themes"]),
    )


def game_of(game_id: str, position: str) -> Game:
    """Return the game of a position text: its board is as large as the text says."""
    return Game(RULEBOOKS[game_id], board_of(position))


def write_puzzle(puzzle: Puzzle) -> str:
    """Return the line of a file that holds a puzzle."""
    fields = {
        "id": puzzle.id,
        "position": str(puzzle.position),
        "line": " ".join(map(puzzle.position.game.name, puzzle.line)),
        "rating": puzzle.rating,
        "themes": puzzle.themes,
    }
    return json.dumps(fields)


def find_puzzle(puzzle_id: str) -> Puzzle:
    """Return the puzzle with an id, such as ``duel-17``, or raise ``PuzzleError``."""
    game_id = puzzle_id.partition("-")[0]
    for puzzle in puzzles_of(game_id):
        if puzzle.id == puzzle_id:
            return puzzle
    if found := puzzles_of(game_id):
        reason = f"those of {game_id} go from {game_id}-1 to {game_id}-{len(found)}"
    else:
        reason = f"an id is a rulebook and a number, for example {next(iter(RULEBOOKS))}-1"
    raise PuzzleError(f"there is no puzzle {quote(puzzle_id)}: {reason}")


def daily_puzzle(day: date) -> Puzzle:
    """Return the puzzle of a day: the same for everybody who has the same release."""
    games = games_with_puzzles()
    number, place = divmod(day.toordinal(), len(games))
    found = puzzles_of(games[place])
    return found[number * _STRIDE % len(found)]


def next_puzzle(
    rating: float,
    rng: random.Random,
    *,
    game_id: str | None = None,
    theme: str | None = None,
    seen: Collection[str] = (),
) -> Puzzle:
    """Return a puzzle that suits a rating and has not been seen, or raise ``PuzzleError``.

    When all have been seen, those come again.
    """
    games = [game_id] if game_id else RULEBOOKS
    found = [puzzle for game in games for puzzle in puzzles_of(game)]
    found = [puzzle for puzzle in found if theme is None or theme in puzzle.themes]
    if not found:
        about = f" about {quote(THEMES.get(theme, theme))}" if theme else ""
        raise PuzzleError(f"there are no puzzles of {game_id or 'any game'}{about}")
    found = [puzzle for puzzle in found if puzzle.id not in seen] or found
    nearest = min(abs(puzzle.rating - rating) for puzzle in found)
    near = [puzzle for puzzle in found if abs(puzzle.rating - rating) <= max(nearest, _NEAR)]
    return rng.choice(near)
