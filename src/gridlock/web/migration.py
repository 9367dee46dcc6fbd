"""Bringing a database to the present shape, or back to an earlier one, and telling which it has.

A shape is named by its *revision*, the number of the last step that was taken to it.  A step may
only add what the version before it does not notice: while processes are replaced one by one, both
versions run on the new shape.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from gridlock import __version__
from gridlock.errors import StoreError, quote
from gridlock.web import snapshot
from gridlock.web.database import POSTGRESQL, file_of, refuse_servers

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncEngine

_FOLDER = Path(__file__).parent / "migrations"

_LOCK = 0x6772_6964  # any number that nobody else locks: one process takes steps at a time
_LOCK_SECONDS = 10  # a step that waits longer for a table would keep players waiting behind it


class Standing(StrEnum):
    """How the shape of a database compares with the one that this version needs."""

    EMPTY = "empty"
    OLDER = "older"
    CURRENT = "current"
    NEWER = "newer"


def revisions() -> dict[str, str]:
    """Return all revisions that this version knows, the oldest first, and what each brought."""
    steps = list(_scripts().walk_revisions())
    return {step.revision: step.doc for step in reversed(steps)}


def head() -> str:
    """Return the revision that this version needs."""
    return list(revisions())[-1]


def judge(revision: str | None) -> Standing:
    """Return how a revision compares with the one that this version needs."""
    if revision is None:
        return Standing.EMPTY
    if revision == head():
        return Standing.CURRENT
    return Standing.OLDER if revision in revisions() else Standing.NEWER


def advise(revision: str | None) -> str:
    """Return what to do about a database, in one sentence."""
    match judge(revision):
        case Standing.EMPTY:
            return "The database is empty: run gridlock db upgrade with the same --database."
        case Standing.OLDER:
            return (
                f"The database is at revision {revision}, and this version of GridLock needs "
                f"{head()}: run gridlock db upgrade with the same --database."
            )
        case Standing.NEWER:
            return (
                f"The database is at revision {revision}, which is newer than GridLock "
                f"{__version__}: install the version that upgraded it, or with that version run "
                f"gridlock db downgrade {head()}."
            )
        case Standing.CURRENT:
            return "The database is up to date."


def refuse(revision: str | None) -> StoreError:
    """Return the error that a database cannot be used as it is, with what to do about it."""
    advice = advise(revision)
    return StoreError(advice[0].lower() + advice[1:].rstrip("."))


async def current(engine: AsyncEngine) -> str | None:
    """Return the revision of a database, None where nothing was ever kept in it."""
    async with engine.connect() as connection:
        return await connection.run_sync(read_revision)


def read_revision(connection: Connection) -> str | None:
    """Return the revision of a database, None where nothing was ever kept in it."""
    return MigrationContext.configure(connection).get_current_revision()


async def check(engine: AsyncEngine) -> None:
    """Raise ``StoreError``, which says what to do, unless a database has the present shape."""
    revision = await current(engine)
    if judge(revision) is not Standing.CURRENT:
        raise refuse(revision)


async def upgrade(engine: AsyncEngine) -> Path | None:
    """Take every step that a database has not taken yet.

    A SQLite file is copied first; return the copy.  The caller owns it: see ``sole_owner``.
    """
    revision = await current(engine)
    match judge(revision):
        case Standing.CURRENT:
            return None
        case Standing.NEWER:
            raise refuse(revision)
        case Standing.OLDER:
            kept = _keep_copy(engine, head())
        case Standing.EMPTY:
            kept = None
    async with engine.begin() as connection:
        await connection.run_sync(take_steps)
    return kept


async def downgrade(engine: AsyncEngine, to: str) -> Path | None:
    """Take steps back to an earlier revision, or raise ``StoreError`` where that is not possible.

    A SQLite file is copied first; return the copy.  The caller owns it: see ``sole_owner``.  While
    a server uses a PostgreSQL database, ``BusyError`` is raised.
    """
    revision = await current(engine)
    if judge(revision) in {Standing.EMPTY, Standing.NEWER}:
        raise refuse(revision)
    known = list(revisions())
    earlier = known[: known.index(revision or "")]
    if to not in earlier:
        choices = f"choose from {', '.join(earlier)}" if earlier else "there is none"
        raise StoreError(
            f"the database is at revision {revision}, and {quote(to)} is no earlier one: {choices}"
        )
    kept = _keep_copy(engine, to)

    def take_back(connection: Connection) -> None:
        try:
            _step(connection, lambda config: command.downgrade(config, to))
        except NotImplementedError as error:
            raise StoreError(f"{error}: restore a back-up from before it instead") from None

    async with engine.begin() as connection:
        if kept is None:  # it is no file, of which the caller is the sole owner
            await refuse_servers(connection)
        await connection.run_sync(take_back)
    return kept


def take_steps(connection: Connection, to: str = "head") -> None:
    """Take every step up to a revision, in the transaction of a connection."""
    _step(connection, lambda config: command.upgrade(config, to))


def _step(connection: Connection, take: Callable[[Config], None]) -> None:
    """Take steps, all or none; whoever comes at the same time waits."""
    if connection.engine.url.drivername == POSTGRESQL:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
    else:  # which otherwise would change tables outside of any transaction
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    config = _config()
    config.attributes["connection"] = connection
    take(config)


def _keep_copy(engine: AsyncEngine, to: str) -> Path | None:
    """Copy a SQLite file as it is before it is brought to a revision; no older copy is lost."""
    file = file_of(engine.url)
    if file is None:
        return None
    target = first = file.with_name(f"{file.name}.before-{to}")
    number = 2
    while target.exists():
        target = first.with_name(f"{first.name}.{number}")
        number += 1
    snapshot.copy(file, target)
    return target


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config
