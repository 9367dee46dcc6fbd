"""Several processes that serve at one listening socket, and the one that looks after them.

Each worker is started by the same command as the server itself, so it reads the settings anew.  It
inherits the listening socket, and one end of a link: it says there that it serves, and ends when
the other end is closed, because its parent has died.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridlock.errors import StoreError
from gridlock.web.app import prepare

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable, Coroutine, Sequence

    from gridlock.web.config import Config

_log = logging.getLogger(__name__)

_READY = b"1"
_STOPPING = (signal.SIGTERM, signal.SIGINT)
_YOUNG_SECONDS = 30.0  # a worker that ends earlier may do so again and again
_PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)  # seconds before such a one is replaced
_START_SECONDS = 120.0  # before a worker that does not serve is given up
_CLOSING_SECONDS = 10.0  # beside the time for answers: to write what is left, and to end


@dataclass(frozen=True)
class Post:
    """A worker's place: which one it is, and what it inherits."""

    number: int
    listener: int
    link: int

    def __str__(self) -> str:
        return f"{self.number} {self.listener} {self.link}"

    @classmethod
    def read(cls, text: str) -> Post:
        """Return the place that a text names."""
        return cls(*map(int, text.split()))

    def take(self) -> tuple[socket.socket, Callable[[], None]]:
        """Return the listening socket, and what is to be called when it is served at.

        From now on the process ends with its parent.
        """
        link = socket.socket(fileno=self.link)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # what it means is the parent's business
        threading.Thread(target=_end_with_parent, args=(link,), daemon=True).start()
        return socket.socket(fileno=self.listener), lambda: link.sendall(_READY)


def _end_with_parent(link: socket.socket) -> None:
    with contextlib.suppress(OSError):
        link.recv(1)
    os.kill(os.getpid(), signal.SIGTERM)


def supervise(
    config: Config,
    command: Sequence[str],
    variable: str,
    listener: socket.socket,
    ready: Callable[[], None],
) -> None:
    """Let workers serve until told to stop; ``ready`` is called when all of them do."""

    async def run() -> None:
        await prepare(config)
        grace = config.timeouts.drain + config.timeouts.grace
        await Supervisor(command, variable, listener, config.workers, grace).run(ready)

    asyncio.run(run())


class _Worker:
    """A process that has been started, and the parent's end of its link."""

    def __init__(self, number: int, process: Process, link: socket.socket) -> None:
        self.number = number
        self.process = process
        self._link = link
        self._began = time.monotonic()

    @property
    def age(self) -> float:
        """The seconds since it was started."""
        return time.monotonic() - self._began

    async def is_ready(self) -> bool:
        """Wait until it serves; tell whether it does, and has not ended."""
        try:
            async with asyncio.timeout(_START_SECONDS):
                return bool(await asyncio.get_running_loop().sock_recv(self._link, 1))
        except OSError:  # a time-out as well
            return False

    async def ended(self) -> int:
        """Wait until it has ended, and return its exit code."""
        code = await self.process.wait()
        self._link.close()
        return code

    async def end(self, seconds: float) -> None:
        """Let it answer what is left, and end it if that takes longer than so many seconds."""
        self.terminate()
        try:
            async with asyncio.timeout(seconds):
                await self.ended()
        except TimeoutError:
            _log.warning("a worker does not end, and is killed", extra=self.facts)
            self.process.kill()
            await self.ended()

    def terminate(self) -> None:
        """Ask it to end, after it has answered what is left."""
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()

    @property
    def facts(self) -> dict[str, int]:
        """What a log says of it."""
        return {"worker": self.number, "pid": self.process.pid}


