cimport cython

from gridlock.search.kernel.bits cimport Bool, Int, Long, Mask


@cython.final
cdef class RaceBoard:
    cdef Int rows, columns, cells
    cdef Mask[::1] keys, free
    cdef Long[::1] tokens
    cdef Mask key_one, key_two

    cdef void _flip(self, Int cell) noexcept nogil
    cdef void _hash(self, Int what) noexcept nogil
    cdef void play(self, Int player, Int step, Int block) noexcept nogil
    cdef Int goal_of(self, Int player) noexcept nogil
    cdef Bool is_free(self, Int row, Int column) noexcept nogil
    cdef Int exits(self, Int cell) noexcept nogil
    cdef Bool can_arrive(self, Int player) noexcept nogil
