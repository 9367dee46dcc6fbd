cimport cython

from gridlock.search.kernel.bits cimport Bool, Long, Mask


cdef class Ticker:
    cdef Long[::1] signal
    cdef public object poll, failure
    cdef public Mask nodes, pace
    cdef Mask limit

    @cython.final
    cdef Bool _tick(self) noexcept nogil
    @cython.final
    cdef Bool _is_stopped(self) noexcept nogil
    @cython.final
    cdef _call_poll(self)
