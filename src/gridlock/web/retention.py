"""Which rooms are deleted: old ones, and those that are to be forgotten.

A room is as old as the last time that anything happened in it, or that anybody had it open.  It is
deleted whole, in one of many short transactions, so that nobody who plays has to wait.  Several
processes may do this at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from gridlock.clock import MILLISECONDS, milliseconds
from gridlock.web.database import SQLITE, events, metadata, reason, rooms
from gridlock.web.event import Event
from gridlock.web.journal import TOUCH

_log = logging.getLogger(__name__)

_DAY = 24 * 3600 * MILLISECONDS
_MOST_ROOMS = 50  # in one transaction
_MOST_EVENTS = 1000  # in one transaction, unless a single room has more
_PAUSE = 0.1  # seconds between two transactions, in which others write
_MOST_TRIES = 3  # to empty the log of a SQLite file, each of which waits for its readers
_LOCK_SECONDS = 5
_STATEMENT_SECONDS = 30
_INTERVAL = 3600.0  # seconds between two runs of a server
_FIRST = 60.0  # seconds before the first run: whoever was connected has come back by then

_PARTS = [
    column
    for table in metadata.sorted_tables
    for column in table.columns
    if column.references(rooms.c.id)
]
"""The columns, one of each table that keeps more of a room, which name the room."""

_OLD = (
    rooms.c.awaits_computer.in_([False, True]),  # so that the index on both columns is used
    rooms.c.changed < bindparam("before"),
)
_LATEST = (
    select(events.c.room, func.max(events.c.version).label("version"))
    .group_by(events.c.room)
    .where(events.c.room.in_(bindparam("rooms", expanding=True)))
    .subquery()
)
_LOCK_OLD = select(rooms.c.id).where(*_OLD).limit(_MOST_ROOMS).with_for_update(skip_locked=True)
_LOCK_ONE = select(rooms.c.id).where(rooms.c.id == bindparam("room")).with_for_update()
_SELECT_OLD = select(rooms.c.id).where(*_OLD)
_SELECT_LAST = select(events.c.room, events.c.event).join(
    _LATEST, (events.c.room == _LATEST.c.room) & (events.c.version == _LATEST.c.version)
)
_SELECT_EVENTS = select(events.c.event).where(events.c.room == bindparam("room"))


class Deleted(NamedTuple):
    """How many rooms, with how many events."""

    rooms: int
    events: int


class Forgotten(NamedTuple):
    """A room that is no more: how many events it had, and which room its rematch is."""

    events: int
    rematch: str | None
    has_traces: bool = False
    """Whether the log of a SQLite file still holds it, since others were reading all the time."""


class _Last(msgspec.Struct):
    """The last event of a room, as far as it matters here; versions count from 1."""

    version: int
    at: int


def cutoff(keep_days: int) -> int:
    """Return the time before which rooms are old, in milliseconds."""
    return milliseconds() - keep_days * _DAY


async def prune(
    engine: AsyncEngine, before: int, on_progress: Callable[[Deleted], None] = lambda _: None
) -> Deleted:
    """Delete the rooms that nobody has used since a time."""
    deleted = Deleted(0, 0)
    while True:
        async with _writing(engine) as connection:
            found = list(await connection.scalars(_LOCK_OLD, {"before": before}))
            last = await _last_events(connection, found)
            # Rows are brought up to date now and then, by older versions hardly ever: ask events.
            used = [
                {"room": id_, "changed": one.at} for id_, one in last.items() if one.at >= before
            ]
            if used:
                await connection.execute(TOUCH, used)
            old = _first_few([id_ for id_ in found if last[id_].at < before], last)
            await _delete(connection, old)
        if not found:
            return deleted
        events_ = sum(last[id_].version for id_ in old)
        deleted = Deleted(deleted.rooms + len(old), deleted.events + events_)
        on_progress(deleted)
        await asyncio.sleep(_PAUSE)


async def count_old(engine: AsyncEngine, before: int) -> Deleted:
    """Return what ``prune`` would delete."""
    deleted = Deleted(0, 0)
    async with engine.connect() as connection:
        found = list(await connection.scalars(_SELECT_OLD, {"before": before}))
        for begin in range(0, len(found), _MOST_ROOMS):
            last = await _last_events(connection, found[begin : begin + _MOST_ROOMS])
            old = [one.version for one in last.values() if one.at < before]
            deleted = Deleted(deleted.rooms + len(old), deleted.events + sum(old))
    return deleted


async def forget(engine: AsyncEngine, room: str) -> Forgotten | None:
    """Delete a room, with names and all; None where there is no such room."""
    async with _writing(engine) as connection:
        if await connection.scalar(_LOCK_ONE, {"room": room}) is None:
            return None
        found = await connection.scalars(_SELECT_EVENTS, {"room": room})
        happened = [msgspec.json.decode(event, type=Event) for event in found]
        await _delete(connection, [room])
    has_traces = engine.url.drivername == SQLITE and not await _empty_log(engine)
    rematch = next((one.room for one in happened if one.room), None)
    return Forgotten(len(happened), rematch, has_traces)


async def _empty_log(engine: AsyncEngine) -> bool:
    """Empty the log of a SQLite file, and tell whether nobody who reads has prevented it."""
    for _ in range(_MOST_TRIES):
        async with engine.connect() as connection:
            checkpoint = await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            is_busy = checkpoint.scalar_one()
        if not is_busy:
            return True
        await asyncio.sleep(_PAUSE)
    return False


class Retention:
    """Deletes old rooms in the background of a server, again and again."""

    def __init__(self, engine: AsyncEngine, keep_days: int) -> None:
        self._engine = engine
        self._keep_days = keep_days
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin, unless rooms are kept for ever."""
        if self._keep_days:
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End; what is half deleted is kept."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        await asyncio.sleep(_FIRST * random.uniform(1.0, 2.0))  # not all processes at once
        while True:
            try:
                deleted = await prune(self._engine, cutoff(self._keep_days))
            except (SQLAlchemyError, OSError) as error:
                _log.warning("old rooms cannot be deleted now: %s", reason(error))
            else:
                _log.info("old rooms deleted", extra={**deleted._asdict(), "days": self._keep_days})
            await asyncio.sleep(_INTERVAL)


@contextlib.asynccontextmanager
async def _writing(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Begin a transaction in which what is read stays true until it ends."""
    async with engine.begin() as connection:
        if engine.url.drivername == SQLITE:
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            await connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
            await connection.exec_driver_sql(
                f"SET LOCAL statement_timeout = '{_STATEMENT_SECONDS}s'"
            )
        yield connection


async def _last_events(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, _Last]:
    """Return the last event of each room; nothing has happened yet in some that wait for a friend.

    That is asked after the rooms have been locked: from then on nothing happens there.
    """
    found = await connection.execute(_SELECT_LAST, {"rooms": ids})
    last = {room: msgspec.json.decode(event, type=_Last) for room, event in found}
    return {id_: last.get(id_, _Last(0, 0)) for id_ in ids}


def _first_few(ids: Sequence[str], last: dict[str, _Last]) -> list[str]:
    """Return as many rooms as one transaction may delete, one at least."""
    few: list[str] = []
    left = _MOST_EVENTS
    for id_ in ids:
        left -= last[id_].version
        if few and left < 0:
            break
        few.append(id_)
    return few


async def _delete(connection: AsyncConnection, ids: Sequence[str]) -> None:
    if ids:
        for column in _PARTS:
            await connection.execute(delete(column.table).where(column.in_(ids)))
        await connection.execute(delete(rooms).where(rooms.c.id.in_(ids)))
