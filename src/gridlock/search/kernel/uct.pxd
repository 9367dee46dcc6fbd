cimport cython

from gridlock.search.kernel.bits cimport Int
from gridlock.search.kernel.leaf cimport Leaf
from gridlock.search.kernel.ticker cimport Ticker
from gridlock.search.kernel.tree cimport Tree


@cython.final
cdef class Uct(Ticker):
    cdef readonly Leaf leaf
    cdef readonly Tree tree
    cdef public Int patience

    cdef void _run(self) noexcept nogil
    cdef void _iterate(self) noexcept nogil
    cdef void _expand(self, Int node, Int side) noexcept nogil
