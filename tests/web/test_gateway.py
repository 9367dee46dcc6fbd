"""The gate: names, proxies, kinds of bodies, and what counts against the limits."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from websockets.asyncio.client import connect

from gridlock.web.close_code import FOREIGN, REASONS, TOO_MANY
from gridlock.web.config import GateLimits, Rate
from gridlock.web.limiter import Limiter
from tests.web.services import (
    PATIENCE,
    Server,
    asking,
    bearer,
    check_problem,
    configured,
    join_room,
    live,
    make_room,
    until,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx

    from tests.web.services import Json

REQUESTS, FILES, COSTLY = 50, 150, 3

STINGY = configured(
    f"limits=GateLimits(*[Rate(burst, 0) for burst in ({REQUESTS}, {FILES}, {COSTLY})])"
)
"""A server at which an address has so much, and never gets any more."""

_hosts = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has names and a proxy."""
    folder = tmp_path_factory.mktemp("gateway")
    names = ("--allow-host", "Play.example.org", "--origin", "https://games.example.org")
    options = ("--database", str(folder / "web.db"), *names, "--proxy", "127.0.9.0/24")
    with Server(folder / "log", *options, "--log", "info", before=STINGY) as server:
        yield server


@pytest.fixture
def address() -> str:
    """An address of this machine from which no other test comes: limits count by address."""
    return f"127.0.8.{next(_hosts)}"


def read_log(server: Server) -> list[Json]:
    return [json.loads(line) for line in server.log.read_text().splitlines()]


async def ask(server: Server, address: str, path: str, **headers: str) -> httpx.Response:
    async with asking(server, address) as client:
        return await client.get(path, headers={n.replace("_", "-"): v for n, v in headers.items()})


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "LOCALHOST:8000", "app.localhost", "127.0.0.1:1", "[::1]:80",
        "192.168.1.20:8000", "[fe80::1]", "play.example.org", "PLAY.example.org:443",
        "games.example.org", socket.gethostname(), f"{socket.gethostname()}.local:8000",
    ],
)  # fmt: skip
def test_addresses_and_names_that_were_named_are_answered(
    server: Server, address: str, host: str
) -> None:
    assert asyncio.run(ask(server, address, "/api/games", Host=host)).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "play.example.org.evil.example", "localhost.evil.example", "127.0.0.1.evil",
     "evil.example:80", "[::1", "1.2.3.4.5", "@localhost.x", "127.0.0.1#evil.example",
     "localhost/x", "evil@localhost", "localhost:80?x"],
)  # fmt: skip
def test_a_name_that_was_not_named_is_refused_and_the_text_says_what_to_do(
    server: Server, address: str, host: str
) -> None:
    answer = asyncio.run(ask(server, address, "/api/games", Host=host))
    check_problem(answer, 421, "host")
    assert "--allow-host" in answer.json()["detail"]


def test_an_unknown_name_is_logged_once_and_gets_no_live_connection(
    server: Server, address: str
) -> None:
    async def scenario() -> None:
        for _ in range(3):
            answer = await ask(server, address, "/", Host="rebound.example", Accept="text/html")
            assert (answer.status_code, "<h1>" in answer.text) == (421, True)
        async with asking(server, address) as client:
            room = (await make_room(client))["state"]["room"]
        here: Any = {"host": server.host, "port": server.port}
        async with connect(f"ws://rebound.example/api/rooms/{room}/live", **here) as socket_:
            async with asyncio.timeout(PATIENCE):
                await socket_.wait_closed()
            assert socket_.close_code == FOREIGN

    asyncio.run(scenario())
    lines = read_log(server)
    assert len([line for line in lines if "rebound.example" in line["message"]]) == 1
    [refused] = [line for line in lines if line["message"] == "live connection refused"]
    assert (refused["address"], refused["code"]) == ("127.0.0.1", FOREIGN)
    assert refused["reason"] == REASONS[FOREIGN]


def test_a_live_connection_is_logged_when_it_opens_and_with_its_end(
    server: Server, address: str
) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            room = (await make_room(client))["state"]["room"]
        async with live(server, room, local_addr=(address, 0)) as watcher:
            await watcher.say(type="ping")
            await watcher.hear("pong")
        await until(lambda: len(told()) == 2)

    def told() -> list[Json]:
        mine = [line for line in read_log(server) if line.get("address") == address]
        return [line for line in mine if line["message"].startswith("live")]

    asyncio.run(scenario())
    opened, closed = told()
    assert opened["message"] == "live connection opened"
    assert (closed["code"], closed["reason"]) == (1000, "The other side has gone.")
    assert closed["received"] == 2
    assert closed["sent"] >= 2
    assert closed["seconds"] >= 0
    assert closed["request"] == opened["request"]


