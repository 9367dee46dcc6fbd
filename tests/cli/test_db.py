"""``gridlock db``: what a person reads, and the exit codes."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from gridlock import __version__
from gridlock.web import migration, retention
from gridlock.web.database import connect, read_url
from gridlock.web.database_access import Access
from gridlock.web.event import Event, EventType
from gridlock.web.journal import Entry, Journal
from tests.web.databases import keep_room

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

UNREACHABLE = "postgresql+asyncpg://nobody:secret@127.0.0.1:1/games"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with a room of today and one that was last used 400 days ago."""
    monkeypatch.setattr(retention, "_PAUSE", 0.0)
    path = tmp_path / "web.db"
    asyncio.run(furnish(path, 0, 400))
    return path


async def furnish(path: Path, *days: int) -> list[str]:
    """Keep rooms of some ages in a file, and return their ids."""
    engine = connect(read_url(str(path)))
    try:
        await migration.upgrade(engine)
        return [await keep_room(engine, age) for age in days]
    finally:
        await engine.dispose()


def test_a_database_is_upgraded(run: Run, tmp_path: Path) -> None:
    database = ("--database", str(tmp_path / "web.db"))
    for _ in range(2):
        assert run("db", "upgrade", *database).out == "The database is up to date.\n"


def test_whoever_upgrades_or_downgrades_a_file_is_told_where_its_copy_is(
    run: Run, file: Path
) -> None:
    done = run("db", "downgrade", "0001", "--database", str(file))
    assert done.out.splitlines() == [
        f"As it was before, the database is in {file}.before-0001.",
        "The database is at revision 0001.",
    ]
    done = run("db", "upgrade", "--database", str(file))
    assert done.out.splitlines() == [
        f"As it was before, the database is in {file}.before-{migration.head()}.",
        "The database is up to date.",
    ]


def test_the_revisions_of_the_database_and_of_the_program_are_said(run: Run, file: Path) -> None:
    database = ("--database", str(file))
    head, told = migration.head(), migration.revisions()
    assert run("db", "current", *database).out.splitlines() == [
        f"The database: revision {head} ({told[head]})",
        f"GridLock {__version__} needs: revision {head} ({told[head]})",
        "The database is up to date.",
    ]
    assert json.loads(run("db", "current", "--json", *database).out) == {
        "revision": head,
        "needed": head,
        "version": __version__,
        "standing": "current",
    }
    run("db", "downgrade", "0001", *database)
    assert run("db", "current", *database).out.splitlines()[-1] == (
        f"The database is at revision 0001, and this version of GridLock needs {head}: "
        "run gridlock db upgrade with the same --database."
    )
    file.unlink()
    file.touch()
    shown = run("db", "current", *database).out.splitlines()
    assert shown[0] == "The database: empty"
    assert shown[-1] == "The database is empty: run gridlock db upgrade with the same --database."


def test_a_back_up_is_made_and_restored(run: Run, file: Path, tmp_path: Path) -> None:
    copy, other = tmp_path / "copy.db", tmp_path / "other.db"
    database = ("--database", str(file))
    made = run("db", "backup", str(copy), *database)
    assert made.out.startswith(f"2 rooms with 10 events are in {copy} (")
    restored = run("db", "restore", str(copy), "--database", str(other))
    assert restored.out == "2 rooms with 10 events are in the database.\n"
    refused = run("db", "restore", str(copy), "--database", str(other))
    assert refused.code == 1
    assert refused.error_lines == [
        f"gridlock: '{other}' holds 2 rooms already: --replace deletes what is there"
    ]
    assert run("db", "restore", str(copy), "--replace", "--database", str(other)).code == 0


def test_no_file_is_overwritten_unless_that_is_wanted(run: Run, file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("mine")
    database = ("--database", str(file))
    refused = run("db", "backup", str(copy), *database)
    assert refused.code == 1
    assert refused.error_lines == [f"gridlock: '{copy}' exists already: --force replaces it"]
    assert copy.read_text() == "mine"
    assert run("db", "backup", str(copy), "--force", *database).code == 0
    for command in (("backup", str(file), "--force"), ("restore", str(file), "--replace")):
        refused = run("db", *command, *database)
        assert refused.error_lines == [f"gridlock: '{file}' is the database itself"]


def test_old_rooms_are_counted_and_then_deleted(run: Run, file: Path) -> None:
    database = ("--database", str(file))
    told = "1 room with 5 events {} deleted: nobody has used them for 365 days.\n"
    for _ in range(2):
        assert run("db", "prune", "--dry-run", *database).out == told.format("would be")
    assert run("db", "prune", *database).out == told.format("were")
    nothing = "There is nothing to delete: every room was used in the last 1 day.\n"
    assert run("db", "prune", "--keep-days", "1", *database).out == nothing
    assert run("db", "prune", "--keep-days", "0", *database).code == 2


def test_rooms_are_forgotten_by_their_ids_or_addresses(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "web.db"
    one, two, three = asyncio.run(furnish(file, 0, 0, 0))
    database = ("--database", str(file))
    done = run("db", "forget", one, f"https://play.example.org/room/{two}?x#y", *database)
    assert done.out.splitlines() == [
        f"Room {one} and its 5 events are deleted.",
        f"Room {two} and its 5 events are deleted.",
    ]
    again = run("db", "forget", one, *database)
    assert again.code == 1
    assert again.error_lines == [f"gridlock: there is no room '{one}'"]
    assert run("db", "forget", "-x", *database).error_lines == ["gridlock: there is no room '-x'"]
    assert run("db", "forget", three, *database).code == 0


@pytest.mark.parametrize("is_meant", [True, False])
def test_a_rematch_is_forgotten_only_if_that_is_wanted(
    run: Run, tmp_path: Path, is_meant: bool
) -> None:
    file = tmp_path / "web.db"
    one, two = asyncio.run(furnish(file, 0, 0))
    asyncio.run(rematch(file, one, two))
    options = ("--rematches",) * is_meant
    done = run("db", "forget", one, *options, "--database", str(file))
    assert done.out.splitlines() == [
        f"Room {one} and its 6 events are deleted.",
        f"Room {two} and its 5 events are deleted."
        if is_meant
        else f"Its rematch is kept: room {two}.",
    ]


async def rematch(file: Path, room: str, other: str) -> None:
    """Let a room go on in another one."""
    engine = connect(read_url(str(file)))
    entry = Entry()
    entry.add_events(room, [Event(6, 1, EventType.REMATCHED, room=other)])
    await Journal(Access(engine))._commit([entry])
    await engine.dispose()


@pytest.mark.parametrize(
    "command",
    [("current",), ("backup", "copy.db"), ("prune",), ("forget", "room"), ("downgrade", "0001")],
)
def test_a_database_that_does_not_exist_is_not_made(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    typo = tmp_path / "typo.db"
    refused = run("db", *command, "--database", str(typo))
    assert refused.code == 1
    assert refused.error_lines == [f"gridlock: there is no database '{typo}'"]
    assert not list(tmp_path.glob("typo*"))


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("upgrade",), "cannot upgrade the database: "),
        (("current",), "cannot read the database: "),
        (("backup", "copy.db"), "cannot back up the database: "),
        (("prune",), "cannot prune the database: "),
        (("forget", "room"), "cannot forget rooms of the database: "),
    ],
)
def test_a_database_that_cannot_be_reached_is_one_line_without_its_password(
    run: Run, command: tuple[str, ...], told: str
) -> None:
    refused = run("db", *command, "--database", UNREACHABLE)
    assert refused.code == 1
    assert len(refused.error_lines) == 1
    assert told in refused.err
    assert "secret" not in refused.err
