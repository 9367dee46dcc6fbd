"""Rooms that people look at here while others change them elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING

import msgspec

from gridlock.clock import MILLISECONDS
from gridlock.errors import GridlockError
from gridlock.web.wire import DelayMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gridlock.web.event import Event
    from gridlock.web.metrics import Metrics
    from gridlock.web.rooms import Rooms

_log = logging.getLogger(__name__)

_LOOK_SECONDS = 1.5  # between two looks at all rooms: what nobody told is told then


class Follower:
    """Lets people here hear of what other processes do in their rooms.

    That is at once where somebody says which rooms have changed, and with the next look at the
    database where nobody does: Redis may be away, or a process may have died before it told.  Of
    rooms that an operator deletes nobody says anything.
    """

    def __init__(
        self,
        rooms: Rooms,
        watched: Callable[[], Iterable[str]],
        publish: Callable[[str, bytes], None],
        metrics: Metrics | None = None,
    ) -> None:
        self._rooms = rooms
        self._metrics = metrics
        self._watched = watched
        self._publish = publish
        self.is_delayed = False
        """Whether nobody says which rooms have changed, so that news come with the next look."""
        self._changed: set[str] = set()
        self._wake = asyncio.Event()
        self._next_look = 0.0
        self._following: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to look."""
        self._following = asyncio.create_task(self._follow())

    async def stop(self) -> None:
        """Look no more."""
        if self._following:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)

    def hear(self, changed: Iterable[str]) -> None:
        """Take notice that other processes have changed some rooms."""
        self._changed.update(changed)
        self._wake.set()

    def set_delayed(self, is_delayed: bool) -> None:
        """Tell people that moves come late, or that they come at once again."""
        self.is_delayed = is_delayed
        for room in self._watched():
            self._publish(room, msgspec.json.encode(DelayMessage(is_delayed)))
        self._next_look = 0.0  # something may have been missed
        self._wake.set()

    async def _follow(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self._next_look - time.monotonic())
            self._wake.clear()
            watched = set(self._watched())
            is_look = time.monotonic() >= self._next_look
            if is_look:
                self._next_look = time.monotonic() + _LOOK_SECONDS
            else:
                watched &= self._changed
            self._changed.clear()
            try:
                told = await self._rooms.catch_up(watched)
                if is_look and watched:
                    await self._rooms.tell_gone(watched)
            except GridlockError as error:  # the next look comes soon
                _log.warning("what other processes do cannot be followed: %s", error)
                await asyncio.sleep(_LOOK_SECONDS)
            else:
                self._measure(told)

    def _measure(self, told: Iterable[Event]) -> None:
        """Note how long it took until events of others were told here."""
        if self._metrics:
            now = time.time()
            for event in told:
                self._metrics.relayed(now - event.at / MILLISECONDS)
