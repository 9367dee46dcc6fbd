cimport cython

from gridlock.search.kernel.bits cimport Cells, Int
from gridlock.search.kernel.regions cimport Links, Regions
from gridlock.search.kernel.sets cimport Sets


@cython.final
cdef class Bounds:
    cdef Links own_links, opponent_links
    cdef Sets rivals
    cdef bint has_rivals

    cdef Int upper(self, Cells mask) noexcept nogil
    cdef Int lower(self, Cells mine, Cells theirs) noexcept nogil
