cimport cython

from gridlock.search.kernel.bits cimport Bool, Int, Long
from gridlock.search.kernel.race_board cimport RaceBoard
from gridlock.search.kernel.territory cimport Territory

cdef Int PLIES, TURNS


@cython.final
cdef class RaceTurns:
    cdef RaceBoard board
    cdef Territory territory
    cdef Int columns, evaluated
    cdef Long[::1] step, block, score

    cdef Int generate(self, Int mover, Int ply, Bool is_blocking) noexcept nogil
    cdef Int _generate_blocks(
        self, Int mover, Int ply, Int size, Int start, Int row, Int column
    ) noexcept nogil
    cdef void insert(self, Int base, Int size, Int step, Int block, Int score) noexcept nogil
    cdef void put_first(self, Int base, Int i) noexcept nogil
    cdef Int code(self, Int start, Int i) noexcept nogil
