"""Live connections: everybody hears of everything, once, in order, also after a break."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from gridlock.web.close_code import BAD_TEXT, FAILED, NO_ROOM, PROTOCOL, REASONS, TOO_LARGE
from tests.web.inside import calling, serving
from tests.web.services import (
    PATIENCE,
    Json,
    Live,
    Server,
    bearer,
    join_room,
    live,
    make_room,
    until,
)

if TYPE_CHECKING:
    from pathlib import Path


async def friends(server: Server, **wishes: object) -> tuple[str, str, str]:
    """Make a room with two players, and return its id and their tokens."""
    async with httpx.AsyncClient(base_url=server.url) as client:
        made = await make_room(client, opponent="friend", **wishes)
        joined = await join_room(client, made)
        return made["state"]["room"], made["token"], joined["token"]


async def post(server: Server, room: str, token: str, **act: object) -> Json:
    async with httpx.AsyncClient(base_url=server.url) as client:
        path = f"/api/rooms/{room}/actions"
        answer = await client.post(path, json=act, headers=bearer(token))
        return dict(answer.json())


def test_players_and_watchers_hear_of_every_event(server: Server) -> None:
    async def scenario() -> None:
        room, ann, bob = await friends(server)
        async with (
            live(server, room, ann) as one,
            live(server, room, bob) as two,
            live(server, room) as watcher,
        ):
            assert (await one.play(0, "2,2"))["view"]["ply"] == 1
            for listener in (two, watcher):
                message = await listener.hear("event")
                assert message["event"]["cell"] == "2,2"
                assert message["view"]["board"]["cells"] == "....1...."
            await watcher.act("x", 1, "play", "1,1")
            assert (await watcher.hear("refused"))["code"] == "seat"

    asyncio.run(scenario())


def test_who_reconnects_hears_what_was_missed(server: Server) -> None:
    async def scenario() -> None:
        room, ann, bob = await friends(server)
        async with live(server, room, bob) as two:
            seen = two.heard[0]["state"]["view"]["version"]
        await post(server, room, ann, id="1", ply=0, do="play", cell="2,2")
        async with live(server, room) as two:
            answer = await two.hello(bob, since=seen)
            assert [event["type"] for event in answer["missed"]] == ["played"]
            assert answer["state"]["moves"] == ["2,2"]
            assert answer["state"]["you"] == [2]

    asyncio.run(scenario())


def test_an_act_sent_again_after_a_break_is_answered_and_not_done_twice(server: Server) -> None:
    async def scenario() -> None:
        room, ann, _ = await friends(server)
        await post(server, room, ann, id="lost", ply=0, do="play", cell="2,2")
        async with live(server, room, ann) as one:
            await one.act("lost", 0, "play", "2,2")
            answer = await one.hear("state")
            assert [event["id"] for event in answer["missed"]] == ["lost"]
            assert answer["state"]["moves"] == ["2,2"]
            await one.act("lost", 0, "play", "1,1")
            assert (await one.hear("refused"))["code"] == "id-reused"

    asyncio.run(scenario())


def test_a_stale_act_is_refused_and_the_state_follows(server: Server) -> None:
    async def scenario() -> None:
        room, ann, bob = await friends(server)
        async with live(server, room, bob) as two:
            await post(server, room, ann, id="1", ply=0, do="play", cell="2,2")
            await two.act("late", 0, "play", "1,1")
            refused = await two.hear("refused")
            assert (refused["id"], refused["code"]) == ("late", "stale")
            assert (await two.hear("state"))["state"]["moves"] == ["2,2"]

    asyncio.run(scenario())


def test_the_friend_who_joins_and_what_is_taken_back_come_as_a_whole(server: Server) -> None:
    async def scenario() -> None:
        async with httpx.AsyncClient(base_url=server.url) as client:
            made = await make_room(client, opponent="friend", name="Ann")
            room = made["state"]["room"]
            async with live(server, room, made["token"]) as one:
                bob = (await join_room(client, made))["token"]
                joined = await one.hear("state")
                assert joined["missed"][0]["type"] == "joined"
                assert joined["state"]["you"] is None  # nothing has changed in it
                assert (await one.hear("state"))["state"]["view"]["status"] == "playing"
                await one.play(0, "2,2")
                await one.act("undo", 1, "undo")
                assert (await one.hear("event"))["view"]["offer"]["what"] == "undo"
                await post(server, room, bob, id="yes", ply=1, do="agree")
                undone = await one.hear("state")
                assert undone["state"]["moves"] == []

    asyncio.run(scenario())


def test_everybody_is_told_who_is_there(server: Server) -> None:
    async def scenario() -> None:
        room, ann, bob = await friends(server)
        async with live(server, room, ann) as one:
            async with live(server, room, bob), live(server, room):
                await one.hear("watching", watchers=1, here=[True, True])
            await one.hear("watching", watchers=0, here=[True, False])

    asyncio.run(scenario())


def test_a_pong_tells_the_version_so_that_nothing_is_missed_for_long(server: Server) -> None:
    async def scenario() -> None:
        room, ann, _ = await friends(server)
        async with live(server, room, ann) as one:
            version = one.heard[0]["state"]["view"]["version"]
            await one.say(type="ping")
            assert (await one.hear("pong"))["version"] == version

    asyncio.run(scenario())


def test_a_rematch_is_announced_and_the_same_token_plays_it(server: Server) -> None:
    async def scenario() -> None:
        room, ann, bob = await friends(server)
        async with live(server, room, ann) as one, live(server, room, bob) as two:
            await one.act("1", 0, "resign")
            assert (await two.hear("event"))["view"]["termination"] == "resignation"
            await two.act("1", 0, "rematch")
            assert (await one.hear_event("offered"))["what"] == "rematch"
            await one.act("2", 0, "agree")
            event = await two.hear_event("rematched")
        async with live(server, event["room"], ann) as one:
            assert one.heard[0]["state"]["you"] == [2]

    asyncio.run(scenario())


def test_a_computer_answers_live(server: Server) -> None:
    async def scenario() -> None:
        async with httpx.AsyncClient(base_url=server.url) as client:
            made = await make_room(client, size="5x5", opponent="computer", level=8)
        async with live(server, made["state"]["room"], made["token"]) as one:
            await one.play(0, "3,3")
            answer = await one.hear("event")
            assert (answer["event"]["player"], answer["view"]["ply"]) == (2, 2)

    asyncio.run(scenario())


@pytest.mark.parametrize("path", ["/", "/api/games", "/api/rooms/x/y/live", "/api/nothing/live"])
def test_where_no_live_connection_is_one_is_told_so(server: Server, path: str) -> None:
    async def scenario() -> None:
        async with (
            asyncio.timeout(PATIENCE),
            connect(server.url.replace("http", "ws") + path) as socket_,
        ):
            await socket_.wait_closed()
            assert socket_.close_code == NO_ROOM

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("message", "code", "reason"),
    [
        (b"\xff", BAD_TEXT, REASONS[BAD_TEXT]),
        (b"x" * 5000, TOO_LARGE, "5000 bytes"),
        (None, PROTOCOL, "invalid opcode"),
    ],
)
def test_what_a_client_sends_makes_no_traceback_and_is_told_on_the_wire(
    message: bytes | None, code: int, reason: str, tmp_path: Path
) -> None:
    async def scenario(server: Server) -> None:
        room, ann, _ = await friends(server)
        async with live(server, room) as watcher, live(server, room, ann) as one:
            await one.act("1", 0, "play", "2,2")  # so that there is something to be told
            if message is None:
                watcher.socket.transport.write(b"\xff\xff")
            else:
                await watcher.socket.send(message, text=True)
            with pytest.raises(ConnectionClosed) as closed:
                await watcher.hear("nothing")
            assert closed.value.rcvd
            assert closed.value.rcvd.code == code
            assert reason in closed.value.rcvd.reason

    options = ("--database", str(tmp_path / "web.db"), "--log", "info")
    with Server(tmp_path / "log", *options) as server:
        asyncio.run(scenario(server))
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert {line["level"] for line in lines} == {"info"}
    closed = [line for line in lines if line["message"] == "live connection closed"]
    assert (code, REASONS[code]) in {(line["code"], line["reason"]) for line in closed}


def test_a_code_that_a_client_sends_is_not_taken_for_ours(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        room, *_ = await friends(server)
        async with live(server, room) as watcher:
            await watcher.socket.close(FAILED, "we have a bug")

    options = ("--database", str(tmp_path / "web.db"), "--log", "info")
    with Server(tmp_path / "log", *options) as server:
        asyncio.run(scenario(server))
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    [closed] = [line for line in lines if line["message"] == "live connection closed"]
    assert (closed["code"], closed["reason"]) == (FAILED, "The other side has gone.")


def test_a_mistake_of_ours_closes_a_connection_with_a_code_that_is_documented(
    tmp_path: Path,
) -> None:
    broken = """
