"""Rooms and events on disk.

What many players do at once is committed together, as one write to the disk takes as long as one
hundred; ``write`` returns when the commit has.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from sqlalchemy import bindparam, exists, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from gridlock.errors import StoreError
from gridlock.model import Player
from gridlock.web.database import SQLITE, events, rooms, seen
from gridlock.web.database_access import Access, away
from gridlock.web.event import Event
from gridlock.web.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Insert, TextClause, Update
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

    from gridlock.web.metrics import Metrics

_MOST_AT_ONCE = 500  # entries in a commit, so that none waits long
_MANY = 1000  # events: to decode more would keep others waiting

_INSERT_ROOM = insert(rooms)
_INSERT_EVENT = insert(events)
_UPDATE_ROOM = (
    update(rooms)
    .where(rooms.c.id == bindparam("room"))
    .values(
        changed=bindparam("changed"),
        deadline=bindparam("deadline"),
        awaits_computer=bindparam("awaits_computer"),
    )
)
TOUCH = (
    update(rooms)
    .where(rooms.c.id == bindparam("room"), rooms.c.changed < bindparam("changed"))
    .values(changed=bindparam("changed"))
)
"""Notes that a room was used at a time, unless that is known of a later one."""
_SELECT_SETTINGS = select(rooms.c.settings).where(rooms.c.id == bindparam("room"))
_SELECT_EVENTS = (
    select(events.c.event)
    .where(events.c.room == bindparam("room"), events.c.version > bindparam("since"))
    .order_by(events.c.version)
)
_SELECT_NEWS = (
    select(rooms.c.changed, events.c.event)
    .select_from(rooms)
    .outerjoin(events, (events.c.room == rooms.c.id) & (events.c.version > bindparam("since")))
    .where(rooms.c.id == bindparam("room"))
    .order_by(events.c.version)
)
_SELECT_OVERDUE = (
    select(rooms.c.id)
    .where(rooms.c.deadline <= bindparam("now"))
    .order_by(rooms.c.deadline)
    .limit(1000)
)
_SELECT_TURNS = (
    select(rooms.c.id)
    .where(rooms.c.awaits_computer, rooms.c.changed <= bindparam("before"))
    .limit(100)  # the next process may take others
)
_TAKE_TURNS = (
    update(rooms)
    .where(rooms.c.id.in_(_SELECT_TURNS.with_for_update(skip_locked=True)))
    .values(changed=bindparam("now"))
    .returning(rooms.c.id)
)
_FREE_TURN = (
    update(rooms)
    .where(rooms.c.id == bindparam("room"), rooms.c.awaits_computer)
    .values(changed=bindparam("changed"))
)
_SELECT_SEEN = select(seen.c.room, seen.c.player).where(
    seen.c.room.in_(bindparam("rooms", expanding=True)), seen.c.at >= bindparam("since")
)
_MOST_ASKED = 1000  # rooms in one question

_log = logging.getLogger(__name__)


class ConflictError(StoreError):
    """Another process has written the next event of the room already."""

    code = "conflict"


@dataclass(slots=True)
class Due:
    """What the server has to do by itself: end a game by its clock, or play a computer's turn."""

    changed: int
    deadline: int | None = None
    awaits_computer: bool = False


class News(NamedTuple):
    """What a room's reader does not know yet: its latest events, and when it was last used."""

    used: int
    events: list[Event]


@dataclass(slots=True)
class Entry:
    """What is committed together or not at all."""

    rooms: list[dict[str, object]] = field(default_factory=list)
    events: list[dict[str, object]] = field(default_factory=list)
    dues: list[dict[str, object]] = field(default_factory=list)
    seen: list[dict[str, object]] = field(default_factory=list)
    uses: list[dict[str, object]] = field(default_factory=list)
    free_turns: list[dict[str, object]] = field(default_factory=list)

    def order(self) -> str:
        """Return by what entries are sorted: the rooms that they change."""
        return min(str(row["room"]) for row in self.events) if self.events else ""

    def add_room(self, room: str, settings: Settings, due: Due) -> None:
        """Keep a new room."""
        self.rooms.append(
            {
                "id": room,
                "made": due.changed,
                "settings": msgspec.json.encode(settings).decode(),
                "changed": due.changed,
                "deadline": due.deadline,
                "awaits_computer": due.awaits_computer,
            }
        )

    def add_events(self, room: str, happened: Sequence[Event]) -> None:
        """Keep events of a room."""
        self.events += [
            {
                "room": room,
                "version": event.version,
                "event": msgspec.json.encode(event).decode(),
            }
            for event in happened
        ]

    def set_due(self, room: str, due: Due) -> None:
        """Keep what is to be done in a room."""
        self.dues.append(
            {
                "room": room,
                "changed": due.changed,
                "deadline": due.deadline,
                "awaits_computer": due.awaits_computer,
            }
        )

    def add_seen(self, players: Iterable[tuple[str, Player]], at: int) -> None:
        """Keep when players of rooms were last seen."""
        self.seen += [{"room": room, "player": int(player), "at": at} for room, player in players]

    def add_uses(self, used: Iterable[str], now: int) -> None:
        """Keep that rooms are in use: somebody has them open, or a computer thinks there."""
        self.uses += [{"room": room, "changed": now} for room in used]

    def add_free_turns(self, left: Iterable[str], changed: int) -> None:
        """Keep that nobody has been at the computers' turns of some rooms since a time."""
        self.free_turns += [{"room": room, "changed": changed} for room in left]


