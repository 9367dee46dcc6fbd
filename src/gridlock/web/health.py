"""Whether the process lives, and whether it should be sent anybody."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency

from gridlock import __version__
from gridlock.errors import GridlockError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

HEALTH = "/healthz"
READY = "/readyz"
PROBES = frozenset({HEALTH, READY})
"""What load balancers ask, by address and as often as they like: there are no limits for it."""

_WAIT_SECONDS = 3.0  # for the database: load balancers wait no longer
_FRESH_SECONDS = 1.0  # for which an answer holds, however many ask

_OK = 200
_UNAVAILABLE = 503


class Report(msgspec.Struct, frozen=True):
    """Whether anybody should be sent here: ``status`` is all that a load balancer needs."""

    status: Literal["ready", "degraded", "unavailable", "draining"]
    database: Literal["ok", "away", "not asked"] = "not asked"
    redis: Literal["ok", "away", "none"] = "none"
    version: str = __version__


class Readiness:
    """Knows whether the process can keep what players do."""

    def __init__(self) -> None:
        self.is_draining = False
        """Whether the server is about to close, so that nobody new should come."""
        self.hand_over: Callable[[], Awaitable[None]] | None = None
        """Leaves to other processes what this one does by itself."""
        self.write: Callable[[], Awaitable[None]] | None = None
        """Writes to the database, or raises ``GridlockError``."""
        self.has_redis: Callable[[], bool] | None = None
        """Tells whether Redis carries messages, where there should be one."""
        self._writing: asyncio.Task[bool] | None = None
        self._written_at = 0.0

    async def report(self) -> Report:
        """Return how it is now; the database is asked once a second at most."""
        redis = self._redis()
        if self.is_draining:
            return Report("draining", redis=redis)
        if not await self._can_write():
            return Report("unavailable", "away", redis)
        return Report("degraded" if redis == "away" else "ready", "ok", redis)

    def _redis(self) -> Literal["ok", "away", "none"]:
        if self.has_redis is None:
            return "none"
        return "ok" if self.has_redis() else "away"

    async def _can_write(self) -> bool:
        """Tell whether the database takes a commit, within the time that probes have."""
        is_old = time.monotonic() - self._written_at > _FRESH_SECONDS
        writing = self._writing
        if writing is None or (writing.done() and is_old):
            writing = self._writing = asyncio.create_task(self._write())
        await asyncio.wait((writing,), timeout=_WAIT_SECONDS)
        return writing.done() and writing.result()

    async def _write(self) -> bool:
        try:
            if self.write:
                await self.write()
        except GridlockError:  # as the log says
            return False
        finally:
            self._written_at = time.monotonic()
        return True


@get(HEALTH, include_in_schema=False, sync_to_thread=False)
def healthz() -> dict[str, str]:
    """Answer as long as the process lives, whatever it depends on."""
    return {"status": "ok", "version": __version__}


@get(READY, include_in_schema=False)
async def readyz(readiness: NamedDependency[Readiness]) -> Response[Any]:
    """Answer 200 if people can play here, 503 if they had better be sent elsewhere."""
    report = await readiness.report()
    is_ready = report.status in ("ready", "degraded")
    return Response(
        report,
        status_code=_OK if is_ready else _UNAVAILABLE,
        headers={"Cache-Control": "no-store"},
    )


ROUTES: list[Any] = [healthz, readyz]
