cimport cython

from gridlock.search.kernel.bits cimport Bool, Int
from gridlock.search.kernel.playouts cimport Playouts


@cython.final
cdef class Leaf(Playouts):
    cdef Int legal_count(self, Int side) noexcept nogil
    cdef Int legal_cell(self, Int side, Int number) noexcept nogil
    cdef Int prove(self, Int side) noexcept nogil
    cdef Bool _is_separate(self, Int side) noexcept nogil
    cdef Int rate(self, Int side, Int cell) noexcept nogil
