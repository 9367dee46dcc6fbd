cimport cython

from gridlock.search.kernel.bits cimport Int, Mask
from gridlock.search.kernel.regions cimport Regions


@cython.final
cdef class Bounds:
    cdef Mask[::1] own_links, opponent_links, rivals

    cdef Int upper(self, Mask mask) noexcept nogil
    cdef Int lower(self, Mask mine, Mask theirs) noexcept nogil
