ctypedef unsigned long long Mask
ctypedef int Int
ctypedef long long Long
ctypedef bint Bool

cdef extern from *:
    """
    #define gridlock_count(mask) __builtin_popcountll(mask)
    #define gridlock_lowest(mask) __builtin_ctzll(mask)
    #define gridlock_width(number) ((number) ? 64 - __builtin_clzll(number) : 0)
    """
    int gridlock_count(Mask mask) noexcept nogil
    int gridlock_lowest(Mask mask) noexcept nogil
    int gridlock_width(Mask number) noexcept nogil


cdef inline int count(Mask mask) noexcept nogil:
    return gridlock_count(mask)


cdef inline int lowest(Mask mask) noexcept nogil:
    return gridlock_lowest(mask)


cdef inline int width(Mask number) noexcept nogil:
    return gridlock_width(number)


cdef inline Mask mix(Mask value) noexcept nogil:
    return value * <Mask>0x1E3779B97F4A7C15


cdef inline Mask hash_pair(Mask one, Mask two) noexcept nogil:
    cdef Mask value = mix(one)
    value = (value ^ (value >> 32)) + two * <Mask>0x2545F4914F6CDD1D
    value = mix(value ^ (value >> 29))
    return value ^ (value >> 32)
