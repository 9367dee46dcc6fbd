cimport cython

from gridlock.search.kernel.bits cimport Bool, Int, Mask

cdef Int SHARED
cdef Int UNIFORM, CONTEST, SPARING, WALK


cdef class Playouts:
    cdef Int cells, last, own_size, opponent_size, follow_size
    cdef Int[::1] own, opponent, follow, members, places, sizes, root_sizes
    cdef list grid_places
    cdef dict grid_cells
    cdef public Int policy, tries
    cdef bint is_even, is_impartial, has_follow
    cdef Int root_last
    cdef Mask state

    @cython.final
    cdef inline Int set_of(self, Int side) noexcept nogil
    @cython.final
    cdef inline Int below(self, Int limit) noexcept nogil
    @cython.final
    cdef inline Bool is_open(self, Int which, Int cell) noexcept nogil
    @cython.final
    cdef inline void _exchange(self, Int which, Int cell, Int index) noexcept nogil
    @cython.final
    cdef inline void _drop(self, Int which, Int cell) noexcept nogil
    @cython.final
    cdef inline void _close(self, Int side, Int cell) noexcept nogil
    @cython.final
    cdef void play(self, Int side, Int cell) noexcept nogil
    @cython.final
    cdef void restart(self) noexcept nogil
    @cython.final
    cdef Int count_own(self, Int side, Int cell) noexcept nogil
    @cython.final
    cdef Int count_opponent(self, Int side, Int cell) noexcept nogil
    @cython.final
    cdef Int count_follow(self, Int side) noexcept nogil
    @cython.final
    cdef Int find_follow(self, Int side, Int number) noexcept nogil
    @cython.final
    cdef Int playout(self, Int side) noexcept nogil
    @cython.final
    cdef Int _scatter(self, Int side) noexcept nogil
    @cython.final
    cdef Int _spare(self, Int side) noexcept nogil
    @cython.final
    cdef Int _choose_sparing(self, Int side) noexcept nogil
    @cython.final
    cdef Int _contest(self, Int side) noexcept nogil
    @cython.final
    cdef Int _walk(self, Int side) noexcept nogil
