cimport cython

from gridlock.search.kernel.bits cimport Cells, Mask


@cython.final
cdef class Sets:
    cdef Mask[::1] words
    cdef Cells* at
