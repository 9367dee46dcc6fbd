# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Regions of a placement game: cells that depend on each other, and on no others."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Cells, Int, lowest_cell
    from gridlock.search.kernel.sets import Sets
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Cells, Int, lowest_cell
    from cython.cimports.gridlock.search.kernel.sets import Sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.search.layout import Layout

built_from = FINGERPRINT


class Links:
    """Which cells are linked by a reach: one of them closes the other.

    On a whole board the cells that are linked to a set of others are found by shifting it.
    """

    def __init__(
        self, reaches: Sequence[int], shifts: Sequence[tuple[int, int]], cells: int
    ) -> None:
        self.of = Sets(cells)
        one: Cells = 1
        cell: Int
        other: Int
        self.is_empty = True
        for cell in range(cells):
            for other in range(cells):
                if cell != other and (reaches[cell] >> other | reaches[other] >> cell) & 1:
                    self.of.at[cell] |= one << other
                    self.is_empty = False
        self.shifts = array("q", [shift for shift, _ in shifts] or [0])
        self.starts = Sets(len(shifts), [start for _, start in shifts])
        self.shift_count = len(shifts)

    def spread(self, cells: Cells) -> Cells:
        """Return the cells that are linked to any of some cells."""
        linked: Cells = 0
        if self.is_empty:
            return linked
        i: Int
        if self.shift_count == 0:
            while cells:
                linked |= self.of.at[lowest_cell(cells)]
                cells &= cells - 1
        for i in range(self.shift_count):
            moving: Cells = cells & self.starts.at[i]
            shift: Int = self.shifts[i]
            if shift > 0:
                linked |= moving << shift
            else:
                linked |= moving >> -shift
        return linked


class Regions:
    """What every cell closes to its ``own`` player and to the ``opponent``, and its links.

    The links of a cell are the other cells that it closes or that close it, to the same player
    (``own_links``) or to the other one (``opponent_links``).
    """

    def __init__(self, layout: Layout) -> None:
        self.own = Sets(layout.cells, layout.own)
        self.opponent = Sets(layout.cells, layout.opponent)
        self.own_links = Links(layout.own, layout.own_shifts, layout.cells)
        self.opponent_links = Links(layout.opponent, layout.opponent_shifts, layout.cells)
        self.is_same = layout.own == layout.opponent

    def linked(self, mine: Cells, theirs: Cells, all_mine: Cells, all_theirs: Cells) -> Cells:
        """Return the open cells that some of them can close or be closed by."""
        if self.is_same and mine == theirs and all_mine == all_theirs:
            return self.own_links.spread(mine) & all_mine
        linked: Cells = self.own_links.spread(mine) | self.opponent_links.spread(theirs)
        linked &= all_mine
        return linked | all_theirs & (
            self.own_links.spread(theirs) | self.opponent_links.spread(mine)
        )

    def region(self, mine: Cells, theirs: Cells) -> Cells:
        """Return the cells that depend on the lowest open cell, and on each other."""
        region: Cells = mine | theirs
        region &= -region
        fresh: Cells = region
        while fresh:
            fresh = self.linked(fresh & mine, fresh & theirs, mine, theirs) & ~region
            region |= fresh
        return region
