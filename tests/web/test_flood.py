"""Attacks: foreign pages, floods, nonsense, and readers that do not read."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import resource
import socket
from typing import TYPE_CHECKING, Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from gridlock.web.close_code import BAD_MESSAGE, FOREIGN, NO_ROOM, REASONS, TOO_MANY
from gridlock.web.config import GateLimits
from gridlock.web.gateway import Gateway
from gridlock.web.limiter import Limiter
from tests.web.services import (
    PATIENCE,
    Json,
    Live,
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
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

TOO_BIG = 1009  # what a WebSocket is closed with after a message that is too large

IMPATIENT = ("--timeouts-hello", "0.2")
"""Options of a process that does not wait long for a hello."""

_hosts = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server as everybody runs it, with all its limits."""
    folder = tmp_path_factory.mktemp("flood")
    with Server(folder / "log", "--database", str(folder / "web.db")) as server:
        yield server


@pytest.fixture
def address() -> str:
    """An address of this machine from which no other test comes: limits count by address."""
    number = next(_hosts)
    return f"127.0.{1 + number // 250}.{1 + number % 250}"


async def closing_code(socket_: Any) -> int:
    """Return why a connection is closed, however much is said before."""
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionClosed):
            while True:
                await socket_.recv()
    assert socket_.close_code is not None
    return int(socket_.close_code)


async def is_well(server: Server, address: str = "127.0.0.1") -> bool:
    async with asking(server, address) as client:
        answer = await client.get("/healthz")
        return answer.status_code == 200


# Pages of others


async def knock(gateway: Gateway, *headers: tuple[bytes, bytes]) -> list[Json]:
    """Open a live connection at the gate, and return what is answered."""
    answers: list[Json] = []

    async def receive() -> Json:
        return {"type": "websocket.connect"}

    async def send(message: Json) -> None:
        answers.append(message)

    caller = {"client": ("192.0.2.1", 1), "headers": list(headers)}
    scope = {"type": "websocket", "path": "/api/rooms/room/live", **caller}
    await gateway(scope, receive, send)
    return answers


async def open_door(scope: Json, receive: Any, send: Any) -> None:
    await send({"type": "websocket.accept"})


HOST = (b"host", b"play.example.org:8000")
ORIGINS = frozenset({"https://games.example.org"})
HOSTS = frozenset({"play.example.org"})


@pytest.mark.parametrize(
    "origin",
    [
        b"https://evil.example",
        b"null",
        b"",
        b"http://play.example.org",
        b"http://play.example.org:8001",
        b"http://play.example.org:8000.evil.example",
        b"http://evil.example/play.example.org:8000",
        b"http://evil.example#play.example.org:8000",
        b"http://someone@play.example.org:8000",
        b"\xff\xfe",
        b"http://[",
    ],
)
def test_a_foreign_page_is_turned_away_at_the_gate(origin: bytes) -> None:
    gateway = Gateway(open_door, Limiter(GateLimits()), ORIGINS, HOSTS)
    answers = asyncio.run(knock(gateway, HOST, (b"origin", origin)))
    assert answers == [
        {"type": "websocket.accept"},
        {"type": "websocket.close", "code": FOREIGN, "reason": REASONS[FOREIGN]},
    ]


@pytest.mark.parametrize(
    "headers",
    [
        (HOST,),
        (HOST, (b"origin", b"http://play.example.org:8000")),
        (HOST, (b"origin", b"https://play.example.org:8000")),
        (HOST, (b"origin", b"https://games.example.org")),
    ],
)
def test_our_own_page_and_programs_are_let_in(headers: tuple[tuple[bytes, bytes], ...]) -> None:
    gateway = Gateway(open_door, Limiter(GateLimits()), ORIGINS, HOSTS)
    assert asyncio.run(knock(gateway, *headers)) == [{"type": "websocket.accept"}]


def test_a_foreign_page_gets_no_live_connection(server: Server, address: str) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            room = (await make_room(client))["state"]["room"]
        evil: Json = {"origin": "https://evil.example"}
        async with connect(server.live(room), **evil) as socket_:
            assert await closing_code(socket_) == FOREIGN

    asyncio.run(scenario())


