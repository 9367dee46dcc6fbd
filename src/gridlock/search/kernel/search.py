# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""What all exact searches share: a table, threads, searching the children of a node.

Every answer is exact.  A search that is told to stop answers nonsense, which it does not store and
its caller must not believe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.search.kernel import bits

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.batch import Answers
    from gridlock.search.kernel.bits import (
        FINGERPRINT,
        Bool,
        Cells,
        Int,
        Long,
        Mask,
        hash_cells,
        hash_pair,
    )
    from gridlock.search.kernel.ordering import CELLS, MoveSorter
    from gridlock.search.kernel.symmetry import Symmetries
    from gridlock.search.kernel.table import FORCED, Table
    from gridlock.search.kernel.ticker import Ticker
else:
    from cython.cimports.gridlock.search.kernel.batch import Answers
    from cython.cimports.gridlock.search.kernel.bits import (
        FINGERPRINT,
        Bool,
        Cells,
        Int,
        Long,
        Mask,
        hash_cells,
        hash_pair,
    )
    from cython.cimports.gridlock.search.kernel.ordering import CELLS, MoveSorter
    from cython.cimports.gridlock.search.kernel.symmetry import Symmetries
    from cython.cimports.gridlock.search.kernel.table import FORCED, Table
    from cython.cimports.gridlock.search.kernel.ticker import Ticker

if TYPE_CHECKING:
    from gridlock.search.layout import Layout, RaceLayout


built_from = FINGERPRINT

BUSY = bits.BUSY
SHARED_DEPTH = 22  # how far down threads tell each other what they are searching
NEVER = 255  # no distance
UNKNOWN_RESULT = 2  # what the table does not know of a forced win: the others are -1, 0 and 1


class Search(Ticker):
    """A search with a table that other threads may share."""

    def __init__(
        self,
        words: memoryview,
        busy: memoryview,
        signal: memoryview,
        layout: Layout | RaceLayout,
    ) -> None:
        Ticker.__init__(self, signal)
        self.table = Table(words)
        self.children = MoveSorter()
        self.symmetries = Symmetries(layout.cells, layout.symmetries)
        self.busy = busy
        self.is_shared = False

    @property
    def entries(self) -> int:
        """How many entries this search has added to the table."""
        return self.table.entries

    def _probe_words(self, one: Cells, two: Cells, tag: Mask) -> Mask:
        """Return what the table knows of a canonical position, 0 for nothing."""
        return self.table.probe(hash_cells(one, two, 1), hash_cells(two, one, 2), tag)

    def _store(self, one: Cells, two: Cells, tag: Mask, payload: Mask, before: Mask) -> None:
        """Store an answer that took all nodes since ``before``, unless told to stop."""
        if self.signal[0] == 0:
            first: Mask = hash_cells(one, two, 1)
            second: Mask = hash_cells(two, one, 2)
            self.table.store(first, second, tag, payload, self.nodes - before)

    # ------------------------------------------------------------------ many games

    def evaluate(self, asked: Answers, far: bool) -> None:
        """Answer who wins each of many games, and if ``far`` how soon, until told to stop."""
        also: Bool = far
        i: Int
        with cython.nogil:
            for i in range(asked.games):
                if self.signal[0] != 0:
                    break
                self._answer(asked, i, also)

    def _answer(self, asked: Answers, number: Int, far: Bool) -> None:
        """Answer for one of many games."""

    # ------------------------------------------------------------------ who wins

    def _search_children(self, kind: Int, depth: Int, size: Int) -> Bool:
        """Tell whether a child decides its parent; see ``_causes_cutoff``.

        Children that another thread is searching are deferred until the others are done: by then
        they are often in the table.  Far down it is not worth telling each other.
        """
        base: Int = depth * CELLS
        one: Cells = 1
        deferred: Cells = 0
        attempt: Int
        i: Int
        for attempt in range(2):
            for i in range(size):
                if attempt == 1 and not deferred & one << i:
                    continue
                first: Cells = self.children.one.at[base + i]
                second: Cells = self.children.two.at[base + i]
                rest: Long = self.children.rest[base + i]
                key: Mask = 0
                if self.is_shared and depth < SHARED_DEPTH:
                    key = hash_cells(second, first, 2) + kind
                    key = hash_pair(hash_cells(first, second, 1) + rest, key) | 1
                    if attempt == 0 and self.busy[key % BUSY] == key:
                        deferred |= one << i
                        continue
                    self.busy[key % BUSY] = key
                is_cut: Bool = self._causes_cutoff(kind, depth + 1, first, second, rest)
                if key:
                    self.busy[key % BUSY] = 0
                if is_cut:
                    return True
            if deferred == 0:
                break
        return False

    def _causes_cutoff(self, kind: Int, depth: Int, one: Cells, two: Cells, rest: Long) -> Bool:
        """Tell whether a child decides its parent, so that the others need not be searched."""
        return False  # pragma: no cover

    # ------------------------------------------------------------------ how soon

    def _probe_forced(self, one: Cells, two: Cells, tag: Mask, within: Int) -> Int:
        """Return what ``_forced`` would, or ``UNKNOWN_RESULT`` if the table does not know.

        An entry bounds the distance: lower < distance <= upper; and says who wins, if upper is not
        ``NEVER``.
        """
        known: Mask = self._probe_words(one, two, tag)
        if known == 0:
            return UNKNOWN_RESULT
        upper: Int = known >> 8 & 255
        lower: Int = known & 255
        if within >= upper:
            return 1 if known >> 16 & 1 else -1
        return 0 if within <= lower else UNKNOWN_RESULT

    def _store_forced(
        self, one: Cells, two: Cells, tag: Mask, within: Int, result: Int, before: Mask
    ) -> None:
        """Store what ``_forced`` returns."""
        known: Mask = self._probe_words(one, two, tag)
        upper: Mask = NEVER
        if known:
            upper = known >> 8 & 255
        lower: Mask = known & 255
        is_win: Mask = known >> 16 & 1
        if result == 0:
            lower = within
        else:
            upper = within
            is_win = 1 if result > 0 else 0
        self._store(one, two, tag, is_win << 16 | upper << 8 | lower, before)

    def _force_children(
        self, depth: Int, size: Int, least: Int, winner: Int, within: Int, ask: Bool
    ) -> Int:
        """Return what the best child of a node is worth to it, or ``least`` if that is more.

        That is 1 or -1 if the mover wins or loses while the children have so many actions left,
        otherwise 0.  ``winner`` is 1 or -1 if it is known whether the mover wins at all.
        """
        base: Int = depth * CELLS
        i: Int
        for i in range(size):
            first: Cells = self.children.one.at[base + i]
            second: Cells = self.children.two.at[base + i]
            rest: Long = self.children.rest[base + i]
            if winner > 0 and not self._causes_cutoff(FORCED, depth + 1, first, second, rest):
                least = 0
                continue
            reply: Int = -self._forced(depth + 1, first, second, rest, within, ask)
            least = max(least, reply)
            if least > 0 or (least == 0 and winner < 0):
                break
        return least

    def _forced(
        self, depth: Int, one: Cells, two: Cells, rest: Long, within: Int, ask: Bool
    ) -> Int:
        """Return 1 or -1 if the mover of a child wins or loses within so many actions, or 0."""
        return 0  # pragma: no cover
