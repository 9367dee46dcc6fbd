"""A small picture of each game, to choose by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.model import SAMPLE_SIZE
from gridlock.tui.squares import squares_of

if TYPE_CHECKING:
    from gridlock.model import Game
    from gridlock.tui.drawing import Run
    from gridlock.tui.glyphs import Glyphs

_ROWS, _COLUMNS = SAMPLE_SIZE.rows, SAMPLE_SIZE.columns
_WIDTH = 2  # characters of a cell


def miniature(game: Game, glyphs: Glyphs) -> list[list[Run]]:
    """Return the lines of a small picture of a position."""
    squares = squares_of(game.rulebook.sample_position(), glyphs)
    return [
        [
            ((square.text[-1:] or square.fill).center(_WIDTH, square.fill), square.look, False)
            for square in squares[row * _COLUMNS : (row + 1) * _COLUMNS]
        ]
        for row in range(_ROWS)
    ]
