from gridlock.search.kernel.bits cimport Bool, Int, Long, Mask
from gridlock.search.kernel.table cimport Search

cdef Int PLAIN, WORTH, NUMBER
cdef Long UNIT, UNKNOWN, OFFSET
cdef Int NUMBER_BITS, SMALL, NIM_BITS
cdef Mask NUMBER_MASK, NIM_MASK


cdef class Placement(Search):
    cdef Int cells, columns, symmetries, cover_count
    cdef Mask left_column
    cdef Mask[::1] own, opponent, own_links, opponent_links, follow, covers, spoilt
    cdef Long[::1] cover_sizes, turns
    cdef bint follows, is_impartial, is_misere
    cdef bint has_regions, has_bounds, has_numbers, has_mirror
    cdef Mask mine, theirs, largest
    cdef Int last
    cdef bint is_answered, can_answer
    cdef Long rest, score, lost_to, won_from

    cdef Int _slide(self, Mask mask) noexcept nogil
    cdef void _settle(self, Mask mine, Mask theirs, Int last) noexcept nogil
    cdef Mask _link(self, Int cell, Mask mine, Mask theirs) noexcept nogil
    cdef Mask _region(self, Mask mine, Mask theirs) noexcept nogil
    cdef Bool _outcome(self, Int depth, Mask mine, Mask theirs, Int last) noexcept nogil
    cdef void _fold(self, Mask mine, Mask theirs, Long rest) noexcept nogil
    cdef Long _number(self, Mask mine, Mask theirs) noexcept nogil
    cdef Long _sum(self, Mask mine, Mask theirs) noexcept nogil
    cdef Int _most(self, Mask mask) noexcept nogil
    cdef Int _sure(self, Mask mine, Mask theirs) noexcept nogil
    cdef Int _glance(self) noexcept nogil
    cdef Int _recall(self, Mask mine, Mask theirs, Long rest) noexcept nogil
    cdef Bool _wins(self, Int depth, Mask mine, Mask theirs, Long rest) noexcept nogil
    cdef Bool _wins_folded(self, Int depth) noexcept nogil
    cdef Int _nim_sum(self, Int depth, Mask mine) noexcept nogil
    cdef Bool _nim_sum_is_not_zero(self, Int depth, Mask mine) noexcept nogil
    cdef Int _split(self, Int depth, Mask mask) noexcept nogil
    cdef Bool _is_single(self, Mask region) noexcept nogil
    cdef Int _nimber(self, Int depth, Mask region) noexcept nogil
    cdef Bool _is_worth(self, Int depth, Mask region, Int value) noexcept nogil
    cdef Int _glance_worth(self, Mask region, Int value) noexcept nogil
    cdef Bool _has_option(self, Int depth, Mask region, Int value) noexcept nogil
    cdef Bool _plain(self, Int depth, Mask mine, Mask theirs, Int last) noexcept nogil
    cdef Int _line_up(self, Int depth, Mask mine, Mask theirs, Int last) noexcept nogil

cdef Long _simplest(Long low, Bool low_is_met, Long high, Bool high_is_met) noexcept nogil
