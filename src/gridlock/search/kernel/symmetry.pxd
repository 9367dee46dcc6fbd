cimport cython

from gridlock.search.kernel.bits cimport Int, Mask


@cython.final
cdef class Symmetries:
    cdef Mask[::1] images
    cdef Int octets, count

    cdef Mask image(self, Int symmetry, Mask mask) noexcept nogil
