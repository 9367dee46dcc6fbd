"""The hall: every room that is open in this process.

It lets players act, keeps what happens before it tells anybody, plays the computers' turns and
watches the clocks.  Other processes may serve the same rooms: then the database decides whose event
comes first, and this one reads what it has missed.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from gridlock.errors import GridlockError, StoreError
from gridlock.web.clock import MILLISECONDS
from gridlock.web.event import Act, Event, Happening
from gridlock.web.journal import ConflictError, Due, Entry
from gridlock.web.room import RefusedError, Room
from gridlock.web.searches import BusyError
from gridlock.web.settings import Opponent, Settings, new_room
from gridlock.web.wire import EventMessage, StateMessage, show_state, show_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Position
    from gridlock.web.journal import Journal
    from gridlock.web.searches import Searches

_log = logging.getLogger(__name__)

_ROOM = re.compile(r"[\w-]{1,32}", re.ASCII)
_MOST_OPEN = 20_000  # rooms in memory; others are read again when somebody comes
_TICK = 0.25  # seconds between two looks at the clocks
_ORPHAN_TICKS = 20  # ticks between two looks for computers' turns that nobody plays
_ORPHAN_AGE = 15 * MILLISECONDS
_BUSY_PAUSE = 0.5  # seconds

_SHOWN_WHOLE = {Happening.JOINED, Happening.BEGUN, Happening.UNDONE}
"""The events after which more has changed than a view shows."""


class NoRoomError(GridlockError):
    """There is no room with this id."""

    code = "room"


@dataclass(slots=True)
class _Open:
    """A room in memory; whoever changes it holds its lock."""

    room: Room
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Hall:
    """All rooms; ``publish`` tells everybody in a room, in every process.

    A computer takes at least ``pace`` seconds for an action, so that people can follow.
    """

    def __init__(
        self,
        journal: Journal,
        searches: Searches,
        publish: Callable[[str, bytes], None],
        *,
        is_shared: bool = False,
        pace: float = 0.0,
    ) -> None:
        self._journal = journal
        self._searches = searches
        self._publish = publish
        self._is_shared = is_shared
        self._pace = pace
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._timekeeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Play the computers' turns that were interrupted, and watch the clocks."""
        self._timekeeper = asyncio.create_task(self._keep_time())

    async def stop(self) -> None:
        """Stop thinking and watching."""
        tasks = [*self._thinking.values(), *filter(None, [self._timekeeper])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def room(self, id_: str) -> Room:
        """Return a room as it is now, or raise ``NoRoomError``.

        What is in it holds until the caller waits for anything else.
        """
        opened = await self._fetch(id_)
        async with opened.lock:  # what is not yet on disk is seen by nobody
            if self._is_shared:
                await self._catch_up(opened)
            return opened.room

    async def create(self, settings: Settings) -> Room:
        """Make a room and keep it."""
        room = Room(new_room(), settings)
        entry = Entry()
        _begin(entry, room, milliseconds())
        await self._journal.write(entry)
        self._remember(_Open(room))
        self._let_computer_play(room)
        return room

    async def join(self, id_: str, invite: str, name: str, secret: str) -> Room:
        """Let a friend take the open seat, or raise ``RefusedError``."""
        await self._change(id_, lambda room, now: room.join(invite, name, secret, now))
        return await self.room(id_)

    async def act(self, id_: str, secret: str | None, act: Act) -> bool:
        """Let a player act, or raise ``RefusedError``; when it returns, that is on disk.

        Tell whether it was done now: sent again, an act is not done again.
        """
        return await self._change(
            id_, lambda room, now: room.answer(room.held_by(secret), act, now)
        )

    async def missed(self, id_: str, version: int) -> list[Event]:
        """Return what has happened in a room since a version."""
        return [event.public() for event in await self._journal.read_since(id_, version)]

    async def hinted(self, id_: str, secret: str | None) -> Position:
        """Return the position of a player who may have a hint, or raise ``RefusedError``."""
        room = await self.room(id_)
        held = room.held_by(secret)
        if not held:
            raise RefusedError("seat", "you are watching: only those who hold a seat can do this")
        if room.settings.opponent is Opponent.FRIEND:
            raise RefusedError("hint", "there are no hints against a friend")
        if room.position.winner is not None or room.match.winner is not None:
            raise RefusedError("over", "the game is over")
        if room.position.mover not in held:
            raise RefusedError("turn", "it is not your turn")
        return room.position

    async def _fetch(self, id_: str) -> _Open:
        if opened := self._open.get(id_):
            self._open.move_to_end(id_)
            return opened
        found = await self._journal.read(id_) if _ROOM.fullmatch(id_) else None
        if found is None:
            raise NoRoomError("there is no such room")
        return self._open.get(id_) or self._remember(_Open(Room(id_, *found)))

    def _remember(self, opened: _Open) -> _Open:
        self._open[opened.room.id] = opened
        while len(self._open) > _MOST_OPEN:
            self._open.popitem(last=False)
        return opened

    async def _catch_up(self, opened: _Open) -> None:
        """Apply what other processes have written."""
        for event in await self._journal.read_since(opened.room.id, opened.room.version):
            opened.room.apply(event)

    async def _change(self, id_: str, decide: Callable[[Room, int], list[Event]]) -> bool:
        """Let something happen in a room; it is decided anew if another process was first.

        Tell whether anything happened.
        """
        opened = await self._fetch(id_)
        async with opened.lock:
            if self._is_shared:
                await self._catch_up(opened)
            while True:
                now = milliseconds()
                await self._commit(opened, opened.room.overdue(now))
                happened = decide(opened.room, now)
                if await self._commit(opened, happened):
                    return bool(happened)

    async def _commit(self, opened: _Open, happened: list[Event]) -> bool:
        """Keep events and then tell everybody; return False if another process was first."""
        if not happened:
            return True
        room = opened.room
        due_before = _due(room, 0)
        messages = []
        for event in happened:
            room.apply(event)
            messages.append(_message(room, event))
        now = happened[-1].at
        entry = Entry()
        entry.add_events(room.id, happened)
        if _due(room, 0) != due_before:
            entry.set_due(room.id, _due(room, now))
        rematch = None
        if happened[-1].type is Happening.REMATCHED:  # both rooms know of it, or none
            rematch = Room(room.rematch or "", room.rematch_settings())
            _begin(entry, rematch, now)
        try:
            await self._journal.write(entry)
        except StoreError as error:
            await self._read_again(opened)
            if isinstance(error, ConflictError):
                return False
            raise
        for message in messages:
            self._publish(room.id, message)
        self._let_computer_play(room)
        if rematch:
            self._remember(_Open(rematch))
            self._let_computer_play(rematch)
        return True

    async def _read_again(self, opened: _Open) -> None:
        """Forget what could not be kept."""
        self._open.pop(opened.room.id, None)
        found = await self._journal.read(opened.room.id)
        if found is None:
            raise NoRoomError("there is no such room")
        opened.room = Room(opened.room.id, *found)

    def _let_computer_play(self, room: Room) -> None:
        if room.awaits_computer and room.id not in self._thinking:
            self._thinking[room.id] = asyncio.create_task(self._play_computer(room.id))

    async def _play_computer(self, id_: str) -> None:
        """Play a computer's actions until it is somebody else's turn."""
        try:
            while (room := await self.room(id_)).awaits_computer:
                try:
                    await self._play_one(room)
                except BusyError:
                    await asyncio.sleep(_BUSY_PAUSE)
        except GridlockError as error:
            _log.warning("a computer cannot play: %s", error, extra={"room": id_})
        finally:  # in one step with finding that it is not the computer's turn
            del self._thinking[id_]

    async def _play_one(self, room: Room) -> None:
        """Let a computer choose, and play it unless something else has happened meanwhile."""
        version, position = room.version, room.position
        level = room.seats[position.mover - 1].level or 1
        earliest = time.monotonic() + self._pace
        cell = await self._searches.choose(position, level)
        await asyncio.sleep(max(0.0, earliest - time.monotonic()))

        def decide(room: Room, now: int) -> list[Event]:
            return room.computer_plays(cell, now) if room.version == version else []

        await self._change(room.id, decide)

    async def _keep_time(self) -> None:
        """End games by their clocks, and look after computers' turns that nobody plays."""
        tick = 0
        while True:
            try:
                now = milliseconds()
                for id_ in await self._journal.overdue(now):
                    await self._change(id_, lambda _room, _now: [])
                if tick % _ORPHAN_TICKS == 0:
                    before = now - _ORPHAN_AGE if tick else now
                    for id_ in await self._journal.awaiting_computer(before):
                        self._let_computer_play(await self.room(id_))
            except GridlockError as error:
                _log.warning("the clocks could not be looked at: %s", error)
            tick += 1
            await asyncio.sleep(_TICK)


def milliseconds() -> int:
    """Return the time of day."""
    return time.time_ns() // 1_000_000


def _due(room: Room, changed: int) -> Due:
    return Due(changed, room.deadline, room.awaits_computer)


def _begin(entry: Entry, room: Room, now: int) -> None:
    """Keep a new room with its first events, and apply them."""
    happened = room.opening(now)
    for event in happened:
        room.apply(event)
    entry.add_room(room.id, room.settings, _due(room, now))
    entry.add_events(room.id, happened)


def _message(room: Room, event: Event) -> bytes:
    """Return what everybody in a room is told of an event."""
    now = milliseconds()
    if event.type in _SHOWN_WHOLE:
        return msgspec.json.encode(StateMessage(show_state(room, None, now), (event.public(),)))
    return msgspec.json.encode(EventMessage(event.public(), show_view(room, now)))
