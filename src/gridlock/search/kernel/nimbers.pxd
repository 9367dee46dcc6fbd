from gridlock.search.kernel.bits cimport Bool, Cells, Int, Long, Mask
from gridlock.search.kernel.canonical cimport Canonical
from gridlock.search.kernel.regions cimport Regions
from gridlock.search.kernel.sets cimport Sets

cdef Int NIM_BITS
cdef Mask NIM_MASK


cdef class Nimbers(Canonical):
    cdef Sets own
    cdef Regions regions
    cdef bint has_regions
    cdef Long score
    cdef Cells largest

    cdef Int _nim_sum(self, Int depth, Cells mine) noexcept nogil
    cdef Bool _nim_sum_is(self, Int depth, Cells mine, Int value) noexcept nogil
    cdef Int _probe_nim_sum(self, Cells mine, Int value) noexcept nogil
    cdef Int _split(self, Int depth, Cells mask) noexcept nogil
    cdef Bool _is_single(self, Cells region) noexcept nogil
    cdef Int _nimber(self, Int depth, Cells region) noexcept nogil
    cdef Bool _is_nimber(self, Int depth, Cells region, Int value) noexcept nogil
    cdef Int _probe_nimber(self, Cells region, Int value) noexcept nogil
    cdef Bool _has_option(self, Int depth, Cells region, Int value) noexcept nogil
