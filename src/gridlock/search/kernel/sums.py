# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Who wins where the players differ: regions beside a number and a star.

A position is folded: regions whose value is known become part of ``rest``, a number, doubled, plus
a star.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.search.kernel import bits

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
        Long,
        Mask,
        count_cells,
        lowest_cell,
    )
    from gridlock.search.kernel.bounds import Bounds
    from gridlock.search.kernel.nimbers import Nimbers
    from gridlock.search.kernel.ordering import CELLS
    from gridlock.search.kernel.table import KIND_BITS, NUMBER, WINS
else:
    from cython.cimports.gridlock.search.kernel.bits import (
        FINGERPRINT,
        Bool,
        Cells,
        Int,
        Long,
        Mask,
        count_cells,
        lowest_cell,
    )
    from cython.cimports.gridlock.search.kernel.bounds import Bounds
    from cython.cimports.gridlock.search.kernel.nimbers import Nimbers
    from cython.cimports.gridlock.search.kernel.ordering import CELLS
    from cython.cimports.gridlock.search.kernel.table import KIND_BITS, NUMBER, WINS

if TYPE_CHECKING:
    from gridlock.search.layout import Layout

built_from = FINGERPRINT

UNIT = bits.UNIT
UNKNOWN = 1 << 40  # no number
OFFSET = 1 << 19  # makes a number of at most 20 bits positive
NUMBER_BITS, NUMBER_MASK = 20, (1 << 20) - 1
SMALL = 5  # the cells of a region whose number is worked out whole


