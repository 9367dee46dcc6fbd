# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""A board of cells that close each other: what is alike, what hangs together, how many moves.

A position is what the mover may still take (``mine``) and what the other player may (``theirs``),
as masks; nothing else of it matters but the last cell, where moves follow it.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import Int, Mask, count, lowest
    from gridlock.search.kernel.table import Search
else:
    from cython.cimports.gridlock.search.kernel.bits import Int, Mask, count, lowest
    from cython.cimports.gridlock.search.kernel.table import Search

if TYPE_CHECKING:
    from gridlock.search.layout import Layout


class Board(Search):
    """The geometry of a placement game, and bounds on what a player can take."""

    def __init__(
        self, words: memoryview, busy: memoryview, signal: memoryview, layout: Layout
    ) -> None:
        Search.__init__(self, words, busy, signal, layout)
        self.cells = layout.cells
        self.own = array("Q", layout.own)
        self.opponent = array("Q", layout.opponent)
        self.own_links = array("Q", bytes(8 * layout.cells))
        self.opponent_links = array("Q", bytes(8 * layout.cells))
        self._tie()
        self.covers = array("Q", [clique for cover in layout.covers for clique in cover] or [0])
        self.cover_sizes = array("q", [len(cover) for cover in layout.covers] or [0])
        self.cover_count = len(layout.covers)
        self.columns = layout.columns
        self.left_column = layout.left_column
        self.symmetries = len(layout.symmetries)
        self.turns = array("q", [image for symmetry in layout.symmetries for image in symmetry])
        self.spoilt = array("Q", layout.spoilt)
        self.has_regions = layout.has_regions
        self.has_bounds = layout.has_bounds
        self.has_mirror = layout.has_mirror

    def _tie(self) -> None:
        """Set the links of every cell: the other cells that it closes or that close it."""
        one: Mask = 1
        cell: Int
        other: Int
        for cell in range(self.cells):
            for other in range(self.cells):
                if cell == other:
                    continue
                if (self.own[cell] >> other | self.own[other] >> cell) & 1:
                    self.own_links[cell] |= one << other
                if (self.opponent[cell] >> other | self.opponent[other] >> cell) & 1:
                    self.opponent_links[cell] |= one << other

    def _slide(self, mask: Mask) -> Int:
        """Return how far to shift a mask so that it touches the top and the left edge."""
        if self.columns == 0:
            return 0
        shift: Int = lowest(mask) // self.columns * self.columns
        mask >>= shift
        while mask & self.left_column == 0:
            mask >>= 1
            shift += 1
        return shift

    def _settle(self, mine: Mask, theirs: Mask, last: Int) -> None:
        """Set ``mine``, ``theirs`` and ``last`` to the one among all like positions that counts.

        What lies where on the board does not matter, only how; so the least image of all symmetries
        stands for them, moved to the corner.  Also set ``is_answered``, whether the other player
        can mirror whatever the mover does, and ``can_answer``, the other way round.
        """
        self.is_answered = False
        self.can_answer = False
        self.last = last
        shift: Int = 0
        if last < 0 and mine | theirs != 0:
            shift = self._slide(mine | theirs)
        self.mine = mine >> shift
        self.theirs = theirs >> shift
        symmetry: Int
        for symmetry in range(1, self.symmetries):
            p: Mask = self._image(symmetry, mine)
            o: Mask = self._image(symmetry, theirs)
            if self.has_mirror:
                if p & ~theirs == 0 and mine & self.spoilt[symmetry] == 0:
                    self.is_answered = True
                if o & ~mine == 0 and theirs & self.spoilt[symmetry] == 0:
                    self.can_answer = True
            turned: Int = last
            if last >= 0:
                turned = self.turns[symmetry * self.cells + last]
            elif p | o != 0:
                shift = self._slide(p | o)
                p >>= shift
                o >>= shift
            if p < self.mine or (
                p == self.mine and (o < self.theirs or (o == self.theirs and turned < self.last))
            ):
                self.mine = p
                self.theirs = o
                self.last = turned

    def _link(self, cell: Int, mine: Mask, theirs: Mask) -> Mask:
        """Return the open cells that a cell can close or be closed by."""
        linked: Mask = 0
        if mine >> cell & 1:
            linked |= self.own_links[cell] & mine | self.opponent_links[cell] & theirs
        if theirs >> cell & 1:
            linked |= self.own_links[cell] & theirs | self.opponent_links[cell] & mine
        return linked

    def _region(self, mine: Mask, theirs: Mask) -> Mask:
        """Return the cells that depend on the lowest open cell, and on each other."""
        region: Mask = mine | theirs
        region &= -region
        fresh: Mask = region
        while fresh:
            linked: Mask = 0
            while fresh:
                linked |= self._link(lowest(fresh), mine, theirs)
                fresh &= fresh - 1
            fresh = linked & ~region
            region |= fresh
        return region

    def _most(self, mask: Mask) -> Int:
        """Return a number of cells above which nobody can take from a mask, even alone."""
        most: Int = count(mask)
        at: Int = 0
        cover: Int
        for cover in range(self.cover_count):
            hit: Int = 0
            clique: Int
            for clique in range(at, at + self.cover_sizes[cover]):
                if mask & self.covers[clique]:
                    hit += 1
            at += self.cover_sizes[cover]
            most = min(most, hit)
        return most

    def _sure(self, mine: Mask, theirs: Mask) -> Int:
        """Return a number of cells that a player can take, whatever the other one does."""
        while theirs:
            mine &= ~self.opponent[lowest(theirs)]
            theirs &= theirs - 1
        sure: Int = 0
        while mine:
            mine &= ~self.own[lowest(mine)]
            sure += 1
        return sure
