cimport cython

from gridlock.search.kernel.bits cimport Cells, Int
from gridlock.search.kernel.sets cimport Sets


@cython.final
cdef class Symmetries:
    cdef Sets images
    cdef Int octets, count

    cdef Cells image(self, Int symmetry, Cells mask) noexcept nogil
