# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""A board of race of any size: which cells are free, where the tokens are, and a hash of it all.

A row of the board is a word.  The rows have an empty one above and below, so that no cell needs to
know where the board ends.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, Mask
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, Mask

if TYPE_CHECKING:
    from collections.abc import Sequence

built_from = FINGERPRINT


class RaceBoard:
    """A position of race, in which turns are played and taken back.

    ``free`` are the rows.  ``key_one`` and ``key_two`` tell positions apart; ``keys`` are random
    words for that, two for each of these, in this order: a blocked cell, a cell with the token of
    player 0, one with that of player 1, and the player whose turn it is.
    """

    def __init__(self, rows: int, columns: int, keys: Sequence[int]) -> None:
        self.rows = rows
        self.columns = columns
        self.cells = rows * columns
        self.keys = array("Q", keys)
        self.free = array("Q", bytes(8 * (rows + 2)))
        self.tokens = array("q", [0, 0])

    def set_up(self, tokens: Sequence[int], blocked: int, mover: int) -> None:
        """Begin with a position; ``mover`` is 0 or 1."""
        row: Int
        for row in range(self.rows):
            line = ~(blocked >> row * self.columns) & (1 << self.columns) - 1
            self.free[row + 1] = line
        self.key_one = 0
        self.key_two = 0
        cell: Int
        for cell in range(self.cells):
            if blocked >> cell & 1:
                self._hash(cell)
        player: Int
        for player in range(2):
            self.tokens[player] = tokens[player]
            cell = tokens[player]
            self._flip(cell)
            self._hash((1 + player) * self.cells + cell)
        if mover == 1:
            self._hash(3 * self.cells)

    def _flip(self, cell: Int) -> None:
        """Make a free cell one that is not, or the other way round."""
        one: Mask = 1
        self.free[cell // self.columns + 1] ^= one << cell % self.columns

    def _hash(self, what: Int) -> None:
        self.key_one ^= self.keys[2 * what]
        self.key_two ^= self.keys[2 * what + 1]

    def play(self, player: Int, step: Int, block: Int) -> None:
        """Play a turn: a step, unless the token is there already, and a block.

        To step back and block the same cell takes the turn back.
        """
        start: Int = self.tokens[player]
        if start != step:
            self._flip(start)
            self._flip(step)
            self._hash((1 + player) * self.cells + start)
            self._hash((1 + player) * self.cells + step)
            self.tokens[player] = step
        self._flip(block)
        self._hash(block)
        self._hash(3 * self.cells)

    def goal_of(self, player: Int) -> Int:
        """Return the cell that a player wants to reach."""
        return self.cells - 1 if player == 0 else 0

    def is_free(self, row: Int, column: Int) -> Bool:
        """Tell whether there is a free cell, at most one row or column beyond the board."""
        if column < 0 or column >= self.columns:
            return False
        return self.free[row + 1] >> column & 1 != 0

    def exits(self, cell: Int) -> Int:
        """Return how many steps a token on a cell has."""
        row: Int = cell // self.columns
        column: Int = cell % self.columns
        return (
            (1 if self.is_free(row - 1, column) else 0)
            + (1 if self.is_free(row + 1, column) else 0)
            + (1 if self.is_free(row, column - 1) else 0)
            + (1 if self.is_free(row, column + 1) else 0)
        )

    def can_arrive(self, player: Int) -> Bool:
        """Tell whether a player's next step can reach the goal."""
        goal: Int = self.goal_of(player)
        if not self.is_free(goal // self.columns, goal % self.columns):
            return False
        token: Int = self.tokens[player]
        across: Int = goal % self.columns - token % self.columns
        down: Int = goal // self.columns - token // self.columns
        return across * across + down * down == 1
