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
    from gridlock.search.kernel.bits import FINGERPRINT, Int, Mask, lowest
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Int, Mask, lowest

if TYPE_CHECKING:
    from gridlock.search.layout import Layout

built_from = FINGERPRINT


class Regions:
    """What every cell closes to its ``own`` player and to the ``opponent``, and its links.

    The links of a cell are the other cells that it closes or that close it, to the same player
    (``own_links``) or to the other one (``opponent_links``).
    """

    def __init__(self, layout: Layout) -> None:
        self.own = array("Q", layout.own)
        self.opponent = array("Q", layout.opponent)
        self.own_links = array("Q", bytes(8 * layout.cells))
        self.opponent_links = array("Q", bytes(8 * layout.cells))
        one: Mask = 1
        cell: Int
        other: Int
        for cell in range(layout.cells):
            for other in range(layout.cells):
                if cell == other:
                    continue
                if (self.own[cell] >> other | self.own[other] >> cell) & 1:
                    self.own_links[cell] |= one << other
                if (self.opponent[cell] >> other | self.opponent[other] >> cell) & 1:
                    self.opponent_links[cell] |= one << other

    def links_of(self, cell: Int, mine: Mask, theirs: Mask) -> Mask:
        """Return the open cells that a cell can close or be closed by."""
        linked: Mask = 0
        if mine >> cell & 1:
            linked |= self.own_links[cell] & mine | self.opponent_links[cell] & theirs
        if theirs >> cell & 1:
            linked |= self.own_links[cell] & theirs | self.opponent_links[cell] & mine
        return linked

    def region(self, mine: Mask, theirs: Mask) -> Mask:
        """Return the cells that depend on the lowest open cell, and on each other."""
        region: Mask = mine | theirs
        region &= -region
        fresh: Mask = region
        while fresh:
            linked: Mask = 0
            while fresh:
                linked |= self.links_of(lowest(fresh), mine, theirs)
                fresh &= fresh - 1
            fresh = linked & ~region
            region |= fresh
        return region
