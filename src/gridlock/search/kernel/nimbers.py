# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Who wins where both players may always take the same cells: Grundy values."""

from __future__ import annotations

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
        Mask,
        count,
        count_cells,
        lowest_cell,
    )
    from gridlock.search.kernel.canonical import Canonical
    from gridlock.search.kernel.regions import Regions
    from gridlock.search.kernel.table import NIMBER, WORK_SHIFT
else:
    from cython.cimports.gridlock.search.kernel.bits import (
        FINGERPRINT,
        Bool,
        Cells,
        Int,
        Mask,
        count,
        count_cells,
        lowest_cell,
    )
    from cython.cimports.gridlock.search.kernel.canonical import Canonical
    from cython.cimports.gridlock.search.kernel.regions import Regions
    from cython.cimports.gridlock.search.kernel.table import NIMBER, WORK_SHIFT

if TYPE_CHECKING:
    from gridlock.search.layout import Layout

built_from = FINGERPRINT

NIM_BITS, NIM_MASK = 23, (1 << 23) - 1  # the Grundy values that an entry speaks about


class Nimbers(Canonical):
    """Regions that are worth nim heaps; all but the largest are counted, and it is compared."""

    def __init__(
        self, words: memoryview, busy: memoryview, signal: memoryview, layout: Layout
    ) -> None:
        Canonical.__init__(self, words, busy, signal, layout)
        self.regions = Regions(layout)
        self.own = self.regions.own
        self.has_regions = layout.has_regions

    def _nim_sum(self, depth: Int, mine: Cells) -> Int:
        """Return the Grundy value of a position."""
        others: Int = self._split(depth, mine)
        if self.largest == 0:
            return others
        return others ^ self._nimber(depth, self.largest)

    def _nim_sum_is(self, depth: Int, mine: Cells, value: Int) -> Bool:
        """Tell whether a position has this Grundy value: the largest region is compared."""
        value ^= self._split(depth, mine)
        if self.largest == 0:
            return value == 0
        return self._is_nimber(depth, self.largest, value)

    def _probe_nim_sum(self, mine: Cells, value: Int) -> Int:
        """Return 1 or -1 if it is known whether a position has this Grundy value, otherwise 0.

        All regions but the largest are searched, as they were when its parent was.
        """
        value ^= self._split(0, mine)
        if self.largest == 0:
            return 1 if value == 0 else -1
        return self._probe_nimber(self.largest, value)

    def _split(self, depth: Int, mask: Cells) -> Int:
        """Return the Grundy value of all regions but the largest, which becomes ``largest``.

        That is canonical, or 0 if its value was seen at once and is counted too.
        """
        largest: Cells = 0
        others: Int = 0
        while mask:
            region: Cells = mask
            if self.has_regions:
                region = self.regions.region(mask, mask)
            mask &= ~region
            if count_cells(region) > count_cells(largest):
                region, largest = largest, region
            if region:
                others ^= self._nimber(depth, region)
        if largest and self._is_single(largest):
            others ^= 1
            largest = 0
        if largest:
            self._canonicalise(largest, largest, -1)
            largest = 0 if self.is_mirrored else self.mine
        self.largest = largest
        return others

    def _is_single(self, region: Cells) -> Bool:
        """Tell whether any cell of a region closes all of it: then it is worth one move."""
        left: Cells = region
        while left:
            if region & ~self.own.at[lowest_cell(left)]:
                return False
            left &= left - 1
        return True

    def _nimber(self, depth: Int, region: Cells) -> Int:
        """Return the Grundy value of a region: the least that no option has."""
        if self._is_single(region):
            return 1
        self._canonicalise(region, region, -1)
        if self.is_mirrored:
            return 0
        canonical: Cells = self.mine
        value: Int = 0
        while self._has_option(depth, canonical, value):
            value += 1
        return value

    def _is_nimber(self, depth: Int, region: Cells, value: Int) -> Bool:
        """Tell whether a canonical region has this Grundy value."""
        verdict: Int = self._probe_nimber(region, value)
        if verdict != 0:
            return verdict > 0
        if self._has_option(depth, region, value):
            return False
        smaller: Int
        for smaller in range(value):
            if not self._has_option(depth, region, smaller):
                return False
        return True

    def _probe_nimber(self, region: Cells, value: Int) -> Int:
        """Return 1 or -1 if it is known whether a canonical region has this value, otherwise 0.

        An entry holds the values that some option is known to have, and those that none has.
        Also set ``score``.
        """
        known: Mask = self._probe_words(region, region, NIMBER)
        found: Mask = known & NIM_MASK
        missing: Mask = known >> NIM_BITS & NIM_MASK
        self.score = 4 * count_cells(region) - 2 * count(found | missing)
        if value >= NIM_BITS:
            return 0
        below: Mask = 1
        below = (below << value) - 1
        if found >> value & 1 or missing & below:
            return -1
        if missing >> value & 1 and found & below == below:
            return 1
        return 0

    def _has_option(self, depth: Int, region: Cells, value: Int) -> Bool:
        """Tell whether some move in a canonical region leaves this Grundy value."""
        known: Mask = self._probe_words(region, region, NIMBER)
        if value < NIM_BITS:
            if known >> value & 1:
                return True
            if known >> (NIM_BITS + value) & 1:
                return False
        if self._tick():
            return False
        before: Mask = self.nodes
        size: Int = 0
        found: Bool = False
        left: Cells = region
        while left and not found:
            cell: Int = lowest_cell(left)
            left &= left - 1
            wanted: Int = value ^ self._split(depth + 1, region & ~self.own.at[cell])
            largest: Cells = self.largest
            if largest == 0:
                found = wanted == 0
                continue
            verdict: Int = self._probe_nimber(largest, wanted)
            if verdict > 0:
                found = True
            elif verdict == 0:
                size = self.children.insert(depth, size, largest, 0, wanted, self.score)
        if not found and size > 0:
            found = self._search_children(NIMBER, depth, size)
        if value < NIM_BITS:
            known = self._probe_words(region, region, NIMBER)
            one: Mask = 1
            known &= (one << WORK_SHIFT) - 1
            known |= one << value if found else one << (NIM_BITS + value)
            self._store(region, region, NIMBER, known, before)
        return found
