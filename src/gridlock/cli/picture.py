"""What stands on the cells of a board, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.grid import cells_of
from gridlock.model import Player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gridlock.cli.console import Console
    from gridlock.model import Position

    Label = tuple[str, str | None]
    """A text on a cell, and its colour."""


def draw_cells(
    position: Position,
    shades: Iterable[tuple[int, str]],
    square: Callable[[str, Player | None], str],
) -> list[str]:
    """Return a text for each cell, in reading order.

    ``shades`` are masks with what is shown on cells without a mark, later ones over earlier;
    ``square`` makes a cell's text of what stands on it and whose it is.
    """
    cells = [""] * position.game.grid.cell_count
    for mask, shade in shades:
        drawn = square(shade, None)
        for cell in cells_of(mask):
            cells[cell] = drawn
    for player in Player:
        drawn = square(position.game.rulebook.symbol(player), player)
        for cell in cells_of(position.marks(player)):
            cells[cell] = drawn
    return cells


def draw_board(
    position: Position,
    console: Console,
    shades: Iterable[tuple[int, str]],
    labels: Mapping[int, Label],
) -> list[str]:
    """Return the rows of a board with its numbers, and labels on some cells, as wide as it takes.

    On a narrow terminal as many columns as fit are shown, and the next ones below.
    """
    game = position.game
    grid, counting = game.grid, game.rulebook.counting
    numbers = [str(number + counting) for number in range(max(grid.rows, grid.columns))]
    texts = [text for text, _ in labels.values()]
    width = max(map(len, [*texts, *numbers, *game.rulebook.symbols]))
    margin = len(numbers[grid.rows - 1])

    def square(text: str, player: Player | None) -> str:
        padded = text.rjust(width)
        return console.paint(padded, player) if player else padded

    painted = draw_cells(position, [*shades, (position.blocked, "#")], square)
    for cell, (text, colour) in labels.items():
        painted[cell] = console.colour(text.rjust(width), colour)
    step = max(1, (console.width - margin) // (width + 2))
    rows = []
    for left in range(0, grid.columns, step):
        right = min(left + step, grid.columns)
        header = (number.rjust(width) for number in numbers[left:right])
        rows += ["", f"{'':>{margin}}  {'  '.join(header)}"]
        for row in range(grid.rows):
            cells = painted[row * grid.columns + left : row * grid.columns + right]
            rows.append(f"{numbers[row]:>{margin}}  {'  '.join(cells)}")
    return rows
