from gridlock.search.kernel.bits cimport Bool, Int, Long, Mask
from gridlock.search.kernel.search cimport Search


cdef class Race(Search):
    cdef Int cells
    cdef Mask full
    cdef Mask[::1] steps, around
    cdef Long[::1] flipped
    cdef bint is_square, has_regions
    cdef Mask canonical, tokens

    cdef Bool _wins_by(self, Int mine, Int theirs, Mask blocked, Mask blocks) noexcept nogil
    cdef Int _forced_by(
        self, Int mine, Int theirs, Mask blocked, Mask blocks, Int within
    ) noexcept nogil
    cdef Mask _room(self, Int token, Mask free) noexcept nogil
    cdef void _canonicalise(self, Int mine, Int theirs, Mask blocked) noexcept nogil
    cdef Int _generate(self, Int depth, Int mine, Int theirs, Mask blocked) noexcept nogil
    cdef Int _probe(self, Int mine, Int theirs, Mask blocked) noexcept nogil
    cdef Bool _wins(self, Int depth, Int mine, Int theirs, Mask blocked) noexcept nogil