# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""What a position of race is worth without looking ahead: how much of the board is whose.

A score beyond ``PROVED`` is a proof: the mover wins or loses so many turns from now on.  Others are
guesses, in hundredths of a cell: how much more of the board the mover reaches first.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, Mask, count
    from gridlock.search.kernel.race_board import RaceBoard
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, Mask, count
    from cython.cimports.gridlock.search.kernel.race_board import RaceBoard

built_from = FINGERPRINT

WIN = 30000  # less a point for each turn until then
PROVED = 20000  # a score beyond is a proof


class Territory:
    """Evaluates the positions of a board: both players flood it, step by step."""

    def __init__(self, board: RaceBoard) -> None:
        rows: Int = board.rows
        self.board = board
        self.rows = rows
        self.columns = board.columns
        self.free = board.free
        self.tokens = board.tokens
        self.regions = array("Q", bytes(8 * 2 * (rows + 2)))
        self.front = array("Q", bytes(8 * 2 * (rows + 2)))
        self.walk = array("Q", bytes(8 * (rows + 2)))
        self.sizes = array("q", [0, 0])
        self.edges = array("q", [0, 0])
        self.goals = array("q", [0, 0])

    def evaluate(self, mover: Int, ply: Int) -> Int:
        """Return what the position is worth to the mover, who is about to step, at some ply."""
        if self.board.exits(self.tokens[mover]) == 0:
            return ply - WIN
        if self.board.can_arrive(mover):
            return WIN - ply - 1
        self._flood(mover)
        if not self.has_contact and self._is_apart():
            return self._evaluate_apart(mover, ply)
        other: Int = 1 - mover
        score: Int = 40 * (self.sizes[mover] - self.sizes[other])
        score += 15 * (self.edges[mover] - self.edges[other])
        if self.goals[mover] >= 0:
            score += 60
        if self.goals[other] >= 0:
            score -= 60
        return score

    def _evaluate_apart(self, mover: Int, ply: Int) -> Int:
        """Return what a position is worth in which nobody can do anything about the other."""
        other: Int = 1 - mover
        near: Int = self.goals[mover]
        their: Int = self.goals[other]
        if near >= 0 and (their < 0 or near <= their):
            return WIN - ply - 2 * near
        if their >= 0:
            return ply + 2 * their - WIN
        mine: Int = self._most_turns(mover)
        theirs: Int = self._most_turns(other)
        walked: Int
        if self.sizes[mover] > theirs:
            walked = self._walk_far(self.tokens[mover], theirs + 1)
            if walked > theirs:
                return WIN - ply - 2 * theirs
        elif mine <= self.sizes[other]:
            walked = self._walk_far(self.tokens[other], mine)
            if walked >= mine:
                return ply + 2 * mine - WIN
        return 100 * (self.sizes[mover] - self.sizes[other]) + 30 * (mine - theirs)

    # ------------------------------------------------------------------ who is nearer

    def _spread(self, player: Int) -> Bool:
        """Add the next cells that a player reaches, unless the other one was there before.

        Tell whether there were any.
        """
        height: Int = self.rows + 2
        base: Int = player * height
        other: Int = (1 - player) * height
        above: Mask = 0
        found: Mask = 0
        row: Int
        for row in range(1, height - 1):
            here: Mask = self.front[base + row]
            near: Mask = here << 1 | here >> 1 | above | self.front[base + row + 1]
            above = here
            if near == 0:
                continue
            near &= self.free[row]
            if near & self.regions[other + row]:
                self.has_contact = True
            near &= ~(self.regions[base + row] | self.regions[other + row])
            self.front[base + row] = near
            self.regions[base + row] |= near
            found |= near
        return found != 0

    def _flood(self, mover: Int) -> None:
        """Set ``regions``, ``sizes``, ``edges`` and ``goals`` of both, and ``has_contact``.

        A region is what a player reaches before the other one; in a tie the mover is first.
        """
        one: Mask = 1
        height: Int = self.rows + 2
        row: Int
        player: Int
        for row in range(2 * height):
            self.regions[row] = 0
            self.front[row] = 0
        for player in range(2):
            token: Int = self.tokens[player]
            row = player * height + token // self.columns + 1
            self.regions[row] = one << token % self.columns
            self.front[row] = self.regions[row]
            self.goals[player] = -1
        self.has_contact = False
        distance: Int = 0
        is_growing: Bool = True
        while is_growing:
            distance += 1
            is_growing = self._spread(mover)
            if self._spread(1 - mover):
                is_growing = True
            if self.goals[0] < 0 and self.regions[self.rows] >> (self.columns - 1) & 1:
                self.goals[0] = distance
            if self.goals[1] < 0 and self.regions[height + 1] & 1:
                self.goals[1] = distance
        for player in range(2):
            size: Int = -1  # the token's own cell
            edges: Int = 0
            for row in range(player * height + 1, player * height + height - 1):
                line: Mask = self.regions[row]
                if line:
                    size += count(line)
                    edges += count(line & line >> 1) + count(line & self.regions[row + 1])
            self.sizes[player] = size
            self.edges[player] = edges

    # ------------------------------------------------------------------ who is left alone

    def _is_apart(self) -> Bool:
        """Tell whether the players can never again block a cell that the other one can reach."""
        height: Int = self.rows + 2
        row: Int
        for row in range(1, height - 1):
            wide: Mask = self.regions[row - 1] | self.regions[row] | self.regions[row + 1]
            wide |= wide << 1 | wide >> 1
            if wide & self.regions[height + row]:
                return False
        return True

    def _most_turns(self, player: Int) -> Int:
        """Return how many turns a token can make alone at most.

        Every turn blocks one of the cells of its region, or a free one around it.
        """
        height: Int = self.rows + 2
        base: Int = player * height
        most: Int = self.sizes[player]
        row: Int
        for row in range(base + 1, base + height - 1):
            wide: Mask = self.regions[row - 1] | self.regions[row] | self.regions[row + 1]
            wide |= wide << 1 | wide >> 1
            most += count(wide & self.free[row - base] & ~self.regions[row])
        return most

    def _walk_far(self, cell: Int, enough: Int) -> Int:
        """Return how many turns a token can make alone at least, up to what is enough.

        It blocks the cell that it leaves, and goes where the fewest ways go on.
        """
        one: Mask = 1
        row: Int
        for row in range(self.rows + 2):
            self.walk[row] = self.free[row]
        turns: Int = 0
        while turns < enough:
            best: Int = -1
            fewest: Int = 9
            side: Int
            for side in range(4):
                near: Int = self._beside(cell, side)
                if near < 0:
                    continue
                ways: Int = 0
                other: Int
                for other in range(4):
                    if self._beside(near, other) >= 0:
                        ways += 1
                if ways == 0:
                    ways = 8
                if ways < fewest:
                    fewest = ways
                    best = near
            if best < 0:
                return turns
            turns += 1
            cell = best
            self.walk[cell // self.columns + 1] &= ~(one << cell % self.columns)
        return turns

    def _beside(self, cell: Int, side: Int) -> Int:
        """Return a neighbour of a cell that a walk has not used, or -1."""
        row: Int = cell // self.columns
        column: Int = cell % self.columns
        if side == 0:
            row -= 1
        elif side == 1:
            row += 1
        elif side == 2:
            column -= 1
        else:
            column += 1
        if column < 0 or column >= self.columns or self.walk[row + 1] >> column & 1 == 0:
            return -1
        return row * self.columns + column
