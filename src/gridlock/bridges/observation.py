"""What an environment shows of one position: planes, legal actions, a text, a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gridlock.grid import cells_of
from gridlock.model import Player
from gridlock.search.batching import batching_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gridlock.model import Game, Position

RENDER_MODES = ("ansi", "human", "rgb_array")

_SQUARE = 40  # pixels
_LINE = 2  # pixels, around each square
_RADIUS = 14  # pixels, of a mark
_INK = (58, 64, 72)
_PAPER = (246, 243, 234)
_CLOSED = (214, 209, 196)  # to the mover
_BLOCKED = (96, 100, 108)
_MARKS = {Player.ONE: (36, 104, 178), Player.TWO: (217, 108, 38)}


def plane_names(game: Game) -> tuple[str, ...]:
    """Return what the planes of a game are called."""
    return batching_of(game).planes


def planes(position: Position, viewer: Player) -> NDArray[np.int8]:
    """Return the planes of a position as a player sees it: planes, rows, columns."""
    grid = position.game.grid
    masks = batching_of(position.game).masks(position, viewer)
    shown = np.zeros((len(masks), grid.cell_count), np.int8)
    for plane, mask in zip(shown, masks, strict=True):
        plane[list(cells_of(mask))] = 1
    return shown.reshape(-1, grid.rows, grid.columns)


def legal_mask(position: Position) -> NDArray[np.int8]:
    """Return which cells the mover may choose: 1 or 0 for each."""
    mask = np.zeros(position.game.grid.cell_count, np.int8)
    mask[list(position.legal_cells())] = 1
    return mask


def text(position: Position) -> str:
    """Return a position as lines of text: the board, and who is to move or has won."""
    rulebook, grid = position.game.rulebook, position.game.grid
    squares = ["."] * grid.cell_count
    for cell in cells_of(position.blocked):
        squares[cell] = "#"
    for player in Player:
        for cell in cells_of(position.marks(player)):
            squares[cell] = rulebook.symbol(player)
    width = max(map(len, (*rulebook.symbols, ".")))
    lines = [
        " ".join(square.rjust(width) for square in squares[at : at + grid.columns])
        for at in range(0, grid.cell_count, grid.columns)
    ]
    winner = position.winner
    mover = f"{rulebook.symbol(position.mover)} to {position.phase}"
    return "\n".join([*lines, mover if winner is None else f"{rulebook.symbol(winner)} wins"])


def picture(position: Position) -> NDArray[np.uint8]:
    """Return a position as pixels: rows, columns, and red, green and blue.

    Cells that the mover may not choose are darker, blocked ones darkest.
    """
    grid = position.game.grid
    pixels = np.empty((grid.rows * _SQUARE, grid.columns * _SQUARE, 3), np.uint8)
    pixels[:] = _INK
    marks = {cell: player for player in Player for cell in cells_of(position.marks(player))}
    middle = np.arange(_SQUARE) - (_SQUARE - 1) / 2
    disc = middle[:, None] ** 2 + middle**2 <= _RADIUS**2
    for cell in range(grid.cell_count):
        row, column = (side * _SQUARE for side in grid.place(cell))
        square = pixels[row : row + _SQUARE, column : column + _SQUARE]
        ground = _PAPER if position.is_legal(cell) else _CLOSED
        square[_LINE:-_LINE, _LINE:-_LINE] = _BLOCKED if position.blocked >> cell & 1 else ground
        if cell in marks:
            square[disc] = _MARKS[marks[cell]]
    return pixels


def render(position: Position, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Return what ``render`` of an environment returns; for people, print the text."""
    if mode == "rgb_array":
        return picture(position)
    if mode == "ansi":
        return text(position)
    print(text(position), end="\n\n", flush=True)
    return None
