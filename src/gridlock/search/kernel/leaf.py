# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""What is seen of a leaf of the tree before any playout: its legal cells, and who surely wins."""

from __future__ import annotations

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Bool, Int
    from gridlock.search.kernel.playouts import CONTEST, SHARED, Playouts
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Bool, Int
    from cython.cimports.gridlock.search.kernel.playouts import CONTEST, SHARED, Playouts

built_from = FINGERPRINT


class Leaf(Playouts):
    """A position that can be judged, and then be played on at random."""

    def legal_count(self, side: Int) -> Int:
        """Return how many cells a side may take."""
        if self.has_follow and self.last >= 0:
            return self.count_follow(side)
        return self.sizes[self.set_of(side)]

    def legal_cell(self, side: Int, number: Int) -> Int:
        """Return one of the cells that a side may take, by its number."""
        if self.has_follow and self.last >= 0:
            return self.find_follow(side, number)
        cell: Int = self.members[self.set_of(side) * self.cells + number]
        return cell

    def prove(self, side: Int) -> Int:
        """Return 1 or -1 if the mover of a leaf surely wins or loses, 0 if that is not known.

        Where one closes nothing to oneself, and nobody can close a cell to the other one any more,
        who has more cells wins.
        """
        if self.legal_count(side) == 0:
            return -1
        if (
            self.policy == CONTEST
            and not self.is_impartial
            and self.sizes[SHARED] == 0
            and self._is_separate(side)
            and self._is_separate(1 - side)
        ):
            return 1 if self.sizes[side] > self.sizes[1 - side] else -1
        return 0

    def _is_separate(self, side: Int) -> Bool:
        """Tell whether no cell of a side closes one to the other side."""
        i: Int
        for i in range(self.sizes[side]):
            if self.count_opponent(side, self.members[side * self.cells + i]) > 0:
                return False
        return True

    def rate(self, side: Int, cell: Int) -> Int:
        """Return how promising it looks to take a cell; ``cells`` if that wins at once."""
        rating: Int
        if self.has_follow:
            mine: Int = self.sizes[0]
            theirs: Int = self.sizes[1]
            last: Int = self.last
            self.play(side, cell)
            rating = -self.count_follow(1 - side)
            self.sizes[0] = mine
            self.sizes[1] = theirs
            self.last = last
            return self.cells if rating == 0 else rating
        own: Int = self.count_own(side, cell)
        if self.is_impartial:
            return self.cells if own + 1 == self.sizes[0] else 0
        rating = self.count_opponent(side, cell)
        return self.cells if rating == self.sizes[1 - side] else rating - own
