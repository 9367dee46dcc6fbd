"""``gridlock db``: looking after the web app's database."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import click

from gridlock import __version__
from gridlock.cli import kinds
from gridlock.cli.database import DATABASE, KEEP_DAYS, check_installed, read_database
from gridlock.cli.options import JSON
from gridlock.cli.settings import SettingsGroup
from gridlock.errors import StoreError, quote
from gridlock.files import typed_path

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from sqlalchemy.ext.asyncio import AsyncEngine

    from gridlock.web.snapshot import Progress

T = TypeVar("T")

_FILE = click.argument("file", callback=lambda _context, _parameter, text: typed_path(text))


@click.group(
    cls=SettingsGroup,
    short_help="Manage the web app's database.",
    epilog="Example: gridlock db backup games.backup --database games.db",
)
def db() -> None:
    """Manage the web app's database."""


@db.command(
    short_help="Upgrade the database to this version.",
    epilog="Example: gridlock db upgrade --database postgresql+asyncpg://me@localhost/games",
)
@DATABASE
def upgrade(database: str) -> None:
    """Upgrade the database to the schema that this version needs.

    With PostgreSQL, do this before servers of a new version start; the old ones may keep running.
    A file is copied, then upgraded, when its server starts.
    """

    async def run(engine: AsyncEngine) -> Path | None:
        from gridlock.web import migration
        from gridlock.web.database import sole_owner

        with sole_owner(engine.url):
            return await migration.upgrade(engine)

    _say_where_the_copy_is(_work("upgrade", database, run, may_be_new=True))
    click.echo("The database is up to date.")


@db.command(
    short_help="Downgrade the database to an earlier version.",
    epilog="Example: gridlock db downgrade 0001 --database games.db",
)
@click.argument("revision")
@DATABASE
def downgrade(revision: str, database: str) -> None:
    """Downgrade the database to an earlier REVISION, for an earlier version of GridLock.

    Stop every server first. A file is copied before the change.
    """

    async def run(engine: AsyncEngine) -> Path | None:
        from gridlock.web import migration
        from gridlock.web.database import sole_owner

        with sole_owner(engine.url):
            return await migration.downgrade(engine, revision)

    _say_where_the_copy_is(_work("downgrade", database, run))
    click.echo(f"The database is at revision {revision}.")


@db.command(
    short_help="Show its schema revision, and what to do.",
    epilog="Example: gridlock db current --database games.db",
)
@DATABASE
@JSON
def current(database: str, is_json: bool) -> None:
    """Show the revision of the database, the one that this version needs, and what to do."""

    async def run(engine: AsyncEngine) -> str | None:
        from gridlock.web import migration

        return await migration.current(engine)

    revision = _work("read", database, run)
    from gridlock.web import migration

    if is_json:
        result = {
            "revision": revision,
            "needed": migration.head(),
            "version": __version__,
            "standing": migration.judge(revision),
        }
        click.echo(json.dumps(result))
        return
    known, needed = migration.revisions(), migration.head()
    click.echo(f"The database: {_described(revision, known)}")
    click.echo(f"GridLock {__version__} needs: {_described(needed, known)}")
    click.echo(migration.advise(revision))


@db.command(
    short_help="Back it up to a file, while servers run.",
    epilog="Example: gridlock db backup games-monday.db --database games.db",
)
@_FILE
@DATABASE
@click.option("--force", is_flag=True, help="Replace an existing FILE.")
def backup(file: Path, database: str, force: bool) -> None:
    """Back up the whole database to FILE, while servers run.

    FILE is a SQLite file, even for PostgreSQL; gridlock db restore fills either kind from it.
    """

    async def run(engine: AsyncEngine) -> dict[str, int]:
        from gridlock.web.backup import back_up

        _check_differs(file, engine)
        if file.exists() and not force:
            raise StoreError(f"{quote(file)} exists already: --force replaces it")
        with _progress("Backing up") as on_progress:
            return await back_up(engine, file, on_progress)

    rows = _work("back up", database, run)
    click.echo(f"{_amount(rows)} are in {file} ({_size(file)}).")


@db.command(
    short_help="Restore it from a back-up.",
    epilog="Example: gridlock db restore games-monday.db --database games.db",
)
@_FILE
@DATABASE
@click.option("--replace", is_flag=True, help="Delete the rooms in the database first.")
def restore(file: Path, database: str, replace: bool) -> None:
    """Restore the database from FILE, a back-up of a database of either kind.

    Stop every server first. If anything fails, the database is unchanged.
    """

    async def run(engine: AsyncEngine) -> dict[str, int]:
        from gridlock.web import backup

        _check_differs(file, engine)
        with _progress("Restoring") as on_progress:
            return await backup.restore(file, engine, on_progress, replace=replace)

    rows = _work("restore", database, run, may_be_new=True)
    click.echo(f"{_amount(rows)} are in the database.")


