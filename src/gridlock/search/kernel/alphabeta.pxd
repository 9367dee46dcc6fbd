cimport cython

from gridlock.search.kernel.bits cimport Bool, Int, Long
from gridlock.search.kernel.race_board cimport RaceBoard
from gridlock.search.kernel.race_turns cimport RaceTurns
from gridlock.search.kernel.table cimport Table
from gridlock.search.kernel.territory cimport Territory
from gridlock.search.kernel.ticker cimport Ticker

cdef Int SHALLOWER, OFFSET, EXACT, LOWER, UPPER


@cython.final
cdef class AlphaBeta(Ticker):
    cdef Table table
    cdef RaceBoard board
    cdef Territory territory
    cdef RaceTurns turns
    cdef public Int depth
    cdef double side, fill
    cdef Int root_player, root_size
    cdef bint is_blocking
    cdef Long[::1] worth, fresh

    cdef Int _generate(self, Int mover, Int ply, Bool is_blocking) noexcept nogil
    cdef Int _search(self, Int mover, Int depth, Int alpha, Int beta, Int ply) noexcept nogil
    cdef Int _search_turn(
        self, Int mover, Int i, Int place, Int depth, Int alpha, Int beta, Int ply
    ) noexcept nogil
    cdef Int _search_child(
        self, Int mover, Int place, Int depth, Int alpha, Int beta, Int ply
    ) noexcept nogil
    cdef void _deepen(self) noexcept nogil
    cdef Bool _is_decided(self) noexcept nogil
    cdef Bool _search_root(self, Int depth) noexcept nogil
    cdef Bool _search_others(self, Int depth) noexcept nogil
    cdef Int _action(self, Int i) noexcept nogil
