# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Canonical positions: one that stands for all that are equal but for where and how they lie.

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
    from gridlock.search.kernel.bits import (
        FINGERPRINT,
        Bool,
        Cells,
        Int,
        lowest_cell,
        width_cells,
    )
    from gridlock.search.kernel.search import Search
    from gridlock.search.kernel.sets import Sets
else:
    from cython.cimports.gridlock.search.kernel.bits import (
        FINGERPRINT,
        Bool,
        Cells,
        Int,
        lowest_cell,
        width_cells,
    )
    from cython.cimports.gridlock.search.kernel.search import Search
    from cython.cimports.gridlock.search.kernel.sets import Sets

if TYPE_CHECKING:
    from gridlock.search.layout import Layout

built_from = FINGERPRINT


class Canonical(Search):
    """A search of a placement game that knows its positions by their canonical ones."""

    def __init__(
        self, words: memoryview, busy: memoryview, signal: memoryview, layout: Layout
    ) -> None:
        Search.__init__(self, words, busy, signal, layout)
        self.cells = layout.cells
        self.columns = layout.columns
        self.top_row = (1 << layout.columns) - 1
        images = [image for symmetry in layout.symmetries for image in symmetry]
        self.cell_images = array("q", images)
        self.origins = array("q", layout.origins)
        self.spoilt = Sets(len(layout.spoilt), layout.spoilt)
        self.has_mirror = layout.has_mirror

    def _find_rectangle(self, mask: Cells) -> None:
        """Set ``top``, ``bottom``, ``left`` and ``right``: the rectangle around some cells.

        The first two are where a row begins, so that the cell of a corner is the sum of two.
        """
        across: Cells = 0
        down: Cells = mask
        while down:
            across |= down & self.top_row
            down = down >> self.columns - 1 >> 1  # C cannot shift by all bits
        self.top = lowest_cell(mask) // self.columns * self.columns
        self.bottom = (width_cells(mask) - 1) // self.columns * self.columns
        self.left = lowest_cell(across)
        self.right = width_cells(across) - 1

    def _canonicalise(self, mine: Cells, theirs: Cells, last: Int) -> None:
        """Set ``mine``, ``theirs`` and ``last`` to the position that stands for all equal ones.

        Where on the board it lies does not matter, nor how it is turned: of its images under all
        symmetries, moved to the corner, the least is canonical.  Also set ``is_mirrored``, whether
        the other player can mirror whatever the mover does, and ``can_mirror``, the other way
        round.
        """
        self.is_mirrored = False
        self.can_mirror = False
        self.last = last
        slides: Bool = last < 0 and self.columns > 0 and mine | theirs != 0
        shift: Int = 0
        if slides:
            self._find_rectangle(mine | theirs)
            shift = self.top + self.left
        self.mine = mine >> shift
        self.theirs = theirs >> shift
        symmetry: Int
        for symmetry in range(1, self.symmetries.count):
            p: Cells = self.symmetries.image(symmetry, mine)
            if self.has_mirror:
                # A symmetry that is not its own inverse is spoilt everywhere; for any other the
                # image of p is mine, so that nobody needs the image of theirs.
                if p & ~theirs == 0 and mine & self.spoilt.at[symmetry] == 0:
                    self.is_mirrored = True
                if theirs & ~p == 0 and theirs & self.spoilt.at[symmetry] == 0:
                    self.can_mirror = True
            turned: Int = last
            if last >= 0:
                turned = self.cell_images[symmetry * self.cells + last]
            elif slides:
                corner: Int = self.bottom if self.origins[symmetry] & 2 else self.top
                corner += self.right if self.origins[symmetry] & 1 else self.left
                shift = self.cell_images[symmetry * self.cells + corner]
                p >>= shift
            if p > self.mine:
                continue
            o: Cells = self.symmetries.image(symmetry, theirs) >> shift
            if p < self.mine or o < self.theirs or (o == self.theirs and turned < self.last):
                self.mine = p
                self.theirs = o
                self.last = turned
