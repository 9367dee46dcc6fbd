# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Searches of the placement games.

A position is what the mover may still take (``mine``) and what the other player may (``theirs``),
as masks; nothing else of it matters but the last cell, where moves follow it.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from gridlock.search.kernel import bits

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import Bool, Int, Long, Mask, count, lowest
    from gridlock.search.kernel.table import (
        CELLS,
        FORCED,
        WINS,
        WORK_SHIFT,
        Search,
    )
else:
    from cython.cimports.gridlock.search.kernel.bits import (
        Bool,
        Int,
        Long,
        Mask,
        count,
        lowest,
    )
    from cython.cimports.gridlock.search.kernel.table import (
        CELLS,
        FORCED,
        WINS,
        WORK_SHIFT,
        Search,
    )

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.search.layout import Layout

# Kinds of entries in the table, beside those of every search.
PLAIN, WORTH, NUMBER = 3, 4, 5

UNIT = bits.UNIT
UNKNOWN = 1 << 40  # no number
OFFSET = 1 << 19  # makes a number of at most 20 bits positive
NUMBER_BITS, NUMBER_MASK = 20, (1 << 20) - 1
SMALL = 8  # the cells of a region whose number is worked out whole
NIM_BITS, NIM_MASK = 23, (1 << 23) - 1  # the Grundy values that an entry speaks about


