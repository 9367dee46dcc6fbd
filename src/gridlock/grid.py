"""The geometry of an R x C board. It knows no rules.

A cell is the integer ``row * columns + column``, counted from 0 at the top left; a set of cells is
an integer, a bit mask, in which bit ``cell`` stands for that cell.  On a board of 3x4:

    column   0  1  2  3
    row 0    0  1  2  3        bit   11 10  9  8   7  6  5  4   3  2  1  0
    row 1    4  5  6  7              '- row 2 -'   '- row 1 -'  '- row 0 -'
    row 2    8  9 10 11

Python's integers have no upper limit, so the same masks serve 1x1 and 100x100.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, compress
from typing import TYPE_CHECKING

from gridlock.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_SIDE = 100
"""The most rows, or columns, that a board may have."""

Offsets = frozenset[tuple[int, int]]
"""Steps (rows down, columns right) from a cell to the cells around it."""

ORTHOGONAL: Offsets = frozenset({(-1, 0), (0, -1), (0, 1), (1, 0)})
DIAGONAL: Offsets = frozenset({(-1, -1), (-1, 1), (1, -1), (1, 1)})
KING: Offsets = ORTHOGONAL | DIAGONAL
KNIGHT: Offsets = frozenset(
    (down, right) for down in (-2, -1, 1, 2) for right in (-2, -1, 1, 2) if abs(down * right) == 2
)
LINE: Offsets = frozenset(
    step for n in range(1, MAX_SIDE) for step in ((n, 0), (-n, 0), (0, n), (0, -n))
)
"""The whole row and the whole column of a cell, on any board."""

_TRUTH = bytes.maketrans(b"01", b"\0\1")


def cells_of(mask: int) -> tuple[int, ...]:
    """Return the cells of a mask in reading order."""
    # Peeling off the lowest bit would copy the whole mask each time.
    bits = f"{mask:b}"[::-1].encode().translate(_TRUTH)
    return tuple(compress(range(len(bits)), bits))


def mask_of(cells: Iterable[int]) -> int:
    """Return the mask of some cells."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of ``rows`` by ``columns`` cells."""

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= MAX_SIDE and 1 <= self.columns <= MAX_SIDE):
            raise NotationError(
                f"the size '{self}' is not possible: rows and columns go from 1 to {MAX_SIDE}"
            )

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def cell_count(self) -> int:
        """How many cells there are."""
        return self.rows * self.columns

    @property
    def full(self) -> int:
        """The mask of all cells."""
        return (1 << self.cell_count) - 1

    def contains(self, row: int, column: int) -> bool:
        """Tell whether there is a cell at this place."""
        return 0 <= row < self.rows and 0 <= column < self.columns

    def cell(self, row: int, column: int) -> int:
        """Return the cell at a place that the board contains."""
        return row * self.columns + column

    def place(self, cell: int) -> tuple[int, int]:
        """Return the row and the column of a cell."""
        return divmod(cell, self.columns)

    def around(self, offsets: Offsets) -> Neighbourhoods:
        """Return, for every cell, the mask of the cells that lie at these offsets from it."""
        return _neighbourhoods(self, offsets)

    @lru_cache(maxsize=64)  # noqa: B019 - grids are few and small
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Return the ways to turn and flip the board onto itself, the identity first.

        Each is a tuple that sends ``cell`` to ``symmetry[cell]``: eight on a square board (fewer
        on a tiny one, where some coincide), four on an oblong one.
        """
        starts = range(0, self.cell_count, self.columns)
        rows = [tuple(range(start, start + self.columns)) for start in starts]
        boards = [[row[::right] for row in rows[::down]] for down in (1, -1) for right in (1, -1)]
        if self.rows == self.columns:
            boards += [list(zip(*board, strict=True)) for board in boards]
        return tuple(dict.fromkeys(tuple(chain.from_iterable(board)) for board in boards))


class Neighbourhoods(dict[int, int]):
    """The neighbourhood mask of each cell, worked out when first asked for.

    A 100x100 board has 10,000 masks of 10,000 bits each, and most games need only a few.
    """

    def __init__(self, grid: Grid, offsets: Offsets) -> None:
        super().__init__()
        self._grid = grid
        self._offsets = offsets

    def __missing__(self, cell: int) -> int:
        rows, columns = self._grid.rows, self._grid.columns
        row, column = divmod(cell, columns)
        mask = 0
        for down, right in self._offsets:
            if 0 <= row + down < rows and 0 <= column + right < columns:
                mask |= 1 << cell + down * columns + right
        self[cell] = mask
        return mask


@lru_cache(maxsize=64)
def _neighbourhoods(grid: Grid, offsets: Offsets) -> Neighbourhoods:
    return Neighbourhoods(grid, offsets)
