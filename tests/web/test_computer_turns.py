"""Computers' turns at several processes: each is played, once, whichever of them ends."""

from __future__ import annotations

import asyncio
import signal
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import httpx
import pytest

from gridlock import engine
from gridlock.clock import milliseconds
from gridlock.search import levels
from gridlock.web import computer_turns
from gridlock.web.computer_turns import Turns
from gridlock.web.config import SearchLimits
from gridlock.web.database_access import Access
from gridlock.web.journal import Due, Entry, Journal
from gridlock.web.searches import Searches
from gridlock.web.settings import ClockTerms, Opponent
from tests.web.databases import changed, opened
from tests.web.rooms import Session, settings
from tests.web.services import PATIENCE, Server, bearer, live, make_room, until
from tests.web.test_shared import Pair, Shared, events_of, shared, state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from gridlock.model import Position
    from gridlock.web.room import Room
    from gridlock.web.rooms import Rooms
    from tests.web.services import Json, Live

__all__ = ["shared"]  # a fixture

ANXIOUS = """
from gridlock.web import computer_turns
computer_turns._LEASE = 0
computer_turns._LOOK_SECONDS = 0.1
"""
"""A process that plays every computer's turn it can find, at once."""

UNHURRIED = """
from gridlock.web import computer_turns
computer_turns._LEASE = 10_000
"""
"""A process that is not taken to be dead because the machine is slow."""

PATIENT = """
from gridlock.web import computer_turns
computer_turns._LEASE = 3600_000
"""
"""A process that plays no turn of another one, unless that has left it."""

THOUGHTLESS = """
import asyncio
from gridlock.web.searches import Searches
async def think_for_ever(*_): await asyncio.Event().wait()
Searches.choose = think_for_ever
"""
"""A process whose computers never finish thinking."""


async def begin(server: Server) -> Json:
    """Make a room in which a computer is to move."""
    async with httpx.AsyncClient(base_url=server.url, timeout=30) as client:
        made = await make_room(client, opponent="computer", level=1)
        act = {"id": "mine", "ply": 0, "do": "play", "cell": "2,2"}
        path = f"/api/rooms/{made['state']['room']}/actions"
        answer = await client.post(path, json=act, headers=bearer(made["token"]))
        assert answer.status_code == 200
        return made


async def hear_computer(player: Live, server: Server, room: str) -> None:
    """Wait until the computer has played, and make sure that it has done so once."""
    while (await player.hear_event("played"))["player"] != 2:
        pass
    played = [event for event in await events_of(server, room) if event["type"] == "played"]
    assert [event["player"] for event in played] == [1, 2]


@pytest.mark.long
def test_a_computers_turn_that_both_processes_play_is_played_once(
    shared: Shared, tmp_path: Path
) -> None:
    async def scenario(pair: Pair) -> None:
        async with httpx.AsyncClient(base_url=pair.one.url, timeout=30) as client:
            made = await make_room(client, size="4x4", opponent="computer", level=1)
        room = made["state"]["room"]
        async with (
            live(pair.one, room, made["token"]) as near,
            live(pair.two, room, made["token"]) as far,
        ):
            view, connections = made["state"]["view"], [near, far]
            while view["status"] == "playing":
                if view["board"]["mover"] == 1:
                    await connections[0].play(view["ply"], view["board"]["legal"][0])
                    connections.reverse()
                else:
                    await until(partial(has_moved_on, pair, room, view["ply"]))
                view = (await state_of(pair.two, room))["view"]
        events = await events_of(pair.one, room)
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        players = [event["player"] for event in events if event["type"] == "played"]
        assert players == [1 + number % 2 for number in range(len(players))]

    async def has_moved_on(pair: Pair, room: str, ply: int) -> bool:
        view = (await state_of(pair.one, room))["view"]
        return bool(view["ply"] > ply)

    with (
        shared.serve(tmp_path / "one", before=ANXIOUS) as one,
        shared.serve(tmp_path / "two", before=ANXIOUS) as two,
    ):
        asyncio.run(scenario(Pair(one, two)))


@pytest.mark.long
def test_while_a_process_thinks_it_says_so_and_when_it_dies_another_one_plays(
    shared: Shared, tmp_path: Path
) -> None:
    async def scenario(one: Server, two: Server) -> None:
        made = await begin(one)
        room = made["state"]["room"]
        async with opened(shared.database) as engine, live(two, room, made["token"]) as player:
            for _ in range(3):
                said = await changed(engine, room)

                async def is_said_again(said: int | None = said) -> bool:
                    return await changed(engine, room) != said

                await until(is_said_again)
            assert (await state_of(two, room))["view"]["ply"] == 1
            one.kill()
            await hear_computer(player, two, room)

    with (
        shared.serve(tmp_path / "one", before=UNHURRIED + THOUGHTLESS) as one,
        shared.serve(tmp_path / "two", before=UNHURRIED) as two,
    ):
        asyncio.run(scenario(one, two))


