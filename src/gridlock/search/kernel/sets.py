# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Sets of cells in a row: two words each, which no array of Python's can hold."""

from __future__ import annotations

from mmap import mmap
from typing import TYPE_CHECKING

from gridlock.search.kernel import bits

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Cells
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Cells

if TYPE_CHECKING:
    from collections.abc import Sequence

built_from = FINGERPRINT

most_cells = 8 * cython.sizeof(Cells) if cython.compiled else bits.WIDE
"""The most cells of a set: a compiler without a type of 128 bits makes do with 64."""


class Sets:
    """So many sets, empty but for those that are given; ``at`` is where they begin.

    Memory is taken only as it is used.
    """

    def __init__(self, count: int, sets: Sequence[int] = ()) -> None:
        if cython.compiled:
            self.words = memoryview(mmap(-1, 16 * max(1, count))).cast("B").cast("Q")
            self.at = cython.cast(cython.pointer(Cells), cython.address(self.words[0]))
        else:
            self.at = [0] * count
        for index, cells in enumerate(sets):
            self.at[index] = cells