from gridlock.web.presence import Presence
async def fail(*_): raise ValueError("a mistake")
Presence.greet = fail
"""

    async def scenario(server: Server) -> None:
        async with httpx.AsyncClient(base_url=server.url) as client:
            room = (await make_room(client))["state"]["room"]
        async with connect(server.live(room)) as socket_:
            await Live(socket_).say(type="hello", token=None, since=None)
            async with asyncio.timeout(PATIENCE):
                await socket_.wait_closed()
            assert (socket_.close_code, socket_.close_reason) == (FAILED, REASONS[FAILED])

    with Server(tmp_path / "log", "--database", str(tmp_path / "web.db"), before=broken) as server:
        asyncio.run(scenario(server))
    [line] = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert line["message"] == "a live connection failed"
    assert line["request"]
    assert line["traceback"].endswith("ValueError: a mistake\n")


@pytest.mark.parametrize("last", ["pong", "event"])
def test_somebody_who_goes_while_something_is_said_is_no_failure(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, last: str
) -> None:
    """Neither in answer to them nor to everybody."""

    async def scenario() -> None:
        async with serving(tmp_path) as (app, _), calling(app) as client:
            made = await make_room(client, opponent="self")
            room = made["state"]["room"]
            incoming: asyncio.Queue[Json] = asyncio.Queue()
            said: list[str] = []

            async def send(message: Json) -> None:
                kind = message["type"]
                if kind == "websocket.send":
                    kind = json.loads(message["text"])["type"]
                said.append(kind)
                if kind == last:
                    incoming.put_nowait({"type": "websocket.disconnect", "code": 1006})
                    raise BrokenPipeError

            scope = {
                "type": "websocket",
                "asgi": {"version": "3.0"},
                "scheme": "ws",
                "server": ("localhost", 80),
                "client": ("127.0.0.1", 1),
                "path": f"/api/rooms/{room}/live",
                "raw_path": f"/api/rooms/{room}/live".encode(),
                "root_path": "",
                "query_string": b"",
                "headers": [(b"host", b"localhost")],
                "subprotocols": [],
            }
            connection = asyncio.create_task(app(scope, incoming.get, send))
            incoming.put_nowait({"type": "websocket.connect"})
            incoming.put_nowait({"type": "websocket.receive", "text": '{"type":"hello"}'})
            await until(lambda: "state" in said)
            if last == "pong":
                incoming.put_nowait({"type": "websocket.receive", "text": '{"type":"ping"}'})
            else:
                act = {"id": "1", "ply": 0, "do": "play", "cell": "1,1"}
                path = f"/api/rooms/{room}/actions"
                await client.post(path, json=act, headers=bearer(made["token"]))
            await asyncio.wait_for(connection, PATIENCE)
            assert said[-1] == last

    with caplog.at_level(logging.INFO):
        asyncio.run(scenario())
    ours = [record for record in caplog.records if record.name.startswith("gridlock")]
    assert "live connection closed" in [record.message for record in ours]
    assert max(record.levelno for record in ours) == logging.INFO
