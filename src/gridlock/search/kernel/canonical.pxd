cimport cython

from gridlock.search.kernel.bits cimport Int, Long, Mask
from gridlock.search.kernel.search cimport Search


cdef class Canonical(Search):
    cdef Int cells, columns
    cdef Mask[::1] spoilt
    cdef Long[::1] cell_images, origins
    cdef bint has_mirror
    cdef Mask top_row, mine, theirs
    cdef Int last, top, bottom, left, right
    cdef bint is_mirrored, can_mirror

    @cython.final
    cdef void _find_rectangle(self, Mask mask) noexcept nogil
    @cython.final
    cdef void _canonicalise(self, Mask mine, Mask theirs, Int last) noexcept nogil
