"""Boards drawn in characters: what stands on each cell goes in, lines of styled text come out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.grid import Grid
    from gridlock.tui.glyphs import Glyphs


class Look(StrEnum):
    """How a part of a board looks; styles give each its colours."""

    LINE = "line"
    NUMBER = "number"
    OPEN = "open"
    APART = "apart"
    CLOSED = "closed"
    BLOCKED = "blocked"
    ONE = "one"
    TWO = "two"
    WIN = "win"
    SLOW_WIN = "slow-win"
    LOSS = "loss"
    QUICK_LOSS = "quick-loss"
    UNKNOWN = "unknown"
    LIKELIEST = "likeliest"
    ESTIMATE = "estimate"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Square:
    """What is drawn on one cell; ``fill`` is what the rest of the cell is filled with.

    ``short`` is one character that stands for the text where there is no more room, by default its
    first; brackets mark the cell that was chosen ``is_last``.
    """

    text: str
    look: Look
    fill: str = " "
    short: str = ""
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """The characters across and down of a cell, and whether there are lines between cells."""

    width: int
    height: int
    has_lines: bool = True

    @property
    def gap(self) -> int:
        """The characters between two cells."""
        return 1 if self.has_lines else 0

    @property
    def room(self) -> int:
        """The characters that may stand on a cell, so that they are apart from the next one's."""
        return self.width if self.has_lines else self.width - 1

    def size(self, grid: Grid, margin: int) -> tuple[int, int]:
        """Return the characters across and down of a whole board with its numbers."""
        gap = self.gap
        across = margin + grid.columns * (self.width + gap) + gap
        return across, 1 + grid.rows * (self.height + gap) + gap


SCALES = (
    Scale(19, 9), Scale(15, 7), Scale(11, 5), Scale(7, 3), Scale(5, 1), Scale(3, 1),
    *(Scale(width, 1, has_lines=False) for width in (4, 3, 2)),
)  # fmt: skip
"""The scales from the largest on."""

SCROLL_BAR = 1
"""The characters across, or the lines, that a scroll bar takes."""


Run = tuple[str, Look, bool]
"""Characters of one look, and whether they belong to the cursor."""


