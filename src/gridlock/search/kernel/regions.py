# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Regions of a placement game: cells that depend on each other, and on no others."""

from __future__ import annotations

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
    from gridlock.search.layout import Layout

built_from = FINGERPRINT


class Regions:
    """What every cell closes to its ``own`` player and to the ``opponent``, and its links.

    The links of a cell are the other cells that it closes or that close it, to the same player
    (``own_links``) or to the other one (``opponent_links``).
    """

    def __init__(self, layout: Layout) -> None:
        self.own = Sets(layout.cells, layout.own)
        self.opponent = Sets(layout.cells, layout.opponent)
        self.own_links = Sets(layout.cells)
        self.opponent_links = Sets(layout.cells)
        one: Cells = 1
        cell: Int
        other: Int
        for cell in range(layout.cells):
            for other in range(layout.cells):
                if cell == other:
                    continue
                if (self.own.at[cell] >> other | self.own.at[other] >> cell) & 1:
                    self.own_links.at[cell] |= one << other
                if (self.opponent.at[cell] >> other | self.opponent.at[other] >> cell) & 1:
                    self.opponent_links.at[cell] |= one << other

    def links_of(self, cell: Int, mine: Cells, theirs: Cells) -> Cells:
        """Return the open cells that a cell can close or be closed by."""
        linked: Cells = 0
        if mine >> cell & 1:
            linked |= self.own_links.at[cell] & mine | self.opponent_links.at[cell] & theirs
        if theirs >> cell & 1:
            linked |= self.own_links.at[cell] & theirs | self.opponent_links.at[cell] & mine
        return linked

    def region(self, mine: Cells, theirs: Cells) -> Cells:
        """Return the cells that depend on the lowest open cell, and on each other."""
        region: Cells = mine | theirs
        region &= -region
        fresh: Cells = region
        while fresh:
            linked: Cells = 0
            while fresh:
                linked |= self.links_of(lowest_cell(fresh), mine, theirs)
                fresh &= fresh - 1
            fresh = linked & ~region
            region |= fresh
        return region
