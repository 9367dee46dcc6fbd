ctypedef unsigned long long Mask  # a word
ctypedef int Int
ctypedef long long Long
ctypedef bint Bool
ctypedef double Real

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static __inline int gridlock_count(unsigned long long mask) {
        mask -= mask >> 1 & 0x5555555555555555ULL;
        mask = (mask & 0x3333333333333333ULL) + (mask >> 2 & 0x3333333333333333ULL);
        mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)(mask * 0x0101010101010101ULL >> 56);
    }
    static __inline int gridlock_lowest(unsigned long long mask) {
        unsigned long at;
        _BitScanForward64(&at, mask);
        return (int)at;
    }
    static __inline int gridlock_width(unsigned long long number) {
        unsigned long at;
        return _BitScanReverse64(&at, number) ? (int)at + 1 : 0;
    }
    #else
    #define gridlock_count(mask) __builtin_popcountll(mask)
    #define gridlock_lowest(mask) __builtin_ctzll(mask)
    #define gridlock_width(number) ((number) ? 64 - __builtin_clzll(number) : 0)
    #endif
    #if defined(GRIDLOCK_WIDE) && defined(__SIZEOF_INT128__)
    typedef unsigned __int128 gridlock_cells;
    #else
    typedef unsigned long long gridlock_cells;
    #endif
    """
    ctypedef unsigned long long Cells "gridlock_cells"  # two words in ``wide``, where the compiler has such
    const Mask FINGERPRINT "GRIDLOCK_FINGERPRINT"
    int gridlock_count(Mask mask) noexcept nogil
    int gridlock_lowest(Mask mask) noexcept nogil
    int gridlock_width(Mask number) noexcept nogil


cdef inline int count(Mask mask) noexcept nogil:
    return gridlock_count(mask)


cdef inline int lowest(Mask mask) noexcept nogil:
    return gridlock_lowest(mask)


cdef inline int width(Mask number) noexcept nogil:
    return gridlock_width(number)


cdef inline Mask high_word(Cells cells) noexcept nogil:
    return <Mask>(cells >> 32 >> 32)


cdef inline int count_cells(Cells cells) noexcept nogil:
    return gridlock_count(<Mask>cells) + gridlock_count(high_word(cells))


cdef inline int lowest_cell(Cells cells) noexcept nogil:
    if <Mask>cells:
        return gridlock_lowest(<Mask>cells)
    return 64 + gridlock_lowest(high_word(cells))


cdef inline int width_cells(Cells cells) noexcept nogil:
    if high_word(cells):
        return 64 + gridlock_width(high_word(cells))
    return gridlock_width(<Mask>cells)


cdef inline Mask mix(Mask value) noexcept nogil:
    return value * <Mask>0x1E3779B97F4A7C15


cdef inline Mask hash_pair(Mask one, Mask two) noexcept nogil:
    cdef Mask value = mix(one)
    value = (value ^ (value >> 32)) + two * <Mask>0x2545F4914F6CDD1D
    value = mix(value ^ (value >> 29))
    return value ^ (value >> 32)


cdef inline Mask hash_cells(Cells one, Cells two, Mask seed) noexcept nogil:
    if high_word(one | two) == 0:
        return <Mask>one
    return hash_pair(
        hash_pair(<Mask>one ^ seed, high_word(one)), hash_pair(<Mask>two, high_word(two) ^ seed)
    )


cdef inline Mask step(Mask value) noexcept nogil:
    value ^= value << 13
    value ^= value >> 7
    return value ^ (value << 17)