def test_one_address_has_so_many_live_connections_and_others_still_get_theirs(
    server: Server, address: str
) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            room = (await make_room(client))["state"]["room"]
        local: Json = {"local_addr": (address, 0)}
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(GateLimits().connections):
                await stack.enter_async_context(connect(server.live(room), **local))
            async with connect(server.live(room), **local) as socket_:
                assert await closing_code(socket_) == TOO_MANY
            async with live(server, room) as other:
                assert other.heard[0]["state"]["room"] == room

        async def has_room() -> bool:
            with contextlib.suppress(ConnectionClosed):
                async with live(server, room, **local):
                    return True
            return False

        await until(has_room)

    asyncio.run(scenario())


# Messages that make no sense


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ('{"type":"hello","token":"' + "x" * 5000 + '"}', TOO_BIG),
        (b"x" * 5000, TOO_BIG),
        ("{", BAD_MESSAGE),
        ("", BAD_MESSAGE),
        ("null", BAD_MESSAGE),
        ("[]", BAD_MESSAGE),
        ("1e999", BAD_MESSAGE),
        ("[" * 4000, BAD_MESSAGE),
        ('{"a":' * 800, BAD_MESSAGE),
        ('{"a":' + "[" * 4000, BAD_MESSAGE),
        ('{"type":"goodbye"}', BAD_MESSAGE),
        ('{"type":"hello","admin":true}', BAD_MESSAGE),
        ('{"type":"hello","token":"' + "x" * 101 + '"}', BAD_MESSAGE),
        ('{"type":"hello","token":1}', BAD_MESSAGE),
        ('{"type":"hello","since":-1}', BAD_MESSAGE),
        ('{"type":"hello","since":"1"}', BAD_MESSAGE),
        ('{"type":"hello","token":"\\ud800"}', BAD_MESSAGE),
        ('{"type":"action","id":"","ply":0,"do":"play"}', BAD_MESSAGE),
        ('{"type":"action","id":"1","ply":-1,"do":"play"}', BAD_MESSAGE),
        ('{"type":"action","id":"1","ply":0,"do":"win"}', BAD_MESSAGE),
        ('{"type":"action","id":"1","ply":0,"do":"play","cell":"1,1","player":2}', BAD_MESSAGE),
        (b'{"type":"hello"}', BAD_MESSAGE),
        (b"\x00\xff", BAD_MESSAGE),
        ('{"type":"hello","since":9223372036854775808}', BAD_MESSAGE),
    ],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.parametrize("is_greeted", [False, True], ids=["first", "later"])
def test_a_bad_message_closes_the_connection(
    server: Server, address: str, message: str | bytes, code: int, is_greeted: bool
) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            room = (await make_room(client))["state"]["room"]
        async with connect(server.live(room), local_addr=(address, 0)) as socket_:
            if is_greeted:
                await Live(socket_).hello()
            await socket_.send(message)
            assert await closing_code(socket_) == code
        assert await is_well(server, address)

    asyncio.run(scenario())


@pytest.mark.parametrize("room", ["nowhere", "x" * 500, "%00", "%F0%9F%8E%B2"])
def test_a_live_connection_to_no_room_is_closed(server: Server, address: str, room: str) -> None:
    async def scenario() -> None:
        async with connect(server.live(room), local_addr=(address, 0)) as socket_:
            assert await closing_code(socket_) == NO_ROOM

    asyncio.run(scenario())


def test_a_connection_that_acts_before_its_hello_is_closed(server: Server, address: str) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            made = await make_room(client, opponent="self")
        async with connect(server.live(made["state"]["room"])) as socket_:
            await Live(socket_).act("1", 0, "resign")
            assert await closing_code(socket_) == BAD_MESSAGE

    asyncio.run(scenario())


