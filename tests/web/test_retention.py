"""Old rooms go, whole and without anybody waiting; rooms in use stay; a forgotten one is gone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event as sql_event
from sqlalchemy import insert, text
from websockets.exceptions import ConnectionClosed

from gridlock.cli.main import main
from gridlock.clock import milliseconds
from gridlock.web import database as database_module
from gridlock.web import database as tables
from gridlock.web import migration, retention
from gridlock.web import rooms as rooms_module
from gridlock.web.config import SearchLimits
from gridlock.web.database import SQLITE, events
from gridlock.web.database_access import Access
from gridlock.web.event import Act, Command
from gridlock.web.journal import Journal
from gridlock.web.retention import Deleted, Forgotten, Retention
from gridlock.web.rooms import NoRoomError, Rooms
from gridlock.web.searches import Searches
from tests.web.databases import (
    DAY,
    age,
    changed,
    contents,
    keep_room,
    opened,
)
from tests.web.forked import gridlock
from tests.web.rooms import ANN, BOB, INVITE, settings
from tests.web.services import Live, Server, asking, bearer, join_room, live, make_room, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import httpx
    from sqlalchemy.ext.asyncio import AsyncEngine

YEAR_AGO = 365

EAGER = """
from gridlock.web import rooms, retention
retention._FIRST = 0.5
retention._INTERVAL = 0.5
rooms._TRUST_SECONDS = 0.0
rooms._NOTING_TICKS = 1
"""
"""A server that deletes old rooms, and looks what is on disk, all the time."""


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_PAUSE", 0.0)


@contextlib.asynccontextmanager
async def rooms_of(engine: AsyncEngine) -> AsyncIterator[Rooms]:
    """Open a rooms of its own process on a database."""
    journal, searches = Journal(Access(engine)), Searches(SearchLimits(threads=1))
    rooms = Rooms(journal, searches, lambda *_: None)
    await journal.start()
    await rooms.start()
    try:
        yield rooms
    finally:
        searches.close()
        await rooms.stop()
        await journal.stop()


async def is_noted(engine: AsyncEngine, room: str) -> bool:
    """Tell whether the database knows that a room was used today."""
    return (await changed(engine, room) or 0) > milliseconds() - DAY


def test_old_rooms_are_deleted_whole_and_others_stay(database: str) -> None:
    async def scenario() -> None:
        async with opened(database) as engine:
            young = await keep_room(engine, 364)
            before = await contents(engine)
            old = [await keep_room(engine, 366) for _ in range(3)]
            cutoff = retention.cutoff(YEAR_AGO)
            assert await retention.count_old(engine, cutoff) == Deleted(3, 15)
            assert await retention.prune(engine, cutoff) == Deleted(3, 15)
            assert await contents(engine) == before
            assert await changed(engine, young)
            assert not any([await changed(engine, room) for room in old])
            assert await retention.prune(engine, cutoff) == Deleted(0, 0)

    asyncio.run(scenario())


def test_a_room_in_which_nothing_has_happened_is_as_old_as_itself(database: str) -> None:
    async def scenario() -> None:
        async with opened(database) as engine:
            async with rooms_of(engine) as rooms:
                room = await rooms.create(settings())
            assert await retention.prune(engine, retention.cutoff(YEAR_AGO)) == Deleted(0, 0)
            await age(engine, room.id, 366)
            assert await retention.prune(engine, retention.cutoff(YEAR_AGO)) == Deleted(1, 0)

    asyncio.run(scenario())


def test_a_room_whose_change_an_older_version_did_not_note_is_kept(database: str) -> None:
    async def scenario() -> None:
        async with opened(database) as engine:
            room = await keep_room(engine, 10)
            await age(engine, room, 400)
            assert await retention.count_old(engine, retention.cutoff(YEAR_AGO)) == Deleted(0, 0)
            assert await retention.prune(engine, retention.cutoff(YEAR_AGO)) == Deleted(0, 0)
            noted = await changed(engine, room)
            assert noted
            assert abs(milliseconds() - noted - 10 * DAY) < DAY

    asyncio.run(scenario())


def test_a_transaction_deletes_a_few_rooms_and_a_large_one_by_itself(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_MOST_EVENTS", 12)

    async def scenario() -> None:
        async with opened(database) as engine:
            for actions in (1, 1, 1, 1, 1, 18):
                await keep_room(engine, 400, actions=actions)
            seen: list[Deleted] = []
            deleted = await retention.prune(engine, retention.cutoff(YEAR_AGO), seen.append)
            assert deleted == seen[-1] == Deleted(6, 35)
            steps = [
                later.events - earlier.events
                for earlier, later in zip([Deleted(0, 0), *seen], seen, strict=False)
            ]
            assert max(steps) == 20
            assert all(step <= 12 for step in sorted(steps)[:-1])

    asyncio.run(scenario())


def test_several_processes_delete_each_room_once(database: str) -> None:
    async def scenario() -> None:
        async with opened(database) as one, opened(database) as two, opened(database) as three:
            for _ in range(200):
                await keep_room(one, 400, actions=1)
            cutoff = retention.cutoff(YEAR_AGO)
            found = await asyncio.gather(
                *(retention.prune(engine, cutoff) for engine in (one, two, three))
            )
            assert sum(deleted.rooms for deleted in found) == 200
            assert not any((await contents(one)).values())

    asyncio.run(scenario())


def test_a_room_in_which_somebody_is_acting_is_neither_waited_for_nor_deleted(
    database: str,
) -> None:
    async def scenario() -> None:
        async with opened(database) as engine:
            if engine.url.drivername == SQLITE:
                return  # one writes at a time: whoever acts has done so, or the room is gone
            room, other = await keep_room(engine, 400), await keep_room(engine, 400)
            async with engine.begin() as acting:  # as an older version does: the row stays as it is
                fact = json.dumps({"version": 6, "at": milliseconds(), "type": "declined"})
                row = {"room": room, "version": 6, "event": fact}
                await acting.execute(insert(events), row)
                cutoff = retention.cutoff(YEAR_AGO)
                assert await retention.prune(engine, cutoff) == Deleted(1, 5)
            assert await retention.prune(engine, cutoff) == Deleted(0, 0)
            assert await changed(engine, room)
            assert not await changed(engine, other)

    asyncio.run(scenario())


def test_old_rooms_are_found_by_an_index(database: str) -> None:
    async def scenario() -> None:
        async with opened(database) as engine:
            is_sqlite = engine.url.drivername == SQLITE
            row = {"made": 1, "settings": "", "changed": 2**50, "awaits_computer": False}
            async with engine.begin() as connection:
                for begin in range(0, 20_000, 1000):
                    some = [{"id": str(begin + n), **row} for n in range(1000)]
                    await connection.execute(insert(tables.rooms), some)
            async with engine.connect() as connection:
                await connection.execute(text("ANALYZE"))
                asked: list[tuple[str, object]] = []
                sql_event.listen(
                    engine.sync_engine,
                    "before_cursor_execute",
                    lambda _c, _u, statement, given, _x, _m: asked.append((statement, given)),
                )
                await connection.execute(retention._LOCK_OLD, {"before": 1000})
                statement, given = asked[0]
                word = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
                found = await connection.exec_driver_sql(f"{word} {statement}", given)  # type: ignore[arg-type]
                plan = " ".join(str(column) for line in found for column in line)
                assert "rooms_awaits_computer" in plan, plan
                assert "changed" in plan, plan

    asyncio.run(scenario())


@pytest.fixture
def attentive(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rooms that looks what is on disk, and notes what is in use, all the time."""
    monkeypatch.setattr(rooms_module, "_TRUST_SECONDS", 0.0)
    monkeypatch.setattr(rooms_module, "_NOTING_TICKS", 1)


