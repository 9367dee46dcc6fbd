"""The AsyncAPI document describes what really goes over a live connection."""

from __future__ import annotations

import asyncio
import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import jsonschema_rs
import msgspec
import pytest
from websockets.asyncio.client import connect

from gridlock.web.close_code import REASONS
from gridlock.web.event import Command, EventType
from tests.web.services import Live, Server, join_room, make_room, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tests.web.services import Json

LONGEST_REASON = 123  # bytes that a closing message has for it

HASTY = """
from gridlock.web import follower, rooms, presence, room
follower.Follower.is_delayed = property(lambda _: True, lambda *_: None)
presence._NOTING_SECONDS = 0.1
presence.SEEN_MILLISECONDS = rooms.SEEN_MILLISECONDS = 500
room._ABORT_AFTER = room._CLAIM_AFTER = room._CLAIM_AFTER_WITHOUT_CLOCK = 0
"""


class Told(Live):
    """A live connection that also keeps what it says."""

    said: list[Json]

    async def say(self, **message: object) -> None:
        self.said.append(dict(message))
        await self.socket.send(msgspec.json.encode(message).decode())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("asyncapi")
    options = ("--database", str(folder / "web.db"), "--no-limits")
    with Server(folder / "log", *options, before=HASTY) as server:
        yield server


@pytest.fixture(scope="module")
def document(served: Server) -> Json:
    answer = httpx.get(f"{served.url}/schema/asyncapi")
    assert answer.headers["Content-Type"] == "application/json"
    return dict(answer.json())


@contextlib.asynccontextmanager
async def joined(server: Server, room: str, token: str, said: list[Json]) -> AsyncIterator[Told]:
    async with connect(server.live(room)) as socket_:
        player = Told(socket_)
        player.said = said
        await player.hello(token)
        yield player


async def do_everything(one: Told, two: Told) -> None:
    """Let two friends do all that can be done while both are there."""
    await one.act("a", 0, "play", "2,2")
    await two.hear_event("played")
    await two.act("a", 1, "play", "2,2")
    await two.hear("refused")
    await two.say(type="ping")
    await two.hear("pong")
    await one.act("b", 1, "undo")
    await two.hear_event("offered")
    await two.act("b", 1, "decline")
    await one.hear_event("declined")
    await one.act("c", 1, "undo")
    await two.hear_event("offered")
    await two.act("c", 1, "agree")
    await one.hear_event("undone")
    await one.act("d", 0, "resign")
    await two.hear_event("resigned")
    await two.act("d", 0, "next")
    await one.hear_event("begun")
    await two.act("e", 0, "play", "2,2")
    await one.hear_event("played")


async def end_everything(one: Told, two: Told) -> None:
    """Let two friends leave it at that, and play again."""
    await one.act("f", 1, "next")
    await two.hear_event("begun")
    await two.act("f", 0, "abort")
    await one.hear_event("aborted")
    await one.act("g", 0, "rematch")
    await two.hear_event("offered")
    await two.act("g", 0, "agree")
    await one.hear_event("rematched")


async def play_everything(server: Server) -> tuple[list[Json], list[Json]]:
    """Let everything happen that can; return what was said and heard."""
    said: list[Json] = []
    heard: list[Json] = []
    async with httpx.AsyncClient(base_url=server.url) as client:
        made = await make_room(client, opponent="friend", rounds=3, clock={"base": 600})
        room, ann = made["state"]["room"], made["token"]
        async with joined(server, room, ann, said) as one:
            bob = (await join_room(client, made))["token"]
            await one.hear_event("begun")
            async with joined(server, room, bob, said) as two:
                await do_everything(one, two)
                heard += two.heard
            heard += one.heard
        async with joined(server, room, bob, said) as two:  # it is Ann's turn
            await until_away(two, bob)
            async with joined(server, room, ann, said):
                await two.hear_event("back")
            await until_away(two, bob)
            await two.act("claim", 1, "claim")
            await two.hear_event("claimed")
            async with joined(server, room, ann, said) as one:
                await end_everything(one, two)
                heard += one.heard
            heard += two.heard
        flagged = await make_room(client, opponent="self", clock={"base": 1})
        async with joined(server, flagged["state"]["room"], flagged["token"], said) as alone:
            await alone.act("a", 0, "play", "2,2")
            await alone.hear_event("flagged")
            heard += alone.heard
        waiting = await make_room(client, opponent="friend")
        async with joined(server, waiting["state"]["room"], waiting["token"], said) as alone:
            await join_room(client, waiting)
            await alone.hear_event("joined")
            heard += alone.heard
    return said, heard


