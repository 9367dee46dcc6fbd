"""Looking ahead beside the event loop, shared out fairly between those who ask for it.

Every search is charged to an *address*: of whoever asks, or of whoever made it a computer's turn.
There are more threads than cores, and an address gets only a share of them, so that somebody new
need not wait until another's search ends: the operating system divides the cores between all
searches, and as each has a deadline, none of them lasts longer for it.  They give way to the event
loop, which would otherwise wait for each of them whenever it needs a core, or the interpreter.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from gridlock.engine import Engine
from gridlock.errors import GridlockError, LimitError
from gridlock.search.settings import Settings
from gridlock.search.solver import STOPPED
from gridlock.web.config import SearchLimits

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from gridlock.clock import Clock
    from gridlock.model import Game, Position

    EngineFor = Callable[[Game], Engine]

_Answer = TypeVar("_Answer")

TURN, ANALYSIS, HINT, REVIEW = KINDS = ("turn", "analysis", "hint", "review")
"""What is searched for: a computer's turn in a game, or the answer to a question."""

_THREADS_PER_CORE = 4
_LEAST_OTHERS = 3  # threads that there must be beside one that is kept for somebody new
_MOST_PASSED = 2  # searches that begin before a question, as it is no turn
_NICENESS = 3  # by which a search gives way: half a share of a core where others want it too
_MOST_TURNS = 32  # turns of one address that may wait here; others ask again


def count_threads() -> int:
    """Return how many threads search unless the operator says otherwise."""
    return _THREADS_PER_CORE * (os.cpu_count() or 1)


class BusyError(GridlockError):
    """There are as many searches as the server may have; later there will be fewer."""

    code = "busy"


class TooManyError(GridlockError):
    """An address has as many searches under way as it may have."""

    code = "too-many-requests"


@dataclass(slots=True, eq=False)
class _Job:
    """A search that waits or is under way, and who waits for its answer."""

    address: str
    kind: str
    work: Callable[[EngineFor], Any]
    answer: asyncio.Future[Any]
    settings: Settings
    engine: Engine | None = None
    is_stopped: bool = False
    asked_at: float = field(default_factory=time.monotonic)
    begun_at: float = 0.0
    passed: int = 0
    """How many searches have begun that came later, or of an address that had its turn before."""

    @property
    def is_turn(self) -> bool:
        """Whether a game waits for it."""
        return self.kind == TURN

    @property
    def is_urgent(self) -> bool:
        """Whether it goes before questions: as a turn, or as one that was put off long enough."""
        return self.is_turn or self.passed >= _MOST_PASSED

    def run(self) -> Any:
        """Do all of the work, in the thread of the search."""
        return self.work(self._engine_for)

    def stop(self) -> None:
        """End the search soon; any thread may call this."""
        self.is_stopped = True
        if self.engine:
            self.engine.close()

    def _engine_for(self, game: Game) -> Engine:
        self.engine = Engine(game, self.settings)
        if self.is_stopped:  # asked after the engine is in place, as ``stop`` looks for it last
            raise LimitError(STOPPED)
        return self.engine


