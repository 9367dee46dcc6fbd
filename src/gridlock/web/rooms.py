"""The rooms: every room that is open in this process.

It lets players act, keeps what happens before it tells anybody, and watches the clocks.  Other
processes may serve the same rooms: then the database decides whose event comes first, and this one
reads what it has missed.  Whatever it learns of a room, by its own doing or from the database, it
tells the people who are there, once and in order.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from typing import TYPE_CHECKING

import msgspec

from gridlock.clock import MILLISECONDS, milliseconds
from gridlock.errors import GridlockError
from gridlock.web.computer_turns import Turns
from gridlock.web.config import GateLimits
from gridlock.web.event import Act, Command, Event, EventType
from gridlock.web.journal import ConflictError, Due, Entry
from gridlock.web.memory import OpenRooms
from gridlock.web.room import RefusedError, Room
from gridlock.web.settings import Settings, new_room
from gridlock.web.wire import show_event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from gridlock.model import Player, Position
    from gridlock.web.journal import Journal
    from gridlock.web.memory import OpenRoom
    from gridlock.web.searches import Searches

_log = logging.getLogger(__name__)

_ROOM = re.compile(r"[\w-]{1,32}", re.ASCII)
_MOST_MISSED = 500  # events that somebody is told who comes back
_TICK = 0.25  # seconds between two looks at the clocks
_NOTING_TICKS = 20  # ticks between two notes of which rooms are in use
_TRUST_SECONDS = 5.0  # before what is in memory is compared with what is on disk
_USED_AGAIN = 3600 * MILLISECONDS  # between two notes that a room is in use
_STOP_SECONDS = 1.0
_IDLE_SECONDS = 300.0  # before a room to which nobody comes is no longer kept in memory

GONE = b""
"""What a room is told, as its last message, when it has been deleted."""

SEEN_MILLISECONDS = 50 * MILLISECONDS
"""For so long somebody counts as seen after any process has noted it."""


class NoRoomError(GridlockError):
    """There is no room with this id."""

    code = "room"


class Rooms:
    """All rooms; ``publish`` tells everybody in a room who is connected to this process.

    A computer takes at least ``pace`` seconds for an action, so that people can follow.
    ``take_room`` raises ``RefusedError`` if an address may make no further room, by a rematch.
    Rooms that weigh more than ``room_memory`` bytes together are not all kept in memory.
    """

    def __init__(
        self,
        journal: Journal,
        searches: Searches,
        publish: Callable[[str, bytes], None],
        *,
        is_shared: bool = False,
        pace: float = 0.0,
        take_room: Callable[[str], None] = lambda _: None,
        room_memory: int = GateLimits.room_memory,
    ) -> None:
        self._journal = journal
        self._publish = publish
        self._is_shared = is_shared
        self.announce: Callable[[str], None] | None = None
        """Is told the rooms that this process has changed, where there are others."""
        self._turns = Turns(self, journal, searches, pace)
        self._take_room = take_room
        self._open = OpenRooms(room_memory)
        self._reading: dict[str, asyncio.Task[OpenRoom]] = {}
        self._used: set[str] = set()
        """The rooms in use of which the database does not know it; it is told soon."""
        self._timekeeper: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def start(self) -> None:
        """Play the computers' turns that nobody else plays, and watch the clocks."""
        await self._turns.start()
        self._timekeeper = asyncio.create_task(self._keep_time())

    async def stop(self) -> None:
        """Stop playing and watching, at the next moment when nothing is half done.

        Other processes play and watch from then on; people may still act here.
        """
        self._closing.set()
        await self._turns.stop()
        if self._timekeeper:
            _, unfinished = await asyncio.wait((self._timekeeper,), timeout=_STOP_SECONDS)
            for task in unfinished:
                task.cancel()
            await asyncio.gather(self._timekeeper, return_exceptions=True)

    async def room(self, id_: str) -> Room:
        """Return a room as it is now, or raise ``NoRoomError``.

        What is in it holds until the caller waits for anything else.
        """
        async with self._entered(id_) as room:
            return room

    async def find(self, id_: str) -> None:
        """Raise ``NoRoomError`` unless there is a room, or was a moment ago."""
        async with self._entered(id_, is_fresh=False):
            pass

    async def create(self, settings: Settings, address: str = "") -> Room:
        """Make a room and keep it; an address is charged for what computers think there."""
        room = Room(new_room(), settings)
        entry = Entry()
        _begin(entry, room, milliseconds())
        await self._journal.write(entry)
        self._open.add(room, address).used = milliseconds()
        self._let_computer_play(room)
        return room

    async def join(self, id_: str, invite: str, name: str, secret: str) -> Room:
        """Let a friend take the open seat, or raise ``RefusedError``."""
        await self._change(id_, lambda room, now: room.join(invite, name, secret, now))
        return await self.room(id_)

    async def act(self, id_: str, secret: str | None, act: Act, address: str = "") -> bool:
        """Let a player act, or raise ``RefusedError``; when it returns, that is on disk.

        Tell whether it was done now: sent again, an act is not done again.
        """
        if act.do is Command.CLAIM:
            await self._look_for_mover(id_)

        def decide(room: Room, now: int) -> list[Event]:
            happened = room.answer(room.held_by(secret), act, now)
            if any(event.type is EventType.REMATCHED for event in happened):
                self._take_room(address)
            return happened

        return await self._change(id_, decide, address)

    async def leave(self, id_: str, player: Player, is_back: Callable[[], bool]) -> None:
        """Take a player to be away, unless they have just come back."""
        await self._change(id_, lambda room, now: [] if is_back() else room.leave(player, now))

    async def come_back(self, id_: str, player: Player) -> None:
        """Take a player to be back."""
        await self._change(id_, lambda room, now: room.come_back(player, now))

    async def play_computer(self, id_: str, version: int, cell: int) -> None:
        """Play what a computer chose, unless something else has happened since a version."""

        def decide(room: Room, now: int) -> list[Event]:
            return room.computer_plays(cell, now) if room.version == version else []

        await self._change(id_, decide)

    def charged(self, id_: str) -> str:
        """Return the address to which a computer's turn in a room is charged."""
        opened = self._open.get(id_)
        return opened.address if opened else ""

    async def _look_for_mover(self, id_: str) -> None:
        """Make sure before a claim that no process has seen the mover of late."""
        room = await self.room(id_)
        mover = room.position.mover
        if (id_, mover) in await self._journal.seen([id_], milliseconds() - SEEN_MILLISECONDS):
            await self.come_back(id_, mover)

    async def snapshot(self, id_: str, since: int) -> tuple[Room, list[Event]]:
        """Return a room, and what has led to it since a version, as far as anybody cares.

        What is in it holds until the caller waits for anything else.
        """
        async with self._entered(id_, is_fresh=False) as room:
            known = min(room.version, max(since, room.version - _MOST_MISSED))
            found = await self._catch_up(self._open[id_], known)
            return room, [event.public() for event in found if event.version > since]

    @property
    def size(self) -> int:
        """How many rooms are in memory."""
        return len(self._open)

    async def catch_up(self, ids: Iterable[str]) -> list[Event]:
        """Tell people here what other processes have done in some rooms, and return it."""
        told: list[Event] = []
        found = {id_: self._open.get(id_) for id_ in ids}
        versions = {id_: opened.room.version for id_, opened in found.items() if opened}
        for id_, events in (await self._journal.read_all_since(versions)).items():
            if opened := self._open.get(id_):
                async with opened.lock:
                    if opened.told is None:
                        version = opened.room.version
                        self._take_all(opened.room, events)
                        told += [event for event in events if event.version > version]
                    self._open.use(opened)
        return told

    async def tell_gone(self, ids: Iterable[str]) -> None:
        """Tell people here which of some rooms have been deleted, by an operator's command."""
        for id_ in await self._journal.missing(ids):
            self._open.drop(id_)
            self._publish(id_, GONE)

    def _take_all(self, room: Room, events: list[Event]) -> None:
        """Take what others have done; a damaged room does not keep the others from theirs."""
        try:
            self._take(room, events)
        except Exception:  # noqa: BLE001
            _log.exception("a room cannot be followed", extra={"room": room.id})

    async def hinted(self, id_: str, secret: str | None) -> Position:
        """Return the position of a player who may have a hint, or raise ``RefusedError``."""
        room = await self.room(id_)
        return room.hinted(room.held_by(secret))

    @contextlib.asynccontextmanager
    async def _entered(self, id_: str, *, is_fresh: bool = True) -> AsyncIterator[Room]:
        """Hold a room as it is on disk: nobody else sees it, or changes it, meanwhile.

        Unless it has to be fresh, it may be as it was a moment ago.
        """
        while True:
            opened = self._open.get(id_) or await self._read(id_)
            async with opened.lock:
                if self._open.get(id_) is opened:  # and was not dropped while we waited
                    if opened.told is not None:
                        await self._read_again(opened)
                    elif is_fresh and self._may_be_old(opened):
                        await self._catch_up(opened)
                    try:
                        yield opened.room
                    finally:
                        self._open.use(opened)
                    return

    def _may_be_old(self, opened: OpenRoom) -> bool:
        return self._is_shared or time.monotonic() - opened.known_at > _TRUST_SECONDS

    async def _read(self, id_: str) -> OpenRoom:
        """Bring a room to memory; those who come at once wait for one and the same reading."""
        reading = self._reading.get(id_)
        if reading is None:
            reading = self._reading[id_] = asyncio.create_task(self._bring(id_))
            reading.add_done_callback(lambda _: self._reading.pop(id_, None))
        return await asyncio.shield(reading)

    async def _bring(self, id_: str) -> OpenRoom:
        settings, events = await self._find(id_)
        room = await asyncio.to_thread(Room, id_, settings, events)  # there may be thousands
        return self._open.get(id_) or self._open.add(room)

    async def _find(self, id_: str) -> tuple[Settings, list[Event]]:
        found = await self._journal.read(id_) if _ROOM.fullmatch(id_) else None
        if found is None:
            raise NoRoomError("there is no such room")
        return found

    async def _read_again(self, opened: OpenRoom) -> None:
        """Read a room of which it is not known what was kept, and tell what was."""
        id_, told = opened.room.id, opened.told
        try:
            settings, events = await self._find(id_)
        except NoRoomError:
            self._open.drop(id_)
            raise
        opened.room = await asyncio.to_thread(Room, id_, settings, events[:told])
        opened.told = None
        self._take(opened.room, events[told:])

    async def _catch_up(self, opened: OpenRoom, since: int | None = None) -> list[Event]:
        """Apply what other processes have written; raise ``NoRoomError`` if it was deleted.

        Return the events after a version, or those that were new.
        """
        room = opened.room
        news = await self._journal.read_news(room.id, room.version if since is None else since)
        if news is None:
            self._open.drop(room.id)
            raise NoRoomError("there is no such room")
        self._take(room, news.events)
        opened.known_at = time.monotonic()
        opened.used = news.used
        self._remember_use(opened)
        return news.events

    def _remember_use(self, opened: OpenRoom) -> None:
        """Let the database know soon that a room is in use, if it has not known for long."""
        now = milliseconds()
        if opened.used < now - _USED_AGAIN:
            opened.used = now
            self._used.add(opened.room.id)

    def _take(self, room: Room, events: Iterable[Event]) -> None:
        """Apply what was read in the database, and tell everybody who is here."""
        for event in events:
            if event.version == room.version + 1:  # others were taken meanwhile
                room.apply(event)
                self._publish(room.id, _message(room, event))
                self._turns.interrupt(room.id)

    async def _change(
        self, id_: str, decide: Callable[[Room, int], list[Event]], address: str = ""
    ) -> bool:
        """Let something happen in a room; it is decided anew if another process was first.

        Tell whether anything happened.  At first the room in memory is believed, without a question
        to the database: if another process has changed it, the commit fails.  That nothing happens
        is said only of a room as it is on disk.
        """
        is_fresh = False
        while True:
            try:
                async with self._entered(id_, is_fresh=is_fresh) as room:
                    now = milliseconds()
                    await self._commit(room, room.overdue(now))
                    happened = decide(room, now)
                    if happened and address:
                        self._open[id_].address = address
                    await self._commit(room, happened)
                    if happened or is_fresh:
                        return bool(happened)
            except ConflictError:
                pass
            except RefusedError:
                if is_fresh:
                    raise
            is_fresh = True

    async def _commit(self, room: Room, happened: list[Event]) -> None:
        """Keep events, and then tell everybody.

        Raises ``ConflictError`` if another process was first.
        """
        if not happened:
            return
        due_before = _due(room, 0)
        opened = self._open[room.id]
        opened.told = happened[0].version - 1  # until it is known what was kept
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
        if happened[-1].type is EventType.REMATCHED:  # both rooms know of it, or none
            rematch = Room(room.rematch or "", room.rematch_settings())
            _begin(entry, rematch, now)
        await self._journal.write(entry)
        opened.told = None
        opened.known_at = time.monotonic()
        self._remember_use(opened)
        for message in messages:
            self._publish(room.id, message)
        if self.announce:
            self.announce(room.id)
        self._turns.interrupt(room.id)
        self._let_computer_play(room)
        if rematch:
            self._open.add(rematch, opened.address)
            self._let_computer_play(rematch)

    def _let_computer_play(self, room: Room) -> None:
        if room.awaits_computer:
            self._turns.begin(room.id)

    async def _keep_time(self) -> None:
        """End games by their clocks, note which rooms are in use, and put others away."""
        tick = 0
        while not self._closing.is_set():
            now = milliseconds()
            await self._end_by_clock(now)
            if tick % _NOTING_TICKS == 0:
                await self._note_use(now)
                self._open.drop_idle(_IDLE_SECONDS)
            tick += 1
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _TICK)

    async def _end_by_clock(self, now: int) -> None:
        """End games; a room that is damaged does not keep the others from it."""
        try:
            found = await self._journal.overdue(now)
        except GridlockError as error:
            _log.warning("the clocks cannot be looked at: %s", error)
            return
        for id_ in found:
            try:
                await self._change(id_, lambda _room, _now: [])
            except Exception:  # noqa: BLE001
                _log.exception("a room's clock cannot be looked at", extra={"room": id_})

    async def _note_use(self, now: int) -> None:
        """Keep that rooms are in use, which are therefore not old.

        That costs a write an hour for each, and none for each event.
        """
        if not self._used:
            return
        used, self._used = self._used, set()
        entry = Entry()
        entry.add_uses(used, now)
        try:
            await self._journal.write(entry)
        except GridlockError:  # as the log says
            self._used |= used


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
    return msgspec.json.encode(show_event(room, event, milliseconds()))
