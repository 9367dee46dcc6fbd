# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The images of sets of cells under the symmetries of a board, eight cells at a time.

``images`` holds the image of each of the 256 sets of eight cells in a row:

    symmetry 0                          symmetry 1
    | cells 0-7 | cells 8-15 | … |      | cells 0-7 | cells 8-15 | … |      …
      256 images  256 images              256 images  256 images
"""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Cells, Int
    from gridlock.search.kernel.sets import Sets
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Cells, Int
    from cython.cimports.gridlock.search.kernel.sets import Sets

if TYPE_CHECKING:
    from collections.abc import Sequence

built_from = FINGERPRINT


class Symmetries:
    """Symmetries, each given as the image of every cell."""

    def __init__(self, cells: int, symmetries: Sequence[Sequence[int]]) -> None:
        self.count = len(symmetries)
        self.octets = (cells + 7) // 8
        self.images = Sets(256 * self.octets * self.count)
        one: Cells = 1
        at: Int = 0
        for symmetry in symmetries:
            for start in range(0, len(symmetry), 8):
                size: Int = 1
                for cell in symmetry[start : start + 8]:
                    image: Int = cell
                    i: Int
                    for i in range(at, at + size):
                        self.images.at[i + size] = self.images.at[i] | one << image
                    size *= 2
                at += 256

    def image(self, symmetry: Int, mask: Cells) -> Cells:
        """Return the cells onto which a symmetry sends some cells."""
        at: Int = symmetry * self.octets * 256
        image: Cells = 0
        octet: Int
        _: Int
        for _ in range(self.octets):
            octet = mask & 255
            image |= self.images.at[at + octet]
            mask >>= 8
            at += 256
        return image
