"""Back-ups: one SQLite file of whichever database, from which either kind can be filled again.

So games can also be moved from a file to PostgreSQL, and back.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, MetaData, Table, create_engine, func, insert, select, text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from gridlock import __version__
from gridlock.errors import StoreError, quote
from gridlock.web import migration, snapshot
from gridlock.web.database import file_of, refuse_servers, rooms, shown, sole_owner
from gridlock.web.migration import Standing, judge
from gridlock.web.snapshot import Progress

Rows = dict[str, int]
"""How many rows there are of each table."""

_AT_ONCE = 1000  # rows that are read and written together
_LOCK_SECONDS = 10
_REVISIONS = "alembic_version"  # a table that says of what shape the others are


async def back_up(engine: AsyncEngine, target: Path, on_progress: Progress) -> Rows:
    """Write all that a database holds at this moment to a file, while servers may go on.

    The file has the database's own revision, has been read back, and is there whole or not at all.
    Raises ``StoreError``.
    """
    if source := file_of(engine.url):
        _check_revision(await migration.current(engine))
        return snapshot.copy(source, target, on_progress)
    async with engine.connect() as connection:
        await connection.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        revision = _check_revision(await connection.run_sync(migration.read_revision))
        with snapshot.private_draft(target) as draft:
            with _connected(draft) as file:
                migration.take_steps(file, revision)
                rows = await _dump(connection, file, on_progress)
            snapshot.verify(draft, rows, target)
    return rows


async def restore(
    source: Path, engine: AsyncEngine, on_progress: Progress, *, replace: bool
) -> Rows:
    """Fill a database from a back-up, wholly or not at all.

    It gets the present shape, whichever the back-up has.  Raises ``StoreError``, above all where a
    server uses the database, or where it holds rooms which are not to be replaced.
    """
    target = file_of(engine.url)
    with tempfile.TemporaryDirectory(dir=target.absolute().parent if target else None) as folder:
        draft = Path(folder, "draft.db")
        snapshot.copy(source, draft)
        with _connected(draft) as file:
            _bring_up_to_date(file, source)
        if target is None:
            with _connected(draft) as file:
                return await _load(file, engine, on_progress, replace=replace)
        with sole_owner(engine.url):
            return _put_in_place(draft, target, on_progress, replace=replace)


def _check_revision(revision: str | None) -> str:
    """Return the revision of a database that this version can read, or raise ``StoreError``."""
    if revision is None or judge(revision) is Standing.NEWER:
        raise migration.refuse(revision)
    return revision


@contextlib.contextmanager
def _connected(file: Path) -> Iterator[Connection]:
    """Begin a transaction on a SQLite file that nobody else uses."""
    engine = create_engine(URL.create("sqlite", database=str(file)))
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def _tables(file: Connection) -> list[Table]:
    """Return the tables of a file that hold something, those that others refer to first."""
    metadata = MetaData()
    metadata.reflect(file)
    return [table for table in metadata.sorted_tables if table.name != _REVISIONS]


async def _dump(connection: AsyncConnection, file: Connection, on_progress: Progress) -> Rows:
    """Copy all rows of a database into the same tables of a file."""
    rows = {_REVISIONS: 1}
    tables = _tables(file)
    for table in tables:
        rows[table.name] = await connection.scalar(select(func.count()).select_from(table)) or 0
    done, total = 0, sum(rows.values())
    for table in tables:
        found = await connection.stream(select(table).order_by(*table.primary_key.columns))
        async for part in found.mappings().partitions(_AT_ONCE):
            file.execute(insert(table), [dict(row) for row in part])
            done += len(part)
            on_progress(done, total)
    return rows


def _bring_up_to_date(file: Connection, source: Path) -> None:
    """Give a copy of a back-up the present shape."""
    revision = migration.read_revision(file)
    match judge(revision):
        case Standing.EMPTY:
            raise StoreError(f"{quote(source)} is no back-up of GridLock")
        case Standing.NEWER:
            raise StoreError(
                f"{quote(source)} is at revision {revision}, which is newer than GridLock "
                f"{__version__}: install the version that made it"
            )
        case Standing.OLDER | Standing.CURRENT:
            migration.take_steps(file)


def _put_in_place(draft: Path, target: Path, on_progress: Progress, *, replace: bool) -> Rows:
    """Make a SQLite file what the draft is."""
    if not target.exists():
        return snapshot.copy(draft, target, on_progress)
    with snapshot.opened(target) as connection:
        held = snapshot.count(connection)
    if held and _REVISIONS not in held:
        raise StoreError(f"{quote(target)} is a database of something else than GridLock")
    if held.get("rooms") and not replace:
        raise _occupied(quote(target), held["rooms"])
    with snapshot.opened(draft) as origin:
        snapshot.overwrite(target, origin, on_progress)
        return snapshot.count(origin)


async def _load(
    file: Connection, engine: AsyncEngine, on_progress: Progress, *, replace: bool
) -> Rows:
    """Copy all rows of a file into the same tables of another database, in one transaction."""
    async with engine.begin() as connection:
        await refuse_servers(connection)
        revision = await connection.run_sync(migration.read_revision)
        if judge(revision) is Standing.NEWER:
            raise migration.refuse(revision)
        await connection.run_sync(migration.take_steps)
        await connection.execute(text(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'"))
        await connection.execute(text("LOCK TABLE rooms IN ACCESS EXCLUSIVE MODE"))
        if held := await connection.scalar(select(func.count()).select_from(rooms)):
            if not replace:
                raise _occupied(shown(engine.url), held)
            await connection.execute(text("TRUNCATE rooms CASCADE"))
        tables = _tables(file)
        counts = {t.name: file.scalar(select(func.count()).select_from(t)) or 0 for t in tables}
        done, total = 0, sum(counts.values())
        for table in tables:
            for part in file.execute(select(table)).mappings().partitions(_AT_ONCE):
                await connection.execute(insert(table), [dict(row) for row in part])
                done += len(part)
                on_progress(done, total)
        return counts


def _occupied(name: str, held: int) -> StoreError:
    plural = "" if held == 1 else "s"
    return StoreError(
        f"{name} holds {held:,} room{plural} already: --replace deletes what is there"
    )
