"""Who is there, who is away, and what the one who waits can do about it."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.web.services import Live, Server, bearer, join_room, live, make_room, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HASTY = """
from gridlock.web import rooms, presence, room
presence._NOTING_SECONDS = 0.1
presence.SEEN_MILLISECONDS = rooms.SEEN_MILLISECONDS = 1000
room._ABORT_AFTER = room._CLAIM_AFTER = room._CLAIM_AFTER_WITHOUT_CLOCK = 0
"""
"""A server that waits for nobody for long."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    folder = tmp_path_factory.mktemp("presence")
    database = folder / "web.db"
    options = ("--database", str(database), "--no-limits")
    with Server(folder / "log", *options, before=HASTY) as server:
        yield server, database


async def friends(server: Server) -> tuple[str, str, str]:
    async with httpx.AsyncClient(base_url=server.url) as client:
        made = await make_room(client, opponent="friend")
        joined = await join_room(client, made)
        return made["state"]["room"], made["token"], joined["token"]


async def wait_in_vain(connection: Live, token: str) -> None:
    """Wait until the mover is away; it may have been noticed before we connected."""

    async def is_away() -> bool:
        state = (await connection.hello(token))["state"]
        return state["view"]["claim_at"] is not None

    await until(is_away)


def test_who_leaves_is_away_and_who_comes_is_back(served: tuple[Server, Path]) -> None:
    server, _ = served

    async def scenario() -> None:
        room, ann, bob = await friends(server)
        async with live(server, room, bob) as two:
            async with live(server, room) as one:
                await one.hello(ann)  # who watched before counts as a player now
                await two.hear("watching", watchers=0, here=[True, True])
            assert (await two.hear_event("away"))["player"] == 1
            async with live(server, room, ann) as one:
                assert one.heard[0]["state"]["view"]["claim_at"] is None
                assert (await two.hear_event("back"))["player"] == 1

    asyncio.run(scenario())


def test_a_program_that_asks_again_and_again_is_not_away(served: tuple[Server, Path]) -> None:
    server, _ = served

    async def scenario() -> None:
        room, ann, bob = await friends(server)
        async with (
            live(server, room, bob) as two,
            httpx.AsyncClient(base_url=server.url, headers=bearer(ann)) as program,
        ):
            await wait_in_vain(two, bob)
            state = (await program.get(f"/api/rooms/{room}")).json()
            assert state["view"]["claim_at"] is None
            await two.hear_event("back")

    asyncio.run(scenario())


def test_a_claim_is_refused_while_any_process_sees_the_mover(served: tuple[Server, Path]) -> None:
    server, database = served

    async def scenario() -> None:
        room, _, bob = await friends(server)
        async with live(server, room, bob) as two:
            await wait_in_vain(two, bob)
            with sqlite3.connect(database) as connection:  # as another process would note it
                connection.execute("INSERT INTO seen VALUES (?, 1, ?)", (room, 2**53))
            connection.close()
            await two.act("claim", 0, "claim")
            assert (await two.hear("refused"))["code"] == "early"
            assert (await two.hello(bob))["state"]["view"]["claim_at"] is None

    asyncio.run(scenario())


def test_the_one_who_waits_may_abort_or_claim(served: tuple[Server, Path]) -> None:
    server, _ = served

    async def scenario() -> None:
        room, _, bob = await friends(server)
        async with live(server, room, bob) as two:
            await wait_in_vain(two, bob)
            await two.act("mine", 0, "claim")
            await two.hear_event("claimed")  # that the mover is away may be told only now
            over = (await two.hello(bob))["state"]
            assert over["view"]["termination"] == "abandonment"
        room, _, bob = await friends(server)
        async with httpx.AsyncClient(base_url=server.url, headers=bearer(bob)) as client:
            path = f"/api/rooms/{room}"
            act = {"id": "enough", "ply": 0, "do": "abort"}
            view = (await client.post(f"{path}/actions", json=act)).json()["state"]["view"]
            assert (view["status"], view["winner"], view["finished"]) == ("over", None, True)
            assert view["ending"] == "The game was aborted: nobody wins."
            record = (await client.get(f"{path}/record")).text
            assert '[Result "*"]\n[Termination "aborted"]' in record
            review = await client.get(f"{path}/review")
            assert (review.status_code, review.json()["code"]) == (409, "unfinished")

    asyncio.run(scenario())


def test_a_server_that_starts_again_remembers_who_was_away(tmp_path: Path) -> None:
    options = ("--database", str(tmp_path / "web.db"), "--no-limits")

    async def leave(server: Server) -> tuple[str, str]:
        room, _, bob = await friends(server)
        async with live(server, room, bob) as two:
            await wait_in_vain(two, bob)
        return room, bob

    async def claim(server: Server, room: str, bob: str) -> None:
        async with live(server, room, bob) as two:
            assert two.heard[0]["state"]["view"]["claim_at"]
            await two.act("mine", 0, "claim")
            await two.hear_event("claimed")

    with Server(tmp_path / "log", *options, before=HASTY) as server:
        room, bob = asyncio.run(leave(server))
    with Server(tmp_path / "log", *options, before=HASTY) as server:
        asyncio.run(claim(server, room, bob))


def test_a_database_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    from alembic import command
    from sqlalchemy import create_engine

    from gridlock.web import migration

    file = tmp_path / "web.db"
    config = migration._config()
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()

    async def scenario(server: Server) -> None:
        room, ann, bob = await friends(server)
        async with live(server, room, bob) as two, live(server, room, ann):

            def is_noted() -> bool:
                with sqlite3.connect(file) as connection:
                    (count,) = connection.execute("SELECT count(*) FROM seen").fetchone()
                connection.close()
                return int(count) == 2

            await until(is_noted)
            assert two.heard

    with Server(tmp_path / "log", "--database", str(file), before=HASTY) as server:
        asyncio.run(scenario(server))
