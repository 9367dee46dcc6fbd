from gridlock.search.kernel.bits cimport Bool, Int, Long, Mask
from gridlock.search.kernel.bounds cimport Bounds
from gridlock.search.kernel.nimbers cimport Nimbers

cdef Long UNIT, UNKNOWN, OFFSET
cdef Int NUMBER_BITS, SMALL
cdef Mask NUMBER_MASK


cdef class Sums(Nimbers):
    cdef Mask[::1] opponent
    cdef Bounds bounds
    cdef bint has_bounds, has_numbers
    cdef Long rest, lost_to, won_from

    cdef void _fold(self, Mask mine, Mask theirs, Long rest) noexcept nogil
    cdef Long _number(self, Mask mine, Mask theirs) noexcept nogil
    cdef Long _sum(self, Mask mine, Mask theirs) noexcept nogil
    cdef Int _probe(self) noexcept nogil
    cdef Int _probe_table(self, Mask mine, Mask theirs, Long rest) noexcept nogil
    cdef Bool _wins(self, Int depth, Mask mine, Mask theirs, Long rest) noexcept nogil
    cdef Bool _wins_folded(self, Int depth) noexcept nogil


cdef Long _simplest(Long low, Bool low_is_met, Long high, Bool high_is_met) noexcept nogil
