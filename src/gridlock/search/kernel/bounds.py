# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Bounds on how many cells of a placement game a player can take, without a search."""

from __future__ import annotations

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Cells, Int, count_cells, lowest_cell
    from gridlock.search.kernel.regions import Regions
    from gridlock.search.kernel.sets import Sets
else:
    from cython.cimports.gridlock.search.kernel.bits import (
        FINGERPRINT,
        Cells,
        Int,
        count_cells,
        lowest_cell,
    )
    from cython.cimports.gridlock.search.kernel.regions import Regions
    from cython.cimports.gridlock.search.kernel.sets import Sets

built_from = FINGERPRINT


class Bounds:
    """Bounds by cells that close each other, or that do not; the links are those of ``Regions``.

    The ``rivals`` of a cell are those that it closes to its owner, and that close it to theirs.
    """

    def __init__(self, cells: int, regions: Regions) -> None:
        self.own_links = regions.own_links
        self.opponent_links = regions.opponent_links
        self.rivals = Sets(cells)
        self.has_rivals = False
        one: Cells = 1
        cell: Int
        other: Int
        for cell in range(cells):
            for other in range(cells):
                if (
                    cell != other
                    and regions.own.at[cell] >> other & regions.own.at[other] >> cell & 1
                ):
                    self.rivals.at[cell] |= one << other
                    self.has_rivals = True

    def upper(self, mask: Cells) -> Int:
        """Return an upper bound on the cells that a player can take from a mask, even alone.

        Of cells that all close each other only one can be taken; such cliques are found greedily.
        """
        if not self.has_rivals:
            return count_cells(mask)
        one: Cells = 1
        upper: Int = 0
        while mask:
            upper += 1
            rivals: Cells = self.rivals.at[lowest_cell(mask)]
            mask &= mask - 1
            rivals &= mask
            while rivals:
                rival: Int = lowest_cell(rivals)
                mask &= ~(one << rival)
                rivals &= self.rivals.at[rival]
        return upper

    def lower(self, mine: Cells, theirs: Cells) -> Int:
        """Return twice a lower bound on the cells that a player can take, whatever the other does.

        Cells that do not close each other either way are looked for: first such as the other player
        cannot close, which can wait; then others, of which no action of the other player closes
        more than one: whoever goes on taking these gets half of them, and the odd one by beginning.
        """
        one: Cells = 1
        lower: Int = 0
        cell: Int
        left: Cells = mine & ~(theirs | self.opponent_links.spread(theirs))
        if self.own_links.is_empty:
            lower = 2 * count_cells(left)
            mine &= ~left
            left = 0
        while left:
            cell = lowest_cell(left)
            left &= ~(self.own_links.of.at[cell] | one << cell)
            mine &= ~(self.own_links.of.at[cell] | one << cell)
            lower += 2
        closed: Cells = 0
        left = mine
        while left:
            cell = lowest_cell(left)
            left &= left - 1
            threats: Cells = theirs & (self.opponent_links.of.at[cell] | one << cell)
            if threats & closed == 0:
                lower += 1
                closed |= threats
                left &= ~self.own_links.of.at[cell]
        return lower
