cimport cython

from gridlock.search.kernel.bits cimport Bool, Int, Mask

cdef Int WINS, FORCED, PLAIN, NIMBER, NUMBER, ESTIMATE
cdef Int ENTRY, BUCKET, KIND_BITS, TAG_SHIFT, WORK_SHIFT


@cython.final
cdef class Table:
    cdef Mask[::1] words
    cdef Mask buckets
    cdef public Mask entries

    cdef Mask probe(self, Mask one, Mask two, Mask tag) noexcept nogil
    cdef void store(self, Mask one, Mask two, Mask tag, Mask payload, Mask nodes) noexcept nogil
