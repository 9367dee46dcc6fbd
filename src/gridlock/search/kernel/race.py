# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Searches of race."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.batch import BLOCKED, BLOCKING, LEGAL, TURN, WORDS, Answers
    from gridlock.search.kernel.bits import (
        FINGERPRINT,
        Bool,
        Cells,
        Int,
        Long,
        Mask,
        count,
        lowest,
    )
    from gridlock.search.kernel.search import UNKNOWN_RESULT, Search
    from gridlock.search.kernel.table import FORCED, WINS
else:
    from cython.cimports.gridlock.search.kernel.batch import (
        BLOCKED,
        BLOCKING,
        LEGAL,
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
        count,
        lowest,
    )
    from cython.cimports.gridlock.search.kernel.search import UNKNOWN_RESULT, Search
    from cython.cimports.gridlock.search.kernel.table import FORCED, WINS

if TYPE_CHECKING:
    from gridlock.search.layout import RaceLayout

built_from = FINGERPRINT


class Race(Search):
    """Searches of race, a whole turn at a time.

    The board is turned so that the mover's goal is the last cell and the other one's is cell 0.
    """

    def __init__(
        self,
        words: memoryview,
        busy: memoryview,
        signal: memoryview,
        layout: RaceLayout,
    ) -> None:
        Search.__init__(self, words, busy, signal, layout)
        self.cells = layout.cells
        self.full = layout.full
        self.steps = array("Q", layout.steps)
        self.around = array("Q", layout.around)
        self.flipped = array("q", layout.symmetries[len(layout.symmetries) - 1])
        self.is_square = len(layout.symmetries) == 2
        self.has_regions = layout.has_regions

    def wins(self, mine: int, theirs: int, blocked: int) -> bool:
        """Tell whether the mover, about to step, wins."""
        result: Bool
        a: Int = mine
        b: Int = theirs
        x: Mask = blocked
        with cython.nogil:
            result = self._wins(0, a, b, x)
        return result

    def probe(self, mine: int, theirs: int, blocked: int) -> int:
        """Return 1 or -1 if the table knows what ``wins`` would answer, otherwise 0."""
        result: Int
        a: Int = mine
        b: Int = theirs
        x: Mask = blocked
        with cython.nogil:
            result = self._probe(a, b, x)
        return result

    def forced(self, mine: int, theirs: int, blocked: int, within: int, ask: bool) -> int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0."""
        result: Int
        a: Int = mine
        b: Int = theirs
        x: Mask = blocked
        limit: Int = within
        asks: Bool = ask
        with cython.nogil:
            result = self._forced(0, x, a, b, limit, asks)
        return result

    def _answer(self, asked: Answers, number: Int, far: Bool) -> None:
        """Answer for one of many games."""
        at: Int = number * WORDS
        turn: Mask = asked.words[at + TURN]
        mover: Int = turn & 1
        mine: Int = lowest(asked.words[at + mover])
        theirs: Int = lowest(asked.words[at + 1 - mover])
        blocked: Mask = asked.words[at + BLOCKED]
        legal: Mask = asked.words[at + LEGAL]
        if mover == 1:
            mine = self.cells - 1 - mine
            theirs = self.cells - 1 - theirs
            blocked = self.symmetries.image(0, blocked)
            legal = self.symmetries.image(0, legal)
        blocks: Mask = legal if turn & BLOCKING else 0
        won: Bool = legal != 0
        if won:
            won = self._wins_by(mine, theirs, blocked, blocks)
        asked.values[number] = 1 if won else -1
        if far:
            within: Int = 0
            if legal:
                within = 1
                while self._forced_by(mine, theirs, blocked, blocks, within) == 0:
                    if self.signal[0] != 0:
                        break
                    within += 1
            asked.distances[number] = within

    def _wins_by(self, mine: Int, theirs: Int, blocked: Mask, blocks: Mask) -> Bool:
        """Tell whether the mover wins, by one of some blocks if there are any."""
        if blocks == 0:
            return self._wins(0, mine, theirs, blocked)
        one: Mask = 1
        while blocks:
            cell: Int = lowest(blocks)
            blocks &= blocks - 1
            turned: Mask = self.symmetries.image(0, blocked | one << cell)
            if not self._wins(0, self.cells - 1 - theirs, self.cells - 1 - mine, turned):
                return True
        return False

    def _forced_by(self, mine: Int, theirs: Int, blocked: Mask, blocks: Mask, within: Int) -> Int:
        """Return 1 or -1 if the mover wins or loses within so many actions, likewise, or 0."""
        if blocks == 0:
            return self._forced(0, blocked, mine, theirs, within, True)
        one: Mask = 1
        best: Int = -1
        while blocks:
            cell: Int = lowest(blocks)
            blocks &= blocks - 1
            turned: Mask = self.symmetries.image(0, blocked | one << cell)
            result: Int = -self._forced(
                0, turned, self.cells - 1 - theirs, self.cells - 1 - mine, within - 1, True
            )
            best = max(best, result)
        return best

    def _room(self, token: Int, free: Mask) -> Mask:
        """Return the cells to which a token may walk."""
        one: Mask = 1
        room: Mask = one << token
        fresh: Mask = room
        while fresh:
            near: Mask = 0
            while fresh:
                near |= self.steps[lowest(fresh)]
                fresh &= fresh - 1
            fresh = near & free & ~room
            room |= fresh
        return room

    def _canonicalise(self, mine: Int, theirs: Int, blocked: Mask) -> None:
        """Set ``canonical`` and ``tokens`` to the position that stands for all equal ones.

        A cell beside which no token can ever stand may as well be blocked.
        """
        one: Mask = 1
        if self.has_regions:
            free: Mask = self.full & ~blocked & ~(one << mine) & ~(one << theirs)
            room: Mask = self._room(mine, free) | self._room(theirs, free)
            near: Mask = room
            while room:
                near |= self.around[lowest(room)]
                room &= room - 1
            blocked |= self.full & ~near
        self.canonical = blocked
        self.tokens = mine | theirs << 8
        if self.is_square:
            image: Mask = self.symmetries.image(1, blocked)
            tokens: Mask = self.flipped[mine] | self.flipped[theirs] << 8
            if image < blocked or (image == blocked and tokens < self.tokens):
                self.canonical = image
                self.tokens = tokens

    def _generate(self, depth: Int, mine: Int, theirs: Int, blocked: Mask) -> Int:
        """Generate all turns that do not lose at once; return how many, -1 if one wins at once."""
        one: Mask = 1
        free: Mask = self.full & ~blocked & ~(one << mine) & ~(one << theirs)
        targets: Mask = self.steps[mine] & free
        size: Int = 0
        while targets:
            target: Int = lowest(targets)
            targets &= targets - 1
            left: Mask = (free | one << mine) & ~(one << target)
            blocks: Mask = self.around[target] & left
            while blocks:
                cell: Int = lowest(blocks)
                blocks &= blocks - 1
                after: Mask = left & ~(one << cell)
                replies: Mask = self.steps[theirs] & after
                if replies == 0:
                    return -1
                if replies & 1:
                    continue
                score: Long = 4 * count(replies) - count(self.steps[target] & after)
                score += 2 * count(self._room(theirs, after))
                score -= 2 * count(self._room(target, after))
                size = self.children.insert(
                    depth,
                    size,
                    self.symmetries.image(0, blocked | one << cell),
                    self.cells - 1 - theirs,
                    self.cells - 1 - target,
                    score,
                )
        return size

    def _causes_cutoff(self, kind: Int, depth: Int, one: Cells, two: Cells, rest: Long) -> Bool:
        """Tell whether a turn wins: the other player then loses."""
        return not self._wins(depth, two, rest, one)

    def _probe(self, mine: Int, theirs: Int, blocked: Mask) -> Int:
        """Return 1 or -1 if the board or the table shows whether the mover wins, otherwise 0."""
        one: Mask = 1
        targets: Mask = self.steps[mine] & ~blocked & ~(one << theirs)
        if targets == 0:
            return -1
        if targets >> (self.cells - 1) & 1:
            return 1
        self._canonicalise(mine, theirs, blocked)
        known: Mask = self.table.probe(self.canonical, self.tokens, WINS)
        if known == 0:
            return 0
        return 1 if known & 1 else -1

    def _wins(self, depth: Int, mine: Int, theirs: Int, blocked: Mask) -> Bool:
        """Tell whether the mover wins."""
        one: Mask = 1
        targets: Mask = self.steps[mine] & ~blocked & ~(one << theirs)
        if targets == 0:
            return False
        if targets >> (self.cells - 1) & 1:
            return True
        self._canonicalise(mine, theirs, blocked)
        canonical: Mask = self.canonical
        tokens: Mask = self.tokens
        known: Mask = self.table.probe(canonical, tokens, WINS)
        if known:
            return known & 1 != 0
        if self._tick():
            return False
        before: Mask = self.nodes
        size: Int = self._generate(depth, mine, theirs, blocked)
        won: Bool = size < 0 or self._search_children(WINS, depth, size)
        self._store(canonical, tokens, WINS, 1 if won else 0, before)
        return won

    def _forced(
        self, depth: Int, cells: Cells, token: Cells, theirs: Long, within: Int, ask: Bool
    ) -> Int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0."""
        blocked: Mask = cells
        mine: Int = token
        one: Mask = 1
        free: Mask = self.full & ~blocked & ~(one << mine) & ~(one << theirs)
        targets: Mask = self.steps[mine] & free
        if targets == 0:
            return -1
        if within <= 0:
            return 0
        if targets >> (self.cells - 1) & 1:
            return 1
        if within == 1:
            return 0
        self._canonicalise(mine, theirs, blocked)
        canonical: Mask = self.canonical
        tokens: Mask = self.tokens
        result: Int = self._probe_forced(canonical, tokens, FORCED, within)
        if result != UNKNOWN_RESULT:
            return result
        if self._tick():
            return 0
        before: Mask = self.nodes
        winner: Int = 0
        if ask:
            winner = 1 if self._wins(depth, mine, theirs, blocked) else -1
            if within >= 2 * count(free):  # a turn is two actions and blocks a cell
                return winner
        size: Int = self._generate(depth, mine, theirs, blocked)
        result = 1 if size < 0 else -1
        if size == 0 and within < 3:  # every turn lets the other player reach the goal
            result = 0
        result = self._force_children(depth, size, result, winner, within - 2, ask)
        self._store_forced(canonical, tokens, FORCED, within, result, before)
        return result
