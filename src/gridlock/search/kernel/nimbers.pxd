from gridlock.search.kernel.bits cimport Bool, Int, Long, Mask
from gridlock.search.kernel.canonical cimport Canonical
from gridlock.search.kernel.regions cimport Regions

cdef Int NIM_BITS
cdef Mask NIM_MASK


cdef class Nimbers(Canonical):
    cdef Mask[::1] own
    cdef Regions regions
    cdef bint has_regions
    cdef Long score
    cdef Mask largest

    cdef Int _nim_sum(self, Int depth, Mask mine) noexcept nogil
    cdef Bool _nim_sum_is(self, Int depth, Mask mine, Int value) noexcept nogil
    cdef Int _probe_nim_sum(self, Mask mine, Int value) noexcept nogil
    cdef Int _split(self, Int depth, Mask mask) noexcept nogil
    cdef Bool _is_single(self, Mask region) noexcept nogil
    cdef Int _nimber(self, Int depth, Mask region) noexcept nogil
    cdef Bool _is_nimber(self, Int depth, Mask region, Int value) noexcept nogil
    cdef Int _probe_nimber(self, Mask region, Int value) noexcept nogil
    cdef Bool _has_option(self, Int depth, Mask region, Int value) noexcept nogil
