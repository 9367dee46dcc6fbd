"""Attacks on the seats of others: forged, missing and foreign secrets, and script in names."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.services import (
    PROBLEM,
    Json,
    Server,
    asking,
    bearer,
    check_problem,
    join_room,
    live,
    make_room,
)

if TYPE_CHECKING:
    from pathlib import Path

    import httpx


def test_script_in_a_name_comes_back_as_plain_text(server: Server) -> None:
    name = "<script>alert('1')</script>&"

    async def scenario() -> None:
        async with asking(server) as client:
            answer = await client.post("/api/rooms", json={"game": "duel", "name": name})
            assert answer.status_code == 201
            assert json.dumps(name)[1:-1] in answer.text
            assert answer.headers["Content-Type"] == "application/json"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            room = answer.json()["state"]["room"]
            assert (await client.get(f"/api/rooms/{room}")).json()["seats"][0]["name"] == name
            record = await client.get(f"/api/rooms/{room}/record")
            assert record.headers["Content-Type"].startswith("text/plain; charset=utf-8")
            assert name in record.text
            for path in (f"/room/{name}", f"/rules/{name}", f"/api/rooms/{name}", f"/{name}"):
                echo = await client.get(path)
                assert "<script" not in echo.text or "json" in echo.headers["Content-Type"]

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("x" * 30, "x" * 30),
        ("🎲" * 30, "🎲" * 30),
        ("  Ann \n\t Lee\x00 ", "Ann Lee"),
        ("\u202eAnn", "Ann"),
        ("", "Player 1"),
        (" \x07 ", "Player 1"),
    ],
)
def test_names_are_kept_in_one_line_of_visible_characters(
    server: Server, name: str, kept: str
) -> None:
    async def scenario() -> None:
        async with asking(server) as client:
            made = await make_room(client, name=name)
        assert made["state"]["seats"][0]["name"] == kept

    asyncio.run(scenario())


@pytest.mark.parametrize("name", ["x" * 31, "computer", "computer:3", None, 1, ["x"]])
def test_names_that_are_too_long_or_a_computers_are_refused(server: Server, name: object) -> None:
    async def scenario() -> None:
        async with asking(server) as client:
            answer = await client.post("/api/rooms", json={"game": "duel", "name": name})
            assert answer.status_code == 400
            assert answer.headers["Content-Type"] == PROBLEM
            made = await make_room(client, opponent="friend")
            path = f"/api/rooms/{made['state']['room']}/join"
            answer = await client.post(path, json={"invite": made["invite"], "name": name})
            assert answer.status_code == 400
            await join_room(client, made)  # the invitation is still good

    asyncio.run(scenario())


def test_only_the_mover_plays_and_only_once_and_only_until_the_end(server: Server) -> None:
    async def scenario() -> None:
        async with asking(server) as client:
            made = await make_room(client, opponent="friend")
            path = f"/api/rooms/{made['state']['room']}/actions"
            ann = made["token"]

            async def act(token: str | None, **act: object) -> httpx.Response:
                body = {"id": f"{len(str(act))}", "ply": 0, "do": "play", "cell": "1,1", **act}
                return await client.post(path, json=body, headers=bearer(token))

            check_problem(await act(ann), 409, "waiting")
            bob = (await join_room(client, made))["token"]
            check_problem(await act(bob), 409, "turn")
            forged = ("forged", ann[:-1], ann + "A", ann.swapcase(), made["invite"])
            for watcher in (None, *forged):
                check_problem(await act(watcher), 403, "seat")
                check_problem(await act(watcher, do="resign"), 403, "seat")
            assert (await act(ann, id="a")).status_code == 200
            assert (await act(ann, id="a")).json()["state"]["moves"] == ["1,1"]
            check_problem(await act(ann, id="b"), 409, "stale")
            check_problem(await act(ann, id="c", ply=1, cell="3,3"), 409, "turn")
            check_problem(await act(bob, id="d", ply=1), 409, "taken")
            check_problem(await act(bob, id="e", ply=1, cell="9,9"), 400, "outside")
            check_problem(await act(bob, id="f", ply=1, cell="nonsense"), 400, "notation")
            assert (await act(bob, id="a", ply=1, cell="3,3")).status_code == 200
            state = (await act(bob, id="g", do="resign")).json()["state"]
            assert (state["moves"], state["view"]["winner"]) == (["1,1", "3,3"], 1)
            for token in (ann, bob):
                check_problem(await act(token, id="h", ply=2, cell="2,2"), 409, "over")
                check_problem(await act(token, id="i", do="resign"), 409, "over")
            assert (await client.get(path[: -len("/actions")])).json()["moves"] == ["1,1", "3,3"]

    asyncio.run(scenario())


def test_a_token_of_one_room_is_worth_nothing_in_another(server: Server) -> None:
    async def scenario() -> None:
        async with asking(server) as client:
            mine, other = [await make_room(client, opponent="self") for _ in range(2)]
            room = other["state"]["room"]
            for path, body in (("actions", {"id": "1", "ply": 0, "do": "resign"}), ("hint", None)):
                answer = await client.post(
                    f"/api/rooms/{room}/{path}", json=body, headers=bearer(mine["token"])
                )
                check_problem(answer, 403, "seat")
            seen = await client.get(f"/api/rooms/{room}", headers=bearer(mine["token"]))
            assert seen.json()["you"] == []
        async with live(server, room, mine["token"]) as watcher:
            await watcher.act("2", 0, "resign")
            assert (await watcher.hear("refused"))["code"] == "seat"
            assert watcher.heard[0]["state"]["you"] == []

    asyncio.run(scenario())


def test_an_invitation_is_good_once_and_for_its_own_room(server: Server) -> None:
    async def scenario() -> None:
        async with asking(server) as client:
            made, other = [await make_room(client, opponent="friend") for _ in range(2)]
            alone = await make_room(client, opponent="self")

            async def join(room: Json, invite: str) -> httpx.Response:
                path = f"/api/rooms/{room['state']['room']}/join"
                return await client.post(path, json={"invite": invite})

            for invite in (other["invite"], made["token"], "forged", made["invite"].swapcase()):
                check_problem(await join(made, invite), 403, "invite")
            check_problem(await join(alone, made["invite"]), 403, "invite")
            joined = await join(made, made["invite"])
            assert joined.json()["state"]["you"] == [2]
            check_problem(await join(made, made["invite"]), 403, "invite")
            path = f"/api/rooms/{made['state']['room']}"
            seen = await client.get(path, headers=bearer(made["invite"]))
            assert seen.json()["you"] == []

    asyncio.run(scenario())


def test_no_secret_is_told_to_anybody_else_nor_kept_nor_logged(tmp_path: Path) -> None:
    told: dict[str, list[bytes]] = {"Ann": [], "Bob": [], "watcher": []}
    secrets: dict[str, str] = {}

    async def ask(client: httpx.AsyncClient, who: str, method: str, path: str, **more: Any) -> Json:
        answer = await client.request(method, path, **more)
        told[who] += [answer.content, repr(answer.headers.raw).encode()]
        is_json = "json" in answer.headers["Content-Type"]
        return dict(answer.json()) if is_json else {}

    async def scenario(server: Server) -> None:
        async with asking(server) as client, contextlib.AsyncExitStack() as stack:
            wishes = {"game": "duel", "size": "3x3", "opponent": "friend", "name": "Ann"}
            made = await ask(client, "Ann", "POST", "/api/rooms", json=wishes)
            room = f"/api/rooms/{made['state']['room']}"
            watcher = await stack.enter_async_context(live(server, made["state"]["room"]))
            invite = {"invite": made["invite"], "name": "Bob"}
            joined = await ask(client, "Bob", "POST", f"{room}/join", json=invite)
            secrets.update(Ann=made["token"], Bob=joined["token"], invite=made["invite"])
            people = {
                who: await stack.enter_async_context(live(server, made["state"]["room"], token))
                for who, token in (("Ann", secrets["Ann"]), ("Bob", secrets["Bob"]))
            }
            await people["Ann"].play(0, "1,1")
            await people["Bob"].act("1", 0, "resign")
            await people["Ann"].hear_event("resigned")
            for who in people:
                token = bearer(secrets[who])
                for number, command in enumerate(("rematch", "rematch", "agree")):
                    act = {"id": f"command {number}", "ply": 0, "do": command}
                    await ask(client, who, "POST", f"{room}/actions", json=act, headers=token)
                await ask(client, who, "POST", f"{room}/hint", json={}, headers=token)
                for path in ("", "/record", "/review", "/nowhere"):
                    await ask(client, who, "GET", room + path, headers=token)
            await watcher.hear_event("rematched")
            await ask(client, "watcher", "POST", f"{room}/join", json=invite)
            for path in ("", "/record", "/review"):
                await ask(client, "watcher", "GET", room + path)
            await watcher.hello(since=0)
            for who, connection in (*people.items(), ("watcher", watcher)):
                told[who].append(json.dumps(connection.heard).encode())

    database = tmp_path / "web.db"
    with Server(tmp_path / "log", "--database", str(database), "--log", "debug") as server:
        asyncio.run(scenario(server))
        kept = [path.read_bytes() for path in tmp_path.glob("web.db*")]
    log = (tmp_path / "log").read_bytes()
    assert log.count(b"request") > 10
    heard_by = {
        name: {who for who, answers in told.items() if secret.encode() in b"".join(answers)}
        for name, secret in secrets.items()
    }
    assert heard_by == {"Ann": {"Ann"}, "Bob": {"Bob"}, "invite": {"Ann"}}
    for secret in secrets.values():
        assert not any(secret.encode() in content for content in (*kept, log))
