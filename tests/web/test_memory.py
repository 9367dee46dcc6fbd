"""Rooms in memory: the latest used, by what they weigh; others are read again."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from gridlock.rulebooks import catalogue
from gridlock.web.event import Act, Command
from gridlock.web.memory import OpenRooms, weight_of
from gridlock.web.room import Room
from gridlock.web.settings import Opponent
from tests.web.rooms import ANN, Session, settings
from tests.web.test_rooms import friends, opened

if TYPE_CHECKING:
    from pathlib import Path

SMALL, LARGE = "4x4", "100x100"


def room_of(id_: str, size: str = SMALL) -> Room:
    return Room(id_, settings(Opponent.SELF, size=size))


def kept(rooms: OpenRooms, *ids: str) -> list[str]:
    return [id_ for id_ in ids if rooms.get(id_)]


def test_those_used_last_are_kept() -> None:
    rooms = OpenRooms(3 * weight_of(room_of("any")))
    for id_ in "abc":
        rooms.add(room_of(id_))
    rooms.use(rooms["a"])
    rooms.add(room_of("d"))
    assert kept(rooms, *"abcd") == ["a", "c", "d"]
    assert len(rooms) == 3


def test_those_to_which_nobody_comes_are_not_kept() -> None:
    async def scenario() -> None:
        rooms = OpenRooms(1 << 20)
        for id_ in "abc":
            rooms.add(room_of(id_)).touched -= 100
        rooms.use(rooms["a"])
        async with rooms["c"].lock:
            rooms.drop_idle(99)
        assert kept(rooms, *"abc") == ["a", "c"]
        rooms.drop_idle(99)
        assert kept(rooms, *"abc") == ["a"]

    asyncio.run(scenario())


def test_a_large_room_takes_the_place_of_many_small_ones() -> None:
    small, large = weight_of(room_of("any")), weight_of(room_of("any", LARGE))
    rooms = OpenRooms(10 * small + large)
    for id_ in "abcdefghijkl":
        rooms.add(room_of(id_))
    assert len(rooms) == (10 * small + large) // small
    rooms.add(room_of("large", LARGE))
    assert kept(rooms, *"abcdefghijkl", "large") == [*"cdefghijkl", "large"]
    for _ in range(2):  # it may have been dropped meanwhile
        rooms.drop("large")
    assert kept(rooms, *"abcdefghijkl") == [*"cdefghijkl"]


def test_a_room_that_grows_drives_others_out_but_never_itself() -> None:
    session = Session(settings(Opponent.SELF, size="25x25"))
    rooms = OpenRooms(2 * weight_of(room_of("any")) + weight_of(session.room))
    grown = rooms.add(session.room)
    rooms.add(room_of("a"))
    rooms.add(room_of("b"))
    session.play_out()
    rooms.use(grown)
    assert kept(rooms, "a", "b", "room") == ["room"]
    rooms.add(room_of("c"))
    assert kept(rooms, "room", "c") == ["c"]
    rooms.use(grown)  # it was dropped while somebody still held it
    assert kept(rooms, "room", "c") == ["c"]


def test_a_room_that_somebody_holds_stays() -> None:
    async def scenario() -> None:
        rooms = OpenRooms(0)
        held = rooms.add(room_of("a"))
        async with held.lock:
            rooms.add(room_of("b"))
            rooms.add(room_of("c"))
            assert kept(rooms, *"abc") == ["a", "c"]

    asyncio.run(scenario())


def long_game(game: str, size: str) -> Room:
    """Return a room in which many moves were played."""
    session = Session(settings(Opponent.SELF, game, size))
    while session.room.status == "playing" and session.room.ply < 100:
        mask = session.room.position.legal
        session.play(session.room.game.name((mask & -mask).bit_length() - 1))
    return session.room


@pytest.mark.parametrize("size", ["5x5", "25x25", LARGE])
@pytest.mark.parametrize("game", catalogue.RULEBOOKS)
def test_a_room_weighs_about_what_it_takes(game: str, size: str) -> None:
    long_game(game, size)  # what all games of a size share is made once
    gc.collect()
    tracemalloc.start()
    try:
        room = long_game(game, size)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken / 2 < weight_of(room) < 4 * taken


def test_rooms_that_were_dropped_go_on_where_they_were(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as place:
            place.rooms._open = OpenRooms(0)
            ids = [await friends(place.rooms) for _ in range(5)]
            for room in ids:
                await place.rooms.act(room, ANN, Act("1", 0, Command.PLAY, "3,3"))
                assert len(place.rooms._open) == 1
            for room in ids:
                assert (await place.rooms.room(room)).ply == 1
                assert place.versions(room) == [1, 2, 3]

    asyncio.run(scenario())