@dataclass(frozen=True)
class Drawing:
    """A board drawn at a scale; lines are asked for one at a time, as large boards scroll."""

    grid: Grid
    counting: int
    scale: Scale
    glyphs: Glyphs
    squares: Sequence[Square]
    cursor: int | None = None

    @property
    def margin(self) -> int:
        """The characters for the numbers of the rows."""
        return margin_of(self.grid, self.counting)

    @property
    def size(self) -> tuple[int, int]:
        """The characters across and down."""
        return self.scale.size(self.grid, self.margin)

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the cell that is drawn at a place, or None beside the cells."""
        gap = self.scale.gap
        column, in_column = divmod(x - self.margin - gap, self.scale.width + gap)
        row, in_row = divmod(y - 1 - gap, self.scale.height + gap)
        is_line = in_column >= self.scale.width or in_row >= self.scale.height
        is_outside = is_line or not self.grid.contains(row, column)
        return None if is_outside else self.grid.cell(row, column)

    def place(self, cell: int) -> tuple[int, int]:
        """Return where the frame of a cell, or the cell where there are no frames, begins."""
        gap = self.scale.gap
        row, column = self.grid.place(cell)
        return (
            self.margin + column * (self.scale.width + gap),
            1 + row * (self.scale.height + gap),
        )

    def line(self, y: int) -> list[Run]:
        """Return one line from the top as runs of characters."""
        if y == 0:
            return self._numbers()
        gap = self.scale.gap
        row, inside = divmod(y - 1, self.scale.height + gap)
        if gap and inside == 0:
            runs = [(" " * self.margin, Look.NUMBER, False), *self._ruled(row)]
        else:
            runs = self._cells(row, inside - gap)
        return [
            ("".join(text for text, _, _ in same), look, is_cursor)
            for (look, is_cursor), same in groupby(runs, key=lambda run: run[1:])
        ]

    def _numbers(self) -> list[Run]:
        gap, width = self.scale.gap, self.scale.width
        step, whole = width + gap, self.size[0]
        longest = len(str(self.grid.columns - 1 + self.counting))
        every = next(every for every in (1, 2) if every * step > longest)
        line = [" "] * whole
        for column in range(self.grid.columns):
            number = str(column + self.counting).center(width)
            if int(number) % every == 0:
                at = min(self.margin + gap + column * step, whole - len(number))
                line[at : at + len(number)] = number
        return [("".join(line), Look.NUMBER, False)]

    def _ruled(self, row: int) -> list[Run]:
        """Return the line above a row, or below the last one."""
        glyphs, columns = self.glyphs, self.grid.columns
        level = 0 if row == 0 else 6 if row == self.grid.rows else 3
        runs: list[Run] = []
        for column in range(columns + 1):
            side = 0 if column == 0 else 2 if column == columns else 1
            frame = self._frame(row, column)
            corner = glyphs.corners[level + side] if frame is None else glyphs.cursor[frame]
            runs.append((corner, Look.LINE, frame is not None))
            if column < columns:
                is_cursor = self._is_cursor(row, column) or self._is_cursor(row - 1, column)
                across = glyphs.cursor[4] if is_cursor else glyphs.across
                runs.append((across * self.scale.width, Look.LINE, is_cursor))
        return runs

    def _frame(self, row: int, column: int) -> int | None:
        """Return which corner of the cursor's frame is where two lines cross, if one is."""
        corners = ((row, column), (row, column - 1), (row - 1, column), (row - 1, column - 1))
        return next((n for n, place in enumerate(corners) if self._is_cursor(*place)), None)

    def _cells(self, row: int, inside: int) -> list[Run]:
        """Return a line through the cells of a row."""
        middle = self.scale.height // 2
        number = str(row + self.counting) if inside == middle else ""
        runs: list[Run] = [(f"{number:>{self.margin - 1}} ", Look.NUMBER, False)]
        for column in range(self.grid.columns):
            is_cursor = self._is_cursor(row, column)
            if self.scale.has_lines:
                is_beside = is_cursor or self._is_cursor(row, column - 1)
                line = self.glyphs.cursor[5] if is_beside else self.glyphs.down
                runs.append((line, Look.LINE, is_beside))
            square = self.squares[self.grid.cell(row, column)]
            text = self._fitted(square) if inside == middle else ""
            shown = text.center(self.scale.width, square.fill)
            runs.append((shown, square.look, is_cursor and not self.scale.has_lines))
        if self.scale.has_lines:
            is_beside = self._is_cursor(row, self.grid.columns - 1)
            line = self.glyphs.cursor[5] if is_beside else self.glyphs.down
            runs.append((line, Look.LINE, is_beside))
        return runs

    def _fitted(self, square: Square) -> str:
        """Return the text of a square as there is room for it, set off from what is beside it."""
        width = self.scale.width
        text = square.text or (square.fill if square.is_last else "")
        if len(text) > self.scale.room:
            text = square.short or text[0]
        if square.is_last:
            return f"({text})" if len(text) + 2 <= width else f"{text}{self.glyphs.left}"
        has_room = text and square.fill != " " and len(text) + 2 <= width
        return f" {text} " if has_room else text

    def _is_cursor(self, row: int, column: int) -> bool:
        return (
            self.cursor is not None
            and self.grid.contains(row, column)
            and self.grid.cell(row, column) == self.cursor
        )


def margin_of(grid: Grid, counting: int) -> int:
    """Return the characters that the numbers of the rows take, and a blank."""
    return len(str(grid.rows - 1 + counting)) + 1


def fitting_scale(grid: Grid, counting: int, across: int, down: int) -> Scale:
    """Return the largest scale at which a board fits.

    Where it must scroll it is one at which most cells are seen: low, and as wide as fits beside a
    scroll bar, or as narrow as can be.
    """
    margin = margin_of(grid, counting)
    for scale in SCALES:
        width, height = scale.size(grid, margin)
        if width <= across and height <= down:
            return scale
    for scale in SCALES:
        if not scale.has_lines and scale.size(grid, margin)[0] + SCROLL_BAR <= across:
            return scale
    return SCALES[-1]
