cimport cython

from gridlock.search.kernel.bits cimport Cells, Int, Long
from gridlock.search.kernel.sets cimport Sets

cdef Int CELLS, PLIES


@cython.final
cdef class MoveSorter:
    cdef Sets one, two
    cdef Long[::1] rest, score

    cdef Int insert(
        self, Int depth, Int size, Cells one, Cells two, Long rest, Long score
    ) noexcept nogil
