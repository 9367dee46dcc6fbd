# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Move ordering: the children of a node, the most promising first.

Every ply of the search has its own stretch of ``CELLS`` children, so that nothing is allocated
while it runs.  A child is two sets and a number (``one``, ``two``, ``rest``), whose meaning is its
search's own.
"""

from __future__ import annotations

from mmap import mmap

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Cells, Int, Long
    from gridlock.search.kernel.sets import Sets
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Cells, Int, Long
    from cython.cimports.gridlock.search.kernel.sets import Sets

from gridlock.search.kernel.sets import most_cells

built_from = FINGERPRINT

CELLS = most_cells  # the most children of a node, too
PLIES = 416  # the deepest that searches can call each other: see ``Placement``


class MoveSorter:
    """The children of all nodes between the root and the one being searched."""

    def __init__(self) -> None:
        self.one = Sets(CELLS * PLIES)
        self.two = Sets(CELLS * PLIES)
        self.rest = _words().cast("q")
        self.score = _words().cast("q")

    def insert(self, depth: Int, size: Int, one: Cells, two: Cells, rest: Long, score: Long) -> Int:
        """Add a child at a depth, low scores first; return how many there are now.

        A child that is there already is left out: moves may lead to the same position.
        """
        base: Int = depth * CELLS
        i: Int
        for i in range(base, base + size):
            if self.one.at[i] == one and self.two.at[i] == two and self.rest[i] == rest:
                return size
        i = base + size
        while i > base and self.score[i - 1] > score:
            self.one.at[i] = self.one.at[i - 1]
            self.two.at[i] = self.two.at[i - 1]
            self.rest[i] = self.rest[i - 1]
            self.score[i] = self.score[i - 1]
            i -= 1
        self.one.at[i] = one
        self.two.at[i] = two
        self.rest[i] = rest
        self.score[i] = score
        return size + 1


def _words() -> memoryview:
    """Return a word for each child of all plies; memory is taken only as they are used."""
    return memoryview(mmap(-1, 8 * CELLS * PLIES)).cast("B")
