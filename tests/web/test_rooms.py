"""The rooms: what happens is kept before it is told, whatever else goes on."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import event as sql_event
from sqlalchemy import text

from gridlock.clock import Clock, milliseconds
from gridlock.errors import StoreError
from gridlock.model import Player
from gridlock.web import computer_turns, migration
from gridlock.web import rooms as rooms_module
from gridlock.web.config import SearchLimits
from gridlock.web.database import connect, read_url
from gridlock.web.database_access import Access
from gridlock.web.event import Act, Command
from gridlock.web.journal import ConflictError, Entry, Journal, News
from gridlock.web.room import RefusedError
from gridlock.web.rooms import NoRoomError, Rooms
from gridlock.web.searches import BusyError, Searches
from gridlock.web.settings import ClockTerms, Opponent, new_room
from tests.web.rooms import ANN, BOB, INVITE, settings
from tests.web.services import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sqlalchemy.ext.asyncio import AsyncEngine

    from gridlock.model import Position

ONE, TWO = Player


class Place:
    """A rooms with its database, and everything that was published there."""

    def __init__(self, folder: Path, *, is_shared: bool = False) -> None:
        self.engine = connect(read_url(str(folder / "web.db")))
        self.journal = Journal(Access(self.engine))
        self.searches = Searches(SearchLimits(threads=1))
        self.published: list[tuple[str, dict[str, Any]]] = []
        self.rooms = Rooms(self.journal, self.searches, self._publish, is_shared=is_shared)

    def _publish(self, room: str, message: bytes) -> None:
        self.published.append((room, msgspec.json.decode(message)))

    def versions(self, room: str) -> list[int]:
        """Return the versions of what was published in a room."""
        found = []
        for where, message in self.published:
            if where == room:
                view = message["view"] if message["type"] == "event" else message["state"]["view"]
                found.append(view["version"])
        return found


@contextlib.asynccontextmanager
async def opened(folder: Path, *, is_shared: bool = False) -> AsyncIterator[Place]:
    place = Place(folder, is_shared=is_shared)
    await migration.upgrade(place.engine)
    await place.journal.start()
    await place.rooms.start()
    try:
        yield place
    finally:
        place.searches.close()
        await place.rooms.stop()
        await place.journal.stop()
        await place.engine.dispose()


class Questions:
    """What a database is asked meanwhile."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine.sync_engine
        self.reads: list[str] = []

    def __enter__(self) -> Questions:
        sql_event.listen(self._engine, "before_cursor_execute", self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sql_event.remove(self._engine, "before_cursor_execute", self._note)

    def _note(self, _: object, __: object, statement: str, *___: object) -> None:
        if statement.startswith("SELECT"):
            self.reads.append(statement)


async def never(*_: object) -> int:
    """Stand in for a choice that takes for ever."""
    await asyncio.Event().wait()
    return 0


async def friends(rooms: Rooms, **terms: Any) -> str:
    """Make a room in which Ann and Bob sit."""
    room = await rooms.create(settings(**terms))
    await rooms.join(room.id, INVITE, "Bob", BOB)
    return room.id


def test_what_is_done_is_on_disk_before_it_is_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await friends(place.rooms)
            seen: list[int] = []

            def publish(_: str, message: bytes) -> None:
                seen.append(msgspec.json.decode(message)["event"]["version"])
                task = asyncio.create_task(place.journal.read(room))
                tasks.append(task)

            tasks: list[asyncio.Task[Any]] = []
            place.rooms._publish = publish
            await place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
            found = await tasks[0]
            assert found
            assert seen == [found[1][-1].version]

    asyncio.run(scenario())


def test_nobody_sees_what_is_not_yet_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await friends(place.rooms)
            write, may_go_on = place.journal.write, asyncio.Event()

            async def slow(entry: Entry) -> None:
                await may_go_on.wait()
                await write(entry)

            monkeypatch.setattr(place.journal, "write", slow)
            acting = asyncio.create_task(
                place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
            )
            looking = asyncio.create_task(place.rooms.room(room))
            await asyncio.sleep(0.05)
            assert not looking.done()
            may_go_on.set()
            assert (await looking).ply == 1
            assert await acting

    asyncio.run(scenario())


def test_what_cannot_be_kept_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await friends(place.rooms)
            told = len(place.published)

            async def fail(_: Entry) -> None:
                raise StoreError("the disk is full")

            with monkeypatch.context() as patch:
                patch.setattr(place.journal, "write", fail)
                with pytest.raises(StoreError, match="the disk is full"):
                    await place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
            assert (await place.rooms.room(room)).ply == 0
            assert len(place.published) == told
            assert await place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))

    asyncio.run(scenario())


