"""How much a search may take: time, memory and threads."""

from __future__ import annotations

from dataclasses import dataclass

from gridlock.errors import LimitError

LEAST_MEMORY = 1 << 16
DEFAULT_MEMORY = 1 << 28

ESTIMATES_SHARE = 4
"""The part of the memory that is left to estimates, at most: one in so many."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What every question to an engine, or to a solver, may take.

    ``seconds`` is None for what is usual: for as long as it takes at a solver, and at an engine for
    as long as a person would wait for such an answer.  ``memory`` is in bytes.
    """

    seconds: float | None = None
    memory: int = DEFAULT_MEMORY
    threads: int = 1

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds >= 0:
            raise LimitError(f"{self.seconds} is not a number of seconds")
        if self.memory < LEAST_MEMORY or self.threads < 1:
            raise LimitError(f"a search needs {LEAST_MEMORY} bytes and one thread at least")


@dataclass(frozen=True, slots=True)
class Limit:
    """How far one question may look: so many seconds, nodes, and actions ahead; None is no limit.

    With nodes or a depth the answer is the same on any machine, by one thread and the same seed.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    @property
    def is_counted(self) -> bool:
        """Whether nodes or actions are counted, and not only seconds."""
        return self.nodes is not None or self.depth is not None


NO_LIMIT = Limit()
