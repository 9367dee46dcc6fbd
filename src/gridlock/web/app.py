"""The web app put together: what is asked, who answers, and what they need."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING, Any, Protocol, cast

from litestar import Litestar
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig

from gridlock import __version__
from gridlock.errors import StoreError
from gridlock.web import api, health, levels, live, migration, openapi, pages, problems, puzzles
from gridlock.web.asyncapi import asyncapi
from gridlock.web.body import BodyRequest
from gridlock.web.database import SQLITE, connect, reason
from gridlock.web.database_access import FAILURES, Access
from gridlock.web.follower import Follower
from gridlock.web.gateway import Gateway
from gridlock.web.health import Readiness
from gridlock.web.journal import Journal
from gridlock.web.limiter import Limiter
from gridlock.web.metrics import Metrics
from gridlock.web.presence import Presence
from gridlock.web.proxies import Proxies
from gridlock.web.retention import Retention
from gridlock.web.rooms import Rooms
from gridlock.web.searches import Searches
from gridlock.web.waiting import GoneError, answer_nobody

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from litestar.channels import Subscriber
    from sqlalchemy import QueuePool

    from gridlock.web.config import Config

_log = logging.getLogger(__name__)

_LARGEST_REQUEST = 64 * 1024  # bytes
_GZIP_LEVEL = 4  # on the event loop: higher ones take twice the time to save one part in twenty
_SLOWEST_BACKLOG = 20  # messages that a slow reader may be behind: who sees a gap asks


class _Service(Protocol):
    """What runs beside the requests, from the start of the server to its end."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


async def prepare(config: Config) -> None:
    """Make sure that the database can be used, or raise ``StoreError``.

    Redis may be away, now as at any other time; only its address must be one.
    """
    if config.redis:
        from gridlock.web.relay import check_url

        check_url(config.redis)
    engine = connect(config.database, timeouts=config.timeouts)
    try:
        if config.database.drivername == SQLITE and (kept := await migration.upgrade(engine)):
            _log.warning("the database was upgraded; as it was before it is in %s", kept)
        await migration.check(engine)
    except FAILURES as error:
        raise StoreError(f"cannot open the database: {reason(error)}") from error
    finally:
        await engine.dispose()


def create_app(config: Config, searches: Searches, readiness: Readiness | None = None) -> Proxies:
    """Return the app, ready to be served; when it ends, so do the searches."""
    readiness = readiness or Readiness()
    metrics = Metrics(has_redis=bool(config.redis), token=config.metrics.token)
    channels = _Channels(
        MemoryChannelsBackend(),
        arbitrary_channels_allowed=True,
        subscriber_max_backlog=_SLOWEST_BACKLOG,
        subscriber_backlog_strategy="dropleft",
    )

    def publish(room: str, message: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the server is closing: nobody listens any more
            channels.publish(message, room)

    limiter = Limiter(config.limits)
    size = config.share(config.pool.size)
    engine = connect(config.database, size=size, timeouts=config.timeouts, is_serving=True)
    access = Access(engine, metrics, config.timeouts.question)
    journal = Journal(access, metrics)
    is_shared = config.database.drivername != SQLITE
    retention = Retention(engine, config.keep_days)
    rooms = Rooms(
        journal,
        searches,
        publish,
        is_shared=is_shared,
        pace=config.pace,
        room_memory=config.limits.room_memory,
        take_room=limiter.take_room,
    )
    presence = Presence(rooms, journal, None if is_shared else publish)
    follower = Follower(rooms, presence.rooms, publish, metrics)
    readiness.write = access.check
    readiness.hand_over = rooms.stop
    searches.searched = metrics.searched
    metrics.watch_rooms(lambda: rooms.size)
    metrics.watch_searches(searches.count_running, searches.count_waiting)
    metrics.watch_database(
        lambda: access.is_up, cast("QueuePool", engine.pool).checkedout, lambda: access.asking
    )
    services: list[_Service] = [access, journal, rooms, presence, retention, follower]
    if config.redis:
        from gridlock.web.relay import Relay

        relay = Relay(config.redis, follower.hear, follower.set_delayed)
        rooms.announce = relay.tell
        services.append(relay)
        readiness.has_redis = lambda: relay.is_up
        metrics.watch_redis(readiness.has_redis)

    stop_metrics = None
    if (port := config.metrics.port) is not None:
        stop_metrics = metrics.listen(
            config.metrics.host, port and port + config.worker, is_shared=config.workers > 1
        )

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        for service in services:
            await service.start()
        try:
            yield
        finally:
            searches.close()
            for service in reversed(services):
                await service.stop()
            await engine.dispose()
            if stop_metrics:
                stop_metrics()

    app = Litestar(
        [
            *api.ROUTES,
            *puzzles.ROUTES,
            *levels.ROUTES,
            live.live,
            *health.ROUTES,
            *([metrics.route()] if config.metrics.token else []),
            *pages.ROUTES,
            asyncapi,
        ],
        plugins=[channels],
        lifespan=[lifespan],
        dependencies={
            "rooms": _provide(rooms),
            "searches": _provide(searches),
            "presence": _provide(presence),
            "follower": _provide(follower),
            "limiter": _provide(limiter),
            "metrics": _provide(metrics),
            "timeouts": _provide(config.timeouts),
            "readiness": _provide(readiness),
        },
        exception_handlers={**problems.HANDLERS, GoneError: answer_nobody},
        compression_config=CompressionConfig(
            backend="gzip", gzip_compress_level=_GZIP_LEVEL, exclude=["/live", f"{api.STREAM}$"]
        ),
        request_class=BodyRequest,
        request_max_body_size=_LARGEST_REQUEST,
        openapi_config=OpenAPIConfig(
            title="GridLock",
            version=__version__,
            openapi_router=openapi.make_router(),
            render_plugins=[openapi.Renderer()],
            use_handler_docstrings=True,
            components=openapi.SECURITY,
        ),
        logging_config=None,
    )
    app.openapi_schema  # noqa: B018 - made now: later everybody would wait for it
    gateway = Gateway(cast("Any", app), limiter, config.origins, config.hosts, metrics)
    return Proxies(gateway, config.proxies)


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
