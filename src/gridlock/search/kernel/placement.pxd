from gridlock.search.kernel.bits cimport Bool, Cells, Int
from gridlock.search.kernel.sets cimport Sets
from gridlock.search.kernel.sums cimport Sums


cdef class Placement(Sums):
    cdef Sets follow
    cdef bint follows, is_impartial, is_misere

    cdef Int _probe_plain(self, Cells mine, Cells theirs, Int last) noexcept nogil
    cdef Bool _outcome(self, Int depth, Cells mine, Cells theirs, Int last) noexcept nogil
    cdef Bool _plain(self, Int depth, Cells mine, Cells theirs, Int last) noexcept nogil
    cdef Int _generate(self, Int depth, Cells mine, Cells theirs, Int last) noexcept nogil
