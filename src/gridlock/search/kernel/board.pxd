cimport cython

from gridlock.search.kernel.bits cimport Bool, Int, Long, Mask
from gridlock.search.kernel.search cimport Search


cdef class Board(Search):
    cdef Int cells, columns
    cdef Mask[::1] own, opponent, own_links, opponent_links, rivals, spoilt
    cdef Long[::1] cell_images, origins
    cdef bint has_regions, has_bounds, has_mirror
    cdef Mask top_row, mine, theirs
    cdef Int last, top, bottom, left, right
    cdef bint is_mirrored, can_mirror
    cdef Long score

    @cython.final
    cdef void _find_links(self) noexcept nogil
    @cython.final
    cdef void _find_rectangle(self, Mask mask) noexcept nogil
    cdef void _canonicalise(self, Mask mine, Mask theirs, Int last) noexcept nogil
    @cython.final
    cdef Mask _link(self, Int cell, Mask mine, Mask theirs) noexcept nogil
    cdef Mask _region(self, Mask mine, Mask theirs) noexcept nogil
    cdef Int _upper_bound(self, Mask mask) noexcept nogil
    cdef Int _lower_bound(self, Mask mine, Mask theirs) noexcept nogil
