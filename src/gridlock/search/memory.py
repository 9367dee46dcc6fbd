"""Memory for the table of a solver."""

from __future__ import annotations

import mmap
from array import array
from typing import NamedTuple

from gridlock.errors import LimitError
from gridlock.search.kernel.bits import BUSY

WORD = 8  # bytes
_QUICKLY_CLEARED = 1 << 20  # bytes: to clear so many takes less time than to map them page by page


class Shared(NamedTuple):
    """What all searches of a solver share: the words of a table, and signals between threads."""

    words: memoryview
    busy: memoryview
    signal: memoryview
    """Its one word is not zero when every search has to stop."""


def new_shared(size: int, signal: memoryview) -> Shared:
    """Return what the searches of a solver share, with an empty table of so many bytes."""
    return Shared(new_words(size), memoryview(array("Q", bytes(BUSY * WORD))), signal)


def new_words(size: int) -> memoryview:
    """Return empty words; of a large table memory is taken only as they are used."""
    if size <= _QUICKLY_CLEARED:
        return memoryview(bytearray(size)).cast("Q")
    try:
        # Shared pages: private ones are mapped twice, first to read and then to write, and the
        # second time every other thread has to be told.
        memory = mmap.mmap(-1, size)
    except OSError as error:
        raise LimitError(
            f"not solved: {size:,} bytes of memory could not be had ({error.strerror})"
        ) from None
    return memoryview(memory).cast("B").cast("Q")
