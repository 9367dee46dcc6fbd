"""The tables in which rooms and their events are kept, and how to reach them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    event,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import create_async_engine

from gridlock.errors import StoreError, quote

if TYPE_CHECKING:
    from sqlalchemy.engine import URL
    from sqlalchemy.ext.asyncio import AsyncEngine

SQLITE = "sqlite+aiosqlite"
POSTGRESQL = "postgresql+asyncpg"

metadata = MetaData()

rooms = Table(
    "rooms",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("made", BigInteger, nullable=False),
    Column("settings", Text, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("deadline", BigInteger),
    Column("awaits_computer", Boolean, nullable=False),
)
Index("rooms_deadline", rooms.c.deadline, postgresql_where=rooms.c.deadline.is_not(None))
Index("rooms_awaits_computer", rooms.c.awaits_computer, rooms.c.changed)

events = Table(
    "events",
    metadata,
    Column("room", String(32), ForeignKey("rooms.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("event", Text, nullable=False),
)

seen = Table(
    "seen",
    metadata,
    Column("room", String(32), ForeignKey("rooms.id"), primary_key=True),
    Column("player", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
)


def read_url(text: str) -> URL:
    """Return the address of a database; a plain path is a file of SQLite's.

    Raises ``StoreError``.
    """
    try:
        url = make_url(text if "://" in text else f"{SQLITE}:///{text}")
    except ArgumentError:
        raise StoreError(f"{quote(text)} is not the address of a database") from None
    if url.drivername not in (SQLITE, POSTGRESQL):
        raise StoreError(
            f"a database is a file, or {POSTGRESQL}://user:password@host/name, "
            f"not {quote(url.drivername)}"
        )
    if url.drivername == SQLITE and url.database in (None, "", ":memory:"):
        raise StoreError("games are kept in a file, not in memory")
    return url


def connect(url: URL) -> AsyncEngine:
    """Return the engine of a database; nothing is connected yet."""
    if url.drivername != SQLITE:
        return create_async_engine(url, pool_pre_ping=True)
    engine = create_async_engine(url)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: object, _: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]
        cursor.execute("PRAGMA journal_mode = WAL")  # readers do not wait for the writer
        cursor.execute("PRAGMA synchronous = FULL")  # what is committed outlives a power cut
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    return engine
