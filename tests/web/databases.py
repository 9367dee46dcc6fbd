"""Databases for tests: of either kind, with rooms of any age."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import select, update

from gridlock.clock import MILLISECONDS, milliseconds
from gridlock.model import Player
from gridlock.web import migration
from gridlock.web.database import connect, metadata, read_url, rooms
from gridlock.web.database_access import Access
from gridlock.web.journal import Due, Entry, Journal
from tests.web.rooms import Session, settings
from tests.web.services import new_database

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sqlalchemy.ext.asyncio import AsyncEngine

KINDS = ("sqlite", "postgresql")

DAY = 24 * 3600 * MILLISECONDS

Row = tuple[Any, ...]


def new_url(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    """Return the address of an empty database of a kind."""
    if kind == "sqlite":
        return str(folder / f"{secrets.token_hex(4)}.db")
    return asyncio.run(new_database(request.getfixturevalue("postgresql")))


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database of the present shape, of each kind in turn."""
    url = new_url(request.param, tmp_path, request)

    async def make() -> None:
        async with opened(url) as engine:
            await migration.upgrade(engine)

    asyncio.run(make())
    return url


@contextlib.asynccontextmanager
async def opened(url: str) -> AsyncIterator[AsyncEngine]:
    engine = connect(read_url(url))
    try:
        yield engine
    finally:
        await engine.dispose()


async def keep_room(engine: AsyncEngine, days: float = 0.0, *, actions: int = 3) -> str:
    """Keep a room in which Ann and Bob have last done something so many days ago."""
    room = secrets.token_urlsafe(9)
    at = milliseconds() - int(days * DAY)
    session = Session(settings(size="9x9"))
    for number in range(actions):
        legal = session.room.position.legal_cells()
        session.play(session.room.game.name(legal[number % 2]))
    happened = [msgspec.structs.replace(event, at=at) for event in session.events]
    entry = Entry()
    entry.add_room(room, session.room.settings, Due(at))
    entry.add_events(room, happened)
    entry.add_seen([(room, Player.ONE)], at)
    await Journal(Access(engine))._commit([entry])
    return room


async def age(engine: AsyncEngine, room: str, days: float) -> None:
    """Make a room's row, though not its events, as if nothing had been noted for so long."""
    at = milliseconds() - int(days * DAY)
    async with engine.begin() as connection:
        await connection.execute(update(rooms).where(rooms.c.id == room).values(changed=at))


async def changed(engine: AsyncEngine, room: str) -> int | None:
    """Return when a room was last used, None where there is none."""
    async with engine.connect() as connection:
        return await connection.scalar(select(rooms.c.changed).where(rooms.c.id == room))


async def contents(engine: AsyncEngine) -> dict[str, set[Row]]:
    """Return all rows of all tables."""
    async with engine.connect() as connection:
        return {
            table.name: {tuple(row) for row in await connection.execute(select(table))}
            for table in metadata.sorted_tables
        }