def test_who_waits_while_something_cannot_be_kept_sees_the_room_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await friends(place.rooms)
            may_fail = asyncio.Event()

            async def fail(_: Entry) -> None:
                await may_fail.wait()
                raise StoreError("the disk is full")

            monkeypatch.setattr(place.journal, "write", fail)
            acting = asyncio.create_task(
                place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
            )
            await asyncio.sleep(0)
            looking = [asyncio.create_task(place.rooms.room(room)) for _ in range(3)]
            await asyncio.sleep(0.01)
            may_fail.set()
            assert [(await look).ply for look in looking] == [0, 0, 0]
            with pytest.raises(StoreError):
                await acting

    asyncio.run(scenario())


def test_rooms_are_as_they_were_after_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await friends(place.rooms, clock=ClockTerms(60, 1))
            await place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
            before = await place.rooms.room(room)
        async with opened(tmp_path) as place:
            after = await place.rooms.room(room)
            assert after.match.record == before.match.record
            assert after.deadline == before.deadline
            assert after.held_by(BOB) == (TWO,)
            assert not await place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
            with pytest.raises(NoRoomError):
                await place.rooms.room("no such room")

    asyncio.run(scenario())


def test_a_computers_turn_is_played_and_one_that_a_crash_interrupted_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            monkeypatch.setattr(place.searches, "choose", never)
            made = await place.rooms.create(settings(Opponent.COMPUTER))
            await place.rooms.act(made.id, ANN, Act("1", 0, Command.PLAY, "3,3"))
            assert made.awaits_computer
        async with opened(tmp_path) as place:
            room = await place.rooms.room(made.id)
            await until(lambda: room.ply == 2)
            assert room.position.mover is ONE

    asyncio.run(scenario())


