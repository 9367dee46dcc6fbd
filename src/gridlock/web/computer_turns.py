"""Computers' turns: each is played, though the process that was at it may end.

A turn belongs to the process in which it became due.  While that one thinks it says so in the
database, again and again, by the time at which the room was last used.  A turn of which nobody has
said so for two seconds is anybody's, and one of those who look for such turns takes it.  Should two
processes play a turn all the same, because one stood still for a while, the first event counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridlock.clock import MILLISECONDS, milliseconds, unhurried
from gridlock.errors import GridlockError
from gridlock.web.journal import Entry
from gridlock.web.searches import BusyError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlock.clock import Clock
    from gridlock.model import Position
    from gridlock.web.journal import Journal
    from gridlock.web.room import Room
    from gridlock.web.rooms import Rooms
    from gridlock.web.searches import Searches

_log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.5  # between two looks for turns that nobody plays
_LEASE = 2 * MILLISECONDS  # for which a turn is whose process has said that it is at it
_RENEWAL = 750  # milliseconds after which that is said again
_BUSY_PAUSE = 0.5  # seconds
_STOP_SECONDS = 1.0
_WRITE_SECONDS = 1.0  # after which it would be too late anyway


@dataclass(slots=True)
class _Turn:
    """A turn that is being played here."""

    playing: asyncio.Task[None]
    said_at: int
    """When the database was last told, in milliseconds."""


class Turns:
    """Plays the computers' turns of a rooms.

    A computer takes at least ``pace`` seconds for an action, so that people can follow; less where
    its time is short.
    """

    def __init__(self, rooms: Rooms, journal: Journal, searches: Searches, pace: float) -> None:
        self._rooms = rooms
        self._journal = journal
        self._searches = searches
        self._pace = pace
        self._turns: dict[str, _Turn] = {}
        self._choosing: dict[str, asyncio.Task[int]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def start(self) -> None:
        """Begin to look for turns that nobody plays."""
        self._looking = asyncio.create_task(self._look_again_and_again())

    async def stop(self) -> None:
        """Stop at the next moment when nothing is half done; others play what is left."""
        self._closing.set()
        left = list(self._turns)
        for choosing in self._choosing.values():
            choosing.cancel()
        tasks = [*(turn.playing for turn in self._turns.values()), *filter(None, [self._looking])]
        if tasks:
            _, unfinished = await asyncio.wait(tasks, timeout=_STOP_SECONDS)
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        entry = Entry()
        entry.add_free_turns(left, milliseconds() - 2 * _LEASE)
        await self._write(entry)

    def begin(self, id_: str) -> None:
        """Play the turn of a room's computer, if it has one and nobody here does so yet."""
        if id_ not in self._turns:
            self._turns[id_] = _Turn(asyncio.create_task(self._play(id_)), milliseconds())

    def interrupt(self, id_: str) -> None:
        """Let no computer think about a position that is no more."""
        if choosing := self._choosing.get(id_):
            choosing.cancel()

    async def _play(self, id_: str) -> None:
        """Play a computer's actions until it is somebody else's turn."""
        try:
            while not self._closing.is_set():
                room = await self._rooms.room(id_)
                if not room.awaits_computer:
                    break
                try:
                    await self._play_one(room)
                except BusyError:
                    await self._pause(_BUSY_PAUSE)
        except GridlockError as error:  # soon it is a turn that nobody plays
            _log.warning("a computer cannot play: %s", error, extra={"room": id_})
        except Exception:  # noqa: BLE001 - a damaged room does not keep the others from theirs
            _log.exception("a computer cannot play", extra={"room": id_})
        finally:  # in one step with finding that it is not the computer's turn
            del self._turns[id_]

    async def _play_one(self, room: Room) -> None:
        """Let a computer choose, and play it unless something else has happened meanwhile."""
        version, position = room.version, room.position
        level = room.seats[position.mover - 1].level or 1
        earliest = time.monotonic() + unhurried(self._pace, room.clock, milliseconds())
        cell = await self._choose(room.id, position, level, room.clock)
        if cell is not None:
            await self._pause(max(0.0, earliest - time.monotonic()))
            await self._rooms.play_computer(room.id, version, cell)

    async def _choose(
        self, id_: str, position: Position, level: int, clock: Clock | None
    ) -> int | None:
        """Return the cell that a computer chooses, None if something else happens meanwhile."""
        charged = self._rooms.charged(id_)
        choosing = asyncio.create_task(self._searches.choose(position, level, charged, clock))
        self._choosing[id_] = choosing
        try:
            await asyncio.wait((choosing,))
            return None if choosing.cancelled() else choosing.result()
        finally:
            choosing.cancel()
            del self._choosing[id_]

    async def _look_again_and_again(self) -> None:
        while not self._closing.is_set():
            await self._say_what_is_played()
            for id_ in await self._find():
                self.begin(id_)
            await self._pause(_LOOK_SECONDS)

    async def _say_what_is_played(self) -> None:
        now = milliseconds()
        played = [id_ for id_, turn in self._turns.items() if turn.said_at <= now - _RENEWAL]
        for id_ in played:
            self._turns[id_].said_at = now
        entry = Entry()
        entry.add_uses(played, now)
        await self._write(entry)

    async def _find(self) -> Iterable[str]:
        """Return the rooms of turns that nobody plays, which are this process' from now on."""
        now = milliseconds()
        try:
            return await self._journal.take_turns(now - _LEASE, now)
        except GridlockError as error:
            _log.warning("turns that nobody plays cannot be looked for: %s", error)
            return ()

    async def _write(self, entry: Entry) -> None:
        if entry.uses or entry.free_turns:
            # Where it fails, as the log says, others play it a little later, or play it too.
            with contextlib.suppress(GridlockError, TimeoutError):
                async with asyncio.timeout(_WRITE_SECONDS):
                    await self._journal.write(entry)

    async def _pause(self, seconds: float) -> None:
        """Wait, unless the rooms closes."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)
