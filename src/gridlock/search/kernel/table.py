# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The transposition table: what is known of positions, in a fixed number of words.

An entry is three words.  Two are its key, the words of a canonical position, or two hashes of one
that has more (see ``hash_cells``); the third is what is known of it.  The key is stored XORed with
a hash of the third word, so that threads need no lock: if another one has changed a word meanwhile,
the key no longer fits.

    word 0    key one  ^  mix(word 2)
    word 1    key two  ^  mix(word 2)
    word 2    63      56 55   52 51    46 45                                            0
              |  detail |  kind |  work  |                    payload                   |
              '------ tag ------'

    work      the bits of the number of nodes that the answer took
    kind      detail        payload
    WINS      star          45…40 unused   39…20 won_from       19…0 lost_to        (placement)
    WINS      0             45…1 unused                            0 the mover wins (race)
    FORCED    last cell+1   45…17 unused   16 the mover wins   15…8 upper   7…0 lower
    PLAIN     last cell+1   45…1 unused                            0 the mover wins
    NIMBER    0             45…23 Grundy values that no option has   22…0 those that one has
    NUMBER    0             45…20 unused                       19…0 the number
    ESTIMATE  0             37…30 depth   29…28 bound   27…12 score   11…0 turn

A bucket is two entries.  The first is kept for its work, the second is the latest.

    |  word 0  |  word 1  |  word 2  |  word 0  |  word 1  |  word 2  |
    '------- most work, first -------'------------- latest -----------'
"""

from __future__ import annotations

from gridlock.search.kernel import bits

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, Mask, hash_pair, mix, width
else:
    from cython.cimports.gridlock.search.kernel.bits import (
        FINGERPRINT,
        Bool,
        Int,
        Mask,
        hash_pair,
        mix,
        width,
    )

built_from = FINGERPRINT

WINS, FORCED, PLAIN, NIMBER, NUMBER, ESTIMATE = 1, 2, 3, 4, 5, 6

ENTRY = bits.ENTRY
BUCKET = 2 * ENTRY
KIND_BITS, TAG_SHIFT, WORK_SHIFT = 4, 52, 46


class Table:
    """A table over words that other threads read and write too; ``entries`` counts its own."""

    def __init__(self, words: memoryview) -> None:
        self.words = words
        self.buckets = len(words) // BUCKET
        self.entries = 0

    def probe(self, one: Mask, two: Mask, tag: Mask) -> Mask:
        """Return the third word of an entry, 0 for none."""
        at: Mask = hash_pair(one, two) % self.buckets * BUCKET
        _: Int
        for _ in range(2):
            third: Mask = self.words[at + 2]
            if third >> TAG_SHIFT == tag:
                cover: Mask = mix(third)
                if self.words[at] ^ cover == one and self.words[at + 1] ^ cover == two:
                    return third
            at += ENTRY
        return 0

    def store(self, one: Mask, two: Mask, tag: Mask, payload: Mask, nodes: Mask) -> None:
        """Remember an answer that took so many nodes."""
        work: Mask = width(nodes)
        third: Mask = tag
        third = third << TAG_SHIFT | work << WORK_SHIFT | payload
        at: Mask = hash_pair(one, two) % self.buckets * BUCKET
        first: Mask = self.words[at + 2]
        cover: Mask = mix(first)
        is_same: Bool = (
            first >> TAG_SHIFT == tag
            and self.words[at] ^ cover == one
            and self.words[at + 1] ^ cover == two
        )
        if not is_same:
            if self.words[at + 5] == 0:
                self.entries += 1
            if first != 0 and first >> WORK_SHIFT & 63 > work:
                at += ENTRY
            elif first != 0:
                self.words[at + 3] = self.words[at]
                self.words[at + 4] = self.words[at + 1]
                self.words[at + 5] = first
        cover = mix(third)
        self.words[at] = one ^ cover
        self.words[at + 1] = two ^ cover
        self.words[at + 2] = third
