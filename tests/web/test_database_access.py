"""A database that is cut off, frozen or locked: quick answers meanwhile, and recovery by itself."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy.engine import make_url
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from gridlock.web.close_code import TRY_LATER
from tests.web.cable import Cable
from tests.web.forked import gridlock
from tests.web.services import (
    PATIENCE,
    Json,
    Live,
    Server,
    Service,
    asking,
    bearer,
    check_problem,
    configured,
    join_room,
    live,
    make_room,
    new_database,
    run_postgresql,
    until,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import httpx

NAME = "Marker Ann"
IMPATIENT = configured("timeouts=Timeouts(question=1.5, connect=1.5)")

HURRIED = """
from gridlock.web import database
database.BUSY_SECONDS = 1.0
"""
"""A process that does not wait long for a lock of SQLite's."""


class Broken(NamedTuple):
    """A server, and how its database fails and recovers."""

    server: Server
    fail: Callable[[], object]
    mend: Callable[[], object]


@pytest.fixture(scope="module")
def own_postgresql() -> Iterator[Service]:
    """A PostgreSQL that can be stopped: no other test uses it."""
    with run_postgresql("fsync=off") as service:
        yield service


@pytest.fixture(params=["cut", "freeze", "slow", "frozen", "ended"])
def broken(
    request: pytest.FixtureRequest, own_postgresql: Service, tmp_path: Path
) -> Iterator[Broken]:
    """A server whose PostgreSQL is cut off, behind a cable that is frozen or slow, or stopped.

    Stopped is frozen, with its connections open, or ended and started again.
    """
    direct = asyncio.run(new_database(own_postgresql.url))
    done = gridlock("db", "upgrade", "--database", direct)
    assert done.returncode == 0, done.stderr
    cable = Cable(make_url(direct).port or 0)
    url = make_url(direct).set(port=cable.port).render_as_string(hide_password=False)
    options = ("--database", url, "--no-limits", "--log", "info")
    try:
        with Server(tmp_path / "log", *options, before=IMPATIENT) as server:
            fail, mend = {
                "cut": (cable.cut, cable.mend),
                "freeze": (cable.freeze, cable.mend),
                "slow": (cable.slow, cable.mend),
                "frozen": (own_postgresql.freeze, own_postgresql.thaw),
                "ended": (own_postgresql.stop, own_postgresql.start),
            }[request.param]
            yield Broken(server, fail, mend)
    finally:
        cable.mend()
        own_postgresql.thaw()
        cable.close()


def read_log(server: Server) -> list[Json]:
    return [json.loads(line) for line in server.log.read_text().splitlines()]


async def close_code(connection: Live) -> int | None:
    """Wait until a connection is closed, and return its code."""
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionClosed):
            while True:
                await connection.socket.recv()
    return connection.socket.close_code


async def is_ready(client: httpx.AsyncClient) -> bool:
    return (await client.get("/readyz")).status_code == 200


def test_while_postgresql_is_away_everybody_is_told_so_and_afterwards_it_works(
    broken: Broken,
) -> None:
    server = broken.server

    async def scenario() -> None:
        async with asking(server) as client:
            made = await make_room(client, opponent="friend", name=NAME)
            joined = await join_room(client, made, "Marker Bob")
            room, ann = made["state"]["room"], made["token"]
            # One action, tried again and again: what a frozen database was told before the server
            # gave up on it, it may still do when it goes on.
            path, act = f"/api/rooms/{room}", {"id": "live", "ply": 0, "do": "play", "cell": "2,2"}
            async with live(server, room, ann) as one, live(server, room) as watcher:
                broken.fail()
                answers = await asyncio.gather(
                    client.get(path),
                    client.post(f"{path}/actions", json=act, headers=bearer(ann)),
                    client.post("/api/rooms", json={"game": "duel", "name": NAME}),
                    *(client.get(path) for _ in range(50)),
                )
                for answer in answers:
                    check_problem(answer, 503, "store")
                    assert answer.json()["request"] == answer.headers["X-Request-ID"]
                await one.act("live", 0, "play", "2,2")
                assert (await one.hear("refused"))["code"] == "store"
                await watcher.say(type="ping")
                assert await close_code(watcher) == TRY_LATER
                async with connect(server.live(room)) as late:
                    assert await close_code(Live(late)) == TRY_LATER
                assert (await client.get("/healthz")).status_code == 200
                unready = await client.get("/readyz")
                assert (unready.status_code, unready.json()["database"]) == (503, "away")
                broken.mend()
                await until(lambda: is_ready(client))
                again = await client.post(f"{path}/actions", json=act, headers=bearer(ann))
                assert again.status_code == 200, again.text
                assert (await one.hear_event("played"))["id"] == "live"
            async with live(server, room, joined["token"]) as two:
                assert (await two.hello(joined["token"], since=0))["state"]["moves"] == ["2,2"]

    asyncio.run(scenario())
    check_log(server)


