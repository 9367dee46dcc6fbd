"""A moment of delight for somebody who has won: a ripple that runs over the board once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gridlock.tui.drawing import Look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.grid import Grid
    from gridlock.tui.drawing import Square

STEP_SECONDS = 0.07
_MOST_STEPS = 12  # less than a second, on a board of any size


def ripple(grid: Grid, squares: Sequence[Square], cell: int) -> list[list[Square]]:
    """Return the pictures of a ring that grows around a cell until it has left the board."""
    row, column = grid.place(cell)
    places = [grid.place(other) for other in range(grid.cell_count)]
    distances = [max(abs(row - down), abs(column - right)) for down, right in places]
    width = max(distances) // _MOST_STEPS + 1
    return [
        [
            replace(square, look=Look.HINT) if distance // width == step else square
            for square, distance in zip(squares, distances, strict=True)
        ]
        for step in range(max(distances) // width + 1)
    ]
