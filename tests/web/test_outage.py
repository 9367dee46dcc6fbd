"""Two processes while Redis is away, frozen or silent: nobody goes deaf, nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING

import httpx
import pytest
from sqlalchemy.engine import make_url

from tests.web.cable import Cable
from tests.web.services import Live, Server, live, make_room
from tests.web.test_shared import Pair, Shared, friends, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["shared"]  # a fixture

SILENT = """
from gridlock.web.relay import Relay
Relay.tell = lambda self, room: None
"""
"""A process that tells the others nothing, as one does that is killed after it has committed."""

UNHURRIED = """
from gridlock.web import follower
follower._LOOK_SECONDS = 3600
"""
"""A process that hears of others through Redis alone."""

ROOMS = 40


@pytest.fixture
def cable(shared: Shared) -> Iterator[Cable]:
    """A cable to Redis."""
    made = Cable(make_url(shared.redis).port or 0)
    yield made
    made.close()


@pytest.fixture
def pair(shared: Shared, cable: Cable, tmp_path: Path) -> Iterator[Pair]:
    """Two processes that reach Redis by the cable."""
    through = shared._replace(redis=f"redis://127.0.0.1:{cable.port}/0")
    with through.serve(tmp_path / "one") as one, through.serve(tmp_path / "two") as two:
        yield Pair(one, two)


async def readiness(server: Server) -> tuple[int, str, str]:
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as client:
        answer = await client.get("/readyz")
        return answer.status_code, answer.json()["status"], answer.json()["redis"]


async def hear_next(player: Live, watchers: list[Live], ply: int, cell: str) -> None:
    """Play a cell, and wait until everybody has heard of it."""
    await player.play(ply, cell)
    for watcher in watchers:
        assert (await watcher.hear_event("played"))["cell"] == cell


def test_every_room_of_a_process_that_has_just_started_hears_of_the_others(
    shared: Shared, tmp_path: Path
) -> None:
    async def scenario(one: Server, start: Callable[[], Server]) -> None:
        async with httpx.AsyncClient(base_url=one.url, timeout=30) as client:
            made = await asyncio.gather(*(make_room(client, opponent="self") for _ in range(ROOMS)))
        with start() as two:
            async with contextlib.AsyncExitStack() as stack:

                async def watch(room: str) -> Live:
                    return await stack.enter_async_context(live(two, room))

                rooms = [(each["state"]["room"], each["token"]) for each in made]
                watchers = await asyncio.gather(*(watch(room) for room, _ in rooms))
                for (room, token), watcher in zip(rooms, watchers, strict=True):
                    async with live(one, room, token) as player:
                        await hear_next(player, [watcher], 0, "2,2")

    with shared.serve(tmp_path / "one") as one:
        asyncio.run(scenario(one, lambda: shared.serve(tmp_path / "two", before=UNHURRIED)))


@pytest.mark.parametrize("trouble", ["cut", "freeze"])
def test_while_redis_is_away_players_hear_each_other_and_are_told_that_it_is_slow(
    trouble: str, pair: Pair, cable: Cable
) -> None:
    async def scenario() -> None:
        room, ann, bob = await friends(pair)
        async with (
            live(pair.one, room, ann) as near,
            live(pair.two, room, bob) as far,
            live(pair.one, room) as beside,
        ):
            getattr(cable, trouble)()
            for player in (near, far, beside):
                await player.hear("delay", delayed=True)
            assert await readiness(pair.one) == (200, "degraded", "away")
            await hear_next(near, [beside, far], 0, "1,1")
            # Whoever comes meanwhile is told as well, and hears what happens.
            async with live(pair.two, room) as late:
                await late.hear("delay", delayed=True)
                await hear_next(far, [late, near], 1, "3,3")
                cable.mend()
                for player in (near, far, late):
                    await player.hear("delay", delayed=False)
                await hear_next(near, [late, far], 2, "1,3")
                assert await readiness(pair.one) == (200, "ready", "ok")

    asyncio.run(scenario())
    said = [json.loads(line)["message"] for line in pair.one.log.read_text().splitlines()]
    away = [text for text in said if text.startswith("Redis is away")]
    assert 1 <= len(away) <= 3  # and the sums of those that came again
    assert said.count("Redis carries messages again") == 1


def test_processes_that_start_while_redis_is_away_serve_and_find_it_later(
    shared: Shared, cable: Cable, tmp_path: Path
) -> None:
    async def scenario(pair: Pair) -> None:
        for server in pair:
            assert await readiness(server) == (200, "degraded", "away")
            assert "Redis is away" in server.log.read_text()
        room, ann, bob = await friends(pair)
        async with live(pair.one, room, ann) as near, live(pair.two, room, bob) as far:
            await hear_next(near, [far], 0, "2,2")
            cable.mend()
            for player in (near, far):
                await player.hear("delay", delayed=False)
            await hear_next(far, [near], 1, "1,1")
            assert await readiness(pair.two) == (200, "ready", "ok")

    cable.cut()
    through = shared._replace(redis=f"redis://127.0.0.1:{cable.port}/0")
    with through.serve(tmp_path / "one") as one, through.serve(tmp_path / "two") as two:
        asyncio.run(scenario(Pair(one, two)))


def test_a_room_that_was_first_opened_while_redis_was_away_hears_through_it_later(
    shared: Shared, cable: Cable, tmp_path: Path
) -> None:
    async def scenario(pair: Pair) -> None:
        cable.cut()
        room, ann, _ = await friends(pair)
        async with live(pair.one, room, ann) as near, live(pair.two, room) as far:
            for player in (near, far):
                await player.hear("delay", delayed=True)
            cable.mend()
            for player in (near, far):
                await player.hear("delay", delayed=False)
            await hear_next(near, [far], 0, "2,2")

    through = shared._replace(redis=f"redis://127.0.0.1:{cable.port}/0")
    with (
        through.serve(tmp_path / "one") as one,
        through.serve(tmp_path / "two", before=UNHURRIED) as two,
    ):
        asyncio.run(scenario(Pair(one, two)))


def test_the_last_move_of_a_process_that_was_killed_reaches_the_opponent(
    shared: Shared, tmp_path: Path
) -> None:
    async def scenario(one: Server, two: Server) -> None:
        room, ann, bob = await friends(Pair(one, two))
        async with live(two, room, bob) as far:
            async with live(one, room, ann) as near:
                await near.play(0, "2,2")
                one.kill()
            assert (await far.hear_event("played"))["cell"] == "2,2"

    with shared.serve(tmp_path / "two") as two:
        one = shared.serve(tmp_path / "one", before=SILENT)
        try:
            asyncio.run(scenario(one, two))
        finally:
            one.kill()


def test_a_server_ends_while_redis_is_away(pair: Pair, cable: Cable) -> None:
    async def scenario() -> None:
        room, _, bob = await friends(pair)
        async with live(pair.two, room, bob) as far:
            cable.freeze()
            await far.hear("delay", delayed=True)

    asyncio.run(scenario())
    assert pair.two.stop() in (0, 130)