class Searches:
    """A number of threads that search; the compiled core lets the event loop run beside them.

    Of those who wait, whoever has the fewest searches under way is next, then a turn of a live game
    before a question, though turns of others put no question off for long, then who has waited
    longest since their last one.  One thread is kept for somebody who has none under way and none
    that waited when another ended.  What is awaited no more, because its task is cancelled, is
    stopped at once.
    """

    def __init__(self, limits: SearchLimits) -> None:
        self.limits = limits
        self._threads = limits.threads or count_threads()
        self._executor = ThreadPoolExecutor(
            self._threads, thread_name_prefix="search", initializer=_give_way
        )
        self._rng = random.Random()
        self._waiting: list[_Job] = []
        self._running: list[_Job] = []
        self._served: dict[str, int] = {}
        """When each address that has any search began its last one."""
        self._ticks = itertools.count(1)
        self._is_closing = False
        self.searched: Callable[[str, float, float], None] | None = None
        """Is told of each search that has ended: its kind, and the seconds it waited and ran."""

    def count_running(self, kind: str) -> int:
        """Return how many searches of a kind are under way."""
        return sum(job.kind == kind for job in list(self._running))

    def count_waiting(self, kind: str) -> int:
        """Return how many searches of a kind wait."""
        return sum(job.kind == kind for job in list(self._waiting))

    async def choose(
        self, position: Position, level: int, address: str, clock: Clock | None = None
    ) -> int:
        """Return the cell that a level chooses, in the time that is usual.

        With a clock it takes a share of the mover's time instead, but no longer than an analysis.

        Raises ``BusyError`` if the server closes, or if so many turns of the address wait already
        that this one had better ask again in a moment.
        """
        waiting = sum(job.is_turn and job.address == address for job in self._waiting)
        if waiting >= _MOST_TURNS:
            raise BusyError("too many turns wait already")

        def work(engine_for: EngineFor) -> int:
            engine = engine_for(position.game)
            return engine.choose(position, level, clock=clock, rng=self._rng)

        seconds = None if clock is None else self.limits.analysis_seconds
        return await self._run(address, work, TURN, seconds)

    async def ask(
        self, address: str, work: Callable[[EngineFor], _Answer], kind: str = ANALYSIS
    ) -> _Answer:
        """Return what a search answers; all of ``work`` is done in a thread of its own.

        It is handed what makes the engine of a game, which it may ask for once: that raises
        ``LimitError`` if nobody waits for the answer any more.

        Raises ``TooManyError`` if the address has asked too much, ``BusyError`` if all have, before
        any work is done.
        """
        jobs = [job for job in (*self._waiting, *self._running) if not job.is_turn]
        if sum(job.address == address for job in jobs) >= self.limits.asked:
            raise TooManyError("that is too much at once: wait for some of the answers")
        if sum(not job.is_turn for job in self._waiting) >= self.limits.waiting:
            raise BusyError("the server is busy with other searches: try again in a few seconds")
        limits = self.limits
        seconds = limits.review_seconds if kind == REVIEW else limits.analysis_seconds
        return await self._run(address, work, kind, seconds)

    def close(self) -> None:
        """End every search; whoever waits for one is told that the server closes."""
        self._is_closing = True
        for job in self._waiting:
            if not job.answer.done():
                job.answer.set_exception(_closing())
        self._waiting.clear()
        for job in self._running:
            job.stop()
        self._executor.shutdown()

    async def _run(
        self,
        address: str,
        work: Callable[[EngineFor], _Answer],
        kind: str,
        seconds: float | None,
    ) -> _Answer:
        if self._is_closing:
            raise _closing()
        answer: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
        job = _Job(address, kind, work, answer, Settings(seconds, self.limits.memory))
        self._waiting.append(job)
        self._begin()
        try:
            return await answer
        finally:
            if job in self._waiting:
                self._waiting.remove(job)
            job.stop()

    def _begin(self) -> None:
        """Begin as many searches as there are threads, and shares, for."""
        loop = asyncio.get_running_loop()
        while len(self._running) < self._threads and (job := self._next()):
            self._waiting.remove(job)
            self._running.append(job)
            job.begun_at = time.monotonic()
            for other in self._waiting:
                other.passed += 1
            self._served[job.address] = next(self._ticks)

            def finish(done: Future[Any], job: _Job = job) -> None:
                loop.call_soon_threadsafe(self._finish, job, done)

            self._executor.submit(job.run).add_done_callback(finish)

    def _next(self) -> _Job | None:
        """Return the search to begin next; one more share than there are addresses is kept free.

        Where there are too many addresses for that, the last thread is for somebody new.
        """
        running = Counter(job.address for job in self._running)
        addresses = {job.address for job in self._waiting} | running.keys()
        self._served = {address: self._served.get(address, 0) for address in addresses}
        share = max(1, self._threads // (len(addresses) + 1))
        is_last = len(self._running) == self._threads - 1 >= _LEAST_OTHERS

        def is_entitled(job: _Job) -> bool:
            is_new = self._served[job.address] == 0
            return running[job.address] < share and (is_new or not is_last)

        def rank(job: _Job) -> tuple[int, bool, int]:
            return running[job.address], not job.is_urgent, self._served[job.address]

        return min(filter(is_entitled, self._waiting), key=rank, default=None)

    def _finish(self, job: _Job, done: Future[Any]) -> None:
        """Pass an answer on, unless nobody waits for it any more."""
        self._running.remove(job)
        if self.searched:
            waited, ran = job.begun_at - job.asked_at, time.monotonic() - job.begun_at
            self.searched(job.kind, waited, ran)
        if not job.answer.done():
            if self._is_closing:
                job.answer.set_exception(_closing())
            elif error := done.exception():
                job.answer.set_exception(error)
            else:
                job.answer.set_result(done.result())
        if not self._is_closing:
            self._begin()


def _give_way() -> None:
    """Let the event loop, and whatever else answers people, run before this thread."""
    if sys.platform == "linux":  # elsewhere a thread has no priority of its own
        nice = os.getpriority(os.PRIO_PROCESS, 0) + _NICENESS
        with contextlib.suppress(OSError):  # where a sandbox forbids it, searches do not give way
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)


def _closing() -> BusyError:
    return BusyError("the server is closing")
