from gridlock.search.kernel.batch cimport Answers
from gridlock.search.kernel.bits cimport Bool, Cells, Int, Long, Mask
from gridlock.search.kernel.ordering cimport MoveSorter
from gridlock.search.kernel.symmetry cimport Symmetries
from gridlock.search.kernel.table cimport Table
from gridlock.search.kernel.ticker cimport Ticker

cdef Int BUSY, SHARED_DEPTH, NEVER, UNKNOWN_RESULT


cdef class Search(Ticker):
    cdef Table table
    cdef MoveSorter children
    cdef Symmetries symmetries
    cdef Mask[::1] busy
    cdef public bint is_shared

    cdef Mask _probe_words(self, Cells one, Cells two, Mask tag) noexcept nogil
    cdef void _store(
        self, Cells one, Cells two, Mask tag, Mask payload, Mask before
    ) noexcept nogil
    cdef void _answer(self, Answers asked, Int number, Bool far) noexcept nogil
    cdef Bool _search_children(self, Int kind, Int depth, Int size) noexcept nogil
    cdef Bool _causes_cutoff(self, Int kind, Int depth, Cells one, Cells two, Long rest) noexcept nogil
    cdef Int _probe_forced(self, Cells one, Cells two, Mask tag, Int within) noexcept nogil
    cdef void _store_forced(
        self, Cells one, Cells two, Mask tag, Int within, Int result, Mask before
    ) noexcept nogil
    cdef Int _force_children(
        self, Int depth, Int size, Int least, Int winner, Int within, Bool ask
    ) noexcept nogil
    cdef Int _forced(
        self, Int depth, Cells one, Cells two, Long rest, Int within, Bool ask
    ) noexcept nogil
