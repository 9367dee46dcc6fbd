"""The web app put together: what is asked, who answers, and what they need."""

from __future__ import annotations

import contextlib
import logging
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from litestar import Litestar, MediaType, Response, get
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.config.compression import CompressionConfig
from litestar.datastructures import CacheControlHeader
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.static_files import create_static_files_router
from sqlalchemy.exc import SQLAlchemyError

from gridlock import __version__
from gridlock.errors import StoreError
from gridlock.web import api, live, migration, problems
from gridlock.web.database import SQLITE, connect
from gridlock.web.guard import GateLimits, Guard
from gridlock.web.hall import Hall
from gridlock.web.journal import Journal
from gridlock.web.presence import Presence
from gridlock.web.retention import Retention
from gridlock.web.searches import Searches

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from litestar.channels import Subscriber
    from litestar.channels.backends.base import ChannelsBackend
    from sqlalchemy.engine import URL

_log = logging.getLogger(__name__)

STATIC = Path(__file__).parent / "static"

_LARGEST_REQUEST = 64 * 1024  # bytes
_SLOWEST_BACKLOG = 100  # messages that a slow reader may be behind
_LINE = 32  # searches that may wait
_CORES = os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Config:
    """Where the games are kept, what is allowed, and how fast computers answer."""

    database: URL
    redis: str | None = None
    origins: frozenset[str] = frozenset()
    limits: GateLimits = field(default_factory=GateLimits)
    pace: float = 0.4
    """The least seconds that a computer takes, so that people can follow."""
    keep_days: int = 0
    """For how long rooms that nobody uses are kept; 0 is for ever."""


_REVALIDATE = CacheControlHeader(no_cache=True)
"""A browser asks each time whether a file has changed: an update reaches everybody at once."""


def _page(name: str, path: str) -> Any:
    """Return the handler of a page; what it shows it finds by its address."""

    @get(path, media_type=MediaType.HTML, include_in_schema=False, name=name)
    async def page() -> Response[bytes]:
        content = (STATIC / f"{name}.html").read_bytes()
        return Response(content, media_type=MediaType.HTML, headers={"Cache-Control": "no-cache"})

    return page


_PAGES = [
    _page("home", "/"),
    _page("room", "/room/{room_id:str}"),
    _page("study", "/study"),
    _page("rules", "/rules/{game:str}"),
]


async def prepare(config: Config) -> None:
    """Make sure that the database, and Redis if there is one, can be used; or ``StoreError``."""
    engine = connect(config.database)
    try:
        if config.database.drivername == SQLITE and (kept := await migration.upgrade(engine)):
            _log.warning("the database was upgraded; as it was before it is in %s", kept)
        await migration.check(engine)
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(f"cannot open the database: {str(error).splitlines()[0]}") from error
    finally:
        await engine.dispose()
    if config.redis:
        from gridlock.web.channels import check_redis

        await check_redis(config.redis)


def create_app(config: Config) -> Guard:
    """Return the app, ready to be served."""
    channels = _Channels(
        _backend(config.redis),
        arbitrary_channels_allowed=True,
        subscriber_max_backlog=_SLOWEST_BACKLOG,
        subscriber_backlog_strategy="dropleft",
    )

    def publish(room: str, message: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the server is closing: nobody listens any more
            channels.publish(message, room)

    engine = connect(config.database, is_serving=True)
    journal = Journal(engine)
    retention = Retention(engine, config.keep_days)
    computers, questions = Searches(_CORES, _LINE), Searches(_CORES, _LINE)
    hall = Hall(
        journal,
        computers,
        publish,
        is_shared=config.redis is not None or config.database.drivername != SQLITE,
        pace=config.pace,
    )
    presence = Presence(hall, journal, publish if config.redis is None else None)

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await journal.start()
        await hall.start()
        await presence.start()
        await retention.start()
        try:
            yield
        finally:
            computers.close()
            questions.close()
            await presence.stop()
            await retention.stop()
            await hall.stop()
            await journal.stop()
            await engine.dispose()

    @get("/healthz", include_in_schema=False)
    async def healthz() -> dict[str, str]:
        await journal.check()
        return {"status": "ok", "version": __version__}

    app = Litestar(
        [
            *api.ROUTES,
            live.live,
            healthz,
            *_PAGES,
            create_static_files_router("/static", [STATIC], cache_control=_REVALIDATE),
        ],
        plugins=[channels],
        lifespan=[lifespan],
        dependencies={
            "hall": _provide(hall),
            "searches": _provide(questions),
            "presence": _provide(presence),
        },
        exception_handlers=problems.HANDLERS,
        compression_config=CompressionConfig(backend="gzip", exclude=["/live"]),
        request_max_body_size=_LARGEST_REQUEST,
        openapi_config=OpenAPIConfig(
            title="GridLock",
            version=__version__,
            path="/schema",
            render_plugins=[JsonRenderPlugin(path="/")],
            use_handler_docstrings=True,
        ),
        logging_config=None,
    )
    return Guard(cast("Any", app), config.limits, config.origins)


class _Channels(ChannelsPlugin):
    """Forgets channels that nobody listens to: every room that was ever visited has one."""

    async def unsubscribe(
        self, subscriber: Subscriber, channels: str | Iterable[str] | None = None
    ) -> None:
        """Let a subscriber listen no more."""
        await super().unsubscribe(subscriber, channels)
        for channel in channels or ():
            if not self._channels.get(channel):
                self._channels.pop(channel, None)


def _provide(thing: object) -> Provide:
    return Provide(lambda: thing, use_cache=True, sync_to_thread=False)


def _backend(redis: str | None) -> ChannelsBackend:
    """Return what carries messages: within this process, or between all that share a Redis."""
    if redis is None:
        return MemoryChannelsBackend()
    from gridlock.web.channels import connect_redis

    return connect_redis(redis)