def test_behind_a_proxy_that_nobody_has_named_visitors_do_not_share_one_ones_limits(
    tmp_path: Path,
) -> None:
    forwarded = {"X-Forwarded-For": "198.51.100.7"}

    async def scenario(server: Server) -> None:
        async with asking(server) as client, contextlib.AsyncExitStack() as stack:
            made = [
                await client.post("/api/rooms", json={"game": "duel"}, headers=forwarded)
                for _ in range(COSTLY + 1)
            ]
            assert [answer.status_code for answer in made] == [201] * (COSTLY + 1)
            for _ in range(REQUESTS):
                assert (await client.get("/api/games", headers=forwarded)).status_code == 200
            rooms = [answer.json()["state"]["room"] for answer in made]
            for room in rooms:  # more than one address may have
                await stack.enter_async_context(live(server, room, additional_headers=forwarded))
            for _ in range(COSTLY):
                await make_room(client)
            answer = await client.post("/api/rooms", json={"game": "duel"})
            check_problem(answer, 429, "too-many-requests")

    few = f"limits=GateLimits(*[Rate(burst, 0) for burst in ({REQUESTS}, {FILES}, {COSTLY})]"
    before = configured(f"{few}, connections={COSTLY})")
    options = ("--database", str(tmp_path / "web.db"))
    with Server(tmp_path / "log", *options, before=before) as server:
        asyncio.run(scenario(server))
    [warning] = read_log(server)
    assert "a proxy that is not named, so nobody's limits are kept" in warning["message"]


def test_only_a_named_proxy_chooses_the_id_of_a_request(server: Server, address: str) -> None:
    def logged(request: str) -> list[Json]:
        return [line for line in read_log(server) if line.get("request") == request]

    async def scenario() -> None:
        for sender, proposed, is_taken in (
            ("127.0.9.2", "of-the-proxy.1", True),
            ("127.0.9.2", "<script>", False),
            (address, "of-a-visitor", False),
        ):
            answer = await ask(server, sender, "/api/rooms/none", X_Request_ID=proposed)
            check_problem(answer, 404, "room")
            request = answer.headers["X-Request-ID"]
            assert (request == proposed) is is_taken
            assert answer.json()["request"] == request
            await until(partial(logged, request))
            [line] = logged(request)
            assert (line["status"], line["path"]) == (404, "/api/rooms/none")

    asyncio.run(scenario())


def test_probes_are_outside_all_limits(server: Server, address: str) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            codes = [
                (await client.get(path)).status_code for path in ("/healthz", "/readyz") * REQUESTS
            ]
            assert set(codes) == {200}

    asyncio.run(scenario())


def test_only_a_named_proxy_is_believed_about_addresses(server: Server) -> None:
    """An address uses up its limit; whoever claims to be it has none left, if believed."""
    spent, believed, liar = "192.0.2.7", "127.0.9.1", "127.0.8.200"

    async def scenario() -> None:
        async with asking(server, believed) as client:
            codes = [
                (await client.get("/api/games", headers={"X-Forwarded-For": spent})).status_code
                for _ in range(REQUESTS + 1)
            ]
            assert codes == [200] * REQUESTS + [429]
            other = await client.get("/api/games", headers={"X-Forwarded-For": "192.0.2.8"})
            assert other.status_code == 200
        async with asking(server, liar) as client:
            codes = [
                (
                    await client.get("/api/games", headers={"X-Forwarded-For": f"192.0.3.{n}"})
                ).status_code
                for n in range(REQUESTS + 1)
            ]
            assert codes == [200] * REQUESTS + [429]  # all of them were the liar's own

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", None]
)
@pytest.mark.parametrize("path", ["/api/rooms", "/api/rooms/x/join", "/api/rooms/x/actions"])
def test_what_is_posted_must_be_json(
    server: Server, address: str, path: str, kind: str | None
) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            headers = {"Content-Type": kind} if kind else {}
            answer = await client.post(path, content=b'{"game": "duel"}', headers=headers)
            check_problem(answer, 415, "unsupported-media-type")
            empty = await client.post(path, headers=headers)
            check_problem(empty, 400, "invalid")
            assert empty.json()["detail"] == "the request has no body: send a JSON object"

    asyncio.run(scenario())


def test_json_may_name_its_characters(server: Server, address: str) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            headers = {"Content-Type": "Application/JSON; charset=utf-8"}
            made = await client.post("/api/rooms", content=b'{"game": "duel"}', headers=headers)
            assert made.status_code == 201

    asyncio.run(scenario())


