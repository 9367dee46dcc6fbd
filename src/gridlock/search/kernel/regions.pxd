cimport cython

from gridlock.search.kernel.bits cimport Cells, Int, Long
from gridlock.search.kernel.sets cimport Sets


@cython.final
cdef class Links:
    cdef Sets of, starts
    cdef Long[::1] shifts
    cdef Int shift_count
    cdef bint is_empty

    cdef Cells spread(self, Cells cells) noexcept nogil


@cython.final
cdef class Regions:
    cdef Sets own, opponent
    cdef Links own_links, opponent_links
    cdef bint is_same

    cdef Cells linked(
        self, Cells mine, Cells theirs, Cells all_mine, Cells all_theirs
    ) noexcept nogil
    cdef Cells region(self, Cells mine, Cells theirs) noexcept nogil
