cimport cython

from gridlock.search.kernel.bits cimport Cells, Int, Long
from gridlock.search.kernel.search cimport Search
from gridlock.search.kernel.sets cimport Sets


cdef class Canonical(Search):
    cdef Int cells, columns
    cdef Sets spoilt
    cdef Long[::1] cell_images, origins
    cdef bint has_mirror
    cdef Cells top_row, mine, theirs
    cdef Int last, top, bottom, left, right
    cdef bint is_mirrored, can_mirror

    @cython.final
    cdef void _find_rectangle(self, Cells mask) noexcept nogil
    @cython.final
    cdef void _canonicalise(self, Cells mine, Cells theirs, Int last) noexcept nogil
