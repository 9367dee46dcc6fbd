"""The regions of a placement position: open cells that depend on each other, and on no others.

A search packs the cells that it knows into a machine word, but regions are found on boards of any
size: a position may be solved though it has more open cells than a word has bits.
"""

from __future__ import annotations

from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple, cast

from gridlock.grid import Grid, cells_of
from gridlock.model import Game
from gridlock.search.kernel.bits import CELLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock.grid import Offsets
    from gridlock.rulebooks.placement import PlacementRulebook


_SIDE = isqrt(CELLS)


class Region(NamedTuple):
    """The cells of a region that each player may take, as masks of the whole board."""

    one: int
    two: int

    @property
    def cells(self) -> int:
        """The mask of its cells."""
        return self.one | self.two

    @property
    def size(self) -> int:
        """How many cells it has."""
        return self.cells.bit_count()


class Links:
    """Which cells of a game can close each other."""

    def __init__(self, game: Game) -> None:
        rulebook = cast("PlacementRulebook", game.rulebook)
        self._own = game.grid.around(_both_ways(rulebook.own))
        self._opponent = game.grid.around(_both_ways(rulebook.opponent))
        self._rulebook = rulebook

    @cached_property
    def most(self) -> int:
        """How many pairs of cells are linked on an empty board that can surely be searched."""
        board = Game(self._rulebook, Grid(_SIDE, _SIDE))
        return Links(board).count(Region(board.grid.full, board.grid.full))

    def count(self, region: Region) -> int:
        """Return how many pairs of cells in a region are linked."""
        one, two = region
        return sum(self._linked(cell, one, two).bit_count() for cell in cells_of(one | two)) // 2

    def regions(self, one: int, two: int, most: int) -> Iterator[Region]:
        """Yield the regions of the cells that are open to each player.

        The last one is incomplete if it has more than ``most`` cells: nobody needs it whole, and on
        a large board that would take long.
        """
        left = one | two
        while left:
            region = self._region(left & -left, one, two, most)
            yield Region(one & region, two & region)
            if region.bit_count() > most:
                return
            left &= ~region

    def _region(self, start: int, one: int, two: int, most: int) -> int:
        """Return the cells that depend on a cell, all as masks; of too many some may be missing."""
        region = fresh = start
        while fresh and region.bit_count() <= most:
            linked = 0
            while fresh:  # there are few of them, so this is quicker than to look for all bits
                lowest = fresh & -fresh
                fresh ^= lowest
                linked |= self._linked(lowest.bit_length() - 1, one, two)
            fresh = linked & ~region
            region |= fresh
        return region

    def _linked(self, cell: int, one: int, two: int) -> int:
        """Return the open cells that a cell can close or be closed by."""
        linked = 0
        if one >> cell & 1:
            linked |= self._own[cell] & one | self._opponent[cell] & two
        if two >> cell & 1:
            linked |= self._own[cell] & two | self._opponent[cell] & one
        return linked


def _both_ways(offsets: Offsets) -> Offsets:
    return offsets | {(-down, -right) for down, right in offsets}
