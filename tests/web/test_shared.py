"""Two processes that serve the same games, from one PostgreSQL and one Redis."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import asyncpg  # type: ignore[import-untyped]
import httpx
import pytest
from redis.asyncio import Redis
from websockets.exceptions import ConnectionClosed

from tests.web.forked import gridlock
from tests.web.services import (
    Json,
    Live,
    Server,
    bearer,
    join_room,
    live,
    make_room,
    new_database,
    until,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path


class Shared(NamedTuple):
    """What several processes have in common."""

    database: str
    redis: str

    def serve(self, log: Path, *, before: str = "") -> Server:
        shared = ("--database", self.database, "--redis", self.redis)
        return Server(log, *shared, "--no-limits", before=before)


class Pair(NamedTuple):
    """Two processes, and somebody who asks each of them."""

    one: Server
    two: Server

    def clients(self) -> tuple[httpx.AsyncClient, httpx.AsyncClient]:
        return (
            httpx.AsyncClient(base_url=self.one.url, timeout=30),
            httpx.AsyncClient(base_url=self.two.url, timeout=30),
        )


@pytest.fixture(scope="module")
def shared(postgresql: str, redis: str) -> Shared:
    """A database that is up to date, and a Redis."""
    database = asyncio.run(new_database(postgresql))
    done = gridlock("db", "upgrade", "--database", database)
    assert done.stdout == "The database is up to date.\n", done.stderr
    return Shared(database, redis)


@pytest.fixture(scope="module")
def pair(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("shared")
    with shared.serve(folder / "one") as one, shared.serve(folder / "two") as two:
        yield Pair(one, two)


async def friends(pair: Pair, **wishes: object) -> tuple[str, str, str]:
    """Let two friends sit down, one at each process; return the room and their tokens."""
    at_one, at_two = pair.clients()
    async with at_one, at_two:
        made = await make_room(at_one, opponent="friend", name="Ann", **wishes)
        joined = await join_room(at_two, made)
        return made["state"]["room"], made["token"], joined["token"]


async def state_of(server: Server, room: str) -> Json:
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as client:
        answer = await client.get(f"/api/rooms/{room}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


async def events_of(server: Server, room: str) -> list[Json]:
    """Return everything that has happened in a room."""
    async with live(server, room) as watcher:
        answer = await watcher.hello(since=0)
        return list(answer["missed"])


def versions(connection: Live) -> list[int]:
    """Return the versions of the events that a connection has heard of, one after the other."""
    told = []
    for message in connection.heard[1:]:  # the first one answers the hello
        found = [message["event"]] if message["type"] == "event" else message.get("missed", [])
        told += [event["version"] for event in found]
    return told


def test_a_server_refuses_a_database_that_was_not_upgraded_in_one_line(
    postgresql: str, redis: str
) -> None:
    database = asyncio.run(new_database(postgresql))
    refused = gridlock("serve", "--port", "0", "--database", database, "--redis", redis)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.splitlines() == [
        "gridlock: the database is empty: run gridlock db upgrade with the same --database"
    ]


def test_two_friends_at_two_processes_play_a_whole_game_and_watchers_see_all_of_it(
    pair: Pair,
) -> None:
    async def scenario() -> None:
        at_one, at_two = pair.clients()
        async with at_one, at_two:
            made = await make_room(at_one, opponent="friend", name="Ann", size="4x4")
            room = made["state"]["room"]
            async with live(pair.one, room) as near, live(pair.two, room) as far:
                joined = await join_room(at_two, made)
                async with (
                    live(pair.one, room, made["token"]) as ann,
                    live(pair.two, room, joined["token"]) as bob,
                ):
                    final = await play_out([ann, bob])
                    last = final["version"]
                    for watcher in (near, far):
                        while versions(watcher)[-1:] != [last]:
                            await watcher.hear("event", "state")
                        assert versions(watcher) == list(range(1, last + 1))
                        assert watcher.heard[-1]["view"] | {"now": 0} == final | {"now": 0}
        assert final["finished"]
        for server in pair:
            state = await state_of(server, room)
            assert state["view"] | {"now": 0} == final | {"now": 0}
            assert state["seats"][1]["name"] == "Bob"

    async def play_out(players: list[Live]) -> Json:
        """Play the first legal cell until the end; return the last view."""
        view = players[0].heard[-1]["state"]["view"]
        while view["status"] == "playing":
            mover, other = players[view["board"]["mover"] - 1], players[2 - view["board"]["mover"]]
            answer = await mover.play(view["ply"], view["board"]["legal"][0])
            assert answer["type"] == "event", answer
            seen = await other.hear("event")
            assert seen["event"] == answer["event"]
            view = answer["view"]
        return dict(view)

    asyncio.run(scenario())


def test_one_action_sent_to_both_processes_at_once_is_played_once(pair: Pair) -> None:
    async def scenario() -> None:
        room, ann, _ = await friends(pair)
        at_one, at_two = pair.clients()
        async with at_one, at_two:
            act = {"id": "same", "ply": 0, "do": "play", "cell": "2,2"}
            answers = await asyncio.gather(
                *(
                    client.post(f"/api/rooms/{room}/actions", json=act, headers=bearer(ann))
                    for client in (at_one, at_two) * 4
                )
            )
        assert [answer.status_code for answer in answers] == [200] * 8
        assert all(answer.json()["state"]["moves"] == ["2,2"] for answer in answers)
        events = await events_of(pair.two, room)
        assert [event["id"] for event in events if event["type"] == "played"] == ["same"]

    asyncio.run(scenario())


@pytest.mark.parametrize("attempt", range(5))
def test_of_two_actions_for_one_ply_sent_to_both_processes_one_is_played_and_one_is_stale(
    pair: Pair, attempt: int
) -> None:
    async def scenario() -> None:
        room, ann, _ = await friends(pair)
        at_one, at_two = pair.clients()
        cells = {"1,1": at_one, "3,3": at_two}
        async with at_one, at_two:
            answers = await asyncio.gather(
                *(
                    client.post(
                        f"/api/rooms/{room}/actions",
                        json={"id": cell, "ply": 0, "do": "play", "cell": cell},
                        headers=bearer(ann),
                    )
                    for cell, client in cells.items()
                )
            )
        played, stale = sorted(answers, key=lambda answer: answer.status_code)
        assert (played.status_code, stale.status_code) == (200, 409)
        assert stale.headers["Content-Type"] == "application/problem+json"
        problem = stale.json()
        assert problem["code"] == "stale"
        moves = played.json()["state"]["moves"]
        assert len(moves) == 1
        assert problem["state"]["moves"] == moves
        assert problem["state"]["you"] == [1]
        for server in pair:
            assert (await state_of(server, room))["moves"] == moves

    asyncio.run(scenario())


def test_a_stale_action_sent_live_is_refused_and_answered_with_the_state(pair: Pair) -> None:
    async def scenario() -> None:
        room, ann, _ = await friends(pair)
        async with live(pair.one, room, ann) as near, live(pair.two, room, ann) as far:
            await near.act("near", 0, "play", "1,1")
            await far.act("far", 0, "play", "3,3")
            refusals = 0
            for connection, id_ in ((near, "near"), (far, "far")):
                answer = await connection.hear("event", "refused")
                if answer["type"] == "event" and answer["event"]["id"] != id_:
                    answer = await connection.hear("refused")
                if answer["type"] == "refused":
                    refusals += 1
                    assert (answer["id"], answer["code"]) == (id_, "stale")
                    state = (await connection.hear("state"))["state"]
                    assert len(state["moves"]) == 1
                    assert state["you"] == [1]
            assert refusals == 1

    asyncio.run(scenario())


def test_one_invitation_used_at_both_processes_at_once_seats_one_friend(pair: Pair) -> None:
    async def scenario() -> None:
        at_one, at_two = pair.clients()
        async with at_one, at_two:
            made = await make_room(at_one, opponent="friend")
            room = made["state"]["room"]
            answers = await asyncio.gather(
                *(
                    client.post(
                        f"/api/rooms/{room}/join", json={"invite": made["invite"], "name": name}
                    )
                    for client, name in ((at_one, "Bob"), (at_two, "Eve"))
                )
            )
        seated, refused = sorted(answers, key=lambda answer: answer.status_code)
        assert (seated.status_code, refused.status_code) == (200, 403)
        assert refused.json()["code"] == "invite"
        name = seated.json()["state"]["seats"][1]["name"]
        for server in pair:
            assert (await state_of(server, room))["seats"][1]["name"] == name

    asyncio.run(scenario())


def test_a_clock_that_both_processes_watch_runs_out_once(pair: Pair) -> None:
    async def scenario() -> None:
        room, ann, bob = await friends(pair, clock={"base": 1, "increment": 0})
        async with live(pair.one, room, ann) as near, live(pair.two, room, bob) as far:
            await near.play(0, "2,2")
            for connection in (near, far):
                event = await connection.hear_event("flagged")
                assert event["player"] == 2
                view = connection.heard[-1]["view"]
                assert (view["winner"], view["termination"]) == (1, "clock")
                assert view["clock"]["left"] == [1000, 0]
        for server in pair:
            events = await events_of(server, room)
            assert [event["type"] for event in events] == ["joined", "begun", "played", "flagged"]

    asyncio.run(scenario())


def test_a_rematch_that_was_agreed_at_two_processes_is_one_room_at_both(pair: Pair) -> None:
    async def scenario() -> None:
        room, ann, bob = await friends(pair)
        async with live(pair.one, room, ann) as near, live(pair.two, room, bob) as far:
            await near.act("resign", 0, "resign")
            await far.hear_event("resigned")
            await near.act("ask", 0, "rematch")
            await far.hear_event("offered")
            await far.act("agree", 0, "agree")
            rooms = {(await each.hear_event("rematched"))["room"] for each in (near, far)}
            (rematch,) = rooms
        async with live(pair.two, rematch, ann) as near, live(pair.one, rematch, bob) as far:
            seats = [each.heard[0]["state"]["you"] for each in (near, far)]
            assert seats == [[2], [1]]

    asyncio.run(scenario())


def test_a_process_that_comes_later_knows_every_game(
    pair: Pair, shared: Shared, tmp_path: Path
) -> None:
    async def scenario(start: Callable[[], Server]) -> None:
        room, ann, _ = await friends(pair)
        async with live(pair.one, room, ann) as player:
            await player.play(0, "2,2")
        with start() as third:
            async with live(third, room, ann) as player:
                state = player.heard[0]["state"]
                assert (state["moves"], state["you"]) == (["2,2"], [1])

    asyncio.run(scenario(lambda: shared.serve(tmp_path / "third")))


def test_games_go_on_when_the_connections_to_the_database_were_cut(
    pair: Pair, shared: Shared
) -> None:
    async def cut() -> None:
        connection = await asyncpg.connect(shared.database.replace("+asyncpg", ""))
        try:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        finally:
            await connection.close()

    asyncio.run(play_across_a_cut(pair, cut))


def test_live_events_go_on_when_the_connections_to_redis_were_cut(
    shared: Shared, tmp_path: Path
) -> None:
    async def cut() -> None:
        client = Redis.from_url(shared.redis)
        try:
            for kind in ("pubsub", "normal"):
                await client.client_kill_filter(_type=kind, skipme=True)
        finally:
            await client.aclose()

    with shared.serve(tmp_path / "one") as one, shared.serve(tmp_path / "two") as two:
        try:
            asyncio.run(play_across_a_cut(Pair(one, two), cut))
        except BaseException:
            for server in (one, two):  # what has lost Redis does not end by itself
                server.kill()
            raise


async def play_across_a_cut(pair: Pair, cut: Callable[[], Awaitable[None]]) -> None:
    """Cut connections while a game goes on; soon after, players hear each other as before."""

    async def hear_each_other() -> bool:
        try:
            async with asyncio.timeout(2):
                room, ann, _ = await friends(pair)
                async with live(pair.two, room) as watcher, live(pair.one, room, ann) as player:
                    await player.act("mine", 0, "play", "2,2")
                    await player.hear_event("played")
                    await watcher.hear_event("played")
        except (TimeoutError, ConnectionClosed):
            return False
        return True

    await until(hear_each_other)
    room, ann, _ = await friends(pair)
    async with live(pair.one, room, ann), live(pair.two, room):
        await cut()
        await until(hear_each_other, 8)


def test_a_room_id_that_no_database_takes_is_not_found(pair: Pair) -> None:
    async def scenario() -> None:
        async with httpx.AsyncClient(base_url=pair.one.url, timeout=30) as client:
            assert (await client.get("/api/rooms/%00")).status_code == 404

    asyncio.run(scenario())


WATCHFUL = """
from gridlock.web import rooms, presence, room
presence._NOTING_SECONDS = 0.1
presence.SEEN_MILLISECONDS = rooms.SEEN_MILLISECONDS = 3000
room._CLAIM_AFTER_WITHOUT_CLOCK = 0
"""
"""A process that soon notices who is away."""


@pytest.mark.long
def test_nobody_who_is_connected_to_another_process_is_taken_to_be_away(
    shared: Shared, tmp_path: Path
) -> None:
    async def noted(room: str, player: int) -> int:
        connection = await asyncpg.connect(shared.database.replace("+asyncpg", ""))
        try:
            asked = "SELECT at FROM seen WHERE room = $1 AND player = $2"
            return int(await connection.fetchval(asked, room, player) or 0)
        finally:
            await connection.close()

    async def scenario(pair: Pair) -> None:
        room, ann, bob = await friends(pair)
        async with live(pair.one, room, ann) as one:
            async with live(pair.two, room, bob):
                await one.play(0, "2,2")
                await until(partial(noted, room, 1))
                begin = await noted(room, 1)

                async def was_looked_for() -> bool:
                    return await noted(room, 1) > begin + 2 * 3000

                await until(was_looked_for)
                await one.act("claim", 1, "claim")
                assert (await one.hear("refused"))["code"] == "early"
                heard = [message["event"] for message in one.heard if "event" in message]
                assert not [e for e in heard if (e["type"], e.get("player")) == ("away", 2)]
            away = await one.hear_event("away")
            assert away["player"] == 2
            async with live(pair.two, room, bob):
                await one.hear_event("back")
            await one.hear_event("away")
            await one.act("mine", 1, "claim")
            claimed = await one.hear("event")
            assert claimed["event"]["type"] == "claimed"
            assert (claimed["view"]["winner"], claimed["view"]["finished"]) == (1, True)
            assert claimed["view"]["ending"] == "B has left the game: A wins!"

    with (
        shared.serve(tmp_path / "one", before=WATCHFUL) as one,
        shared.serve(tmp_path / "two", before=WATCHFUL) as two,
    ):
        asyncio.run(scenario(Pair(one, two)))
