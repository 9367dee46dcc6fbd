"""What the kernel asks of machine words; ``bits.pxd`` says the same to the C compiler.

A ``Mask`` is one word.  ``Cells`` are two: a set of cells of a placement game.

The constants are those that others than the kernel need to know too.
"""

from __future__ import annotations

Mask = int
Cells = int
Int = int
Long = int
Bool = bool
Real = float

CELLS = 64
"""The most cells that every search can take: the bits of a word."""

WIDE = 128
"""The most cells that the search of a placement game can take: the bits of two words."""

ENTRY = 3
"""The words of an entry in the table, which is drawn in ``table``."""

BUSY = 4096
"""The words in which threads tell each other what they are searching."""

GAME = 8
"""The words of a game in a batch, which are drawn in ``batch``."""

TURN, LEGAL, CHANCE = 5, 6, 7
"""Three of them."""

BLOCKING, LAST_SHIFT = 2, 8
"""The bit that says that the mover of a race is to block, and where the last cell stands."""

EITHER = 2
"""Who begins a game of a batch if it is left to chance; otherwise it is 0 or 1."""

UNIT = 256
"""The number 1 of a combinatorial game, so that fractions are integers too."""

ALL = 0xFFFF_FFFF_FFFF_FFFF
"""Every bit of a word: C drops what goes beyond it by itself."""

FINGERPRINT = 0
"""Of the source that a module was compiled from, see ``manifest``: 0 where it is not."""


def count(mask: int) -> int:
    """Return how many bits are set."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """Return the number of the lowest bit of a mask that is not empty."""
    return (mask & -mask).bit_length() - 1


def width(number: int) -> int:
    """Return how many bits a number needs: 0 for 0."""
    return number.bit_length()


count_cells = count
lowest_cell = lowest
width_cells = width


def mix(word: int) -> int:
    """Return a word in which every bit depends on the lower ones of another, one for one."""
    return word * 0x1E37_79B9_7F4A_7C15 & ALL


def hash_pair(one: int, two: int) -> int:
    """Return a word that looks random, and differs for nearly all pairs of words."""
    word = mix(one)
    word = (word ^ word >> 32) + (two * 0x2545_F491_4F6C_DD1D & ALL) & ALL
    word = mix(word ^ word >> 29)
    return word ^ word >> 32


def hash_cells(one: int, two: int, seed: int) -> int:
    """Return the first of two sets, if both fit into a word each; otherwise a hash of them.

    Two hashes with different seeds tell sets apart: among a billion of pairs the chance that any
    two agree is less than one in 10^20.
    """
    high = one >> CELLS
    other = two >> CELLS
    if high | other == 0:
        return one
    return hash_pair(hash_pair(one & ALL ^ seed, high), hash_pair(two & ALL, other ^ seed))


def step(word: int) -> int:
    """Return the word after another in a sequence that looks random, of all words but 0."""
    word ^= word << 13 & ALL
    word ^= word >> 7
    return word ^ (word << 17 & ALL)
