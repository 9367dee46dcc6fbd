"""Serving the app: structured logs, and an end that loses nothing."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import signal
import socket
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gridlock.web.app import create_app, prepare
from gridlock.web.config import Timeouts
from gridlock.web.database import sole_owner
from gridlock.web.searches import Searches, count_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gridlock.web.config import Config

_LARGEST_MESSAGE = 4 * 1024  # bytes that a live connection may send at once
_BACKLOG = 4096
_COLLECTOR = (50_000, 20, 100)
"""Looking through all objects for cycles stops everybody: rarely, as few things here have any."""
_SWITCH_SECONDS = 0.001
"""How long a search's thread that runs Python may keep the event loop waiting."""

_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class _JsonFormatter(logging.Formatter):
    """One object of JSON on a line, with everything that a caller has added."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        entry = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{key: value for key, value in vars(record).items() if key not in _PLAIN},
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)


def log_to(stream_level: int) -> None:
    """Write logs of at least this level to standard error, as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonFormatter())
    logging.basicConfig(level=stream_level, handlers=[handler], force=True)
    logging.getLogger("uvicorn").setLevel(max(stream_level, logging.WARNING))
    logging.getLogger("alembic").setLevel(logging.WARNING)


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
    server = _Server(
        uvicorn.Config(
            create_app(config, searches),
            http=_patient_protocol(timeouts.request),
            ws="websockets-sansio",
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
        ready,
        searches.close,
    )
    gc.freeze()
    gc.set_threshold(*_COLLECTOR)
    sys.setswitchinterval(_SWITCH_SECONDS)
    server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """Says when it is ready, and when it begins to close, before it answers what is left."""

    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], closing: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._ready = ready
        self._closing = closing

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer requests."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer what is left, and close."""
        self._closing()
        await super().shutdown(sockets)


class _PatientProtocol(HttpToolsProtocol):
    """Hangs up on whoever connects and says nothing, or says it too slowly: connections are few."""

    patience = Timeouts.request  # seconds within which a request must have come
    _hang_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def on_message_begin(self) -> None:
        """Begin to take a request."""
        self._wait()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        """Have taken a whole request."""
        self._stop_waiting()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Have nobody to wait for."""
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Become a live connection, which has its own limits."""
        self._stop_waiting()
        super().handle_websocket_upgrade()

    def _wait(self) -> None:
        self._stop_waiting()
        self._hang_up = self.loop.call_later(self.patience, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._hang_up:
            self._hang_up.cancel()


def _patient_protocol(seconds: float) -> type[_PatientProtocol]:
    """Return a protocol that waits so long for a request."""
    return type("PatientProtocol", (_PatientProtocol,), {"patience": seconds})


def _allow_many_connections() -> None:
    """Let the process have as many connections open as it may."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # not everywhere can it be set
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
