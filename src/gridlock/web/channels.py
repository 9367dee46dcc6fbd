"""Messages to live connections of many processes, through Redis."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

from litestar.channels.backends.redis import RedisChannelsPubSubBackend
from redis.asyncio import Redis
from redis.exceptions import RedisError

from gridlock.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

_log = logging.getLogger(__name__)

_PAUSE = 0.2  # seconds between two attempts
_ATTEMPTS = 2


class PatientBackend(RedisChannelsPubSubBackend):
    """Goes on when the connection to Redis was cut.

    What is lost meanwhile is on disk: whoever sees a gap between two versions asks for it.
    """

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        """Tell everybody who listens to some channels."""
        names = list(channels)
        for _ in range(_ATTEMPTS):
            try:
                return await super().publish(data, names)
            except (RedisError, OSError) as error:
                _log.warning("cannot tell Redis: %s", error)
            await asyncio.sleep(_PAUSE)
        return None

    async def stream_events(self) -> AsyncGenerator[tuple[str, Any], None]:
        """Return all that others tell."""
        while True:
            try:
                async for event in super().stream_events():
                    yield event
            except (RedisError, OSError) as error:
                _log.warning("cannot hear Redis: %s", error)
            await asyncio.sleep(_PAUSE)


def connect_redis(url: str) -> PatientBackend:
    """Return what carries messages between all processes that share a Redis."""
    return PatientBackend(redis=Redis.from_url(url), key_prefix="gridlock")


async def check_redis(url: str) -> None:
    """Raise ``StoreError`` unless Redis answers."""
    try:
        async with contextlib.aclosing(Redis.from_url(url)) as redis:
            await redis.ping()
    except (RedisError, OSError, ValueError) as error:
        raise StoreError(f"cannot reach Redis: {error}") from error