class Journal:
    """Reads rooms, and writes what happens in them."""

    def __init__(self, access: Access, metrics: Metrics | None = None) -> None:
        self._access = access
        self._metrics = metrics
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []
        self._wake = asyncio.Event()
        self._is_closing = False
        self._writer: asyncio.Task[None] | None = None
        self._insert_seen = _insert_seen(access.engine)
        self._select_all = _select_all_since(access.engine)
        self._select_missing = _select_missing(access.engine)

    async def start(self) -> None:
        """Begin to write."""
        self._writer = asyncio.create_task(self._write_all())

    async def stop(self) -> None:
        """Write what is waiting, and stop."""
        self._is_closing = True
        self._wake.set()
        if self._writer:
            await self._writer

    async def write(self, entry: Entry) -> None:
        """Commit an entry, or raise ``ConflictError`` or another ``StoreError``.

        If that takes too long, it may be committed all the same.
        """
        self._access.refuse_stalled()
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._waiting.append((entry, future))
        self._wake.set()
        patience = loop.call_later(self._access.seconds, _resolve, [(entry, future)], away())
        try:
            await future
        finally:
            patience.cancel()

    async def read(self, room: str) -> tuple[Settings, list[Event]] | None:
        """Return a room's settings and all its events, None where there is no such room."""
        async with self._access.reading() as connection:
            settings = await connection.scalar(_SELECT_SETTINGS, {"room": room})
            if settings is None:
                return None
            return msgspec.json.decode(settings, type=Settings), await _events(connection, room, 0)

    async def read_all_since(self, versions: Mapping[str, int]) -> dict[str, list[Event]]:
        """Return the events of many rooms after a version of each, where there are any."""
        found: dict[str, list[Event]] = {}
        if versions:
            known = msgspec.json.encode(versions).decode()
            async with self._access.reading() as connection:
                rows = (await connection.execute(self._select_all, {"known": known})).all()
            for room, event in rows:
                try:
                    found.setdefault(room, []).append(msgspec.json.decode(event, type=Event))
                except msgspec.DecodeError as error:  # the others' rooms are none the worse for it
                    _log.warning("an event cannot be read: %s", error, extra={"room": room})
        return found

    async def missing(self, among: Iterable[str]) -> list[str]:
        """Return those of some rooms that are not there, as they were deleted."""
        known = msgspec.json.encode(list(among)).decode()
        async with self._access.reading() as connection:
            return list((await connection.scalars(self._select_missing, {"known": known})).all())

    async def read_news(self, room: str, version: int) -> News | None:
        """Return what is new in a room after a version, None where there is no such room."""
        async with self._access.reading() as connection:
            rows = (await connection.execute(_SELECT_NEWS, {"room": room, "since": version})).all()
        if not rows:
            return None
        new = [msgspec.json.decode(event, type=Event) for _, event in rows if event is not None]
        return News(rows[0].changed, new)

    async def overdue(self, now: int) -> list[str]:
        """Return the rooms in which somebody's time has run out."""
        async with self._access.reading() as connection:
            return list((await connection.scalars(_SELECT_OVERDUE, {"now": now})).all())

    async def take_turns(self, before: int, now: int) -> list[str]:
        """Return rooms in which a computer is to move, and that nobody has used since a time.

        From now on they are used, so that no other process is told of them too.
        """
        asked = {"before": before}
        async with self._access.reading() as connection:
            if await connection.scalar(_SELECT_TURNS, asked) is None:  # as nearly always
                return []
        async with self._access.writing() as connection:
            return list((await connection.scalars(_TAKE_TURNS, {**asked, "now": now})).all())

    async def seen(self, among: Iterable[str], since: int) -> set[tuple[str, Player]]:
        """Return the players of some rooms who were seen since a time."""
        found: set[tuple[str, Player]] = set()
        ids = list(among)
        async with self._access.reading() as connection:
            for begin in range(0, len(ids), _MOST_ASKED):
                asked = {"rooms": ids[begin : begin + _MOST_ASKED], "since": since}
                rows = await connection.execute(_SELECT_SEEN, asked)
                found.update((room, Player(player)) for room, player in rows)
        return found

    async def _write_all(self) -> None:
        while self._waiting or not self._is_closing:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch = self._waiting[:_MOST_AT_ONCE]
                del self._waiting[:_MOST_AT_ONCE]
                await self._write_batch(batch)

    async def _write_batch(self, batch: list[tuple[Entry, asyncio.Future[None]]]) -> None:
        """Commit entries together; where one is in conflict, each by itself."""
        batch = [(entry, future) for entry, future in batch if not future.done()]
        if not batch:  # whoever waited has gone
            return
        try:
            await self._commit([entry for entry, _ in batch])
        except IntegrityError:
            if len(batch) > 1:
                for one in batch:
                    await self._write_batch([one])
                return
            _resolve(batch, ConflictError("written already"))
        except StoreError as error:
            _resolve(batch, error)
        except Exception:  # noqa: BLE001 - whatever it is, nobody may wait for ever
            _log.exception("a commit failed")
            _resolve(batch, away())
        else:
            _resolve(batch, None)

    async def _commit(self, entries: list[Entry]) -> None:
        entries = sorted(entries, key=Entry.order)  # two processes that agree do not block
        new_events = [row for entry in entries for row in entry.events]
        statements = (
            (_INSERT_ROOM, [row for entry in entries for row in entry.rooms]),
            (_INSERT_EVENT, new_events),
            *_changes(entries),
            (self._insert_seen, sorted((row for e in entries for row in e.seen), key=_seat)),
        )
        began = time.perf_counter()
        async with self._access.writing() as connection:
            for statement, rows in statements:
                if rows:
                    await connection.execute(statement, rows)
        if self._metrics:
            self._metrics.committed(len(new_events), time.perf_counter() - began)


