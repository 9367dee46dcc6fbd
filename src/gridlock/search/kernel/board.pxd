cimport cython

from gridlock.search.kernel.bits cimport Bool, Int, Long, Mask
from gridlock.search.kernel.table cimport Search


cdef class Board(Search):
    cdef Int cells, columns, symmetries
    cdef Mask[::1] own, opponent, own_links, opponent_links, rivals, spoilt
    cdef Long[::1] turns, origins
    cdef bint has_regions, has_bounds, has_mirror
    cdef Mask top_row, mine, theirs
    cdef Int last, top, bottom, left, right
    cdef bint is_answered, can_answer
    cdef Long score

    @cython.final
    cdef void _tie(self) noexcept nogil
    @cython.final
    cdef void _frame(self, Mask mask) noexcept nogil
    cdef void _settle(self, Mask mine, Mask theirs, Int last) noexcept nogil
    @cython.final
    cdef Mask _link(self, Int cell, Mask mine, Mask theirs) noexcept nogil
    cdef Mask _region(self, Mask mine, Mask theirs) noexcept nogil
    cdef Int _most(self, Mask mask) noexcept nogil
    cdef Int _sure(self, Mask mine, Mask theirs) noexcept nogil
