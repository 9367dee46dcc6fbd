# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Random games on boards of any size.

The cells that are open to a player stand at the front of a permutation of all cells.  To close one
is to exchange it with the last open one and to count one less; so to choose any, to close one, and
to tell whether one is open take no longer on a large board, and to open all cells again that were
closed since some moment one need only count as many as there were then.

    members   | open cells … | closed ones, the last first … |
              '--- size -----'
    places    where in ``members`` each cell stands

There is such a row for side 0, the mover at the root, one for side 1, and one for what is open to
both.  Where both may always take the same cells, only the first is in use.
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
    from gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, mix, step
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, mix, step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlock.search.layout import WideLayout

built_from = FINGERPRINT

SHARED = 2  # the row of what is open to both sides
UNIFORM, CONTEST, SPARING, WALK = 0, 1, 2, 3
TRIES = 5  # of so many cells one takes the most sparing


class Playouts:
    """A position, which can be played on at random to its end and be restored at no cost.

    How it is played on depends on the reaches: where one closes nothing to oneself, only what both
    may take is worth a fight (``CONTEST``); where one closes cells to oneself alone, one prefers
    cells that close few (``SPARING``).
    """

    def __init__(self, layout: WideLayout, seed: int) -> None:
        self.cells = layout.cells
        self.grid_places = layout.places
        self.grid_cells = {place: cell for cell, place in enumerate(layout.places)}
        follow = layout.follow or []
        self.own = array("i", layout.own)
        self.opponent = array("i", layout.opponent)
        self.follow = array("i", follow)
        self.own_size = len(layout.own)
        self.opponent_size = len(layout.opponent)
        self.follow_size = len(follow)
        self.has_follow = layout.follow is not None
        self.members = array("i", [*range(layout.cells)] * 3)
        self.places = array("i", [*range(layout.cells)] * 3)
        self.sizes = array("i", [0, 0, 0])
        self.root_sizes = array("i", [0, 0, 0])
        self.root_last = -1
        self.last = -1
        self.is_even = not self.has_follow and layout.own == layout.opponent
        self.is_impartial = False
        self.state = seed * 2 + 1 & bits.ALL
        for _ in range(8):  # seeds that differ little give sequences that differ much
            self.state = mix(step(self.state)) | 1
        self.tries = TRIES
        self.policy = UNIFORM
        if self.has_follow:
            self.policy = WALK
        elif self.own_size == 0:
            self.policy = CONTEST
        elif self.opponent_size == 0:
            self.policy = SPARING

    def place_root(self, mine: Iterable[int], theirs: Iterable[int], last: int) -> None:
        """Set the position: which cells are open to the mover and to the other, and the last."""
        one = sorted(mine)
        two = sorted(theirs)
        self.is_impartial = self.is_even and one == two
        both = sorted(set(one) & set(two))
        rows = [one, [] if self.is_impartial else two, [] if self.has_follow else both]
        which: Int
        size: Int
        for which in range(3):
            size = 0
            for cell in rows[which]:
                self._exchange(which, self.grid_places[cell], size)
                size += 1
            self.root_sizes[which] = size
        self.root_last = -1 if last < 0 else self.grid_places[last]
        self.restart()

    # ------------------------------------------------------------------ the position

    def restart(self) -> None:
        """Go back to the root."""
        which: Int
        for which in range(3):
            self.sizes[which] = self.root_sizes[which]
        self.last = self.root_last

    def set_of(self, side: Int) -> Int:
        """Return which row holds the cells of a side."""
        return 0 if self.is_impartial else side

    def below(self, limit: Int) -> Int:
        """Return a random number below a limit."""
        self.state = step(self.state)
        return (mix(self.state) >> 32) * limit >> 32

    def is_open(self, which: Int, cell: Int) -> Bool:
        """Tell whether a cell is among the open ones of a row."""
        at: Int = self.places[which * self.cells + cell]
        return at < self.sizes[which]

    def _exchange(self, which: Int, cell: Int, index: Int) -> None:
        """Exchange a cell with the one that stands at some index of a row."""
        base: Int = which * self.cells
        at: Int = self.places[base + cell]
        other: Int = self.members[base + index]
        self.members[base + at] = other
        self.places[base + other] = at
        self.members[base + index] = cell
        self.places[base + cell] = index

    def _drop(self, which: Int, cell: Int) -> None:
        """Close a cell of a row, if it is open."""
        at: Int = self.places[which * self.cells + cell]
        size: Int = self.sizes[which] - 1
        if at <= size:
            self._exchange(which, cell, size)
            self.sizes[which] = size

    def _close(self, side: Int, cell: Int) -> None:
        """Close a cell to a side."""
        before: Int = self.sizes[side]
        self._drop(side, cell)
        if self.sizes[side] < before:
            self._drop(SHARED, cell)

    def play(self, side: Int, cell: Int) -> None:
        """Let a side take a cell."""
        i: Int
        self.last = cell
        if self.is_impartial:
            self._drop(0, cell)
            for i in range(self.own_size):
                self._drop(0, cell + self.own[i])
            return
        self._close(side, cell)
        self._close(1 - side, cell)
        for i in range(self.own_size):
            self._close(side, cell + self.own[i])
        for i in range(self.opponent_size):
            self._close(1 - side, cell + self.opponent[i])

    def count_own(self, side: Int, cell: Int) -> Int:
        """Return how many other cells a side closes to itself by taking a cell."""
        which: Int = self.set_of(side)
        closed: Int = 0
        i: Int
        for i in range(self.own_size):
            if self.is_open(which, cell + self.own[i]):
                closed += 1
        return closed

    def count_opponent(self, side: Int, cell: Int) -> Int:
        """Return how many cells a side closes to the other one by taking a cell."""
        which: Int = self.set_of(1 - side)
        closed: Int = 1 if self.is_open(which, cell) else 0
        i: Int
        for i in range(self.opponent_size):
            if self.is_open(which, cell + self.opponent[i]):
                closed += 1
        return closed

    def count_follow(self, side: Int) -> Int:
        """Return how many cells a side may take after the last one."""
        count: Int = 0
        i: Int
        for i in range(self.follow_size):
            if self.is_open(side, self.last + self.follow[i]):
                count += 1
        return count

    def find_follow(self, side: Int, number: Int) -> Int:
        """Return one of the cells that a side may take after the last one, by its number."""
        i: Int
        for i in range(self.follow_size):
            if self.is_open(side, self.last + self.follow[i]):
                if number == 0:
                    return self.last + self.follow[i]
                number -= 1
        return -1  # pragma: no cover

    # ------------------------------------------------------------------ random games

    def playout(self, side: Int) -> Int:
        """Play on at random with a side to move; return the side that wins."""
        if self.policy == CONTEST and not self.is_impartial:
            return self._contest(side)
        if self.policy == SPARING:
            return self._spare(side)
        if self.policy == WALK:
            return self._walk(side)
        return self._scatter(side)

    def _scatter(self, side: Int) -> Int:
        """Take any cells."""
        which: Int = self.set_of(side)
        while self.sizes[which] > 0:
            self.play(side, self.members[which * self.cells + self.below(self.sizes[which])])
            side = 1 - side
            which = self.set_of(side)
        return 1 - side

    def _spare(self, side: Int) -> Int:
        """Take cells that close few to oneself."""
        while self.sizes[side] > 0:
            self.play(side, self._choose_sparing(side))
            side = 1 - side
        return 1 - side

    def _choose_sparing(self, side: Int) -> Int:
        """Return, of a few cells, the one that closes fewest to oneself."""
        best: Int = -1
        least: Int = self.cells
        _: Int
        for _ in range(self.tries):
            cell: Int = self.members[side * self.cells + self.below(self.sizes[side])]
            closed: Int = self.count_own(side, cell)
            if closed < least:
                best = cell
                least = closed
        return best

    def _contest(self, side: Int) -> Int:
        """Take cells that are open to both, and then count those that are open to one alone."""
        while self.sizes[SHARED] > 0:
            cell: Int = self.members[SHARED * self.cells + self.below(self.sizes[SHARED])]
            self.play(side, cell)
            side = 1 - side
        return side if self.sizes[side] > self.sizes[1 - side] else 1 - side

    def _walk(self, side: Int) -> Int:
        """Take any cell that may follow the last one."""
        if self.last < 0 and self.sizes[side] > 0:
            self.play(side, self.members[side * self.cells + self.below(self.sizes[side])])
            side = 1 - side
        if self.last < 0:
            return 1 - side
        count: Int = self.count_follow(side)
        while count > 0:
            self.play(side, self.find_follow(side, self.below(count)))
            side = 1 - side
            count = self.count_follow(side)
        return 1 - side