@pytest.mark.parametrize("farewell", [signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_told_to_stop_leaves_its_turns_to_another_one(
    farewell: signal.Signals, shared: Shared, tmp_path: Path
) -> None:
    async def scenario(one: Server, two: Server) -> None:
        made = await begin(one)
        room = made["state"]["room"]
        async with live(two, room, made["token"]) as player:
            one.process.send_signal(farewell)
            await hear_computer(player, two, room)
        one.process.wait(PATIENCE)

    with (
        shared.serve(tmp_path / "one", before=PATIENT + THOUGHTLESS) as one,
        shared.serve(tmp_path / "two", before=PATIENT) as two,
    ):
        asyncio.run(scenario(one, two))


def test_a_turn_that_nobody_plays_is_taken_by_one_alone(database: str) -> None:
    async def scenario() -> None:
        now = milliseconds()
        async with opened(database) as engine:
            journal = Journal(Access(engine))
            entry = Entry()
            for number in range(20):
                terms = settings(Opponent.COMPUTER)
                entry.add_room(f"room-{number}", terms, Due(now - number, awaits_computer=True))
            await journal._commit([entry])
            taken = await asyncio.gather(*(journal.take_turns(now - 10, now) for _ in range(4)))
            rooms = sorted(room for part in taken for room in part)
            assert rooms == sorted(f"room-{number}" for number in range(10, 20))
            freed = Entry()
            freed.add_free_turns(["room-3"], now - 10)
            await journal._commit([freed])
            assert await journal.take_turns(now - 10, now) == ["room-3"]

    asyncio.run(scenario())


class Table:
    """A room at which Ann plays a computer; time goes on only where somebody takes it."""

    LAG = 10  # milliseconds that an action needs to be stored and told

    def __init__(self, session: Session, searches: Searches, pace: float) -> None:
        self.session = session
        self.turns = Turns(cast("Rooms", self), cast("Journal", None), searches, pace)
        self.paces: list[float] = []

    def pass_time(self, seconds: float) -> None:
        self.session.now += round(1000 * seconds)

    async def pause(self, seconds: float) -> None:
        """Stand in for the pause that lets people follow."""
        self.paces.append(seconds)
        self.pass_time(seconds)

    async def room(self, _: str) -> Room:
        return self.session.room

    def charged(self, _: str) -> str:
        return "a"

    async def play_computer(self, _: str, version: int, cell: int) -> None:
        self.session.now += self.LAG
        room, now = self.session.room, self.session.now
        assert room.version == version
        self.session.happen(room.overdue(now) or room.computer_plays(cell, now))

    async def play_game(self) -> None:
        """Let Ann, who takes no time, and the computer play to the end."""
        room = self.session.room
        while room.status == "playing":
            if room.awaits_computer:
                self.turns.begin(room.id)
                await until(lambda: not self.turns._turns)
            else:
                self.session.play(room.game.name(room.position.legal_cells()[0]))


@pytest.fixture
def sit_down(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Table]]:
    """Set tables at which computers think for all the time that they may."""
    searches = Searches(SearchLimits(1))

    def sit(game: str, size: str, clock: ClockTerms | None, pace: float) -> Table:
        terms = settings(Opponent.COMPUTER, game, size, clock=clock)
        table = Table(Session(terms), searches, pace)

        def think(_: object, position: Position, *rest: Any) -> int:
            table.pass_time(rest[2] or 0)
            return position.legal_cells()[-1]

        monkeypatch.setattr(levels, "choose", think)
        monkeypatch.setattr(engine, "milliseconds", lambda: table.session.now)
        monkeypatch.setattr(computer_turns, "milliseconds", lambda: table.session.now)
        monotonic = SimpleNamespace(monotonic=lambda: table.session.now / 1000)
        monkeypatch.setattr(computer_turns, "time", monotonic)
        monkeypatch.setattr(table.turns, "_pause", table.pause)
        return table

    yield sit
    searches.close()


@pytest.mark.parametrize("terms", [ClockTerms(1), ClockTerms(1, 1), ClockTerms(60)], ids=str)
@pytest.mark.parametrize(
    ("game", "size"), [("duel", "9x9"), ("occupation", "7x7"), ("race", "5x5")]
)
def test_a_computer_never_loses_by_the_clock(
    sit_down: Callable[..., Table], game: str, size: str, terms: ClockTerms
) -> None:
    table = sit_down(game, size, terms, 0.4)
    asyncio.run(table.play_game())
    assert table.paces
    assert table.session.room.match.record.termination is None


@pytest.mark.parametrize(
    ("terms", "pace"), [(None, 0.4), (ClockTerms(60), 0.4), (ClockTerms(6), 0.2)], ids=str
)
def test_a_computer_keeps_its_pace_unless_its_time_is_short(
    sit_down: Callable[..., Table],
    monkeypatch: pytest.MonkeyPatch,
    terms: ClockTerms | None,
    pace: float,
) -> None:
    table = sit_down("duel", "3x3", terms, 0.4)
    monkeypatch.setattr(levels, "choose", lambda *_: 8)  # at once
    table.session.play("1,1")
    room = table.session.room
    asyncio.run(table.turns._play_one(room))
    assert table.paces == [pytest.approx(pace)]
