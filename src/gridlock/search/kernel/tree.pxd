cimport cython

from gridlock.search.kernel.bits cimport Bool, Int, Real

cdef Int CELL, VISITS, WINS, FIRST, COUNT, ACTIVE, PROOF, PRIOR, NODE
cdef Int FINE


@cython.final
cdef class Tree:
    cdef Int[::1] nodes, path
    cdef Int capacity, used
    cdef public Real exploration, widening, bias

    cdef void clear(self) noexcept nogil
    cdef Int add_children(self, Int node, Int count) noexcept nogil
    cdef Int select(self, Int node) noexcept nogil
    cdef void _activate(self, Int node) noexcept nogil
    cdef void update(self, Int depth, Int winner) noexcept nogil
    cdef Int _proof_of(self, Int node) noexcept nogil