def test_a_computers_turn_is_charged_to_whoever_made_it_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the maker, then to whoever plays, and after a restart to nobody: no address is kept."""
    charged: list[str] = []
    choose = Searches.choose

    async def charge(
        self: Searches, position: Position, level: int, address: str, clock: Clock | None
    ) -> int:
        charged.append(address)
        return await choose(self, position, level, address, clock)

    async def scenario() -> None:
        terms = settings(Opponent.COMPUTER, first=TWO)
        monkeypatch.setattr(Searches, "choose", charge)
        async with opened(tmp_path) as place:
            made = await place.rooms.create(terms, "192.0.2.1")
            await until(lambda: made.position.mover is ONE)
            cell = made.game.names(made.position.legal)[0]
            await place.rooms.act(made.id, ANN, Act("1", 1, Command.PLAY, cell), "192.0.2.2")
            await until(lambda: made.position.mover is ONE)
            monkeypatch.setattr(place.searches, "choose", never)
            interrupted = await place.rooms.create(terms, "192.0.2.3")
        async with opened(tmp_path) as place:
            again = await place.rooms.room(interrupted.id)
            await until(lambda: again.ply == 1)
        assert charged == ["192.0.2.1", "192.0.2.2", ""]

    asyncio.run(scenario())


def test_a_computer_stops_thinking_about_a_position_that_is_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = asyncio.Event()

    async def scenario() -> None:
        async with opened(tmp_path) as place:

            async def for_ever(*_: object) -> int:
                try:
                    return await never()
                except asyncio.CancelledError:
                    stopped.set()
                    raise

            monkeypatch.setattr(place.searches, "choose", for_ever)
            room = await place.rooms.create(settings(Opponent.COMPUTER))
            await place.rooms.act(room.id, ANN, Act("1", 0, Command.PLAY, "3,3"))
            await until(lambda: place.rooms._turns._choosing)
            await place.rooms.act(room.id, ANN, Act("2", 1, Command.UNDO))
            await until(stopped.is_set)
            await until(lambda: not place.rooms._turns._turns)

    asyncio.run(scenario())


def test_a_computer_that_begins_a_race_plays_both_parts_of_its_turn(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            terms = settings(Opponent.COMPUTER, "race", "3x3", first=TWO)
            room = await place.rooms.create(terms)
            await until(lambda: room.position.mover is ONE)
            assert room.ply == 2

    asyncio.run(scenario())


def test_a_choice_that_comes_after_something_else_happened_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            choose, may_go_on = place.searches.choose, asyncio.Event()

            async def slow(*arguments: Any) -> int:
                cell = await choose(*arguments)
                await may_go_on.wait()
                return cell

            monkeypatch.setattr(place.searches, "choose", slow)
            room = await place.rooms.create(settings(Opponent.COMPUTER))
            await place.rooms.act(room.id, ANN, Act("1", 0, Command.PLAY, "3,3"))
            await place.rooms.act(room.id, ANN, Act("2", 1, Command.UNDO))
            may_go_on.set()
            await until(lambda: not place.rooms._turns._turns)
            assert room.ply == 0

    asyncio.run(scenario())


def test_a_computer_waits_while_the_server_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_turns, "_BUSY_PAUSE", 0.01)
    refusals = [BusyError("busy"), BusyError("busy")]

    async def scenario() -> None:
        async with opened(tmp_path) as place:
            choose = place.searches.choose

            async def busy(*arguments: Any) -> int:
                if refusals:
                    raise refusals.pop()
                return await choose(*arguments)

            monkeypatch.setattr(place.searches, "choose", busy)
            room = await place.rooms.create(settings(Opponent.COMPUTER, first=TWO))
            await until(lambda: room.ply == 1)

    asyncio.run(scenario())


def test_a_computer_whose_choice_cannot_be_kept_plays_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_turns, "_LEASE", 0)
    failures = [StoreError("the disk is full")]

    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await place.rooms.create(settings(Opponent.COMPUTER))
            write = place.journal.write

            async def fail(entry: Entry) -> None:
                if failures and room.ply == 2:
                    raise failures.pop()
                await write(entry)

            monkeypatch.setattr(place.journal, "write", fail)
            await place.rooms.act(room.id, ANN, Act("1", 0, Command.PLAY, "3,3"))

            async def has_played() -> bool:
                return (await place.rooms.room(room.id)).ply == 2

            await until(has_played)
            assert not failures

    asyncio.run(scenario())


def test_time_runs_out_though_nobody_is_there(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await friends(place.rooms, clock=ClockTerms(1))
            await place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
        await asyncio.sleep(1.1)
        async with opened(tmp_path) as place:
            found = await place.rooms.room(room)
            await until(lambda: found.match.winner is ONE)
            assert found.match.record.termination == "clock"

    asyncio.run(scenario())


def test_a_damaged_room_stops_no_other_clock(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            damaged = await friends(place.rooms, clock=ClockTerms(1))
            sound = await friends(place.rooms, clock=ClockTerms(1))
            for room in (damaged, sound):
                await place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
            async with place.engine.begin() as connection:
                await connection.execute(
                    text("UPDATE events SET event = '{}' WHERE room = :room"), {"room": damaged}
                )
            place.rooms._open.drop(damaged)
            found = await place.rooms.room(sound)
            await until(lambda: found.match.winner is ONE)

    asyncio.run(scenario())


def test_an_act_after_the_deadline_loses_on_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await friends(place.rooms, clock=ClockTerms(60))
            await place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
            late = milliseconds() + 60_000
            monkeypatch.setattr(rooms_module, "milliseconds", lambda: late)
            with pytest.raises(RefusedError, match="the game is over"):
                await place.rooms.act(room, BOB, Act("1", 1, Command.PLAY, "1,1"))
            assert (await place.rooms.room(room)).match.winner is ONE

    asyncio.run(scenario())


def test_a_clock_that_cannot_be_looked_at_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "_TICK", 0.01)
    failures = [StoreError("the database does not answer")]

    async def scenario() -> None:
        async with opened(tmp_path) as place:
            overdue = place.journal.overdue

            async def fail(now: int) -> list[str]:
                if failures:
                    raise failures.pop()
                return await overdue(now)

            monkeypatch.setattr(place.journal, "overdue", fail)
            room = await friends(place.rooms, clock=ClockTerms(1))
            await place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
            found = await place.rooms.room(room)
            await until(lambda: found.match.winner is ONE)
            assert not failures

    asyncio.run(scenario())


def test_a_rematch_and_the_room_it_is_in_are_kept_together(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            first = await place.rooms.create(settings(Opponent.COMPUTER))
            await place.rooms.act(first.id, ANN, Act("1", 0, Command.RESIGN))
            await place.rooms.act(first.id, ANN, Act("2", 0, Command.REMATCH))
            assert first.rematch
            again = await place.rooms.room(first.rematch)
            await until(lambda: again.ply == 1)  # the computer begins
            assert again.held_by(ANN) == (TWO,)

    asyncio.run(scenario())


def test_two_processes_agree_on_who_was_first(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            opened(tmp_path, is_shared=True) as one,
            opened(tmp_path, is_shared=True) as two,
        ):
            room = await friends(one.rooms)
            await two.rooms.room(room)
            acts = [
                one.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3")),
                two.rooms.act(room, ANN, Act("2", 0, Command.PLAY, "1,1")),
            ]
            answers = await asyncio.gather(*acts, return_exceptions=True)
            assert sorted(type(answer).__name__ for answer in answers) == ["RefusedError", "bool"]
            moves = {(await place.rooms.room(room)).match.record.moves for place in (one, two)}
            assert len(moves) == 1

    asyncio.run(scenario())


def test_an_act_that_another_process_has_done_is_not_done_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            opened(tmp_path, is_shared=True) as one,
            opened(tmp_path, is_shared=True) as two,
        ):
            room = await friends(one.rooms)
            act = Act("1", 0, Command.PLAY, "3,3")
            answers = await asyncio.gather(
                one.rooms.act(room, ANN, act), two.rooms.act(room, ANN, act)
            )
            assert sorted(answers) == [False, True]
            _, missed = await one.rooms.snapshot(room, 2)
            assert len(missed) == 1

    asyncio.run(scenario())


def test_an_act_is_decided_in_memory_and_refused_only_by_what_is_on_disk(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            opened(tmp_path, is_shared=True) as one,
            opened(tmp_path, is_shared=True) as two,
        ):
            room = await friends(one.rooms)
            await two.rooms.room(room)
            with Questions(one.engine) as asked:
                await one.rooms.act(room, ANN, Act("a", 0, Command.PLAY, "3,3"))
            assert not asked.reads
            # Two does not know of it yet, and would say that it is Ann's turn.
            with Questions(two.engine) as asked:
                await two.rooms.act(room, BOB, Act("b", 1, Command.PLAY, "1,1"))
            assert asked.reads
            with pytest.raises(RefusedError, match="A's turn"):
                await two.rooms.act(room, BOB, Act("c", 2, Command.PLAY, "5,5"))

    asyncio.run(scenario())


def test_a_conflict_spoils_only_the_entry_that_is_in_conflict(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            made = [await place.rooms.create(settings(Opponent.SELF)) for _ in range(3)]
            entries = []
            for room in made:
                entry = Entry()
                act = Act("1", 0, Command.PLAY, "3,3")
                entry.add_events(room.id, room.answer(room.held_by(ANN), act, 0))
                entries.append(entry)
            await place.journal.write(entries[1])
            answers = await asyncio.gather(
                *(place.journal.write(entry) for entry in entries), return_exceptions=True
            )
            assert [type(answer) for answer in answers] == [type(None), ConflictError, type(None)]

    asyncio.run(scenario())


def test_events_are_published_in_order(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await friends(place.rooms)
            for ply, cell in enumerate(["3,3", "1,1", "1,3", "5,5"]):
                secret = (ANN, BOB)[ply % 2]
                await place.rooms.act(room, secret, Act(cell, ply, Command.PLAY, cell))
            assert place.versions(room) == [1, 2, 3, 4, 5, 6]

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("opponent", "secret", "code"),
    [
        (Opponent.FRIEND, ANN, "hint"),
        (Opponent.COMPUTER, BOB, "seat"),
        (Opponent.COMPUTER, ANN, None),
        (Opponent.SELF, ANN, None),
    ],
)
def test_a_hint_is_for_players_who_play_no_friend(
    tmp_path: Path, opponent: Opponent, secret: str, code: str | None
) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await place.rooms.create(settings(opponent))
            if code is None:
                assert await place.rooms.hinted(room.id, secret) == room.position
                await place.rooms.act(room.id, secret, Act("1", 0, Command.RESIGN))
            with pytest.raises(RefusedError) as caught:
                await place.rooms.hinted(room.id, secret)
            assert caught.value.code == (code or "over")

    asyncio.run(scenario())


def test_people_at_both_processes_are_told_everything_once_and_in_order(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            opened(tmp_path, is_shared=True) as one,
            opened(tmp_path, is_shared=True) as two,
        ):
            room = await friends(one.rooms)
            await two.rooms.room(room)  # begins to listen at version 2
            acts = (Act("a", 0, Command.PLAY, "3,3"), Act("b", 0, Command.PLAY, "1,1"))
            both = (one.rooms, two.rooms)
            await asyncio.gather(
                *(rooms.act(room, ANN, act) for rooms, act in zip(both, acts, strict=True)),
                return_exceptions=True,
            )
            await two.rooms.act(room, BOB, Act("c", 1, Command.PLAY, "5,5"))
            for rooms in both:
                await rooms.catch_up([room])
                await rooms.catch_up([room])
            assert one.versions(room) == [1, 2, 3, 4]
            assert two.versions(room) == [3, 4]

    asyncio.run(scenario())


def test_what_led_to_a_room_ends_where_the_room_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with (
            opened(tmp_path, is_shared=True) as one,
            opened(tmp_path, is_shared=True) as two,
        ):
            room = await friends(one.rooms)
            read = one.journal.read_news

            async def late(id_: str, since: int) -> News | None:
                # The other process is quicker than this reading.
                await two.rooms.act(room, ANN, Act("a", 0, Command.PLAY, "3,3"))
                return await read(id_, since)

            monkeypatch.setattr(one.journal, "read_news", late)
            found, missed = await one.rooms.snapshot(room, 0)
            assert [event.version for event in missed] == [1, 2, 3]
            assert found.version == 3
            assert one.versions(room)[-1] == 3

    asyncio.run(scenario())


def test_what_was_kept_though_writing_seemed_to_fail_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await friends(place.rooms)
            write = place.journal.write

            async def cut(entry: Entry) -> None:
                await write(entry)
                monkeypatch.undo()
                raise StoreError("the connection was cut")

            monkeypatch.setattr(place.journal, "write", cut)
            with pytest.raises(StoreError):
                await place.rooms.act(room, ANN, Act("a", 0, Command.PLAY, "3,3"))
            assert place.versions(room) == [1, 2]
            await place.rooms.room(room)
            assert place.versions(room) == [1, 2, 3]

    asyncio.run(scenario())


def test_one_damaged_room_keeps_nobody_from_hearing_of_the_others(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            opened(tmp_path, is_shared=True) as one,
            opened(tmp_path, is_shared=True) as two,
        ):
            ids = [await friends(one.rooms) for _ in range(3)]
            for room in ids:
                await two.rooms.room(room)
                await one.rooms.act(room, ANN, Act("a", 0, Command.PLAY, "3,3"))
            async with one.engine.begin() as connection:
                for room, event in zip(ids, ('{"type": "new"}', '"3,3"'), strict=False):
                    await connection.execute(
                        text("UPDATE events SET event = :event WHERE room = :room AND version = 3"),
                        {"event": event, "room": room},
                    )
                await connection.execute(
                    text(
                        "UPDATE events SET event = replace(event, '3,3', '1,9') WHERE room = :room"
                    ),
                    {"room": ids[1]},
                )
            await two.rooms.catch_up(ids)
            assert [two.versions(room) for room in ids] == [[], [], [3]]

    asyncio.run(scenario())


def test_those_who_come_at_once_wait_for_one_reading_of_a_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            room = await friends(place.rooms)
        async with opened(tmp_path) as place:
            read, readings = place.journal.read, 0

            async def count(id_: str) -> Any:
                nonlocal readings
                readings += 1
                return await read(id_)

            monkeypatch.setattr(place.journal, "read", count)
            found = await asyncio.gather(*(place.rooms.room(room) for _ in range(5)))
            assert (len(set(map(id, found))), readings) == (1, 1)

    asyncio.run(scenario())


def test_no_id_of_a_room_is_taken_for_an_option() -> None:
    assert not [id_ for id_ in (new_room() for _ in range(2_000)) if id_.startswith("-")]
