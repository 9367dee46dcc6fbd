from gridlock.search.kernel.bits cimport Bool, Int, Mask
from gridlock.search.kernel.sums cimport Sums


cdef class Placement(Sums):
    cdef Mask[::1] follow
    cdef bint follows, is_impartial, is_misere

    cdef Int _probe_plain(self, Mask mine, Mask theirs, Int last) noexcept nogil
    cdef Bool _outcome(self, Int depth, Mask mine, Mask theirs, Int last) noexcept nogil
    cdef Bool _plain(self, Int depth, Mask mine, Mask theirs, Int last) noexcept nogil
    cdef Int _generate(self, Int depth, Mask mine, Mask theirs, Int last) noexcept nogil
