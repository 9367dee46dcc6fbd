# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The turns of race, those that look best first.

``step``, ``block`` and ``score`` hold a list for each ply, ``TURNS`` apart: where the token goes,
what is blocked then, and what the turn is worth to its player.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Bool, Int
    from gridlock.search.kernel.race_board import RaceBoard
    from gridlock.search.kernel.territory import WIN, Territory
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Bool, Int
    from cython.cimports.gridlock.search.kernel.race_board import RaceBoard
    from cython.cimports.gridlock.search.kernel.territory import WIN, Territory

built_from = FINGERPRINT

PLIES = 96  # turns that a search looks ahead at most
TURNS = 32  # of one position: four steps, and eight blocks after each


class RaceTurns:
    """The lists of all plies; a turn is known by its index in them."""

    def __init__(self, board: RaceBoard, territory: Territory) -> None:
        self.board = board
        self.territory = territory
        self.columns = board.columns
        self.step = array("q", bytes(8 * PLIES * TURNS))
        self.block = array("q", bytes(8 * PLIES * TURNS))
        self.score = array("q", bytes(8 * PLIES * TURNS))

    def generate(self, mover: Int, ply: Int, is_blocking: Bool) -> Int:
        """List all turns of the mover, those that look best first; return how many.

        Also set ``evaluated``: how many positions were looked at.
        """
        self.evaluated = 0
        size: Int = 0
        start: Int = self.board.tokens[mover]
        row: Int
        column: Int
        side: Int
        for side in range(5):
            if is_blocking != (side == 4):
                continue
            row = start // self.columns
            column = start % self.columns
            if side == 0:
                row -= 1
            elif side == 1:
                row += 1
            elif side == 2:
                column -= 1
            elif side == 3:
                column += 1
            if side < 4 and not self.board.is_free(row, column):
                continue
            size = self._generate_blocks(mover, ply, size, start, row, column)
        return size

    def _generate_blocks(
        self, mover: Int, ply: Int, size: Int, start: Int, row: Int, column: Int
    ) -> Int:
        """List the turns that step to a cell, after so many others; return how many there are."""
        step: Int = row * self.columns + column
        if step == self.board.goal_of(mover) and step != start:
            self.insert(ply * TURNS, size, step, step, WIN - ply - 1)  # nobody blocks any more
            return size + 1
        down: Int
        across: Int
        for down in range(row - 1, row + 2):
            for across in range(column - 1, column + 2):
                block: Int = down * self.columns + across
                if block == step or across < 0 or across >= self.columns:
                    continue
                if block != start and not self.board.is_free(down, across):
                    continue
                self.board.play(mover, step, block)
                score: Int = -self.territory.evaluate(1 - mover, ply + 1)
                self.board.play(mover, start, block)
                self.evaluated += 1
                self.insert(ply * TURNS, size, step, block, score)
                size += 1
        return size

    def insert(self, base: Int, size: Int, step: Int, block: Int, score: Int) -> None:
        """Put a turn among others by its score, the highest first."""
        i: Int = base + size
        while i > base and self.score[i - 1] < score:
            self.step[i] = self.step[i - 1]
            self.block[i] = self.block[i - 1]
            self.score[i] = self.score[i - 1]
            i -= 1
        self.step[i] = step
        self.block[i] = block
        self.score[i] = score

    def put_first(self, base: Int, i: Int) -> None:
        """Let a turn of a list be its first."""
        step: Int = self.step[i]
        block: Int = self.block[i]
        score: Int = self.score[i]
        while i > base:
            self.step[i] = self.step[i - 1]
            self.block[i] = self.block[i - 1]
            self.score[i] = self.score[i - 1]
            i -= 1
        self.step[base] = step
        self.block[base] = block
        self.score[base] = score

    def code(self, start: Int, i: Int) -> Int:
        """Return a turn of a list as a small number: where it steps to, and what it blocks."""
        step: Int = self.step[i]
        block: Int = self.block[i]
        side: Int = 4
        if step == start - self.columns:
            side = 0
        elif step == start + self.columns:
            side = 1
        elif step == start - 1:
            side = 2
        elif step == start + 1:
            side = 3
        down: Int = block // self.columns - step // self.columns + 1
        across: Int = block % self.columns - step % self.columns + 1
        return side * 9 + down * 3 + across
