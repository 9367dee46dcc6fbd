"""Between processes that serve the same rooms: each tells the others which rooms have changed.

Only names of rooms travel through Redis.  What has happened there everybody reads in the database,
which is also asked every now and then: so nothing is lost that Redis does not carry, and while it
is away all of it is only a little later.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from typing import TYPE_CHECKING

from redis.asyncio import Redis
from redis.exceptions import RedisError

from gridlock.errors import StoreError
from gridlock.web.outage import Outage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

_CHANNEL = "gridlock"
_BEAT_SECONDS = 1.0  # between two beats: what each process says to hear itself
_SILENCE_SECONDS = 3.0  # without a beat Redis is taken to be away
_PAUSE_SECONDS = 0.5  # between two attempts to reach it
_MOST_AT_ONCE = 500  # rooms in a message

_FAILURES = (RedisError, OSError, TimeoutError)


class Relay:
    """One process' connection to the others.

    ``changed`` is told the rooms that others have changed, ``delayed`` whether Redis does not carry
    messages, each time that this changes.
    """

    def __init__(
        self, url: str, changed: Callable[[list[str]], None], delayed: Callable[[bool], None]
    ) -> None:
        self._redis = _connect(url)
        self._changed = changed
        self._delayed = delayed
        self._name = secrets.token_hex(8).encode()
        self._waiting: dict[str, None] = {}  # a set that keeps its order
        self._wake = asyncio.Event()
        self._outage = Outage(
            "Redis is away, and moves between processes are slower", "Redis carries messages again"
        )
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def is_up(self) -> bool:
        """Whether Redis carries messages, as far as is known."""
        return not self._outage.is_on

    async def start(self) -> None:
        """Begin to tell and to hear."""
        self._tasks = [asyncio.create_task(self._hear()), asyncio.create_task(self._tell())]

    async def stop(self) -> None:
        """Tell and hear no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(*_FAILURES):
            await self._redis.aclose()

    def tell(self, room: str) -> None:
        """Let the others know, soon, that a room has changed."""
        self._waiting[room] = None
        self._wake.set()

    async def _tell(self) -> None:
        """Send what there is to tell, and a beat where there is nothing."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), _BEAT_SECONDS)
            self._wake.clear()
            rooms = list(self._waiting)[:_MOST_AT_ONCE]
            for room in rooms:
                del self._waiting[room]
            if self._waiting:
                self._wake.set()
            try:
                await self._redis.publish(_CHANNEL, b" ".join([self._name, *_encoded(rooms)]))
            except _FAILURES:  # the listener says so; whoever has not heard asks the database
                await asyncio.sleep(_PAUSE_SECONDS)

    async def _hear(self) -> None:
        """Hear of changes, for ever; a connection that is cut or silent is made anew."""
        while True:
            try:
                async for sender, rooms in self._messages():
                    self._note(None)
                    if rooms and sender != self._name:
                        self._changed(rooms)
            except _FAILURES as error:
                self._note(error)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _messages(self) -> AsyncIterator[tuple[bytes, list[str]]]:
        async with self._redis.pubsub(ignore_subscribe_messages=True) as pubsub:
            await pubsub.subscribe(_CHANNEL)
            heard = time.monotonic()
            while time.monotonic() - heard < _SILENCE_SECONDS:
                message = await pubsub.get_message(timeout=_BEAT_SECONDS)
                if message:
                    heard = time.monotonic()
                    sender, *rooms = message["data"].split(b" ")
                    yield sender, [room.decode(errors="replace") for room in rooms]
        raise TimeoutError("Redis is silent")

    def _note(self, error: Exception | None) -> None:
        """Take notice of whether Redis carries messages, and tell who has to know of a change."""
        was_up = self.is_up
        if error:
            self._outage.fail(str(error) or type(error).__name__)
        else:
            self._outage.end()
        if self.is_up != was_up:
            self._delayed(was_up)


def _connect(url: str) -> Redis:
    return Redis.from_url(
        url, socket_timeout=_SILENCE_SECONDS, socket_connect_timeout=_SILENCE_SECONDS
    )


def _encoded(rooms: Iterable[str]) -> list[bytes]:
    return [room.encode() for room in rooms]


def check_url(url: str) -> None:
    """Raise ``StoreError`` for an address by which no Redis can ever be reached.

    Whether there is one at the moment does not matter: it is looked for as long as the server runs.
    """
    try:
        pool = _connect(url).connection_pool
        pool.make_connection()  # type: ignore[no-untyped-call] # its authors wrote no types
    except (RedisError, TypeError, ValueError) as error:
        raise StoreError(f"cannot use this address of Redis: {error}") from None
