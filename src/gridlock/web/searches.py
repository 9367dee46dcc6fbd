"""Looking ahead beside the event loop: so many searches at once, and so many in line."""

from __future__ import annotations

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from gridlock.errors import GridlockError
from gridlock.search.analysis import Analysis, analyse
from gridlock.search.levels import choose
from gridlock.search.review import Review, review
from gridlock.search.solver import Limits, Solver

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Game, Position
    from gridlock.record import Record
    from gridlock.search.solver import Progress

_Answer = TypeVar("_Answer")

MEMORY = 1 << 26
"""The bytes that one search may use."""

ANALYSIS_SECONDS = 5.0
REVIEW_SECONDS = 20.0


class BusyError(GridlockError):
    """There are as many searches as the server may have; later there will be fewer."""

    code = "busy"


class _ClosingError(Exception):
    """The server is about to stop."""


class Searches:
    """A number of threads that search; the compiled core lets the event loop run beside them."""

    def __init__(self, workers: int, line: int) -> None:
        self._most = workers + line
        self._pending = 0
        self._is_closing = False
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="search")
        self._dice = random.Random()

    async def choose(self, position: Position, level: int) -> int:
        """Return the cell that a level chooses."""
        return await self._run(
            lambda: choose(self._solver(position.game), position, level, self._dice)
        )

    async def analyse(self, position: Position) -> Analysis:
        """Return what every action of a position is worth."""
        return await self._run(
            lambda: analyse(position, ANALYSIS_SECONDS, solver=self._solver(position.game))
        )

    async def review(self, record: Record) -> Review:
        """Return the review of a game."""
        return await self._run(lambda: review(record, REVIEW_SECONDS, self._solver(record.game)))

    def close(self) -> None:
        """End every search."""
        self._is_closing = True
        self._executor.shutdown(cancel_futures=True)

    def _solver(self, game: Game) -> Solver:
        return Solver(game, Limits(memory=MEMORY), watch=self._watch)

    def _watch(self, _: Progress) -> None:
        if self._is_closing:
            raise _ClosingError

    async def _run(self, work: Callable[[], _Answer]) -> _Answer:
        if self._is_closing or self._pending >= self._most:
            raise BusyError("the server is busy with other searches: try again in a few seconds")
        self._pending += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, work)
        except (_ClosingError, asyncio.CancelledError):
            if not self._is_closing:
                raise
            raise BusyError("the server is closing") from None
        finally:
            self._pending -= 1