class Sums(Nimbers):
    """Positions with a number and a star beside them."""

    def __init__(
        self, words: memoryview, busy: memoryview, signal: memoryview, layout: Layout
    ) -> None:
        Nimbers.__init__(self, words, busy, signal, layout)
        self.opponent = self.regions.opponent
        self.bounds = Bounds(layout.cells, self.regions)
        self.has_bounds = layout.has_bounds
        self.has_numbers = layout.has_numbers

    def _fold(self, mine: Cells, theirs: Cells, rest: Long) -> None:
        """Set ``mine``, ``theirs`` and ``rest``: known regions join the number and the star."""
        number: Long = rest >> 1
        star: Long = rest & 1
        kept_mine: Cells = 0
        kept_theirs: Cells = 0
        value: Long
        if self.has_numbers:
            while mine | theirs:
                region: Cells = self.regions.region(mine, theirs)
                value = UNKNOWN
                if count_cells(region) <= SMALL:
                    value = self._number(mine & region, theirs & region)
                if value == UNKNOWN:
                    kept_mine |= mine & region
                    kept_theirs |= theirs & region
                else:
                    number += value >> 1
                    star ^= value & 1
                mine &= ~region
                theirs &= ~region
        elif self.has_regions:
            linked: Cells = self.regions.linked(mine, theirs, mine, theirs)
            kept_mine = mine & linked
            kept_theirs = theirs & linked
            star ^= count_cells(mine & theirs & ~linked) & 1
            number += UNIT * count_cells(mine & ~theirs & ~linked)
            number -= UNIT * count_cells(theirs & ~mine & ~linked)
        else:
            kept_mine = mine
            kept_theirs = theirs
        self._canonicalise(kept_mine, kept_theirs, -1)
        self.rest = 2 * number + star

    def _number(self, mine: Cells, theirs: Cells) -> Long:
        """Return the value of a region, doubled, plus its star, or ``UNKNOWN`` if it is too fine.

        It is the simplest number between all options of both players; or, where the best options
        are one and the same number x, x + *.
        """
        if count_cells(mine | theirs) == 1:
            if mine & theirs:
                return 1
            return 2 * UNIT if mine else -2 * UNIT
        self._canonicalise(mine, theirs, -1)
        p: Cells = self.mine
        o: Cells = self.theirs
        known: Mask = self._probe_words(p, o, NUMBER)
        value: Long = known & NUMBER_MASK
        if known:
            return value - OFFSET
        before: Mask = self.nodes
        low: Long = -UNKNOWN
        high: Long = UNKNOWN
        low_is_met: Bool = True  # the value may be this bound itself
        high_is_met: Bool = True
        left: Cells = p
        option: Long
        cell: Int
        while left:
            cell = lowest_cell(left)
            left &= left - 1
            option = self._sum(p & ~self.own.at[cell], o & ~self.opponent.at[cell])
            if option == UNKNOWN:
                return UNKNOWN
            if option >> 1 > low:
                low = option >> 1
                low_is_met = True
            if option >> 1 == low and not option & 1:
                low_is_met = False
        left = o
        while left:
            cell = lowest_cell(left)
            left &= left - 1
            option = self._sum(p & ~self.opponent.at[cell], o & ~self.own.at[cell])
            if option == UNKNOWN:
                return UNKNOWN
            if option >> 1 < high:
                high = option >> 1
                high_is_met = True
            if option >> 1 == high and not option & 1:
                high_is_met = False
        if low == high and not low_is_met:
            value = 2 * low + 1
        else:
            value = _simplest(low, low_is_met, high, high_is_met)
            if value == UNKNOWN:
                return UNKNOWN
            value *= 2
        self._store(p, o, NUMBER, value + OFFSET, before)
        return value

    def _sum(self, mine: Cells, theirs: Cells) -> Long:
        """Return the value of several regions, as ``_number`` does of one."""
        number: Long = 0
        star: Long = 0
        while mine | theirs:
            region: Cells = self.regions.region(mine, theirs)
            value: Long = self._number(mine & region, theirs & region)
            if value == UNKNOWN:
                return UNKNOWN
            number += value >> 1
            star ^= value & 1
            mine &= ~region
            theirs &= ~region
        return 2 * number + star

    def _probe(self) -> Int:
        """Return 1 or -1 if bounds or the table decide the folded position, otherwise 0.

        Also set ``score``, by which the children of a node are ordered.
        """
        number: Long = self.rest >> 1
        star: Bool = self.rest & 1 != 0
        if self.mine | self.theirs == 0:
            return 1 if number > 0 or (number == 0 and star) else -1
        high: Long = CELLS
        low: Long = -CELLS
        gains: Bool = star  # whether the mover wins where the bound says that nobody is ahead
        if self.has_bounds:
            lower: Int = self.bounds.lower(self.mine, self.theirs)
            low = lower // 2 - self.bounds.upper(self.theirs)
            gains = star or lower % 2 != 0
            high = self.bounds.upper(self.mine) - self.bounds.lower(self.theirs, self.mine) // 2
        if self.is_mirrored and high > 0:
            high = 0
        if self.can_mirror and low < 0:
            low = 0
            gains = star  # an odd cell belongs to the bound that was dropped
        if number + low * UNIT > 0 or (number + low * UNIT == 0 and gains):
            return 1
        if number + high * UNIT < 0 or (number + high * UNIT == 0 and not star):
            return -1
        # Found by trial: who has more room, and then where less is contested.
        room: Long = 2 * (count_cells(self.mine) - count_cells(self.theirs))
        room += count_cells(self.mine & self.theirs)
        self.score = room * UNIT + 4 * number
        return self._probe_table(self.mine, self.theirs, self.rest)

    def _probe_table(self, mine: Cells, theirs: Cells, rest: Long) -> Int:
        """Return 1 or -1 if the table knows that a folded position is won or lost, otherwise 0.

        The more one has beside it the better, so an entry holds the largest number known to lose
        and the smallest known to win.  Also set ``lost_to`` and ``won_from``.
        """
        number: Long = rest >> 1
        self.lost_to = -OFFSET
        self.won_from = OFFSET - 1
        known: Mask = self._probe_words(mine, theirs, WINS | (rest & 1) << KIND_BITS)
        if known:
            self.lost_to += known & NUMBER_MASK
            self.won_from = known >> NUMBER_BITS & NUMBER_MASK
            self.won_from -= OFFSET
        if number <= self.lost_to:
            return -1
        return 1 if number >= self.won_from else 0

    def _wins(self, depth: Int, mine: Cells, theirs: Cells, rest: Long) -> Bool:
        """Tell whether the mover wins a folded position that ``_probe`` does not decide."""
        number: Long = rest >> 1
        star: Long = rest & 1
        verdict: Int = self._probe_table(mine, theirs, rest)
        if verdict != 0:
            return verdict > 0
        if self._tick():
            return False
        before: Mask = self.nodes
        size: Int = 0
        won: Bool = False
        left: Cells = mine
        while left:
            cell: Int = lowest_cell(left)
            left &= left - 1
            after: Cells = mine & ~self.own.at[cell]
            self._fold(theirs & ~self.opponent.at[cell], after, star - 2 * number)
            verdict = self._probe()
            if verdict < 0:
                won = True
                break
            if verdict == 0:
                size = self.children.insert(
                    depth, size, self.mine, self.theirs, self.rest, self.score
                )
        if not won and size > 0:
            won = self._search_children(WINS, depth, size)
        if not won and star:
            self._fold(theirs, mine, -2 * number)
            won = not self._wins_folded(depth + 1)
        if not won and (number > 0 or number % UNIT != 0):
            step: Long = UNIT
            if number % UNIT != 0:
                step = number & -number
            self._fold(theirs, mine, star - 2 * (number - step))
            won = not self._wins_folded(depth + 1)
        self._probe_table(mine, theirs, rest)
        if won and number < self.won_from:
            self.won_from = number
        if not won and number > self.lost_to:
            self.lost_to = number
        payload: Mask = self.won_from + OFFSET
        payload = payload << NUMBER_BITS | self.lost_to + OFFSET
        self._store(mine, theirs, WINS | star << KIND_BITS, payload, before)
        return won

    def _wins_folded(self, depth: Int) -> Bool:
        """Tell whether the mover wins the position that was folded last."""
        verdict: Int = self._probe()
        if verdict != 0:
            return verdict > 0
        return self._wins(depth, self.mine, self.theirs, self.rest)


def _simplest(low: Long, low_is_met: Bool, high: Long, high_is_met: Bool) -> Long:
    """Return the simplest number between two bounds, or ``UNKNOWN`` if it is finer than a unit.

    Zero is simpler than any other, a small integer than a large one, and the fewer halvings the
    better.
    """
    if (low < 0 or (low == 0 and low_is_met)) and (high > 0 or (high == 0 and high_is_met)):
        return 0
    if low < 0:
        mirrored: Long = _simplest(-high, high_is_met, -low, low_is_met)
        return UNKNOWN if mirrored == UNKNOWN else -mirrored
    step: Long = UNIT
    while step > 0:
        number: Long = low // step * step
        if number < low or not low_is_met:
            number += step
        if number < high or (number == high and high_is_met):
            return number
        step //= 2
    return UNKNOWN