async def until_away(connection: Told, token: str) -> None:
    """Wait until the mover is away."""

    async def is_away() -> bool:
        state = (await connection.hello(token, since=0))["state"]
        return state["view"]["claim_at"] is not None

    await until(is_away)


def test_everything_that_is_said_and_heard_is_as_the_document_says(
    served: Server, document: Json
) -> None:
    said, heard = asyncio.run(play_everything(served))
    described = {
        operation["action"]: [name["$ref"].rpartition("/")[2] for name in operation["messages"]]
        for operation in document["operations"].values()
    }
    for direction, messages in (("receive", said), ("send", heard)):
        validators = {}
        for name in described[direction]:
            payload = document["components"]["messages"][name]["payload"]
            schema = {**payload, "components": document["components"]}
            validators[name] = jsonschema_rs.validator_for(schema)
        for message in messages:
            validators[message["type"]].validate(message)
        assert {message["type"] for message in messages} == set(described[direction])
    events = [message["event"] for message in heard if message["type"] == "event"]
    events += [event for m in heard if m["type"] == "state" for event in m["missed"]]
    assert {event["type"] for event in events} == set(EventType)
    assert {message["do"] for message in said if message["type"] == "action"} == set(Command)


def test_a_message_that_the_document_does_not_allow_is_not_valid(document: Json) -> None:
    payload = document["components"]["messages"]["action"]["payload"]
    validator = jsonschema_rs.validator_for({**payload, "components": document["components"]})
    good = {"type": "action", "id": "1", "ply": 0, "do": "play"}
    assert validator.is_valid(good)
    for bad in ({"do": "win"}, {"ply": -1}, {"id": ""}, {"type": "hello"}):
        assert not validator.is_valid({**good, **bad})


def test_every_message_has_an_example_that_its_schema_allows(document: Json) -> None:
    for name, message in document["components"]["messages"].items():
        (example,) = message["examples"]
        schema = {**message["payload"], "components": document["components"]}
        jsonschema_rs.validate(schema, example["payload"])
        assert example["payload"]["type"] == name


def test_every_reference_leads_somewhere(document: Json) -> None:
    def references(part: object) -> Iterator[str]:
        if isinstance(part, dict):
            for key, value in part.items():
                if key == "$ref":
                    yield value
                yield from references(value)
        elif isinstance(part, list):
            for one in part:
                yield from references(one)

    found = set(references(document))
    assert len(found) > 20
    for reference in found:
        part = document
        for key in reference.removeprefix("#/").split("/"):
            part = part[key]
    assert document["asyncapi"] == "3.0.0"


def test_close_codes_are_the_same_in_all_places(document: Json) -> None:
    told = {str(code): why for code, why in REASONS.items()}
    assert document["channels"]["room"]["x-close-codes"] == told
    root = Path(__file__).parents[2]
    table = re.findall(r"(?m)^\| (\d{4}) \| (.*) \|$", (root / "docs/bots.md").read_text())
    assert dict(table) == told
    script = (root / "src/gridlock/web/static/script/room/live.js").read_text()
    declared = re.findall(r"(?m)^const (?:NO_SUCH_ROOM|REASONS) = (.*);$", script)
    codes = set(re.findall(r"\d{4}", " ".join(declared)))
    assert {"1013", "4403", "4404", "4429"} <= codes <= told.keys()
    assert all(len(why.encode()) <= LONGEST_REASON for why in REASONS.values())
