cimport cython

from gridlock.search.kernel.bits cimport Int, Mask


@cython.final
cdef class Regions:
    cdef Mask[::1] own, opponent, own_links, opponent_links

    cdef Mask links_of(self, Int cell, Mask mine, Mask theirs) noexcept nogil
    cdef Mask region(self, Mask mine, Mask theirs) noexcept nogil
