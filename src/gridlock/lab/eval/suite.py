"""The position suite: fixed positions with one right answer, by difficulty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridlock.errors import PuzzleError
from gridlock.puzzles.collection import find_puzzle, puzzles_of

if TYPE_CHECKING:
    from gridlock.model import Position

DIFFICULTIES = ("easy", "medium", "hard")
"""The thirds of the puzzles of a rulebook, by their ratings."""


@dataclass(frozen=True, slots=True)
class Item:
    """A position of the suite, and the only cell that wins."""

    id: str
    position: Position
    right: int
    difficulty: str


def choose_items(game_id: str, count: int) -> list[Item]:
    """Return so many positions of a rulebook, evenly spread from the easiest to the hardest."""
    puzzles = puzzles_of(game_id)
    if not 1 <= count <= len(puzzles):
        raise PuzzleError(f"the suite of {game_id} has 1 to {len(puzzles)} positions, not {count}")
    middles = [(2 * n + 1) * len(puzzles) // (2 * count) for n in range(count)]
    return [find_item(puzzles[middle].id) for middle in middles]


def find_item(puzzle_id: str) -> Item:
    """Return the position of the suite with this id, or raise ``PuzzleError``."""
    puzzle = find_puzzle(puzzle_id)
    puzzles = puzzles_of(puzzle_id.partition("-")[0])
    third = puzzles.index(puzzle) * len(DIFFICULTIES) // len(puzzles)
    return Item(puzzle.id, puzzle.position, puzzle.line[0], DIFFICULTIES[third])
