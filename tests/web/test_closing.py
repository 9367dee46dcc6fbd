"""The end of a server: everybody gets an answer, and the log has no tracebacks."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import ConnectionClosed

from gridlock.web.close_code import REASONS, RESTART
from tests.web.services import (
    PATIENCE,
    Server,
    asking,
    bearer,
    check_problem,
    configured,
    live,
    make_room,
    until,
)

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from tests.web.services import Live

EACH = 12
THREADS = 2
FEW_THREADS = configured(
    f"searches=SearchLimits(threads={THREADS}, asked=1000, analysis_seconds=60, review_seconds=60)"
)
"""A server at which nearly every search has to wait, and none ends by itself."""

HARD = {"game": "occupation", "size": "8x8"}


async def stream(client: httpx.AsyncClient) -> tuple[int, list[str]]:
    """Ask for a stream of an analysis; return its status and its lines."""
    async with client.stream("GET", "/api/analysis/stream", params=HARD) as answer:
        return answer.status_code, [line async for line in answer.aiter_lines()]


async def given_up(client: httpx.AsyncClient) -> str:
    """Make a room in which a game ends by a resignation, and return it."""
    made = await make_room(client, opponent="self", **HARD)
    path = f"/api/rooms/{made['state']['room']}/actions"
    for act in ({"do": "play", "cell": "2,2", "ply": 0}, {"do": "resign", "ply": 1}):
        done = await client.post(path, json={"id": act["do"], **act}, headers=bearer(made["token"]))
        assert done.status_code == 200, done.text
    return str(made["state"]["room"])


async def code_of(connection: Live) -> int | None:
    """Listen until a connection is closed, and return its code; the reason says the same."""
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionClosed):
            while True:
                await connection.hear("nothing")
    code = connection.socket.close_code
    assert connection.socket.close_reason == REASONS[code or 0]
    return code


@pytest.mark.parametrize("farewell", [signal.SIGTERM, signal.SIGINT])
def test_whoever_waits_for_a_search_is_told_that_the_server_closes(
    farewell: signal.Signals, tmp_path: Path
) -> None:
    async def scenario(server: Server) -> None:
        async with asking(server) as client, contextlib.AsyncExitStack() as stack:
            room = await given_up(client)
            made = await make_room(client, opponent="self", **HARD)
            hinted = f"/api/rooms/{made['state']['room']}/hint"
            seat = bearer(made["token"])
            connections = [
                await stack.enter_async_context(live(server, made["state"]["room"]))
                for _ in range(EACH)
            ]
            asked = [
                asyncio.create_task(asking_)
                for _ in range(EACH)
                for asking_ in (
                    client.get("/api/analysis", params=HARD),
                    client.get(f"/api/rooms/{room}/review"),
                    client.post(hinted, headers=seat),
                )
            ]
            streams = [asyncio.create_task(stream(client)) for _ in range(EACH)]
            closing = [asyncio.create_task(code_of(connection)) for connection in connections]

            async def are_waiting() -> bool:
                metrics = (await client.get("/metrics", headers=bearer("secret"))).text
                waiting = [
                    float(line.split()[1])
                    for line in metrics.splitlines()
                    if line.startswith("gridlock_searches_waiting{")
                ]
                return sum(waiting) >= 4 * EACH - THREADS

            await until(are_waiting)
            server.process.send_signal(farewell)
            for answer in await asyncio.gather(*asked):
                check_problem(answer, 503, "busy")
                assert answer.json()["detail"] == "the server is closing"
            assert await asyncio.gather(*closing) == [RESTART] * EACH
            for status, lines in await asyncio.gather(*streams):
                told = [json.loads(line) for line in lines]
                if status == 503:  # its first line was not written yet
                    assert [line["code"] for line in told] == ["busy"]
                else:
                    assert status == 200
                    assert not [line for line in told if line["complete"]]

    token = tmp_path / "token"
    token.write_text("secret\n")
    options = ("--database", str(tmp_path / "web.db"), "--no-limits", "--log", "info")
    with Server(
        tmp_path / "log", *options, "--metrics-token-file", str(token), before=FEW_THREADS
    ) as server:
        asyncio.run(scenario(server))
        server.process.wait(PATIENCE)
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    said = [line["message"] for line in lines]
    assert "server stopping" in said
    assert said[-1] == "server stopped"
    assert {line["level"] for line in lines} == {"info"}
    closed = [line for line in lines if line["message"] == "live connection closed"]
    assert [line["code"] for line in closed] == [RESTART] * EACH
    assert {line["received"] for line in closed} == {1}


def test_while_a_server_drains_it_goes_on_and_sends_everybody_elsewhere(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            assert (await client.get("/readyz")).json()["status"] == "ready"
            server.process.send_signal(signal.SIGINT)

            async def is_draining() -> bool:
                answer = await client.get("/readyz")
                return answer.status_code == 503 and answer.json()["status"] == "draining"

            await until(is_draining)
            made = await make_room(client, opponent="self")
            assert (await client.get("/healthz")).status_code == 200
            async with live(server, made["state"]["room"], made["token"]) as player:
                assert (await player.play(0, "2,2"))["type"] == "event"
                server.process.send_signal(signal.SIGINT)  # whoever is in a hurry says it again
                assert await code_of(player) == RESTART

    options = ("--database", str(tmp_path / "web.db"), "--timeouts-drain", "600")
    with Server(tmp_path / "log", *options) as server:
        asyncio.run(scenario(server))
        server.process.wait(PATIENCE)


def test_connections_are_closed_one_by_one_and_whoever_has_one_plays_on(tmp_path: Path) -> None:
    slow = "from gridlock.web import server; server._CLOSE_PAUSE = server._CLOSE_SECONDS = 3600"

    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            made = await make_room(client, opponent="self")
        room = made["state"]["room"]
        async with (
            live(server, room, made["token"]) as one,
            live(server, room, made["token"]) as two,
        ):
            server.process.send_signal(signal.SIGINT)
            closing = {asyncio.create_task(code_of(player)): player for player in (one, two)}
            [done], [waiting] = await asyncio.wait(
                closing, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE
            )
            assert done.result() == RESTART
            with pytest.raises(OSError, match="refused|Connect call failed"):
                await asyncio.open_connection(server.host, server.port)
            left = closing[waiting]
            await left.act("mine", 0, "play", "2,2")
            await until(lambda: is_played(left))
            waiting.cancel()

    def is_played(player: Live) -> bool:
        return any(message["type"] == "event" for message in player.heard)

    options = ("--database", str(tmp_path / "web.db"))
    server = Server(tmp_path / "log", *options, before=slow)
    try:
        asyncio.run(scenario(server))
    finally:
        server.kill()
