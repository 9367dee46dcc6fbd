# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Counting the nodes of a search, looking at the clock now and then, and stopping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.search.kernel import bits

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Bool
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Bool

if TYPE_CHECKING:
    from collections.abc import Callable

built_from = FINGERPRINT

POLL = 1024 if cython.compiled else 16  # nodes between two polls: some 20 ms


class Ticker:
    """Every search: it stops when the word of ``signal`` is not zero, or after ``limit`` nodes.

    ``poll`` is called every ``pace`` nodes; what it raises is kept in ``failure`` and stops the
    search.
    """

    def __init__(self, signal: memoryview) -> None:
        self.signal = signal
        self.poll: Callable[[], None] | None = None
        self.failure: BaseException | None = None
        self.nodes = 0
        self.pace = POLL
        self.limit = bits.ALL

    def _tick(self) -> Bool:
        """Count a node, poll now and then, and tell whether to stop."""
        self.nodes += 1
        if self.poll is not None and self.nodes % self.pace == 0:
            with cython.gil:
                self._call_poll()
        return self._is_stopped()

    def _is_stopped(self) -> Bool:
        """Tell whether to stop."""
        return self.signal[0] != 0 or self.nodes >= self.limit

    def _call_poll(self) -> None:
        """Let Python do what it has to do; whatever goes wrong there ends the search."""
        try:
            if self.poll is not None:
                self.poll()
        except BaseException as failure:
            self.failure = failure
            self.signal[0] = 1
