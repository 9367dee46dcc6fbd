# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""An estimating search of race on boards of any size: alpha-beta over whole turns.

Iterative deepening with a transposition table; late turns are searched less deeply at first, but
none is left out for good, so that a score beyond ``PROVED`` is a proof.  Other scores are guesses.
What they mean is said in ``territory``.
"""

from __future__ import annotations

from array import array
from math import exp, sqrt
from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, Mask
    from gridlock.search.kernel.race_board import RaceBoard
    from gridlock.search.kernel.race_turns import PLIES, TURNS, RaceTurns
    from gridlock.search.kernel.table import ESTIMATE, Table
    from gridlock.search.kernel.territory import PROVED, WIN, Territory
    from gridlock.search.kernel.ticker import Ticker
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, Mask
    from cython.cimports.gridlock.search.kernel.race_board import RaceBoard
    from cython.cimports.gridlock.search.kernel.race_turns import PLIES, TURNS, RaceTurns
    from cython.cimports.gridlock.search.kernel.table import ESTIMATE, Table
    from cython.cimports.gridlock.search.kernel.territory import PROVED, WIN, Territory
    from cython.cimports.gridlock.search.kernel.ticker import Ticker

if TYPE_CHECKING:
    from collections.abc import Sequence

built_from = FINGERPRINT

# How much a score says about who wins, fitted to the ends of games on 7x7 to 11x11: more, the
# fuller the board is, the further was looked ahead, and the smaller the board.
CERTAINTY = -1.44
BY_FILL = 3.25  # the part of the cells that are blocked
BY_DEPTH = 0.156
BY_SIDE = -0.425
MOST_DEPTH = 15  # and more than these sides have not been fitted
MOST_SIDE = 11.0
SHALLOWER = 2  # by so many turns the worth of all actions is known less far ahead
OFFSET = 1 << 15  # makes a score positive
EXACT, LOWER, UPPER = 0, 1, 2


class AlphaBeta(Ticker):
    """A search of one board; ``words`` are those of a table that other threads may share.

    ``keys`` are those of ``RaceBoard``.  ``nodes`` counts positions that were looked at, ``depth``
    is how many turns ahead all of them were.
    """

    def __init__(
        self, words: memoryview, signal: memoryview, rows: int, columns: int, keys: Sequence[int]
    ) -> None:
        Ticker.__init__(self, signal)
        self.table = Table(words)
        self.board = RaceBoard(rows, columns, keys)
        self.territory = Territory(self.board)
        self.turns = RaceTurns(self.board, self.territory)
        self.depth = 0
        self.side = sqrt(rows * columns)
        self.worth = array("q", bytes(8 * rows * columns))
        self.fresh = array("q", bytes(8 * rows * columns))

    def set_root(self, tokens: Sequence[int], blocked: int, mover: int, is_blocking: bool) -> None:
        """Begin with a position: ``mover`` is 0 or 1, and has to step, or has only to block."""
        self.board.set_up(tokens, blocked, mover)
        self.root_player = mover
        self.is_blocking = is_blocking
        self.depth = 0
        self.fill = blocked.bit_count() / self.board.cells
        self.root_size = self._generate(mover, 0, is_blocking)
        i: Int
        cell: Int
        for i in range(self.root_size):
            self.worth[self._action(i)] = -WIN
        for i in range(self.root_size):
            cell = self._action(i)
            self.worth[cell] = max(self.worth[cell], self.turns.score[i])

    def think(self, nodes: int) -> None:
        """Look ahead until so many nodes have been seen in all, or all is proved."""
        self.limit = nodes
        with cython.nogil:
            self._deepen()

    def estimates(self) -> list[tuple[int, float, int, int]]:
        """Return each legal cell with its chance of winning, how far was looked, and its proof.

        The proof is 1 or -1 if choosing the cell surely wins or loses, 0 if that is not known.
        """
        # Of all turns but the best it is known only that they are worth no more than their score.
        best: dict[int, int] = {}
        i: Int
        for i in range(self.root_size):
            cell: Int = self._action(i)
            score: Int = self.turns.score[i]
            most = score if i == 0 else min(score, self.worth[cell])
            best[cell] = max(best.get(cell, -WIN), most)
        looked = BY_FILL * self.fill + BY_DEPTH * min(self.depth, MOST_DEPTH)
        slope = exp(CERTAINTY + looked + BY_SIDE * min(self.side, MOST_SIDE)) / self.side
        found = []
        for chosen, most in sorted(best.items()):
            proof = 0 if -PROVED <= most <= PROVED else 1 if most > 0 else -1
            chance = 1 / (1 + exp(-most * slope)) if proof == 0 else (1 + proof) / 2
            found.append((chosen, chance, 1 << 2 * min(self.depth, 15), proof))
        return found

    # ------------------------------------------------------------------ a position

    def _generate(self, mover: Int, ply: Int, is_blocking: Bool) -> Int:
        """List all turns of the mover, and count what was looked at; return how many there are."""
        size: Int = self.turns.generate(mover, ply, is_blocking)
        self.nodes += self.turns.evaluated
        return size

    def _search(self, mover: Int, depth: Int, alpha: Int, beta: Int, ply: Int) -> Int:
        """Return what the position is worth to the mover, some turns ahead."""
        if self._tick():
            return 0
        if depth <= 0 or ply >= PLIES - 1:
            return self.territory.evaluate(mover, ply)
        start: Int = self.board.tokens[mover]
        if self.board.exits(start) == 0:
            return ply - WIN
        if self.board.can_arrive(mover):
            return WIN - ply - 1
        one: Mask = self.board.key_one
        two: Mask = self.board.key_two
        known: Mask = self.table.probe(one, two, ESTIMATE)
        best_turn: Int = -1
        score: Int
        if known:
            best_turn = known & 0xFFF
            score = known >> 12 & 0xFFFF
            score -= OFFSET
            bound: Int = known >> 28 & 3
            ahead: Int = known >> 30 & 0xFF
            if score > PROVED:
                score -= ply
            elif score < -PROVED:
                score += ply
            is_proof: Bool = score > PROVED or score < -PROVED
            if is_proof or ahead >= depth:
                if bound == EXACT:
                    return score
                if bound == LOWER and score >= beta:
                    return score
                if bound == UPPER and score <= alpha:
                    return score
        before: Mask = self.nodes
        size: Int = self._generate(mover, ply, False)
        base: Int = ply * TURNS
        i: Int
        if best_turn >= 0:
            for i in range(base, base + size):
                if self.turns.code(start, i) == best_turn:
                    self.turns.put_first(base, i)
                    break
        best: Int = -WIN
        first_alpha: Int = alpha
        for i in range(base, base + size):
            score = self.turns.score[i]
            if depth > 1 and -PROVED <= score <= PROVED:
                score = self._search_turn(mover, i, i - base, depth, alpha, beta, ply)
                if self._is_stopped():
                    return 0
            if score > best:
                best = score
                best_turn = self.turns.code(start, i)
                alpha = max(alpha, score)
                if alpha >= beta:
                    break
        kind: Mask = LOWER if best >= beta else (EXACT if best > first_alpha else UPPER)
        kept: Int = best
        if best > PROVED:
            kept += ply
        elif best < -PROVED:
            kept -= ply
        payload: Mask = kept + OFFSET
        looked: Mask = depth
        turn: Mask = best_turn
        self.table.store(
            one,
            two,
            ESTIMATE,
            looked << 30 | kind << 28 | payload << 12 | turn,
            self.nodes - before,
        )
        return best

    def _search_turn(
        self, mover: Int, i: Int, place: Int, depth: Int, alpha: Int, beta: Int, ply: Int
    ) -> Int:
        """Return what a turn of a list is worth, which is to be searched in some place."""
        start: Int = self.board.tokens[mover]
        block: Int = self.turns.block[i]
        self.board.play(mover, self.turns.step[i], block)
        score: Int = self._search_child(1 - mover, place, depth, alpha, beta, ply + 1)
        self.board.play(mover, start, block)
        return score

    def _search_child(
        self, mover: Int, place: Int, depth: Int, alpha: Int, beta: Int, ply: Int
    ) -> Int:
        """Return what the turn that led here is worth to its player.

        Unless it is in the first place, it is asked at first only whether it is better than
        ``alpha``, and for a late one not so far ahead.
        """
        if place == 0:
            return -self._search(mover, depth - 1, -beta, -alpha, ply)
        less: Int = 0
        if depth >= 3 and place >= 3:
            less = 1 if place < 10 or depth < 5 else 2
        score: Int = -self._search(mover, depth - 1 - less, -alpha - 1, -alpha, ply)
        if less and score > alpha:
            score = -self._search(mover, depth - 1, -alpha - 1, -alpha, ply)
        if alpha < score < beta:
            score = -self._search(mover, depth - 1, -beta, -alpha, ply)
        return score

    # ------------------------------------------------------------------ the root

    def _deepen(self) -> None:
        """Search the root one turn deeper again and again, until all is known or time is up."""
        depth: Int
        for depth in range(self.depth + 1, PLIES):
            if self._is_decided() or self._search_root(depth):
                return
            self.depth = depth
            if depth > SHALLOWER and self._search_others(depth - SHALLOWER):
                return

    def _is_decided(self) -> Bool:
        """Tell whether a turn is proved to win, or every one to lose."""
        i: Int
        is_lost: Bool = True
        for i in range(self.root_size):
            if self.turns.score[i] > PROVED:
                return True
            if -PROVED <= self.turns.score[i] <= PROVED:
                is_lost = False
        return is_lost

    def _search_root(self, depth: Int) -> Bool:
        """Search every turn of the root so far ahead; tell whether time was up before the end."""
        i: Int
        for i in range(self.root_size):
            if self.turns.score[i] < -PROVED or self.turns.score[i] > PROVED:
                continue
            alpha: Int = -WIN
            if i > 0:
                alpha = self.turns.score[0]
            score: Int = self._search_turn(self.root_player, i, i, depth, alpha, WIN, 0)
            if self._is_stopped():
                return True
            self.turns.insert(0, i, self.turns.step[i], self.turns.block[i], score)
            if score > PROVED:
                return False
        return False

    def _search_others(self, depth: Int) -> Bool:
        """Set what every action is ``worth``, less far ahead; tell whether time was up before."""
        i: Int
        for i in range(self.root_size):
            self.fresh[self._action(i)] = -WIN
        for i in range(self.root_size):
            cell: Int = self._action(i)
            score: Int = self.turns.score[i]
            if -PROVED <= score <= PROVED:
                alpha: Int = self.fresh[cell]
                place: Int = 0 if alpha == -WIN else i
                score = self._search_turn(self.root_player, i, place, depth, alpha, WIN, 0)
                if self._is_stopped():
                    return True
            self.fresh[cell] = max(self.fresh[cell], score)
        for i in range(self.root_size):
            self.worth[self._action(i)] = self.fresh[self._action(i)]
        return False

    def _action(self, i: Int) -> Int:
        """Return the cell that a turn of the root chooses next."""
        return self.turns.block[i] if self.is_blocking else self.turns.step[i]
