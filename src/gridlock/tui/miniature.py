"""A small picture of each game, to choose by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.grid import Grid
from gridlock.model import Game
from gridlock.tui.squares import squares_of

if TYPE_CHECKING:
    from gridlock.tui.drawing import Run
    from gridlock.tui.glyphs import Glyphs

_ROWS, _COLUMNS = 4, 5
_WIDTH = 2  # characters of a cell

_SAMPLES = {
    "occupation": "2..../...../..1../....2 1 -",
    "duel": "1...2/...../..1../2.... 1 -",
    "claim": "1..2./..1../2..../...1. 2 -",
    "trail": ".12../.2.../.12../..1.. 2 4,3",
    "race": "..#../.1#../..#2./..... 1 move",
}
"""A position of each rulebook, and of every other game the first."""


def miniature(game: Game, glyphs: Glyphs) -> list[list[Run]]:
    """Return the lines of a small picture of a position."""
    small = Game(game.rulebook, Grid(_ROWS, _COLUMNS))
    sample = _SAMPLES.get(game.rulebook.id)
    position = small.position(sample) if sample else small.start().play(_ROWS * _COLUMNS // 2)
    squares = squares_of(position, glyphs)
    return [
        [
            ((square.text[-1:] or square.fill).center(_WIDTH, square.fill), square.look, False)
            for square in squares[row * _COLUMNS : (row + 1) * _COLUMNS]
        ]
        for row in range(_ROWS)
    ]