def _changes(entries: Iterable[Entry]) -> list[tuple[Update, list[dict[str, object]]]]:
    """Return the changes of rooms, all of them by room.

    Two processes that lock rows in the same order do not block each other, whatever they change.
    """
    changes = [(_UPDATE_ROOM, row) for entry in entries for row in entry.dues]
    changes += [(TOUCH, row) for entry in entries for row in entry.uses]
    changes += [(_FREE_TURN, row) for entry in entries for row in entry.free_turns]
    changes.sort(key=lambda change: str(change[1]["room"]))
    runs = itertools.groupby(changes, key=lambda change: change[0])
    return [(statement, [row for _, row in run]) for statement, run in runs]


async def _events(connection: AsyncConnection, room: str, since: int) -> list[Event]:
    found = (await connection.scalars(_SELECT_EVENTS, {"room": room, "since": since})).all()
    return _decode(found) if len(found) < _MANY else await asyncio.to_thread(_decode, found)


def _decode(events: Sequence[str]) -> list[Event]:
    return [msgspec.json.decode(event, type=Event) for event in events]


def _select_all_since(engine: AsyncEngine) -> TextClause:
    """Return the question for the events of many rooms: ``known`` is their versions in JSON."""
    is_sqlite = engine.url.drivername == SQLITE
    known = "json_each(:known)" if is_sqlite else "json_each_text(CAST(:known AS json))"
    return text(
        f"SELECT events.room, events.event FROM {known} AS known JOIN events "  # noqa: S608
        "ON events.room = known.key AND events.version > CAST(known.value AS integer) "
        "ORDER BY events.room, events.version"
    )


def _select_missing(engine: AsyncEngine) -> TextClause:
    """Return the question for rooms that are not there: ``known`` are their names in JSON."""
    is_sqlite = engine.url.drivername == SQLITE
    known = "json_each(:known)" if is_sqlite else "json_array_elements_text(CAST(:known AS json))"
    return text(
        f"SELECT known.value FROM {known} AS known "  # noqa: S608
        "WHERE NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.id = known.value)"
    )


def _insert_seen(engine: AsyncEngine) -> Insert:
    """Return the statement that notes when somebody was seen, for the first time or again.

    Whoever is in a room that was deleted is not, and does not keep others from being noted.
    """
    is_sqlite = engine.url.drivername == SQLITE
    statement = sqlite.insert(seen) if is_sqlite else postgresql.insert(seen)
    row = [bindparam(column.name, type_=column.type) for column in seen.columns]
    is_kept = exists().where(rooms.c.id == bindparam("room", type_=rooms.c.id.type))
    statement = statement.from_select(seen.columns.keys(), select(*row).where(is_kept))
    return statement.on_conflict_do_update(
        index_elements=[seen.c.room, seen.c.player], set_={"at": statement.excluded.at}
    )


def _seat(row: dict[str, object]) -> tuple[str, str]:
    """Return by what notes are sorted: two processes that agree do not block."""
    return str(row["room"]), str(row["player"])


def _resolve(batch: list[tuple[Entry, asyncio.Future[None]]], error: StoreError | None) -> None:
    for _, future in batch:
        if future.done():  # whoever waited has gone
            continue
        if error:
            future.set_exception(error)
        else:
            future.set_result(None)
