from gridlock.search.kernel.bits cimport Bool, Int, Mask
from gridlock.search.kernel.board cimport Board

cdef Int NIM_BITS
cdef Mask NIM_MASK


cdef class Nimbers(Board):
    cdef Mask largest

    cdef Int _nim_sum(self, Int depth, Mask mine) noexcept nogil
    cdef Bool _nim_sum_is_not_zero(self, Int depth, Mask mine) noexcept nogil
    cdef Int _split(self, Int depth, Mask mask) noexcept nogil
    cdef Bool _is_single(self, Mask region) noexcept nogil
    cdef Int _nimber(self, Int depth, Mask region) noexcept nogil
    cdef Bool _is_nimber(self, Int depth, Mask region, Int value) noexcept nogil
    cdef Int _probe_nimber(self, Mask region, Int value) noexcept nogil
    cdef Bool _has_option(self, Int depth, Mask region, Int value) noexcept nogil
