"""Mixed load, round after round: what a server holds in memory does not grow."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING

import pytest

from tests.web.services import Server, asking, bearer, live, make_room

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx

    from tests.web.services import Json

AT_ONCE = 8  # people of each kind
WARM_UP, ROUNDS = 5, 15
MOST = 16 * 2**20  # bytes: a single search that is not given back takes a quarter of it

FRUGAL = (
    *("--limits-room-memory", "1M", "--searches-memory", "4M", "--searches-threads", "4"),
    *("--searches-analysis-seconds", "0.1", "--no-limits"),
)
"""Options of a server that has few rooms in memory at once, so that they are turned over."""


async def play_computer(server: Server, client: httpx.AsyncClient) -> None:
    """Make a room, play the computer until the end, and leave."""
    made = await make_room(client, opponent="computer", level=8, size="4x4")
    room, view = made["state"]["room"], made["state"]["view"]
    async with live(server, room, made["token"]) as player:
        while view["status"] == "playing":
            if view["board"]["mover"] == 1:
                view = (await player.play(view["ply"], view["board"]["legal"][0]))["view"]
            else:
                view = (await player.hear("event"))["view"]
    path = f"/api/rooms/{room}"
    assert (await client.get(f"{path}/review")).status_code == 200
    assert (await client.get(f"{path}/record", headers=bearer(made["token"]))).status_code == 200


async def analyse(client: httpx.AsyncClient, question: Json) -> None:
    answer = await client.get("/api/analysis", params=question)
    assert answer.status_code == 200, answer.text


async def make_and_leave(server: Server, client: httpx.AsyncClient) -> None:
    """Make a room for a friend who never comes, and be cut off there."""
    made = await make_room(client, opponent="friend", size="9x9")
    async with live(server, made["state"]["room"], made["token"]) as player:
        player.socket.transport.abort()


def questions() -> Iterator[Json]:
    """Yield questions none of which was asked before."""
    for row, column in itertools.cycle(itertools.product(range(1, 8), repeat=2)):
        yield {"game": "occupation", "size": "7x7", "moves": f"{row},{column}"}


@pytest.mark.long
def test_mixed_load_leaves_nothing_in_memory(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        asked = questions()
        async with asking(server) as client:
            for number in range(WARM_UP + ROUNDS):
                await asyncio.gather(
                    *(play_computer(server, client) for _ in range(AT_ONCE)),
                    *(analyse(client, next(asked)) for _ in range(AT_ONCE)),
                    *(make_and_leave(server, client) for _ in range(AT_ONCE)),
                )
                if number == WARM_UP:
                    before = server.memory
            assert server.memory - before < MOST

    options = ("--database", str(tmp_path / "web.db"), *FRUGAL)
    with Server(tmp_path / "log", *options, is_measured=False) as server:
        asyncio.run(scenario(server))
    assert server.log.read_text() == ""
