from gridlock.search.kernel.bits cimport Bool, Cells, Int, Long, Mask
from gridlock.search.kernel.bounds cimport Bounds
from gridlock.search.kernel.nimbers cimport Nimbers
from gridlock.search.kernel.sets cimport Sets

cdef Long UNIT, UNKNOWN, OFFSET
cdef Int NUMBER_BITS, SMALL
cdef Mask NUMBER_MASK


cdef class Sums(Nimbers):
    cdef Sets opponent
    cdef Bounds bounds
    cdef bint has_bounds, has_numbers
    cdef Long rest, lost_to, won_from

    cdef void _fold(self, Cells mine, Cells theirs, Long rest) noexcept nogil
    cdef Long _number(self, Cells mine, Cells theirs) noexcept nogil
    cdef Long _sum(self, Cells mine, Cells theirs) noexcept nogil
    cdef Int _probe(self) noexcept nogil
    cdef Int _probe_table(self, Cells mine, Cells theirs, Long rest) noexcept nogil
    cdef Bool _wins(self, Int depth, Cells mine, Cells theirs, Long rest) noexcept nogil
    cdef Bool _wins_folded(self, Int depth) noexcept nogil


cdef Long _simplest(Long low, Bool low_is_met, Long high, Bool high_is_met) noexcept nogil