class Supervisor:
    """Keeps ``count`` workers at a socket until it is told to stop.

    ``command`` starts one; its post is in the environment under ``variable``.  One that dies is
    replaced: at once, or after a pause if it dies again and again.  SIGHUP replaces all, one by
    one, each as soon as its successor serves; if that does not start, the others stay.  After
    SIGTERM or SIGINT all of them have ``grace`` seconds to answer what is left.
    """

    def __init__(
        self,
        command: Sequence[str],
        variable: str,
        listener: socket.socket,
        count: int,
        grace: float,
    ) -> None:
        self._command = command
        self._variable = variable
        self._listener = listener
        self._count = count
        self._seconds = grace + _CLOSING_SECONDS
        self._workers: dict[int, _Worker] = {}
        """Who serves at each post, or did until it died."""
        self._locks = [asyncio.Lock() for _ in range(count)]
        self._deaths = [0] * count
        """How many in a row have died young at each post."""
        self._alive: set[_Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_told = asyncio.Event()

    async def run(self, ready: Callable[[], None]) -> None:
        """Keep them running; ``ready`` is called when all of them serve.

        Raises ``StoreError`` if one of them does not start in the beginning.
        """
        loop = asyncio.get_running_loop()
        for signal_ in _STOPPING:
            loop.add_signal_handler(signal_, self._be_told_to_stop)
        loop.add_signal_handler(signal.SIGHUP, lambda: self._spawn(self._replace_all()))
        try:
            all_serve = await self._begin()
            if not all_serve and not self._is_told.is_set():
                raise StoreError("a worker did not start")
            if all_serve:
                ready()
            await self._is_told.wait()
        finally:
            await self._stop()

    def _be_told_to_stop(self) -> None:
        self._is_told.set()
        for worker in self._alive:
            worker.terminate()

    async def _begin(self) -> bool:
        """Start all workers; tell whether all of them serve."""
        workers = [await self._start(number) for number in range(self._count)]
        if not all(await asyncio.gather(*(worker.is_ready() for worker in workers))):
            return False
        for worker in workers:
            self._post(worker)
        return True

    async def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.end(self._seconds) for worker in self._alive))

    async def _start(self, number: int) -> _Worker:
        own, other = socket.socketpair()
        own.setblocking(False)
        inherited = (self._listener.fileno(), other.fileno())
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.DEVNULL,
                env={**os.environ, self._variable: str(Post(number, *inherited))},
                pass_fds=inherited,
            )
        except BaseException:  # it may also be called off
            own.close()
            raise
        finally:
            other.close()
        worker = _Worker(number, process, own)
        self._alive.add(worker)
        return worker

    def _post(self, worker: _Worker) -> None:
        """Let a worker have its post, and somebody else when it dies."""
        self._workers[worker.number] = worker
        self._spawn(self._watch(worker))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self, worker: _Worker) -> None:
        """Replace a worker that dies at its post."""
        code = await worker.ended()
        self._alive.discard(worker)
        number = worker.number
        if self._workers[number] is not worker or self._is_told.is_set():
            return
        self._deaths[number] = self._deaths[number] + 1 if worker.age < _YOUNG_SECONDS else 1
        pause = _PAUSES[min(self._deaths[number], len(_PAUSES)) - 1]
        facts = {**worker.facts, "exit_code": code, "pause": pause}
        _log.error("a worker has died, and is replaced", extra=facts)
        async with self._locks[number]:
            if self._workers[number] is worker:
                await self._replace_dead(number, pause)

    async def _replace_dead(self, number: int, pause: float) -> None:
        """Start another worker, as soon as the system lets there be one."""
        while True:
            await asyncio.sleep(pause)
            try:
                self._post(await self._start(number))
            except OSError as error:
                pause = _PAUSES[-1]
                _log.error("a worker cannot be started: %s", error, extra={"worker": number})
            else:
                return

    async def _replace_all(self) -> None:
        """Replace all workers, one by one; people find another one meanwhile."""
        for number, lock in enumerate(self._locks):
            async with lock:
                successor = await self._start(number)
                if not await successor.is_ready():
                    _log.error("a new worker did not start: the others stay", extra=successor.facts)
                    await self._retire(successor)
                    return
                before = self._workers[number]
                self._post(successor)
                await self._retire(before)
                _log.info("a worker was replaced", extra=successor.facts)

    async def _retire(self, worker: _Worker) -> None:
        await worker.end(self._seconds)
        self._alive.discard(worker)