@db.command(
    short_help="Delete old rooms.",
    epilog="Example: gridlock db prune --keep-days 90 --dry-run --database games.db",
)
@DATABASE
@click.option(
    "--keep-days",
    type=kinds.Whole(1, 36500),
    default=KEEP_DAYS,
    show_default=True,
    metavar="N",
    help="Keep rooms used within N days.",
)
@click.option("--dry-run", is_flag=True, help="Only show how many rooms would be deleted.")
def prune(database: str, keep_days: int, dry_run: bool) -> None:
    """Delete rooms that nobody has used for a long time; running servers do the same.

    A room is in use when anything happens in it, and while anybody has it open.
    """

    async def run(engine: AsyncEngine) -> tuple[int, int]:
        from gridlock.web import migration, retention

        await migration.check(engine)
        before = retention.cutoff(keep_days)
        old = await retention.count_old(engine, before)
        if dry_run:
            return old
        with _progress("Deleting") as on_progress:
            return await retention.prune(
                engine, before, lambda deleted: on_progress(deleted.rooms, old.rooms)
            )

    rooms, events = _work("prune", database, run)
    days = f"{keep_days:,} day{'' if keep_days == 1 else 's'}"
    if not rooms:
        click.echo(f"There is nothing to delete: every room was used in the last {days}.")
        return
    verb = "would be" if dry_run else "were"
    amount = _amount({"rooms": rooms, "events": events})
    click.echo(f"{amount} {verb} deleted: nobody has used them for {days}.")


@db.command(
    short_help="Delete a room, names and all.",
    context_settings={"ignore_unknown_options": True},  # ids of old rooms may begin with a dash
    epilog="Example: gridlock db forget https://play.example.org/room/kJ3x_0aZq1Vw",
)
@click.argument("rooms", metavar="ROOM...", nargs=-1, required=True)
@DATABASE
@click.option("--rematches", is_flag=True, help="Also delete the rematches that followed.")
def forget(rooms: tuple[str, ...], database: str, rematches: bool) -> None:
    """Delete a ROOM at once, names and all, while servers run; they close it within seconds.

    ROOM is its id or the address of its page. Earlier back-ups still contain it.
    """

    async def run(engine: AsyncEngine) -> None:
        from gridlock.web import migration, retention

        await migration.check(engine)
        waiting = [_room_id(text) for text in rooms]
        while waiting:
            room = waiting.pop(0)
            forgotten = await retention.forget(engine, room)
            if forgotten is None:
                raise StoreError(f"there is no room {quote(room)}")
            events = _plural(forgotten.events, "event")
            click.echo(f"Room {room} and its {events} are deleted.")
            if forgotten.has_traces:
                click.echo(
                    "Somebody is reading the database, so traces of it stay in its write-ahead log "
                    "until the server has written some more, or is closed.",
                    err=True,
                )
            if forgotten.rematch and rematches:
                waiting.append(forgotten.rematch)
            elif forgotten.rematch and forgotten.rematch not in waiting:
                click.echo(f"Its rematch is kept: room {forgotten.rematch}.")

    _work("forget rooms of", database, run)


def _work(
    what: str,
    database: str,
    work: Callable[[AsyncEngine], Awaitable[T]],
    *,
    may_be_new: bool = False,
) -> T:
    """Do something with a database; whatever fails there is one line."""
    check_installed(database)
    from sqlalchemy.exc import SQLAlchemyError

    from gridlock.web.database import connect, file_of, reason

    url = read_database(database)
    file = file_of(url)
    if file and not may_be_new and not file.exists():
        raise StoreError(f"there is no database {quote(file)}")

    async def run() -> T:
        engine = connect(url)
        try:
            return await work(engine)
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(f"cannot {what} the database: {reason(error)}") from error
        finally:
            await engine.dispose()

    return asyncio.run(run())


@contextlib.contextmanager
def _progress(what: str) -> Iterator[Progress]:
    """Show how far long work has come, on a terminal."""
    from rich.console import Console
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    with Bars(console=console, transient=True, disable=not sys.stderr.isatty()) as bars:
        task = bars.add_task(what, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


def _check_differs(file: Path, engine: AsyncEngine) -> None:
    from gridlock.web.database import file_of

    own = file_of(engine.url)
    if own and own.exists() and file.exists() and file.samefile(own):
        raise StoreError(f"{quote(file)} is the database itself")


def _room_id(text: str) -> str:
    """Return the id of a room, which may be written as the address of its page."""
    return urlsplit(text).path.rstrip("/").rpartition("/")[2] if "/" in text else text


def _say_where_the_copy_is(kept: Path | None) -> None:
    if kept:
        click.echo(f"As it was before, the database is in {kept}.")


def _described(revision: str | None, known: dict[str, str]) -> str:
    if revision is None:
        return "empty"
    return f"revision {revision}" + (f" ({known[revision]})" if revision in known else "")


def _amount(rows: dict[str, int]) -> str:
    return f"{_plural(rows['rooms'], 'room')} with {_plural(rows['events'], 'event')}"


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _size(file: Path) -> str:
    kilobytes = file.stat().st_size / 1e3
    return f"{kilobytes:,.0f} kB" if kilobytes < 1e3 else f"{kilobytes / 1e3:,.1f} MB"
