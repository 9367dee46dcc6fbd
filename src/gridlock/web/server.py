"""Serving the app: structured logs, and an end that loses nothing."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import uvicorn

from gridlock import __version__
from gridlock.web.app import create_app, prepare
from gridlock.web.database import SQLITE, sole_owner
from gridlock.web.health import Readiness
from gridlock.web.protocol import LiveProtocol, patient
from gridlock.web.searches import Searches, count_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gridlock.web.config import Config

_LARGEST_MESSAGE = 4 * 1024  # bytes that a live connection may send at once
_BACKLOG = 4096
_CLOSE_PAUSE = 0.005  # seconds between the ends of two live connections when the server closes
_CLOSE_SECONDS = 2.0  # in which all of them have ended
_TICK = 0.1  # seconds between two looks for a further signal
_COLLECTOR = (50_000, 20, 100)
"""Looking through all objects for cycles stops everybody: rarely, as few things here have any."""
_SWITCH_SECONDS = 0.0003
"""How long each search's thread that runs Python may keep the event loop waiting: all of them may,
one after the other."""

_log = logging.getLogger(__name__)


def serve(config: Config, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until told to stop; ``ready`` is called when requests are answered."""
    _allow_many_connections()
    with _exit_at_sigterm(), sole_owner(config.database):
        asyncio.run(prepare(config))
        _run(config, listener, ready)


@contextlib.contextmanager
def _exit_at_sigterm() -> Iterator[None]:
    """Let SIGTERM end the process as an exception does, after which everything is cleaned up.

    The server raises the signal again when it has closed.
    """
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(config: Config, listener: socket.socket, ready: Callable[[], None]) -> None:
    limits, timeouts = config.searches, config.timeouts
    threads = config.share(limits.threads or count_threads())
    searches = Searches(replace(limits, threads=threads))
    readiness = Readiness()
    server = _Server(
        uvicorn.Config(
            create_app(config, searches, readiness),
            http=patient(timeouts.request),
            ws=LiveProtocol,
            ws_max_size=_LARGEST_MESSAGE,
            ws_ping_interval=timeouts.ping,
            ws_ping_timeout=timeouts.ping,
            ws_per_message_deflate=False,
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=_BACKLOG,
            timeout_graceful_shutdown=timeouts.grace,
            lifespan="on",
            proxy_headers=False,  # the app knows whom it believes
        ),
        config,
        ready,
        readiness,
        searches,
    )
    gc.freeze()
    gc.set_threshold(*_COLLECTOR)
    sys.setswitchinterval(_SWITCH_SECONDS)
    server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """Says when it is ready, and ends in order: nobody new, then nothing new, then what is left."""

    def __init__(
        self,
        settings: uvicorn.Config,
        config: Config,
        ready: Callable[[], None],
        readiness: Readiness,
        searches: Searches,
    ) -> None:
        super().__init__(settings)
        self._config = config
        self._ready = ready
        self._readiness = readiness
        self._searches = searches

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer requests."""
        await super().startup(sockets)
        if self.started:
            config = self._config
            is_file = config.database.drivername == SQLITE
            extra = {
                "version": __version__,
                "pid": os.getpid(),
                "worker": config.worker,
                "database": "sqlite" if is_file else "postgresql",
                "redis": bool(config.redis),
            }
            _log.info("server started", extra=extra)
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let load balancers notice, answer what is left, and close."""
        _log.info("server stopping", extra={"connections": len(self.server_state.connections)})
        self._readiness.is_draining = True
        await self._drain()
        for one in (*self.servers, *(sockets or ())):
            one.close()  # nobody new
        await self._send_everybody_elsewhere()
        if self._readiness.hand_over:
            await self._readiness.hand_over()
        self._searches.close()
        await super().shutdown(sockets)
        _log.info("server stopped")
        logging.shutdown()  # what is summed up is written: a signal may end the process now

    async def _send_everybody_elsewhere(self) -> None:
        """Close live connections one after the other: they come back as they were closed.

        Whoever still has one plays on; all at once, everybody would wait for everybody.
        """
        live = [one for one in self.server_state.connections if isinstance(one, LiveProtocol)]
        for connection in live:
            if self.force_exit:
                return
            connection.shutdown()
            await asyncio.sleep(min(_CLOSE_PAUSE, _CLOSE_SECONDS / len(live)))

    async def _drain(self) -> None:
        """Go on until those who send people here have noticed; a second signal ends it."""
        end = time.monotonic() + self._config.timeouts.drain
        while time.monotonic() < end and not self.force_exit:
            await asyncio.sleep(_TICK)


def _allow_many_connections() -> None:
    """Let the process have as many connections open as it may."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # not everywhere can it be set
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
