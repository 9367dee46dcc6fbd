"""How cells, board sizes and positions are written, both ways, and how many of them there are."""

from __future__ import annotations

import re

from gridlock.errors import NotationError, OutsideError, quote
from gridlock.grid import Grid, cells_of, impossible_size

Diagram = tuple[int, int, int]
"""What stands on a board: the masks of player 1's marks, of player 2's, and of blocked cells."""

_SIZE = re.compile(r"([0-9]+)[xX]([0-9]+)")
_NUMBER = re.compile(r"-?[0-9]+")
_PAIR = re.compile(r"(-?[0-9]+)(?:\s*,\s*|\s+)(-?[0-9]+)", re.ASCII)
_ASCII_BLANKS = " \t\n\r\f\v"
_MAX_DIGITS = 10  # more are far outside any board, and Python refuses to read thousands of them
_SQUARES = ".12#"


def read_number(text: str) -> int | None:
    """Return the number written in ASCII digits, or None; a huge one may come back cut short."""
    if not _NUMBER.fullmatch(text := text.strip(_ASCII_BLANKS)):
        return None
    digits = text.lstrip("-").lstrip("0") or "0"
    return int(digits[:_MAX_DIGITS]) * (-1 if text.startswith("-") else 1)


def write_count(number: int, noun: str) -> str:
    """Return how many there are: ``1 cell``, ``2 cells``, ``9,996 cells``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def read_pair(text: str) -> tuple[int, int] | None:
    """Return the two numbers of a written cell, ``3,3``, ``3 3`` or ``(3,3)``, or None."""
    text = text.strip(_ASCII_BLANKS)
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip(_ASCII_BLANKS)
    match = _PAIR.fullmatch(text)
    return match and (read_number(match[1]) or 0, read_number(match[2]) or 0)


def read_size(text: str) -> Grid:
    """Return the board of a size such as ``5x5``, or raise ``NotationError``."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise NotationError(f"the size {quote(text)} is not rows x columns, for example 5x5")
    rows, columns = (read_number(side) or 0 for side in match.groups())
    try:
        return Grid(rows, columns)
    except NotationError:  # shown as it was typed: huge numbers have come back cut short
        raise NotationError(impossible_size(text)) from None


def read_place(grid: Grid, counting: int, text: str) -> tuple[int, int]:
    """Return the row and column, from 0, of a written cell: ``3,3``, ``3 3`` or ``(3,3)``.

    Raises ``OutsideError`` for a cell that the board does not have, ``NotationError`` for a text
    that is not a cell.
    """
    pair = read_pair(text)
    if pair is None:
        raise NotationError(
            f"{quote(text)} is not a cell: "
            f"write a row and a column, for example {counting},{counting}"
        )
    row, column = pair[0] - counting, pair[1] - counting
    if not grid.contains(row, column):
        raise OutsideError(
            f"{quote(text)} is outside the board: rows go from {counting} to "
            f"{grid.rows - 1 + counting}, columns from {counting} to {grid.columns - 1 + counting}"
        )
    return row, column


def write_diagram(grid: Grid, diagram: Diagram) -> str:
    """Return the rows of a board from the top, joined by ``/``."""
    squares = ["."] * grid.cell_count
    for square, mask in zip("12#", diagram, strict=True):
        for cell in cells_of(mask):
            squares[cell] = square
    return "/".join(
        "".join(squares[row * grid.columns : (row + 1) * grid.columns]) for row in range(grid.rows)
    )


def board_of(text: str) -> Grid:
    """Return the board that a position text describes, or raise ``NotationError``."""
    rows = _fields(text)[0].split("/")
    return Grid(len(rows), len(rows[0]))


def _fields(text: str) -> list[str]:
    """Return the three fields of a position text."""
    fields = text.split()
    if len(fields) != len(("rows", "mover", "detail")):
        raise NotationError(
            f"the position {quote(text)} is not rows, mover and a last field, "
            "for example '.../.1./... 2 -'"
        )
    return fields


def read_diagram(grid: Grid, text: str) -> tuple[Diagram, int, str]:
    """Return the diagram, the mover and the last field of a position text."""
    fields = _fields(text)
    rows = fields[0].split("/")
    if len(rows) != grid.rows:
        raise NotationError(f"the position has {len(rows)} rows where {grid} has {grid.rows}")
    masks = dict.fromkeys(_SQUARES, 0)
    for row, squares in enumerate(rows):
        if len(squares) != grid.columns:
            raise NotationError(
                f"row {row + 1} of the position, {quote(squares)}, has {len(squares)} cells "
                f"where {grid} has {grid.columns}"
            )
        for column, square in enumerate(squares):
            if square not in masks:
                raise NotationError(
                    f"row {row + 1} of the position has {quote(square)}, "
                    "which is none of '.', '1', '2' and '#'"
                )
            masks[square] |= 1 << grid.cell(row, column)
    if fields[1] not in ("1", "2"):
        raise NotationError(f"the mover of the position is {quote(fields[1])}, not 1 or 2")
    return (masks["1"], masks["2"], masks["#"]), int(fields[1]), fields[2]
