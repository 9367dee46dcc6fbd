"""A back-up has everything, whichever database it is of, and fills one of either kind."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sqlite3
from typing import TYPE_CHECKING

import msgspec
import pytest

from gridlock.errors import BusyError, StoreError
from gridlock.web import backup, migration, snapshot
from gridlock.web.database import connect, read_url, sole_owner
from gridlock.web.event import Event
from gridlock.web.room import Room
from gridlock.web.settings import Settings
from gridlock.web.snapshot import ignore_progress
from tests.web.databases import KINDS, contents, keep_room, new_url, opened
from tests.web.forked import gridlock
from tests.web.services import Server, asking, bearer, make_room, until
from tests.web.test_migration import next_version

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import httpx
    from sqlalchemy.ext.asyncio import AsyncEngine

    from tests.web.services import Json


class StoppedError(Exception):
    """Somebody has pressed Ctrl-C, or the machine has failed."""


def interrupt(_done: int, _total: int) -> None:
    raise StoppedError


@pytest.fixture
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Returns the address of an empty database of a kind."""
    return lambda kind: new_url(kind, tmp_path, request)


async def back_up(engine: AsyncEngine, file: Path) -> dict[str, int]:
    return await backup.back_up(engine, file, ignore_progress)


async def restore(file: Path, engine: AsyncEngine, *, replace: bool = False) -> dict[str, int]:
    return await backup.restore(file, engine, ignore_progress, replace=replace)


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_of_either_kind_is_filled_from_one_of_either_kind(
    database: str, kind: str, empty: Callable[[str], str], tmp_path: Path
) -> None:
    file = tmp_path / "copy"
    other = empty(kind)

    async def scenario() -> None:
        async with opened(database) as one, opened(other) as two:
            for days in range(3):
                await keep_room(one, days)
            before = await contents(one)
            rows = {table: len(held) for table, held in before.items()}
            assert await back_up(one, file) == {**rows, "alembic_version": 1}
            await keep_room(one)
            restored = await restore(file, two)
            assert {table: restored[table] for table in rows} == rows
            assert await contents(two) == before
            await migration.check(two)

    asyncio.run(scenario())