def test_a_connection_that_never_says_hello_is_closed(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            room = (await make_room(client))["state"]["room"]
        async with connect(server.live(room)) as socket_:
            assert await closing_code(socket_) == BAD_MESSAGE

    database = ("--database", str(tmp_path / "web.db"))
    with Server(tmp_path / "log", *database, *IMPATIENT) as server:
        asyncio.run(scenario(server))


def test_a_connection_may_send_as_many_messages_as_the_operator_says(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            room = (await make_room(client))["state"]["room"]
        async with live(server, room) as chatty, live(server, room) as other:
            for _ in range(2):
                await chatty.say(type="ping")
                await chatty.hear("pong")
            await chatty.say(type="ping")
            assert await closing_code(chatty.socket) == TOO_MANY
            await other.say(type="ping")
            await other.hear("pong")

    rate = "--limits-connection-messages"
    few = (f"{rate}-burst", "3", f"{rate}-per-second", "0")
    with Server(tmp_path / "log", "--database", str(tmp_path / "web.db"), *few) as server:
        asyncio.run(scenario(server))


def test_nonsense_leaves_no_traceback_in_the_logs(server: Server, address: str) -> None:
    """Runs after those above where tests run in their order; it makes its own nonsense too."""

    async def scenario() -> None:
        for message in ("{", b"\x00", "x" * 5000):
            async with asking(server, address) as client:
                room = (await make_room(client))["state"]["room"]
            async with connect(server.live(room), local_addr=(address, 0)) as socket_:
                await socket_.send(message)
                await closing_code(socket_)

    before = server.log.stat().st_size
    asyncio.run(scenario())
    assert "traceback" not in server.log.read_bytes()[before:].decode()


# Too much of it


def test_a_flood_of_messages_closes_the_connection_and_no_other(
    server: Server, address: str
) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            room = (await make_room(client))["state"]["room"]
        async with live(server, room) as other:
            async with live(server, room, local_addr=(address, 0)) as flooder:
                with contextlib.suppress(ConnectionClosed):
                    for _ in range(5000):
                        await flooder.say(type="ping")
                assert await closing_code(flooder.socket) == TOO_MANY
            await other.say(type="ping")
            await other.hear("pong")

    asyncio.run(scenario())


def test_a_flood_of_requests_is_turned_away_and_other_addresses_are_not(
    server: Server, address: str
) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            answers = [await client.get("/api/games")]
            async with asyncio.timeout(PATIENCE):
                while answers[-1].status_code == 200:
                    answers.append(await client.get("/api/games"))
        assert len(answers) > GateLimits().requests.burst
        check_problem(answers[-1], 429, "too-many-requests")
        assert await is_well(server, "127.0.0.1")

    asyncio.run(scenario())


def test_a_flood_of_new_rooms_is_turned_away_before_other_requests_are(
    server: Server, address: str
) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            wishes = {"game": "duel", "size": "3x3"}
            burst = int(GateLimits().costly.burst)
            answers = [await client.post("/api/rooms", json=wishes) for _ in range(burst + 10)]
            check_problem(answers[-1], 429, "too-many-requests")
            assert [answer.status_code for answer in answers[:burst]] == [201] * burst
            assert (await client.get("/api/games")).status_code == 200

    asyncio.run(scenario())


@pytest.mark.parametrize("is_chunked", [False, True], ids=["declared", "chunked"])
def test_a_body_that_is_too_large_is_refused(
    server: Server, address: str, is_chunked: bool
) -> None:
    body = json.dumps({"game": "duel", "name": "x" * 70_000}).encode()

    async def chunks() -> AsyncIterator[bytes]:
        for begin in range(0, len(body), 1000):
            yield body[begin : begin + 1000]

    async def scenario() -> None:
        async with asking(server, address) as client:
            answer = await client.post(
                "/api/rooms",
                content=chunks() if is_chunked else body,
                headers={"Content-Type": "application/json"},
            )
            check_problem(answer, 413, "request-entity-too-large")

    asyncio.run(scenario())


PLAY_AND_UNDO: list[Json] = [
    {"do": "play", "ply": 0, "cell": "50,50"},
    {"do": "undo", "ply": 1},
]


@pytest.mark.long
def test_readers_that_do_not_read_cost_little_and_others_hear_everything(tmp_path: Path) -> None:
    readers, rounds, most = 20, 60, 60 * 2**20  # an event on this board has 100 kB

    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            made = await make_room(client, opponent="self", size="100x100")
            room, token = made["state"]["room"], made["token"]
            async with contextlib.AsyncExitStack() as stack:
                for _ in range(readers):
                    await stack.enter_async_context(not_reading(server, room))
                other = await stack.enter_async_context(live(server, room))
                before = server.memory
                for number in range(rounds):
                    for act in PLAY_AND_UNDO:
                        answer = await client.post(
                            f"/api/rooms/{room}/actions",
                            json={"id": f"{act['do']}{number}", **act},
                            headers=bearer(token),
                        )
                        assert answer.status_code == 200, answer.text
                        await other.hear_event("played" if act["do"] == "play" else "undone")
                assert server.memory - before < most
                assert await is_well(server)
            async with live(server, room) as late:
                assert late.heard[0]["state"]["view"]["version"] == 1 + 2 * rounds

    options = ("--database", str(tmp_path / "web.db"), "--no-limits")
    with Server(tmp_path / "log", *options, is_measured=False) as server:
        asyncio.run(scenario(server))


@contextlib.asynccontextmanager
async def not_reading(server: Server, room: str) -> AsyncIterator[socket.socket]:
    """Connect to a room, say hello, and read no further than that."""
    loop = asyncio.get_running_loop()
    with socket.socket() as socket_:
        socket_.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        socket_.setblocking(False)
        await loop.sock_connect(socket_, (server.host, server.port))
        await greet(socket_, server, room)
        yield socket_


async def greet(socket_: socket.socket, server: Server, room: str) -> None:
    """Make a live connection of a bare one, and say hello."""
    loop = asyncio.get_running_loop()
    request = (
        f"GET /api/rooms/{room}/live HTTP/1.1\r\nHost: {server.host}:{server.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    hello = Frame(Opcode.TEXT, b'{"type":"hello"}').serialize(mask=True)
    async with asyncio.timeout(PATIENCE):
        await loop.sock_sendall(socket_, request.encode())
        answer = await loop.sock_recv(socket_, 1000)
        assert answer.startswith(b"HTTP/1.1 101 "), answer
        await loop.sock_sendall(socket_, hello)
        assert await loop.sock_recv(socket_, 1000)


PATIENT = configured("timeouts=Timeouts(request=600, ping=600)")
HASTY = configured("timeouts=Timeouts(request=0.1)")


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 9\r\n\r\n{",
    ],
    ids=["nothing", "half the headers", "half the body"],
)
def test_who_does_not_say_all_in_time_is_hung_up_on(tmp_path: Path, said: bytes) -> None:
    database = ("--database", str(tmp_path / "web.db"))
    with Server(tmp_path / "log", *database, before=HASTY) as server:
        with socket.create_connection((server.host, server.port), timeout=PATIENCE) as slow:
            slow.sendall(said)
            assert slow.recv(1) == b""
        with socket.create_connection((server.host, server.port), timeout=PATIENCE) as slow:
            slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert slow.recv(12) == b"HTTP/1.1 200"
            slow.sendall(said)
            while slow.recv(1000):
                pass


@pytest.mark.long
def test_ten_thousand_idle_connections_leave_the_server_answering(tmp_path: Path) -> None:
    half, tasks, spare = 5000, 100, 500
    few = 10  # connections of those who made the rooms, which close when they like
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * half + spare:
        pytest.skip(f"only {hard} files may be open here (ulimit -Hn)")

    async def scenario(server: Server) -> None:
        loop = asyncio.get_running_loop()
        opened: list[socket.socket] = []
        async with asking(server) as client:
            rooms = [(await make_room(client))["state"]["room"] for _ in range(tasks)]
        before = server.connections

        async def open_some(room: str, is_live: bool) -> None:
            for _ in range(half // tasks):
                socket_ = socket.socket()
                opened.append(socket_)
                socket_.setblocking(False)
                await loop.sock_connect(socket_, (server.host, server.port))
                if is_live:
                    await greet(socket_, server, room)

        try:
            async with asyncio.TaskGroup() as group:
                for room in rooms:
                    group.create_task(open_some(room, is_live=False))
                    group.create_task(open_some(room, is_live=True))
            await until(lambda: server.connections >= before + 2 * half - few)
            assert await is_well(server)
            async with asking(server) as client:
                made = await make_room(client, opponent="self")
            async with live(server, made["state"]["room"], made["token"]) as player:
                assert (await player.play(0, "2,2"))["type"] == "event"
        finally:
            for socket_ in opened:
                socket_.close()
        await until(lambda: server.connections <= before + few)
        assert await is_well(server)

    options = ("--database", str(tmp_path / "web.db"), "--no-limits")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        with Server(tmp_path / "log", *options, before=PATIENT, is_measured=False) as server:
            asyncio.run(scenario(server))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
