from gridlock.search.kernel.bits cimport Bool, Int, Long, Mask

cdef Int POLL, CELLS, FRAMES, BUSY, TOLD_DEPTH
cdef Int WINS, FORCED
cdef Int ENTRY, BUCKET, TAG_SHIFT, WORK_SHIFT
cdef Int NEVER


cdef class Search:
    cdef Mask[::1] words, busy
    cdef Long[::1] signal
    cdef public object poll, failure
    cdef Mask buckets
    cdef public Mask nodes, entries, pace
    cdef public bint is_shared
    cdef Mask[::1] child_one, child_two
    cdef Long[::1] child_rest, child_score
    cdef Mask[::1] images
    cdef Int octets

    cdef _draw_images(self, symmetries)
    cdef Bool _tick(self) noexcept nogil
    cdef _ask(self)
    cdef Mask _find(self, Mask one, Mask two, Mask tag) noexcept nogil
    cdef void _keep(self, Mask one, Mask two, Mask tag, Mask payload, Mask before) noexcept nogil
    cdef Int _insert(
        self, Int base, Int size, Mask one, Mask two, Long rest, Long score
    ) noexcept nogil
    cdef Mask _image(self, Int symmetry, Mask mask) noexcept nogil
    cdef Int _recall_forced(self, Mask one, Mask two, Mask tag, Int within) noexcept nogil
    cdef void _keep_forced(
        self, Mask one, Mask two, Mask tag, Int within, Int result, Mask before
    ) noexcept nogil
    cdef Bool _try_children(self, Int kind, Int depth, Int size) noexcept nogil
    cdef Bool _suits(self, Int kind, Int depth, Mask one, Mask two, Long rest) noexcept nogil
    cdef Int _force_children(
        self, Int depth, Int size, Int least, Int winner, Int within, Bool ask
    ) noexcept nogil
    cdef Int _forced(
        self, Int depth, Mask one, Mask two, Long rest, Int within, Bool ask
    ) noexcept nogil