def check_log(server: Server) -> None:
    """Check that the outage began and ended in the log, and that nothing more is in it."""
    lines = read_log(server)
    said = [line["message"] for line in lines]
    for what in ("read", "written to"):
        began = [text for text in said if text.startswith(f"the database cannot be {what}: ")]
        assert 0 < len(began) < 10, said
        [over] = [line for line in lines if line["message"] == f"the database can be {what} again"]
        assert over["seconds"] > 0
        assert over["failures"] > 0
    text = server.log.read_text()
    for secret in ("Marker", "traceback", "SELECT", "INSERT", "UPDATE"):
        assert secret not in text


def test_a_database_that_can_only_be_read_is_not_ready(
    own_postgresql: Service, tmp_path: Path
) -> None:
    database = asyncio.run(new_database(own_postgresql.url))
    assert gridlock("db", "upgrade", "--database", database).returncode == 0

    async def set_read_only(is_read_only: bool) -> None:
        """Let it be so for all connections, which are made anew for it."""
        name = make_url(database).database
        connection = await asyncpg.connect(own_postgresql.url.replace("+asyncpg", ""))
        await connection.execute(
            f"ALTER DATABASE {name} SET default_transaction_read_only = {is_read_only}"
        )
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name
        )
        await connection.close()

    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            room = (await make_room(client))["state"]["room"]

            async def can_read() -> bool:
                return (await client.get(f"/api/rooms/{room}")).status_code == 200

            await set_read_only(True)
            await until(can_read)
            unready = await client.get("/readyz")
            assert (unready.status_code, unready.json()["status"]) == (503, "unavailable")
            refused = await client.post("/api/rooms", json={"game": "duel", "name": NAME})
            check_problem(refused, 503, "store")
            await set_read_only(False)
            await until(lambda: is_ready(client))

    options = ("--database", database, "--no-limits")
    with Server(tmp_path / "log", *options) as server:
        asyncio.run(scenario(server))
    text = server.log.read_text()
    assert "cannot be written to: cannot execute INSERT in a read-only transaction" in text
    assert "Marker" not in text


def test_while_sqlite_is_locked_what_is_written_is_refused_and_the_rest_is_answered(
    tmp_path: Path,
) -> None:
    async def scenario(server: Server, lock: sqlite3.Connection) -> None:
        async with asking(server) as client:
            made = await make_room(client, opponent="self", name=NAME)
            room, ann = made["state"]["room"], made["token"]
            path = f"/api/rooms/{room}/actions"
            act = {"id": "a", "ply": 0, "do": "play", "cell": "2,2"}
            lock.execute("BEGIN EXCLUSIVE")
            answers = await asyncio.gather(
                *(client.post(path, json=act, headers=bearer(ann)) for _ in range(20))
            )
            for answer in answers:
                check_problem(answer, 503, "store")
            assert (await client.get("/readyz")).status_code == 503
            assert (await client.get(f"/api/rooms/{room}")).json()["moves"] == []
            lock.rollback()
            await until(lambda: is_ready(client))
            played = await client.post(path, json=act, headers=bearer(ann))
            assert played.json()["state"]["moves"] == ["2,2"]

    database = tmp_path / "web.db"
    options = ("--database", str(database), "--no-limits")
    with (
        Server(tmp_path / "log", *options, before=IMPATIENT + HURRIED) as server,
        contextlib.closing(sqlite3.connect(database, isolation_level=None)) as lock,
    ):
        asyncio.run(scenario(server, lock))
    said = [line["message"] for line in read_log(server)]
    assert "the database can be written to again" in said
    assert not [text for text in said if "cannot be read" in text]
    assert "Marker" not in server.log.read_text()
