# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Many games at once: stepped, sampled, played out, and written as learners read them.

A game is eight words, a line of the cache.  Whoever puts a copy of them back, goes back to it.

    word 0, 1    the marks, or the token, of player 1 and of player 2
    word 2, 3    the cells that player 1, and player 2, may still take; 0 in race
    word 4       the cells that are blocked or not part of the board
    word 5       14           8 …     1       0
                 | last cell+1 |  blocking | mover |       the mover is 0 or 1
    word 6       the cells the mover may choose; 0 when the game is over
    word 7       the state of the game's own source of chance

Bits become bytes eight at a time, by a table with a word of eight bytes for each eight bits, so
what is written of a game is a row of whole words.
"""

from __future__ import annotations

import sys
from array import array
from typing import TYPE_CHECKING

from gridlock.search.kernel import bits

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Int, Long, Mask, count, lowest, mix, step
else:
    from cython.cimports.gridlock.search.kernel.bits import (
        FINGERPRINT,
        Int,
        Long,
        Mask,
        count,
        lowest,
        mix,
        step,
    )

if TYPE_CHECKING:
    from gridlock.search.batching import BatchLayout

built_from = FINGERPRINT

WORDS = bits.GAME
OPEN, BLOCKED, TURN, LEGAL, CHANCE = 2, 4, bits.TURN, bits.LEGAL, bits.CHANCE
BLOCKING, LAST_SHIFT, EITHER = bits.BLOCKING, bits.LAST_SHIFT, bits.EITHER
BYTE = 8
BYTES = 256  # how many there are
MOST_PLANES = 5


class Answers:
    """Games as words, and room for who wins them: 1 or -1 for the mover; and how soon."""

    def __init__(self, words: memoryview, values: memoryview, distances: memoryview) -> None:
        self.words = words
        self.values = values
        self.distances = distances
        self.games = len(values)


class Batch:
    """Games of one rulebook on one board, over buffers that the caller owns and keeps.

    ``words`` are the games, and eight more for playouts.  ``actions`` and ``winners`` have one item
    for each game, ``legal`` and ``planes`` rows of words, ``chosen`` a byte.  Nothing is checked
    here but that actions are legal.
    """

    def __init__(
        self,
        layout: BatchLayout,
        words: memoryview,
        actions: memoryview,
        winners: memoryview,
        chosen: memoryview,
        legal: memoryview,
        planes: memoryview,
    ) -> None:
        self.words = words
        self.actions = actions
        self.winners = winners
        self.chosen = chosen
        self.legal = legal
        self.planes = planes
        self.games = len(actions)
        self.legal_row = len(legal) // len(actions)
        self.planes_row = len(planes) // len(actions)
        self.cells = layout.cells
        self.full = layout.full
        self.first = layout.first
        self.is_race = layout.is_race
        self.follows = layout.follow is not None
        self.own = array("Q", layout.own)
        self.opponent = array("Q", layout.opponent)
        self.follow = array("Q", layout.follow or [0])
        self.plane_count = layout.planes
        self.masks = array("Q", [0] * MOST_PLANES)
        written = [bytes(byte >> bit & 1 for bit in range(BYTE)) for byte in range(BYTES)]
        self.spread = array("Q", [int.from_bytes(word, sys.byteorder) for word in written])

    # ------------------------------------------------------------------ what Python asks

    def seed(self) -> None:
        """Seed the sources of chance of the chosen games by the numbers in ``actions``."""
        i: Int
        _: Int
        with cython.nogil:
            for i in range(self.games):
                if self.chosen[i]:
                    state: Mask = self.actions[i]
                    state = mix(state) | 1
                    for _ in range(4):  # seeds that differ little give sequences that differ much
                        state = mix(step(state)) | 1
                    self.words[i * WORDS + CHANCE] = state

    def restart(self) -> None:
        """Begin the chosen games anew."""
        i: Int
        with cython.nogil:
            for i in range(self.games):
                if self.chosen[i]:
                    self._restart(i * WORDS)

    def step(self, restarts: bool) -> int:
        """Play ``actions`` in the chosen games; return the first where it is illegal, or -1.

        If any is illegal no game is changed.  ``winners`` gets 1 or 2 where an action ended the
        game, otherwise 0.  A game that was over before is left alone, whatever its action.

        With ``restarts`` the chosen games that are over then begin anew.
        """
        again: Int = 1 if restarts else 0
        illegal: Int
        i: Int
        with cython.nogil:
            illegal = self._find_illegal()
            if illegal < 0:
                for i in range(self.games):
                    self.winners[i] = 0
                    if not self.chosen[i]:
                        continue
                    self.winners[i] = self._play(i * WORDS, self.actions[i])
                    if again and self.words[i * WORDS + LEGAL] == 0:
                        self._restart(i * WORDS)
        return illegal

    def sample(self) -> None:
        """Set ``actions`` to a legal one of each game, at random; to -1 where it is over."""
        i: Int
        with cython.nogil:
            for i in range(self.games):
                self.actions[i] = self._choose(i * WORDS)

    def playouts(self, times: int) -> None:
        """Set ``actions`` to how many of so many random playouts the mover of each game wins.

        The games stay as they are, but for their sources of chance.
        """
        number: Int = times
        i: Int
        with cython.nogil:
            for i in range(self.games):
                self.actions[i] = self._play_out(i * WORDS, number)

    def show_legal(self) -> None:
        """Write which cells are legal in each game."""
        i: Int
        j: Int
        with cython.nogil:
            for i in range(self.games):
                mask: Mask = self.words[i * WORDS + LEGAL]
                for j in range(self.legal_row):
                    self.legal[i * self.legal_row + j] = self.spread[mask & 255]
                    mask >>= BYTE

    def show_planes(self, viewer: int) -> None:
        """Write the planes of each game as player 0 or 1 sees it, or with -1 its mover."""
        who: Int = viewer
        i: Int
        with cython.nogil:
            for i in range(self.games):
                self._look(i * WORDS, who)
                self._write_masks(i * self.planes_row)

    # ------------------------------------------------------------------ one game

    def _find_illegal(self) -> Int:
        """Return the first chosen game where the action is illegal, or -1."""
        i: Int
        for i in range(self.games):
            legal: Mask = self.words[i * WORDS + LEGAL]
            if not self.chosen[i]:
                continue
            action: Long = self.actions[i]
            if legal and (action < 0 or action >= self.cells or not legal >> action & 1):
                return i
        return -1

    def _restart(self, at: Int) -> None:
        """Begin a game anew."""
        one: Mask = 1
        mover: Mask = self.first
        if self.first == EITHER:
            mover = self._below(at, 2)
        self.words[at + BLOCKED] = 0
        self.words[at + TURN] = mover
        if self.is_race:
            self.words[at] = one
            self.words[at + 1] = one << (self.cells - 1)
            self.words[at + OPEN] = 0
            self.words[at + OPEN + 1] = 0
            self.words[at + LEGAL] = self._steps(at, mover)
        else:
            self.words[at] = 0
            self.words[at + 1] = 0
            self.words[at + OPEN] = self.full
            self.words[at + OPEN + 1] = self.full
            self.words[at + LEGAL] = self.full

    def _play(self, at: Int, cell: Int) -> Int:
        """Play a legal action in a game that is not over; return who wins by it: 1, 2, or 0."""
        if self.words[at + LEGAL] == 0:
            return 0
        mover: Int = self.words[at + TURN] & 1
        if self.is_race:
            self._race(at, mover, cell)
        else:
            self._take(at, mover, cell)
        return 0 if self.words[at + LEGAL] else mover + 1

    def _take(self, at: Int, mover: Int, cell: Int) -> None:
        """Let the mover take a cell of a placement game."""
        one: Mask = 1
        turn: Mask = 1 - mover
        self.words[at + mover] |= one << cell
        self.words[at + OPEN + mover] &= ~self.own[cell]
        legal: Mask = self.words[at + OPEN + 1 - mover] & ~self.opponent[cell]
        self.words[at + OPEN + 1 - mover] = legal
        if self.follows:
            legal &= self.follow[cell]
            turn |= (cell + 1) << LAST_SHIFT
        self.words[at + TURN] = turn
        self.words[at + LEGAL] = legal

    def _race(self, at: Int, mover: Int, cell: Int) -> None:
        """Let the mover step to a cell, or block it."""
        one: Mask = 1
        turn: Mask = self.words[at + TURN]
        if turn & BLOCKING:
            self.words[at + BLOCKED] |= one << cell
            self.words[at + TURN] = 1 - mover
            self.words[at + LEGAL] = self._steps(at, 1 - mover)
            return
        self.words[at + mover] = one << cell
        if cell == (0 if mover else self.cells - 1):
            self.words[at + TURN] = 1 - mover
            self.words[at + LEGAL] = 0
        else:  # the cell just left can always be blocked
            self.words[at + TURN] = turn | BLOCKING
            self.words[at + LEGAL] = self.opponent[cell] & self._free(at)

    def _free(self, at: Int) -> Mask:
        """Return the cells of a race that are neither blocked nor under a token."""
        return self.full & ~(self.words[at] | self.words[at + 1] | self.words[at + BLOCKED])

    def _steps(self, at: Int, mover: Int) -> Mask:
        """Return the cells to which a player of a race may step."""
        return self.own[lowest(self.words[at + mover])] & self._free(at)

    # ------------------------------------------------------------------ chance

    def _below(self, at: Int, limit: Int) -> Int:
        """Return a random number below a limit, from the game's own source."""
        state: Mask = step(self.words[at + CHANCE])
        self.words[at + CHANCE] = state
        return (mix(state) >> 32) * limit >> 32

    def _choose(self, at: Int) -> Int:
        """Return a legal action at random, -1 if the game is over."""
        legal: Mask = self.words[at + LEGAL]
        if legal == 0:
            return -1
        _: Int
        for _ in range(self._below(at, count(legal))):
            legal &= legal - 1
        return lowest(legal)

    def _play_out(self, at: Int, times: Int) -> Int:
        """Return how many random playouts the mover of a game wins."""
        spare: Int = self.games * WORDS
        wins: Int = 0
        mover: Int = self.words[at + TURN] & 1
        _: Int
        j: Int
        for _ in range(times):
            for j in range(WORDS):
                self.words[spare + j] = self.words[at + j]
            winner: Int = 2 - mover  # where it is over already
            while self.words[spare + LEGAL]:
                winner = self._play(spare, self._choose(spare))
            self.words[at + CHANCE] = self.words[spare + CHANCE]
            if winner == mover + 1:
                wins += 1
        return wins

    # ------------------------------------------------------------------ planes

    def _look(self, at: Int, viewer: Int) -> None:
        """Set ``masks`` to what a player sees, or with -1 the mover."""
        one: Mask = 1
        turn: Mask = self.words[at + TURN]
        if viewer < 0:
            viewer = turn & 1
        self.masks[0] = self.words[at + viewer]
        self.masks[1] = self.words[at + 1 - viewer]
        if self.is_race:
            self.masks[2] = self.words[at + BLOCKED]
            self.masks[3] = one << (0 if viewer else self.cells - 1)
            self.masks[4] = self.full if turn & BLOCKING else 0
        else:
            self.masks[2] = self.words[at + OPEN + viewer]
            self.masks[3] = self.words[at + OPEN + 1 - viewer]
            last: Int = turn >> LAST_SHIFT
            self.masks[4] = one << (last - 1) if last else 0

    def _write_masks(self, to: Int) -> None:
        """Write the bits of all masks as bytes, one mask after the other."""
        held: Mask = 0  # bits that are not written yet
        width: Int = 0  # how many: fewer than eight
        k: Int
        for k in range(self.plane_count):
            mask: Mask = self.masks[k]
            left: Int = self.cells
            while left > 0:
                more: Int = min(left, BYTE - width)
                held = (held | mask << width) & 255
                mask >>= more
                left -= more
                width += more
                if width == BYTE:
                    self.planes[to] = self.spread[held]
                    to += 1
                    held = 0
                    width = 0
        if width > 0:
            self.planes[to] = self.spread[held]
