"""A small picture of each game, to choose by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.model import Game
from gridlock.rulebooks.catalogue import SAMPLE_SIZE, SAMPLES
from gridlock.tui.squares import squares_of

if TYPE_CHECKING:
    from gridlock.tui.drawing import Run
    from gridlock.tui.glyphs import Glyphs

_ROWS, _COLUMNS = SAMPLE_SIZE.rows, SAMPLE_SIZE.columns
_WIDTH = 2  # characters of a cell


def miniature(game: Game, glyphs: Glyphs) -> list[list[Run]]:
    """Return the lines of a small picture of a position."""
    small = Game(game.rulebook, SAMPLE_SIZE)
    sample = SAMPLES.get(game.rulebook.id)
    position = small.position(sample) if sample else small.start().play(_ROWS * _COLUMNS // 2)
    squares = squares_of(position, glyphs)
    return [
        [
            ((square.text[-1:] or square.fill).center(_WIDTH, square.fill), square.look, False)
            for square in squares[row * _COLUMNS : (row + 1) * _COLUMNS]
        ]
        for row in range(_ROWS)
    ]
