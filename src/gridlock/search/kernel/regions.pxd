cimport cython

from gridlock.search.kernel.bits cimport Cells, Int
from gridlock.search.kernel.sets cimport Sets


@cython.final
cdef class Regions:
    cdef Sets own, opponent, own_links, opponent_links

    cdef Cells links_of(self, Int cell, Cells mine, Cells theirs) noexcept nogil
    cdef Cells region(self, Cells mine, Cells theirs) noexcept nogil
