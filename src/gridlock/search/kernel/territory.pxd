cimport cython

from gridlock.search.kernel.bits cimport Bool, Int, Long, Mask
from gridlock.search.kernel.race_board cimport RaceBoard

cdef Int WIN, PROVED


@cython.final
cdef class Territory:
    cdef RaceBoard board
    cdef Int rows, columns
    cdef Mask[::1] free, regions, front, walk
    cdef Long[::1] tokens, sizes, edges, goals
    cdef bint has_contact

    cdef Int evaluate(self, Int mover, Int ply) noexcept nogil
    cdef Int _evaluate_apart(self, Int mover, Int ply) noexcept nogil
    cdef Bool _spread(self, Int player) noexcept nogil
    cdef void _flood(self, Int mover) noexcept nogil
    cdef Bool _is_apart(self) noexcept nogil
    cdef Int _most_turns(self, Int player) noexcept nogil
    cdef Int _walk_far(self, Int cell, Int enough) noexcept nogil
    cdef Int _beside(self, Int cell, Int side) noexcept nogil