@pytest.mark.usefixtures("attentive")
def test_a_room_in_which_anything_happens_does_not_grow_old(database: str) -> None:
    async def scenario() -> None:
        async with opened(database) as engine, rooms_of(engine) as rooms:
            room = (await rooms.create(settings())).id
            await rooms.join(room, INVITE, "Bob", BOB)
            await age(engine, room, 2)
            rooms._open[room].used -= 2 * DAY
            await rooms.act(room, ANN, Act("1", 0, Command.PLAY, "1,1"))
            await until(lambda: is_noted(engine, room))
            await age(engine, room, 2)
            async with rooms_of(engine) as later:
                await later.act(room, BOB, Act("1", 1, Command.PLAY, "5,5"))
                await until(lambda: is_noted(engine, room))

    asyncio.run(scenario())


@pytest.mark.usefixtures("attentive")
def test_a_room_that_somebody_has_open_does_not_grow_old(database: str) -> None:
    async def scenario() -> None:
        async with opened(database) as engine:
            room, other = await keep_room(engine, 400), await keep_room(engine, 400)
            async with rooms_of(engine) as rooms:
                await rooms.room(room)

                await until(lambda: is_noted(engine, room))
            assert await retention.prune(engine, retention.cutoff(YEAR_AGO)) == Deleted(1, 5)
            assert not await changed(engine, other)

    asyncio.run(scenario())


