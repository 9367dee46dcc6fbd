# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""What Python asks of the placement games: who wins, and how soon.

Each search stands on the one before: ``search``, ``canonical``, ``nimbers``, ``sums``, and this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.batch import LAST_SHIFT, LEGAL, OPEN, TURN, WORDS, Answers
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
    from gridlock.search.kernel.search import UNKNOWN_RESULT
    from gridlock.search.kernel.sets import Sets
    from gridlock.search.kernel.sums import Sums
    from gridlock.search.kernel.table import FORCED, KIND_BITS, NIMBER, PLAIN, WINS
else:
    from cython.cimports.gridlock.search.kernel.batch import (
        LAST_SHIFT,
        LEGAL,
        OPEN,
        TURN,
        WORDS,
        Answers,
    )
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
    from cython.cimports.gridlock.search.kernel.search import UNKNOWN_RESULT
    from cython.cimports.gridlock.search.kernel.sets import Sets
    from cython.cimports.gridlock.search.kernel.sums import Sums
    from cython.cimports.gridlock.search.kernel.table import FORCED, KIND_BITS, NIMBER, PLAIN, WINS

if TYPE_CHECKING:
    from gridlock.search.layout import Layout

built_from = FINGERPRINT


class Placement(Sums):
    """Searches of the placement games.

    Plies: every call takes a cell, or moves in a number or star that once was a cell, so a search
    is at most 128 deep; ``forced`` may stand above ``wins``, and a number to compare with above
    that.
    """

    def __init__(
        self, words: memoryview, busy: memoryview, signal: memoryview, layout: Layout
    ) -> None:
        Sums.__init__(self, words, busy, signal, layout)
        self.follow = Sets(layout.cells, layout.follow or ())
        self.follows = layout.follow is not None
        self.is_impartial = layout.is_impartial
        self.is_misere = layout.is_misere

    def wins(self, mine: int, theirs: int, last: int, rest: int) -> bool:
        """Tell whether the mover wins; ``rest`` is a number beside it, doubled, plus a star."""
        result: Bool
        p: Cells = mine
        o: Cells = theirs
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
        p: Cells = mine
        o: Cells = theirs
        after: Int = last
        limit: Int = within
        asks: Bool = ask
        with cython.nogil:
            result = self._forced(0, p, o, after, limit, asks)
        return result

    def nimber(self, mine: int) -> int:
        """Return the Grundy value of an impartial position."""
        result: Int
        p: Cells = mine
        with cython.nogil:
            result = self._nim_sum(0, p)
        return result

    def is_nimber(self, mine: int, value: int) -> bool:
        """Tell whether an impartial position has this Grundy value."""
        result: Bool
        p: Cells = mine
        wanted: Int = value
        with cython.nogil:
            result = self._nim_sum_is(0, p, wanted)
        return result

    def _answer(self, asked: Answers, number: Int, far: Bool) -> None:
        """Answer for one of many games."""
        at: Int = number * WORDS
        turn: Mask = asked.words[at + TURN]
        mover: Int = turn & 1
        mine: Mask = asked.words[at + OPEN + mover]
        theirs: Mask = asked.words[at + OPEN + 1 - mover]
        last: Int = turn >> LAST_SHIFT
        last -= 1
        won: Bool = asked.words[at + LEGAL] != 0 and self._outcome(0, mine, theirs, last)
        asked.values[number] = 1 if won else -1
        if far:
            within: Int = 1 if won else 0
            while self._forced(0, mine, theirs, last, within, True) == 0 and self.signal[0] == 0:
                within += 2  # who wins moves last
            asked.distances[number] = within

    # ------------------------------------------------------------------ what is known already

    def probe(self, mine: int, theirs: int, last: int, rest: int) -> int:
        """Return 1 or -1 if bounds or the table know what ``wins`` would answer, otherwise 0."""
        result: Int
        p: Cells = mine
        o: Cells = theirs
        after: Int = last
        beside: Long = rest
        with cython.nogil:
            if self.follows or self.is_misere:
                result = self._probe_plain(p, o, after)
            elif self.is_impartial and beside == 0:
                result = -self._probe_nim_sum(p, 0)
            else:
                self._fold(p, o, beside)
                result = self._probe()
        return result

    def probe_nimber(self, mine: int, value: int) -> int:
        """Return 1 or -1 if the table knows what ``is_nimber`` would answer, otherwise 0."""
        result: Int
        p: Cells = mine
        wanted: Int = value
        with cython.nogil:
            result = self._probe_nim_sum(p, wanted)
        return result

    def _probe_plain(self, mine: Cells, theirs: Cells, last: Int) -> Int:
        """Return 1 or -1 if the table knows what ``_plain`` would answer, otherwise 0."""
        legal: Cells = mine
        if self.follows and last >= 0:
            legal &= self.follow.at[last]
        if legal == 0:
            return 1 if self.is_misere else -1
        self._canonicalise(mine, theirs, last)
        tag: Int = PLAIN | self.last + 1 << KIND_BITS
        known: Mask = self._probe_words(self.mine, self.theirs, tag)
        if known == 0:
            return 0
        return 1 if known & 1 else -1

    # ------------------------------------------------------------------ who wins

    def _outcome(self, depth: Int, mine: Cells, theirs: Cells, last: Int) -> Bool:
        """Tell whether the mover wins, by the search that suits the game."""
        if self.follows or self.is_misere:
            return self._plain(depth, mine, theirs, last)
        if self.is_impartial:
            return not self._nim_sum_is(depth, mine, 0)
        self._fold(mine, theirs, 0)
        return self._wins_folded(depth)

    def _causes_cutoff(self, kind: Int, depth: Int, one: Cells, two: Cells, rest: Long) -> Bool:
        """Tell whether a child is lost, or worth the nimber that is wanted."""
        if kind == WINS:
            return not self._wins(depth, one, two, rest)
        if kind == NIMBER:
            return self._is_nimber(depth, one, rest)
        if kind == PLAIN:
            return not self._plain(depth, one, two, rest)
        return not self._outcome(depth, one, two, rest)

    def _plain(self, depth: Int, mine: Cells, theirs: Cells, last: Int) -> Bool:
        """Tell whether the mover wins where moves follow each other, or the last one loses."""
        if self.follows and last >= 0:
            legal: Cells = mine & self.follow.at[last]
        else:
            legal = mine
        if legal == 0:
            return self.is_misere
        self._canonicalise(mine, theirs, last)
        p: Cells = self.mine
        o: Cells = self.theirs
        after: Int = self.last
        tag: Int = PLAIN | after + 1 << KIND_BITS
        known: Mask = self._probe_words(p, o, tag)
        if known:
            return known & 1 != 0
        if self._tick():
            return False
        before: Mask = self.nodes
        size: Int = self._generate(depth, p, o, after)
        won: Bool = self._search_children(PLAIN, depth, size)
        self._store(p, o, tag, 1 if won else 0, before)
        return won

    def _generate(self, depth: Int, mine: Cells, theirs: Cells, last: Int) -> Int:
        """Generate all children, those first that leave the other player least; return how many."""
        left: Cells = mine
        if self.follows and last >= 0:
            left &= self.follow.at[last]
        size: Int = 0
        while left:
            cell: Int = lowest_cell(left)
            left &= left - 1
            p: Cells = theirs & ~self.opponent.at[cell]
            o: Cells = mine & ~self.own.at[cell]
            score: Long = 2 * count_cells(p) - count_cells(o)
            after: Int = -1
            if self.follows:
                after = cell
                score = count_cells(p & self.follow.at[cell])
            size = self.children.insert(depth, size, p, o, after, score)
        return size

    # ------------------------------------------------------------------ how soon

    def _forced(
        self, depth: Int, mine: Cells, theirs: Cells, last: Long, within: Int, ask: Bool
    ) -> Int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0."""
        legal: Cells = mine
        if self.follows and last >= 0:
            legal &= self.follow.at[last]
        if legal == 0:
            return -1
        if within <= 0:
            return 0
        self._canonicalise(mine, theirs, last)
        p: Cells = self.mine
        o: Cells = self.theirs
        after: Int = self.last
        tag: Int = FORCED | after + 1 << KIND_BITS
        result: Int = self._probe_forced(p, o, tag, within)
        if result != UNKNOWN_RESULT:
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
                if winner > 0 and within < self.bounds.lower(o, p) // 2 * 2 + 1:
                    return 0
                if winner < 0 and within < (self.bounds.lower(p, o) + 1) // 2 * 2:
                    return 0
                if winner > 0 and within >= 2 * self.bounds.upper(o) + 1:
                    return 1
                if winner < 0 and within >= 2 * self.bounds.upper(p):
                    return -1
        size: Int = self._generate(depth, p, o, after)
        result = self._force_children(depth, size, -1, winner, within - 1, ask)
        self._store_forced(p, o, tag, within, result, before)
        return result