class Placement(Search):
    """Searches of the placement games.

    Frames: every call takes a cell, or moves in a number or star that once was a cell, so a search
    is at most 64 deep; ``forced`` may stand above ``wins``, and a number to compare with above
    that.
    """

    def __init__(
        self,
        words: memoryview,
        busy: memoryview,
        signal: memoryview,
        layout: Layout,
    ) -> None:
        Search.__init__(self, words, busy, signal, layout)
        cells = layout.cells
        self.own = array("Q", layout.own)
        self.opponent = array("Q", layout.opponent)
        self.own_links = array("Q", _links(layout.own))
        self.opponent_links = array("Q", _links(layout.opponent))
        self.follow = array("Q", layout.follow or [0])
        self.follows = layout.follow is not None
        self.covers = array("Q", [clique for cover in layout.covers for clique in cover] or [0])
        self.cover_sizes = array("q", [len(cover) for cover in layout.covers] or [0])
        self.cover_count = len(layout.covers)
        self.columns = layout.columns
        self.left_column = layout.left_column
        self.symmetries = len(layout.symmetries)
        self.turns = array("q", [image for symmetry in layout.symmetries for image in symmetry])
        self.cells = cells
        self.spoilt = array("Q", layout.spoilt)
        self.is_impartial = layout.is_impartial
        self.has_regions = layout.has_regions
        self.has_bounds = layout.has_bounds
        self.has_numbers = layout.has_numbers
        self.has_mirror = layout.has_mirror
        self.is_misere = layout.is_misere

    # ------------------------------------------------------------------ what Python calls

    def wins(self, mine: int, theirs: int, last: int, rest: int) -> bool:
        """Tell whether the mover wins; ``rest`` is a number beside it, doubled, plus a star."""
        result: Bool
        p: Mask = mine
        o: Mask = theirs
        after: Int = last
        beside: Long = rest
        with cython.nogil:
            if beside != 0:
                self._fold(p, o, beside)
                result = self._wins_folded(0)
            else:
                result = self._outcome(0, p, o, after)
        return result

    def forced(self, mine: int, theirs: int, last: int, within: int, ask: bool) -> int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0.

        With ``ask`` who wins is found out first, which helps unless the board is too large.
        """
        result: Int
        p: Mask = mine
        o: Mask = theirs
        after: Int = last
        limit: Int = within
        asks: Bool = ask
        with cython.nogil:
            result = self._forced(0, p, o, after, limit, asks)
        return result

    def nimber(self, mine: int) -> int:
        """Return the Grundy value of an impartial position."""
        result: Int
        p: Mask = mine
        with cython.nogil:
            result = self._nim_sum(0, p)
        return result

    # ------------------------------------------------------------------ geometry

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

    # ------------------------------------------------------------------ who wins: sums of numbers

    def _suits(self, kind: Int, depth: Int, one: Mask, two: Mask, rest: Long) -> Bool:
        """Tell whether a child is lost, or worth the nimber that is wanted."""
        if kind == WINS:
            return not self._wins(depth, one, two, rest)
        if kind == WORTH:
            return self._is_worth(depth, one, rest)
        if kind == PLAIN:
            return not self._plain(depth, one, two, rest)
        return not self._outcome(depth, one, two, rest)

    def _outcome(self, depth: Int, mine: Mask, theirs: Mask, last: Int) -> Bool:
        """Tell whether the mover wins, by the search that suits the game."""
        if self.follows or self.is_misere:
            return self._plain(depth, mine, theirs, last)
        if self.is_impartial:
            return self._nim_sum_is_not_zero(depth, mine)
        self._fold(mine, theirs, 0)
        return self._wins_folded(depth)

    def _fold(self, mine: Mask, theirs: Mask, rest: Long) -> None:
        """Set ``mine``, ``theirs`` and ``rest``: known regions join the number and the star."""
        number: Long = rest >> 1
        star: Long = rest & 1
        kept_mine: Mask = 0
        kept_theirs: Mask = 0
        one: Mask = 1
        value: Long
        if self.has_numbers:
            while mine | theirs:
                region: Mask = self._region(mine, theirs)
                value = UNKNOWN
                if count(region) <= SMALL:
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
            kept_mine = mine
            kept_theirs = theirs
            left: Mask = mine | theirs
            while left:
                cell: Int = lowest(left)
                left &= left - 1
                if self._link(cell, mine, theirs) == 0:
                    if mine & theirs & one << cell:
                        star ^= 1
                    elif mine & one << cell:
                        number += UNIT
                    else:
                        number -= UNIT
                    kept_mine &= ~(one << cell)
                    kept_theirs &= ~(one << cell)
        else:
            kept_mine = mine
            kept_theirs = theirs
        self._settle(kept_mine, kept_theirs, -1)
        self.rest = 2 * number + star

    def _number(self, mine: Mask, theirs: Mask) -> Long:
        """Return the value of a region, doubled, plus its star, or ``UNKNOWN`` if it is too fine.

        It is the simplest number between all options of both players; or, where the best options
        are one and the same number x, x + *.
        """
        if count(mine | theirs) == 1:
            if mine & theirs:
                return 1
            return 2 * UNIT if mine else -2 * UNIT
        self._settle(mine, theirs, -1)
        p: Mask = self.mine
        o: Mask = self.theirs
        known: Mask = self._find(p, o, NUMBER)
        value: Long = known & NUMBER_MASK
        if known:
            return value - OFFSET
        before: Mask = self.nodes
        low: Long = -UNKNOWN
        high: Long = UNKNOWN
        low_is_met: Bool = True  # the value may be this bound itself
        high_is_met: Bool = True
        left: Mask = p
        option: Long
        cell: Int
        while left:
            cell = lowest(left)
            left &= left - 1
            option = self._sum(p & ~self.own[cell], o & ~self.opponent[cell])
            if option == UNKNOWN:
                return UNKNOWN
            if option >> 1 > low:
                low = option >> 1
                low_is_met = True
            if option >> 1 == low and not option & 1:
                low_is_met = False
        left = o
        while left:
            cell = lowest(left)
            left &= left - 1
            option = self._sum(p & ~self.opponent[cell], o & ~self.own[cell])
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
        self._keep(p, o, NUMBER, value + OFFSET, before)
        return value

    def _sum(self, mine: Mask, theirs: Mask) -> Long:
        """Return the value of several regions, as ``_number`` does of one."""
        number: Long = 0
        star: Long = 0
        while mine | theirs:
            region: Mask = self._region(mine, theirs)
            value: Long = self._number(mine & region, theirs & region)
            if value == UNKNOWN:
                return UNKNOWN
            number += value >> 1
            star ^= value & 1
            mine &= ~region
            theirs &= ~region
        return 2 * number + star

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

    def _glance(self) -> Int:
        """Return 1 or -1 if the folded position is seen to be won or lost, otherwise 0.

        Also set ``score``, by which the children of a node are ordered.
        """
        number: Long = self.rest >> 1
        star: Bool = self.rest & 1 != 0
        if self.mine | self.theirs == 0:
            return 1 if number > 0 or (number == 0 and star) else -1
        high: Long = CELLS
        low: Long = -CELLS
        if self.has_bounds:
            high = self._most(self.mine) - self._sure(self.theirs, self.mine)
            low = self._sure(self.mine, self.theirs) - self._most(self.theirs)
        if self.is_answered and high > 0:
            high = 0
        if self.can_answer and low < 0:
            low = 0
        if number + low * UNIT > 0 or (number + low * UNIT == 0 and star):
            return 1
        if number + high * UNIT < 0 or (number + high * UNIT == 0 and not star):
            return -1
        self.score = ((low + high) * UNIT + 2 * number) * 8
        self.score += (count(self.mine) - count(self.theirs)) * UNIT
        return self._recall(self.mine, self.theirs, self.rest)

    def _recall(self, mine: Mask, theirs: Mask, rest: Long) -> Int:
        """Return 1 or -1 if the table knows that a folded position is won or lost, otherwise 0.

        The more one has beside it the better, so an entry holds the largest number known to lose
        and the smallest known to win.  Also set ``lost_to`` and ``won_from``.
        """
        number: Long = rest >> 1
        self.lost_to = -OFFSET
        self.won_from = OFFSET - 1
        known: Mask = self._find(mine, theirs, WINS | rest << 4 & 16)
        if known:
            self.lost_to += known & NUMBER_MASK
            self.won_from = known >> NUMBER_BITS & NUMBER_MASK
            self.won_from -= OFFSET
        if number <= self.lost_to:
            return -1
        return 1 if number >= self.won_from else 0

    def _wins(self, depth: Int, mine: Mask, theirs: Mask, rest: Long) -> Bool:
        """Tell whether the mover wins a folded position at which one glance was not enough."""
        number: Long = rest >> 1
        star: Long = rest & 1
        verdict: Int = self._recall(mine, theirs, rest)
        if verdict != 0:
            return verdict > 0
        if self._tick():
            return False
        before: Mask = self.nodes
        base: Int = depth * CELLS
        size: Int = 0
        won: Bool = False
        left: Mask = mine
        while left:
            cell: Int = lowest(left)
            left &= left - 1
            self._fold(theirs & ~self.opponent[cell], mine & ~self.own[cell], star - 2 * number)
            verdict = self._glance()
            if verdict < 0:
                won = True
                break
            if verdict == 0:
                size = self._insert(base, size, self.mine, self.theirs, self.rest, self.score)
        if not won and size > 0:
            won = self._try_children(WINS, depth, size)
        if not won and star:
            self._fold(theirs, mine, -2 * number)
            won = not self._wins_folded(depth + 1)
        if not won and (number > 0 or number % UNIT != 0):
            step: Long = UNIT
            if number % UNIT != 0:
                step = number & -number
            self._fold(theirs, mine, star - 2 * (number - step))
            won = not self._wins_folded(depth + 1)
        self._recall(mine, theirs, rest)
        if won and number < self.won_from:
            self.won_from = number
        if not won and number > self.lost_to:
            self.lost_to = number
        payload: Mask = self.won_from + OFFSET
        payload = payload << NUMBER_BITS | self.lost_to + OFFSET
        self._keep(mine, theirs, WINS | star << 4, payload, before)
        return won

    def _wins_folded(self, depth: Int) -> Bool:
        """Tell whether the mover wins the position that was folded last."""
        verdict: Int = self._glance()
        if verdict != 0:
            return verdict > 0
        return self._wins(depth, self.mine, self.theirs, self.rest)

    # ------------------------------------------------------------------ who wins: sums of nimbers

    def _nim_sum(self, depth: Int, mine: Mask) -> Int:
        """Return the Grundy value of a position."""
        others: Int = self._split(depth, mine)
        if self.largest == 0:
            return others
        return others ^ self._nimber(depth, self.largest)

    def _nim_sum_is_not_zero(self, depth: Int, mine: Mask) -> Bool:
        """Tell whether the mover wins: the largest region is compared with all the others."""
        others: Int = self._split(depth, mine)
        if self.largest == 0:
            return others != 0
        return not self._is_worth(depth, self.largest, others)

    def _split(self, depth: Int, mask: Mask) -> Int:
        """Return the Grundy value of all regions but the largest, which becomes ``largest``.

        That is settled, or 0 if its value was seen at once and is counted too.
        """
        largest: Mask = 0
        others: Int = 0
        while mask:
            region: Mask = mask
            if self.has_regions:
                region = self._region(mask, mask)
            mask &= ~region
            if count(region) > count(largest):
                region, largest = largest, region
            if region:
                others ^= self._nimber(depth, region)
        if largest and self._is_single(largest):
            others ^= 1
            largest = 0
        if largest:
            self._settle(largest, largest, -1)
            largest = 0 if self.is_answered else self.mine
        self.largest = largest
        return others

    def _is_single(self, region: Mask) -> Bool:
        """Tell whether any cell of a region closes all of it: then it is worth one move."""
        left: Mask = region
        while left:
            if region & ~self.own[lowest(left)]:
                return False
            left &= left - 1
        return True

    def _nimber(self, depth: Int, region: Mask) -> Int:
        """Return the Grundy value of a region: the least that no option has."""
        if self._is_single(region):
            return 1
        self._settle(region, region, -1)
        if self.is_answered:
            return 0
        settled: Mask = self.mine
        value: Int = 0
        while self._has_option(depth, settled, value):
            value += 1
        return value

    def _is_worth(self, depth: Int, region: Mask, value: Int) -> Bool:
        """Tell whether a settled region has this Grundy value."""
        verdict: Int = self._glance_worth(region, value)
        if verdict != 0:
            return verdict > 0
        if self._has_option(depth, region, value):
            return False
        smaller: Int
        for smaller in range(value):
            if not self._has_option(depth, region, smaller):
                return False
        return True

    def _glance_worth(self, region: Mask, value: Int) -> Int:
        """Return 1 or -1 if it is known whether a settled region has this value, otherwise 0.

        An entry holds the values that some option is known to have, and those that none has.
        Also set ``score``.
        """
        known: Mask = self._find(region, region, WORTH)
        found: Mask = known & NIM_MASK
        missing: Mask = known >> NIM_BITS & NIM_MASK
        self.score = 4 * count(region) - 2 * count(found | missing)
        if value >= NIM_BITS:
            return 0
        below: Mask = 1
        below = (below << value) - 1
        if found >> value & 1 or missing & below:
            return -1
        if missing >> value & 1 and found & below == below:
            return 1
        return 0

    def _has_option(self, depth: Int, region: Mask, value: Int) -> Bool:
        """Tell whether some move in a settled region leaves this Grundy value."""
        known: Mask = self._find(region, region, WORTH)
        if value < NIM_BITS:
            if known >> value & 1:
                return True
            if known >> (NIM_BITS + value) & 1:
                return False
        if self._tick():
            return False
        before: Mask = self.nodes
        base: Int = depth * CELLS
        size: Int = 0
        found: Bool = False
        left: Mask = region
        while left and not found:
            cell: Int = lowest(left)
            left &= left - 1
            wanted: Int = value ^ self._split(depth + 1, region & ~self.own[cell])
            largest: Mask = self.largest
            if largest == 0:
                found = wanted == 0
                continue
            verdict: Int = self._glance_worth(largest, wanted)
            if verdict > 0:
                found = True
            elif verdict == 0:
                size = self._insert(base, size, largest, 0, wanted, self.score)
        if not found and size > 0:
            found = self._try_children(WORTH, depth, size)
        if value < NIM_BITS:
            known = self._find(region, region, WORTH)
            one: Mask = 1
            known &= (one << WORK_SHIFT) - 1
            known |= one << value if found else one << (NIM_BITS + value)
            self._keep(region, region, WORTH, known, before)
        return found

    # ------------------------------------------------------------------ who wins: no theorem

    def _plain(self, depth: Int, mine: Mask, theirs: Mask, last: Int) -> Bool:
        """Tell whether the mover wins where moves follow each other, or the last one loses."""
        if self.follows and last >= 0:
            legal: Mask = mine & self.follow[last]
        else:
            legal = mine
        if legal == 0:
            return self.is_misere
        self._settle(mine, theirs, last)
        p: Mask = self.mine
        o: Mask = self.theirs
        after: Int = self.last
        tag: Int = PLAIN | after + 1 << 4
        known: Mask = self._find(p, o, tag)
        if known:
            return known & 1 != 0
        if self._tick():
            return False
        before: Mask = self.nodes
        size: Int = self._line_up(depth, p, o, after)
        won: Bool = self._try_children(PLAIN, depth, size)
        self._keep(p, o, tag, 1 if won else 0, before)
        return won

    def _line_up(self, depth: Int, mine: Mask, theirs: Mask, last: Int) -> Int:
        """Put all children into a frame, those first that leave the other player least."""
        left: Mask = mine
        if self.follows and last >= 0:
            left &= self.follow[last]
        size: Int = 0
        while left:
            cell: Int = lowest(left)
            left &= left - 1
            p: Mask = theirs & ~self.opponent[cell]
            o: Mask = mine & ~self.own[cell]
            score: Long = 2 * count(p) - count(o)
            after: Int = -1
            if self.follows:
                after = cell
                score = count(p & self.follow[cell])
            size = self._insert(depth * CELLS, size, p, o, after, score)
        return size

    # ------------------------------------------------------------------ how soon

    def _forced(
        self, depth: Int, mine: Mask, theirs: Mask, last: Long, within: Int, ask: Bool
    ) -> Int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0."""
        legal: Mask = mine
        if self.follows and last >= 0:
            legal &= self.follow[last]
        if legal == 0:
            return -1
        if within <= 0:
            return 0
        self._settle(mine, theirs, last)
        p: Mask = self.mine
        o: Mask = self.theirs
        after: Int = self.last
        tag: Int = FORCED | after + 1 << 4
        result: Int = self._recall_forced(p, o, tag, within)
        if result != 2:
            return result
        if self._tick():
            return 0
        before: Mask = self.nodes
        winner: Int = 0
        if ask:
            winner = 1 if self._outcome(depth, p, o, after) else -1
            # Who wins moves last, so the distance is odd for a win and even for a loss.
            if (winner > 0) == (within % 2 == 0):
                within -= 1
            if self.has_bounds and not self.follows:
                if winner > 0 and within < 2 * self._sure(o, p) + 1:
                    return 0
                if winner < 0 and within < 2 * self._sure(p, o):
                    return 0
                if winner > 0 and within >= 2 * self._most(o) + 1:
                    return 1
                if winner < 0 and within >= 2 * self._most(p):
                    return -1
        size: Int = self._line_up(depth, p, o, after)
        result = self._force_children(depth, size, -1, winner, within - 1, ask)
        self._keep_forced(p, o, tag, within, result, before)
        return result


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


def _links(reaches: Sequence[int]) -> list[int]:
    """Return, for every cell, the other cells that it closes or that close it."""
    links = list(reaches)
    for cell, reach in enumerate(reaches):
        for other in range(len(reaches)):
            if reach >> other & 1:
                links[other] |= 1 << cell
    return [link & ~(1 << cell) for cell, link in enumerate(links)]
