cimport cython

from gridlock.search.kernel.bits cimport Int, Long, Mask

cdef Int WORDS, OPEN, BLOCKED, TURN, LEGAL, CHANCE
cdef Int BLOCKING, LAST_SHIFT, EITHER, BYTE, BYTES, MOST_PLANES


@cython.final
cdef class Answers:
    cdef Mask[::1] words
    cdef Long[::1] values, distances
    cdef Int games


@cython.final
cdef class Batch:
    cdef Mask[::1] words, legal, planes, own, opponent, follow, masks, spread
    cdef Long[::1] actions
    cdef unsigned char[::1] winners, chosen
    cdef Int games, legal_row, planes_row, cells, first, plane_count
    cdef Mask full
    cdef bint is_race, follows

    cdef Int _find_illegal(self) noexcept nogil
    cdef void _restart(self, Int at) noexcept nogil
    cdef inline Int _play(self, Int at, Int cell) noexcept nogil
    cdef inline void _take(self, Int at, Int mover, Int cell) noexcept nogil
    cdef void _race(self, Int at, Int mover, Int cell) noexcept nogil
    cdef inline Mask _free(self, Int at) noexcept nogil
    cdef inline Mask _steps(self, Int at, Int mover) noexcept nogil
    cdef inline Int _below(self, Int at, Int limit) noexcept nogil
    cdef inline Int _choose(self, Int at) noexcept nogil
    cdef Int _play_out(self, Int at, Int times) noexcept nogil
    cdef void _look(self, Int at, Int viewer) noexcept nogil
    cdef void _write_masks(self, Int to) noexcept nogil