def test_what_is_in_memory_is_gone_soon_after_it_was_deleted(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(database) as engine, rooms_of(engine) as rooms:
            room = (await rooms.create(settings())).id
            await rooms.join(room, INVITE, "Bob", BOB)
            assert await retention.forget(engine, room) == Forgotten(2, None)
            with pytest.raises(NoRoomError):
                await rooms.act(room, ANN, Act("1", 0, Command.PLAY, "1,1"))
            room = (await rooms.create(settings())).id
            await rooms.room(room)
            assert await retention.forget(engine, room) == Forgotten(0, None)
            monkeypatch.setattr(rooms_module, "_TRUST_SECONDS", 0.0)
            with pytest.raises(NoRoomError):
                await rooms.room(room)
            assert await retention.forget(engine, room) is None

    asyncio.run(scenario())


def test_a_room_is_forgotten_with_names_and_all(database: str) -> None:
    async def scenario() -> None:
        async with opened(database) as engine:
            await keep_room(engine)
            before = await contents(engine)
            room = await keep_room(engine)
            assert await retention.forget(engine, room) == Forgotten(5, None)
            assert await contents(engine) == before

    asyncio.run(scenario())


def test_nothing_of_a_forgotten_room_is_left_in_the_file_or_its_log(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            made = await make_room(client, opponent="friend", name="Rumpelstiltskin")
            await make_room(client, opponent="friend", name="Ann")
            joined = await join_room(client, made, "Zwerg Nase")
            assert joined["state"]["seats"][0]["name"] == "Rumpelstiltskin"
            assert left("Rumpelstiltskin")
            done = gridlock("db", "forget", made["state"]["room"], "--database", str(file))
            assert done.returncode == 0, done.stderr
            assert not left("Rumpelstiltskin")
            assert not left("Zwerg Nase")
            assert left("Ann")

    def left(name: str) -> list[Path]:
        kept = [path for path in tmp_path.iterdir() if path.name.startswith(file.name)]
        return [path for path in kept if name.encode() in path.read_bytes()]

    file = tmp_path / "web.db"
    with Server(tmp_path / "log", "--database", str(file), "--no-limits") as server:
        asyncio.run(scenario(server))


def test_a_log_that_somebody_reads_is_emptied_when_they_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(retention, "_PAUSE", 0.05)

    async def scenario() -> None:
        async with opened(str(tmp_path / "web.db")) as engine, engine.connect() as reader:
            await migration.upgrade(engine)
            first, second = await keep_room(engine), await keep_room(engine)
            await reader.exec_driver_sql("BEGIN")
            await reader.execute(text("SELECT * FROM rooms"))
            monkeypatch.setattr(retention, "_MOST_TRIES", 2)
            assert await retention.forget(engine, first) == Forgotten(5, None, has_traces=True)
            monkeypatch.setattr(retention, "_MOST_TRIES", 10_000)
            forgetting = asyncio.create_task(retention.forget(engine, second))
            await asyncio.sleep(0.2)
            assert not forgetting.done()
            await reader.rollback()
            assert await forgetting == Forgotten(5, None)

    asyncio.run(scenario())


def test_whoever_forgets_a_room_is_told_of_traces_that_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def keep() -> str:
        async with opened(str(tmp_path / "web.db")) as engine:
            await migration.upgrade(engine)
            return await keep_room(engine)

    async def is_empty(_: AsyncEngine) -> bool:
        return False

    room = asyncio.run(keep())
    monkeypatch.setattr(retention, "_empty_log", is_empty)
    with pytest.raises(SystemExit):
        main(["db", "forget", room, "--database", str(tmp_path / "web.db")])
    told = capsys.readouterr()
    assert told.out == f"Room {room} and its 5 events are deleted.\n"
    assert "traces of it stay in its write-ahead log" in told.err


def test_a_running_server_deletes_old_rooms_but_not_those_that_are_open(tmp_path: Path) -> None:
    file, log, signal = tmp_path / "web.db", tmp_path / "log", tmp_path / "go"
    options = ("--database", str(file), "--no-limits", "--log", "info", "--keep-days", "30")

    async def scenario() -> None:
        async with opened(str(file)) as engine:
            await migration.upgrade(engine)
            used, idle = [await keep_room(engine, 31) for _ in range(2)]
            with Server(log, *options, before=EAGER + waiting_for(signal)) as server:
                async with asking(server) as client, live(server, used):
                    await until(lambda: is_noted(engine, used))
                    signal.touch()
                    await until(lambda: 1 in counts())
                    assert (await client.get(f"/api/rooms/{idle}")).status_code == 404
                    assert (await client.get(f"/api/rooms/{used}")).status_code == 200

    def counts() -> list[int]:
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        return [line["rooms"] for line in lines if line["message"] == "old rooms deleted"]

    asyncio.run(scenario())
    assert sum(counts()) == 1


def waiting_for(signal: Path) -> str:
    """Return Python that lets a server delete nothing before there is a file."""
    return f"""
import asyncio, os
prune = retention.prune
async def prune_later(*arguments):
    while not os.path.exists({str(signal)!r}):
        await asyncio.sleep(0.05)
    return await prune(*arguments)
retention.prune = prune_later
"""


def test_rooms_are_kept_for_ever_where_the_operator_wants_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(str(tmp_path / "web.db")) as engine:
            keeping = Retention(engine, keep_days=0)
            await keeping.start()
            assert keeping._task is None
            await keeping.stop()

    asyncio.run(scenario())


def test_a_database_that_fails_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(retention, "_FIRST", 0.0)
    monkeypatch.setattr(retention, "_INTERVAL", 0.01)

    async def scenario() -> None:
        async with opened(str(tmp_path / "web.db")) as engine:
            keeping = Retention(engine, keep_days=30)
            await keeping.start()
            await until(lambda: "old rooms cannot be deleted now" in caplog.text)
            await migration.upgrade(engine)
            room = await keep_room(engine, 31)

            async def is_gone() -> bool:
                return await changed(engine, room) is None

            await until(is_gone)
            await keeping.stop()

    asyncio.run(scenario())


async def act_or_watch(player: Live, is_acting: bool) -> None:
    """Do what the page does, until the connection is closed."""
    if is_acting:
        await player.play(1, "3,3")
    while not is_acting:
        await player.say(type="ping")
        await player.hear("pong")


@pytest.mark.parametrize("is_acting", [True, False])
def test_whoever_is_in_a_room_that_is_forgotten_is_told_that_it_is_gone(
    tmp_path: Path, is_acting: bool
) -> None:
    file = tmp_path / "web.db"

    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            made = await make_room(client, opponent="self")
            room = made["state"]["room"]
            async with live(server, room, made["token"]) as player:
                await player.play(0, "1,1")
                address = f"{server.url}/room/{room}"
                done = gridlock("db", "forget", address, "--database", str(file))
                assert done.stdout == f"Room {room} and its 2 events are deleted.\n", done.stderr
                with pytest.raises(ConnectionClosed) as closed:
                    await act_or_watch(player, is_acting)
                assert closed.value.rcvd
                assert closed.value.rcvd.code == 4404
            assert (await client.get(f"/api/rooms/{room}")).status_code == 404

    with Server(tmp_path / "log", "--database", str(file), "--no-limits", before=EAGER) as server:
        asyncio.run(scenario(server))


def test_whoever_only_listens_in_a_room_that_is_forgotten_is_told_too(
    database: str, tmp_path: Path
) -> None:
    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            made, other = [await make_room(client, opponent="self") for _ in range(2)]
            room = made["state"]["room"]
            async with live(server, room) as watcher, live(server, other["state"]["room"]) as kept:
                done = gridlock("db", "forget", room, "--database", database)
                assert done.returncode == 0, done.stderr
                with pytest.raises(ConnectionClosed) as closed:
                    await watcher.hear("nothing")
                assert closed.value.rcvd
                assert closed.value.rcvd.code == 4404
                await kept.say(type="ping")
                await kept.hear("pong")

    with Server(tmp_path / "log", "--database", database, "--no-limits") as server:
        asyncio.run(scenario(server))
    assert server.log.read_text() == ""


@pytest.mark.long
def test_play_goes_on_while_old_rooms_are_deleted(tmp_path: Path) -> None:
    file = tmp_path / "web.db"

    async def play(client: httpx.AsyncClient, made: dict[str, str], is_over: asyncio.Event) -> int:
        path, headers = f"/api/rooms/{made['room']}/actions", bearer(made["token"])
        done = 0
        while not is_over.is_set():
            for do, cell, ply in (("play", "1,1", 0), ("undo", None, 1)):
                act = {"id": f"{done} {do}", "ply": ply, "do": do, "cell": cell}
                answer = await client.post(path, json=act, headers=headers)
                assert answer.status_code == 200, answer.text
            done += 1
        return done

    async def scenario(server: Server) -> None:
        async with asking(server) as client, opened(str(file)) as engine:
            for _ in range(300):
                await keep_room(engine, 400)
            made = [await make_room(client, opponent="self") for _ in range(5)]
            rooms_ = [{"room": one["state"]["room"], "token": one["token"]} for one in made]
            is_over = asyncio.Event()
            playing = [asyncio.create_task(play(client, one, is_over)) for one in rooms_]
            done = await asyncio.to_thread(gridlock, "db", "prune", "--database", str(file))
            is_over.set()
            assert all([await task > 0 for task in playing])
            assert done.stdout == (
                "300 rooms with 1,500 events were deleted: nobody has used them for 365 days.\n"
            ), done.stderr
        with sqlite3.connect(file) as connection:
            kept = {room for (room,) in connection.execute("SELECT id FROM rooms")}
        connection.close()
        assert kept == {one["room"] for one in rooms_}

    with Server(tmp_path / "log", "--database", str(file), "--no-limits") as server:
        asyncio.run(scenario(server))
