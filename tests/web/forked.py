"""Processes of GridLock that are forked from one that has imported all of it, once a session.

Importing is most of what a process does when it starts, and hundreds are started.  In everything
else they are like those that a command starts: with arguments, an environment, standard output and
error, signals and an exit code of their own.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, TYPE_CHECKING

from coverage import Coverage

if TYPE_CHECKING:
    from collections.abc import Sequence

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        "aiosqlite",
        "anyio._backends._asyncio",
        "asyncpg",
        "coverage",
        "gridlock.cli.db",
        "gridlock.cli.main",
        "gridlock.cli.serve",
        "gridlock.players",
        "gridlock.web.backup",
        "gridlock.web.listener",
        "gridlock.web.logs",
        "gridlock.web.relay",
        "gridlock.web.server",
        "gridlock.web.workers",
        "litestar._openapi.schema_generation.examples",
        "redis.asyncio",
        "sqlalchemy.dialects.postgresql.asyncpg",
        "sqlalchemy.dialects.sqlite.aiosqlite",
        "uvicorn.lifespan.on",
        "uvicorn.loops.uvloop",
        "uvicorn.protocols.http.httptools_impl",
    ]
)


class Forked:
    """A process that runs ``before`` and then ``gridlock`` with arguments; used as a ``Popen``."""

    def __init__(self, arguments: Sequence[str], out: IO[bytes], err: IO[bytes], before: str = ""):
        streams = [Connection(os.dup(one.fileno()), readable=False) for one in (out, err)]
        self._process = _CONTEXT.Process(
            target=_run, args=(before, list(arguments), dict(os.environ), *streams), daemon=True
        )
        self._process.start()
        for stream in streams:
            stream.close()
        assert self._process.pid
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended, and return its exit code."""
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired("gridlock", timeout or 0)
        return code

    def send_signal(self, what: int) -> None:
        """Send it a signal if it runs."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it has ended since
                os.kill(self.pid, what)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it without warning."""
        self.send_signal(signal.SIGKILL)


def gridlock(*arguments: str, timeout: float = 120.0) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, and return what it wrote."""
    with tempfile.TemporaryDirectory(prefix="gridlock-") as name:
        out, err = Path(name, "out"), Path(name, "err")
        with out.open("wb") as writes, err.open("wb") as complains:
            process = Forked(arguments, writes, complains)
        try:
            code = process.wait(timeout)
        finally:
            process.kill()
        return subprocess.CompletedProcess(arguments, code, out.read_text(), err.read_text())


def _run(
    before: str, arguments: list[str], environment: dict[str, str], out: Connection, err: Connection
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    out.close()
    err.close()
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False, errors="backslashreplace")  # noqa: SIM115
    sys.argv = ["gridlock", *arguments]
    try:
        exec(f"{before}\nfrom gridlock.cli.main import main\nmain()", {"__name__": "__main__"})
    finally:
        if measured := Coverage.current():  # nothing else is done when a forked process ends
            measured.stop()
            measured.save()