def test_a_back_up_is_one_file_that_only_its_owner_reads(database: str, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()

    async def scenario() -> None:
        async with opened(database) as engine:
            await keep_room(engine)
            await back_up(engine, folder / "copy")
            before = await contents(engine)
        (found,) = folder.iterdir()
        assert found.stat().st_mode & 0o777 == 0o600
        async with opened(str(found)) as engine:  # and it can be served as it is
            assert await contents(engine) == before

    asyncio.run(scenario())


def test_a_back_up_that_is_interrupted_leaves_what_was_there(database: str, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    file = folder / "copy"
    file.write_text("the copy of yesterday")

    async def scenario() -> None:
        async with opened(database) as engine:
            await keep_room(engine)
            with pytest.raises(StoppedError):
                await backup.back_up(engine, file, interrupt)

    asyncio.run(scenario())
    assert [path.read_text() for path in folder.iterdir()] == ["the copy of yesterday"]


def test_a_database_that_holds_rooms_is_filled_only_if_they_are_to_be_replaced(
    database: str, tmp_path: Path
) -> None:
    file = tmp_path / "copy"

    async def scenario() -> None:
        async with opened(database) as engine:
            await keep_room(engine)
            before = await contents(engine)
            await back_up(engine, file)
            await keep_room(engine)
            later = await contents(engine)
            with pytest.raises(StoreError, match=r"holds 2 rooms already: --replace deletes"):
                await restore(file, engine)
            assert await contents(engine) == later
            await restore(file, engine, replace=True)
            assert await contents(engine) == before

    asyncio.run(scenario())


def test_a_restore_that_is_interrupted_changes_nothing(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_AT_ONCE", 2)
    monkeypatch.setattr(snapshot, "_PAGES", 2)
    file = tmp_path / "copy"

    async def scenario() -> None:
        async with opened(database) as engine:
            for _ in range(3):
                await keep_room(engine)
            await back_up(engine, file)
            await keep_room(engine)
            later = await contents(engine)
            with pytest.raises(StoppedError):
                await backup.restore(file, engine, interrupt, replace=True)
            assert await contents(engine) == later

    asyncio.run(scenario())


@pytest.mark.parametrize("kind", KINDS)
def test_a_back_up_of_an_older_shape_is_brought_to_the_present_one(
    database: str,
    kind: str,
    empty: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "copy"
    other = empty(kind)

    async def scenario() -> None:
        async with opened(database) as one, opened(other) as two:
            await keep_room(one)
            before = await contents(one)
            monkeypatch.setattr(migration, "_FOLDER", next_version(tmp_path))
            await back_up(one, file)
            await restore(file, two)
            assert await migration.current(two) == "9999"
            assert await contents(two) == before

    asyncio.run(scenario())


def test_a_back_up_that_is_newer_or_none_or_damaged_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer, plain, damaged = (tmp_path / name for name in ("newer", "plain", "damaged"))

    async def scenario() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(migration, "_FOLDER", next_version(tmp_path))
            async with opened(str(newer)) as engine:
                await migration.upgrade(engine)
        async with opened(str(damaged)) as engine:
            await migration.upgrade(engine)
            for _ in range(50):
                await keep_room(engine)
        content = bytearray(damaged.read_bytes())
        content[8192:40_000] = b"\xff" * (40_000 - 8192)
        damaged.write_bytes(content)
        with contextlib.closing(sqlite3.connect(plain)) as connection:
            connection.execute("CREATE TABLE recipes (name TEXT)")
        for file, told in (
            (newer, "is at revision 9999, which is newer than GridLock"),
            (plain, "is no back-up of GridLock"),
            (damaged, "damaged|malformed"),
            (tmp_path / "nowhere", "there is no database"),
        ):
            async with opened(str(tmp_path / "web.db")) as engine:
                with pytest.raises(StoreError, match=told):
                    await restore(file, engine)
        assert not (tmp_path / "web.db").exists()
        async with opened(str(tmp_path / "source")) as source, opened(str(plain)) as engine:
            await migration.upgrade(source)
            with pytest.raises(StoreError, match="a database of something else than GridLock"):
                await restore(tmp_path / "source", engine, replace=True)

    asyncio.run(scenario())


def test_a_row_without_its_room_is_damage(tmp_path: Path) -> None:
    file = tmp_path / "web.db"

    async def scenario() -> None:
        async with opened(str(file)) as engine:
            await migration.upgrade(engine)
            with contextlib.closing(sqlite3.connect(file)) as connection:
                connection.execute("INSERT INTO events VALUES ('nowhere', 1, '')")
                connection.commit()
            with pytest.raises(StoreError, match="a row of events without its rooms"):
                await back_up(engine, tmp_path / "copy")

    asyncio.run(scenario())
    assert not (tmp_path / "copy").exists()


def test_a_copy_that_is_not_what_was_read_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "overwrite", lambda *_: None)

    async def scenario() -> None:
        async with opened(str(tmp_path / "web.db")) as engine:
            await migration.upgrade(engine)
            with pytest.raises(StoreError, match="is not what was read: try again"):
                await back_up(engine, tmp_path / "copy")

    asyncio.run(scenario())
    assert not (tmp_path / "copy").exists()


def test_nothing_is_restored_while_a_server_has_the_database(database: str, tmp_path: Path) -> None:
    file = tmp_path / "copy"

    async def scenario() -> None:
        async with opened(database) as engine:
            await back_up(engine, file)
            server = connect(read_url(database), is_serving=True)
            with sole_owner(server.url):
                async with server.connect():
                    with pytest.raises(BusyError, match="stop (it|all of them) first"):
                        await restore(file, engine, replace=True)
            await server.dispose()
            await restore(file, engine, replace=True)

    asyncio.run(scenario())


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_that_was_never_used_has_nothing_to_back_up(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = new_url(kind, tmp_path, request)

    async def scenario() -> None:
        async with opened(url) as engine:
            with pytest.raises(StoreError, match="the database is empty: run gridlock db"):
                await back_up(engine, tmp_path / "copy")

    asyncio.run(scenario())


class Player:
    """Plays and takes back in a room of its own, and knows what was confirmed."""

    def __init__(self, client: httpx.AsyncClient, made: Json) -> None:
        self._client = client
        self.room: str = made["state"]["room"]
        self._token: str = made["token"]
        self.confirmed = 0

    async def play(self) -> None:
        path = f"/api/rooms/{self.room}/actions"
        for number in itertools.count():
            for do, cell, ply in (("play", "1,1", 0), ("undo", None, 1)):
                act = {"id": f"{number} {do}", "ply": ply, "do": do, "cell": cell}
                answer = await self._client.post(path, json=act, headers=bearer(self._token))
                assert answer.status_code == 200, answer.text
                self.confirmed = answer.json()["state"]["view"]["version"]


@pytest.mark.long
def test_a_back_up_under_play_has_all_that_was_confirmed_and_whole_rooms(
    database: str, empty: Callable[[str], str], tmp_path: Path
) -> None:
    other = empty("sqlite" if "://" in database else "postgresql")
    files = [tmp_path / "first", tmp_path / "second"]

    async def scenario(server: Server) -> list[dict[str, int]]:
        async with asking(server) as client:
            made = [await make_room(client, opponent="self") for _ in range(8)]
            players = [Player(client, one) for one in made]
            confirmed = []
            async with asyncio.TaskGroup() as tasks:
                playing = [tasks.create_task(player.play()) for player in players]
                for file in files:
                    await until(lambda: all(player.confirmed for player in players))
                    confirmed.append({player.room: player.confirmed for player in players})
                    done = await asyncio.to_thread(
                        gridlock, "db", "backup", str(file), "--database", database
                    )
                    assert done.returncode == 0, done.stderr
                for task in playing:
                    task.cancel()
            return confirmed

    async def check(confirmed: dict[str, int]) -> None:
        async with opened(other) as engine:
            held = await contents(engine)
        assert {row[0] for row in held["rooms"]} == set(confirmed)
        for id_, _, settings, *_ in held["rooms"]:
            found = sorted((row[1], row[2]) for row in held["events"] if row[0] == id_)
            versions = [version for version, _ in found]
            assert versions == list(range(1, len(found) + 1))
            assert versions[-1] >= confirmed[id_]
            happened = [msgspec.json.decode(event, type=Event) for _, event in found]
            assert Room(id_, msgspec.json.decode(settings, type=Settings), happened).version

    with Server(tmp_path / "log", "--database", database, "--no-limits") as server:
        confirmed = asyncio.run(scenario(server))
    for file, known in zip(files, confirmed, strict=True):
        done = gridlock("db", "restore", str(file), "--database", other, "--replace")
        assert done.returncode == 0, done.stderr
        asyncio.run(check(known))
    with Server(tmp_path / "log", "--database", other, "--no-limits") as server:
        asyncio.run(look(server, confirmed[-1]))


async def look(server: Server, confirmed: dict[str, int]) -> None:
    """See that a server shows all rooms of a restored database."""
    async with asking(server) as client:
        for room, version in confirmed.items():
            state = (await client.get(f"/api/rooms/{room}")).json()
            assert state["view"]["version"] >= version
