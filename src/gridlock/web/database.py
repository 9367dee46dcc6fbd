"""The tables in which rooms and their events are kept, and how to reach them."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout
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
    text,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.ext.asyncio import create_async_engine

from gridlock.errors import BusyError, NotationError, quote
from gridlock.web import address
from gridlock.web.config import Pool, Timeouts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import URL
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
    from sqlalchemy.pool import ConnectionPoolEntry

SQLITE, POSTGRESQL = address.SQLITE, address.POSTGRESQL

SERVING = "gridlock serve"
"""As what PostgreSQL lists the connections of a server, and only those."""

_SELECT_SERVERS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = :name"
)

BUSY_SECONDS = 5.0
"""How long a SQLite file is waited for while another process writes to it."""

_IDLE_SECONDS = 10.0  # after which PostgreSQL ends a transaction whose process has gone silent

_SILENCE_SECONDS = 1.0  # after which a connection of PostgreSQL's may have been lost unnoticed

_USUAL = Timeouts()

metadata = MetaData()

rooms = Table(
    "rooms",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("made", BigInteger, nullable=False),
    Column("settings", Text, nullable=False),
    Column("changed", BigInteger, nullable=False),  # when it was last used: see computer_turns.py
    Column("deadline", BigInteger),
    Column("awaits_computer", Boolean, nullable=False),
)
Index("rooms_deadline", rooms.c.deadline, postgresql_where=rooms.c.deadline.is_not(None))
Index("rooms_awaits_computer", rooms.c.awaits_computer, rooms.c.changed)  # and old rooms

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


def read_url(name: str) -> URL:
    """Return the address of a database; a plain path is a SQLite file.

    Raises ``NotationError``.
    """
    address.check_database(name)
    try:
        return make_url(name if "://" in name else f"{SQLITE}:///{name}")
    except (ArgumentError, ValueError):
        raise NotationError(
            f"{quote(address.mask(name))} is not the address of a database"
        ) from None


def file_of(url: URL) -> Path | None:
    """Return the file of a SQLite database, None for any other."""
    return Path(url.database) if url.drivername == SQLITE and url.database else None


def shown(url: URL) -> str:
    """Return how an error or a report names a database: without its password."""
    file = file_of(url)
    return quote(file) if file else quote(url.render_as_string(hide_password=True))


def reason(error: BaseException) -> str:
    """Return why a database refused, in one line: never what it was asked, nor with which values.

    Of any other error it is the first line.
    """
    said = str(getattr(error, "orig", None) or error) or "it did not answer in time"
    line = said.splitlines()[0].rpartition(">: ")[2]
    head, found, _ = line.partition("query argument")  # of asyncpg: the value comes after it
    return head + found if found else line


@contextlib.contextmanager
def sole_owner(url: URL) -> Iterator[None]:
    """Keep servers, and whatever else changes all of it, away from a SQLite file meanwhile.

    What one has in memory the other would not know.  Raises ``BusyError`` where somebody has it.
    """
    file = file_of(url)
    if file is None:
        yield
        return
    try:
        with FileLock(f"{file}.lock", blocking=False):
            yield
    except Timeout:
        raise BusyError(f"another gridlock has opened {quote(file)}: stop it first") from None


async def refuse_servers(connection: AsyncConnection) -> None:
    """Raise ``BusyError`` where a server uses the PostgreSQL database of a connection."""
    if await connection.scalar(_SELECT_SERVERS, {"name": SERVING}):
        raise BusyError(f"a server uses {shown(connection.engine.url)}: stop all of them first")


def _ping_after_silence(engine: AsyncEngine) -> None:
    """Let a connection be tried before it is lent, unless it has just been used.

    To try it each time would take longer than what is asked.  One that the other side has closed is
    known without asking.
    """

    @event.listens_for(engine.sync_engine, "checkin")
    def note(_: object, record: ConnectionPoolEntry) -> None:
        record.info["used"] = time.monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def ping(connection: DBAPIConnection, record: ConnectionPoolEntry, _: object) -> None:
        if record.driver_connection.is_closed():  # type: ignore[union-attr] # it is asyncpg's
            raise DisconnectionError
        used = record.info.get("used")
        if used is None or time.monotonic() - used < _SILENCE_SECONDS:
            return
        dialect = engine.sync_engine.dialect
        try:
            dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error as error:
            raise DisconnectionError from error


def connect(
    url: URL,
    *,
    size: int = Pool.size,
    timeouts: Timeouts = _USUAL,
    is_serving: bool = False,
) -> AsyncEngine:
    """Return the engine of a database, with at most ``size`` connections; there is none yet.

    No statement of a server takes longer than ``timeouts`` say: it fails instead.
    """
    options: dict[str, Any] = {
        "pool_size": size,
        "max_overflow": 0,
        "pool_timeout": timeouts.pool,
        "hide_parameters": True,  # errors are logged, and parameters hold names and hashes
    }
    if url.drivername != SQLITE:
        name, command, idle = "gridlock db", None, 0.0
        if is_serving:
            name, command, idle = SERVING, timeouts.statement, _IDLE_SECONDS
        settings = {
            "application_name": name,
            "idle_in_transaction_session_timeout": f"{idle:.0f}s",
        }
        arguments = {
            "timeout": timeouts.connect,
            "command_timeout": command,
            "server_settings": settings,
        }
        engine = create_async_engine(url, connect_args=arguments, **options)
        _ping_after_silence(engine)
        return engine
    engine = create_async_engine(url, connect_args={"timeout": BUSY_SECONDS}, **options)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: object, _: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]
        cursor.execute("PRAGMA journal_mode = WAL")  # readers do not wait for the writer
        cursor.execute("PRAGMA synchronous = FULL")  # what is committed outlives a power cut
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA secure_delete = ON")  # what is deleted cannot be read any more
        cursor.close()

    return engine