def test_files_do_not_count_as_requests_and_are_bounded_all_the_same(
    server: Server, address: str
) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            codes = [(await client.get("/static/icon.svg")).status_code for _ in range(FILES + 1)]
            assert codes == [200] * FILES + [429]
            assert (await client.get("/api/games")).status_code == 200

    asyncio.run(scenario())


def test_who_is_turned_away_gets_a_page_in_a_browser(server: Server, address: str) -> None:
    async def scenario() -> None:
        async with asking(server, address) as client:
            while (await client.get("/api/games")).status_code == 200:
                pass
            answer = await client.get("/", headers={"Accept": "text/html"})
            assert answer.status_code == 429
            assert "That is too much at once: try again in a few seconds." in answer.text
            assert int(answer.headers["Retry-After"]) > 0

    asyncio.run(scenario())


def test_rematches_count_as_rooms(tmp_path: Path) -> None:
    async def act(client: httpx.AsyncClient, room: str, token: str, do: str) -> httpx.Response:
        body = {"id": f"{do} {token}", "ply": 0, "do": do}
        return await client.post(f"/api/rooms/{room}/actions", json=body, headers=bearer(token))

    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            alone = await make_room(client, opponent="self")
            made = await make_room(client, opponent="friend")
            joined = await join_room(client, made)
            room, token = alone["state"]["room"], alone["token"]
            await act(client, room, token, "resign")
            again = (await act(client, room, token, "rematch")).json()
            room = again["state"]["view"]["rematch"]
            await act(client, room, token, "resign")
            check_problem(await act(client, room, token, "rematch"), 429, "too-many-requests")
            check_problem(
                await client.post("/api/rooms", json={"game": "duel"}), 429, "too-many-requests"
            )
            room = made["state"]["room"]
            await act(client, room, made["token"], "resign")
            await act(client, room, made["token"], "rematch")
            agreed = await act(client, room, joined["token"], "agree")
            check_problem(agreed, 429, "too-many-requests")
            async with live(server, room, joined["token"]) as player:
                await player.act("live", 0, "agree")
                assert (await player.hear("refused"))["code"] == "too-many-requests"
        async with asking(server, "127.0.8.201") as elsewhere:
            assert (await act(elsewhere, room, joined["token"], "agree")).status_code == 200

    options = ("--database", str(tmp_path / "web.db"))
    with Server(tmp_path / "log", *options, before=STINGY) as server:
        asyncio.run(scenario(server))


@pytest.mark.parametrize("address", ["*", "proxy.example.org", "10.0.0.300", ""])
def test_a_proxy_is_named_by_its_address(tmp_path: Path, address: str) -> None:
    with pytest.raises(RuntimeError, match="did not start"):
        Server(tmp_path / "log", "--database", str(tmp_path / "web.db"), "--proxy", address)
    assert "no address of a machine or a network" in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "//api/rooms"),
        ("POST", "/api//rooms/"),
        ("GET", "//api/analysis"),
        ("GET", "/api//analysis//stream"),
        ("GET", "/api/rooms/x//review"),
        ("GET", "/api/rooms/x/review//stream"),
        ("POST", "/api/rooms/x/hint//"),
        ("POST", "/api/puzzles/x//tries/"),
    ],
)
def test_no_slash_avoids_a_limit(method: str, path: str) -> None:
    limiter = Limiter(GateLimits(costly=Rate(1, 0), analyses=Rate(1, 0)))
    scope = {"client": ("192.0.2.1", 1), "path": path, "method": method}
    assert [limiter.take(scope), limiter.take(scope)] == [True, False]


def test_analyses_leave_rooms_hints_and_reviews_alone() -> None:
    limiter = Limiter(GateLimits(costly=Rate(1, 0), analyses=Rate(1, 0)))

    def take(method: str, path: str) -> bool:
        return limiter.take({"client": ("192.0.2.1", 1), "path": path, "method": method})

    assert [take("GET", "/api/analysis/stream") for _ in range(2)] == [True, False]
    assert [take("POST", "/api/rooms") for _ in range(2)] == [True, False]


def test_all_connections_of_an_address_share_a_limit_of_messages(tmp_path: Path) -> None:
    generous = configured(f"limits=GateLimits(messages=Rate({COSTLY}, 0))")

    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            room = (await make_room(client))["state"]["room"]
        async with live(server, room), live(server, room), live(server, room) as last:
            await last.say(type="ping")
            await last.socket.wait_closed()
            assert last.socket.close_code == TOO_MANY

    database = ("--database", str(tmp_path / "web.db"))
    with Server(tmp_path / "log", *database, before=generous) as server:
        asyncio.run(scenario(server))
