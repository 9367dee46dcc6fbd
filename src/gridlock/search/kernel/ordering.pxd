cimport cython

from gridlock.search.kernel.bits cimport Int, Long, Mask

cdef Int CELLS, PLIES


@cython.final
cdef class MoveSorter:
    cdef Mask[::1] one, two
    cdef Long[::1] rest, score

    cdef Int insert(
        self, Int depth, Int size, Mask one, Mask two, Long rest, Long score
    ) noexcept nogil
