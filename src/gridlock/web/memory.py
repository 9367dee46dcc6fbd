"""The rooms in memory: those used of late, as many as there is space for.

A room is nothing but its settings and its events, so one that is not here is read again when
somebody comes.
"""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridlock.web.room import Room

# Measured: a room keeps each of its events, and every position of the game shown.
_ROOM_BYTES = 4_000
_EVENT_BYTES = 600
_CELLS_A_BYTE = 3  # of a position: it has a few bits for each cell


@dataclass(slots=True)
class OpenRoom:
    """A room in memory; whoever changes it holds its lock."""

    room: Room
    address: str = ""
    """To whom a computer's turn is charged: whose act made it due.

    Rooms that were read from disk have nobody yet: together they count as one address.
    """
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    told: int | None = None
    """The last version that was told, where the room has to be read again."""
    known_at: float = -math.inf
    """When it was last found, or put, on disk as it is."""
    used: int = 0
    """When the database was last found, or told, to know that it is used."""
    weight: int = 0
    """The bytes that it was last found to take."""
    touched: float = -math.inf
    """When somebody last had it in use here."""


class OpenRooms:
    """The rooms in memory by their ids, the latest used last.

    They weigh at most ``most_bytes``, but for those that are in use at the moment.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._rooms: dict[str, OpenRoom] = {}
        self._weight = 0

    def __len__(self) -> int:
        return len(self._rooms)

    def __getitem__(self, id_: str) -> OpenRoom:
        return self._rooms[id_]

    def get(self, id_: str) -> OpenRoom | None:
        """Return a room, or None if it is not in memory."""
        return self._rooms.get(id_)

    def add(self, room: Room, address: str = "") -> OpenRoom:
        """Take a room into memory."""
        self.drop(room.id)
        opened = self._rooms[room.id] = OpenRoom(room, address, touched=time.monotonic())
        self._weigh(opened)
        self._make_space()
        return opened

    def use(self, opened: OpenRoom) -> None:
        """Note that a room is used, and what it weighs now; others that weigh too much are dropped.

        Nothing is noted of one that has been dropped.
        """
        id_ = opened.room.id
        if self._rooms.get(id_) is opened:
            self._rooms[id_] = self._rooms.pop(id_)
            opened.touched = time.monotonic()
            self._weigh(opened)
            self._make_space()

    def drop(self, id_: str) -> None:
        """Keep a room no longer, if it is in memory."""
        if dropped := self._rooms.pop(id_, None):
            self._weight -= dropped.weight

    def drop_idle(self, seconds: float) -> None:
        """Keep those no longer that nobody has had in use for so long."""
        before = time.monotonic() - seconds
        idle = takewhile(lambda item: item[1].touched <= before, self._rooms.items())
        for id_ in [id_ for id_, opened in idle if not opened.lock.locked()]:
            self.drop(id_)

    def _weigh(self, opened: OpenRoom) -> None:
        weight = weight_of(opened.room)
        self._weight += weight - opened.weight
        opened.weight = weight

    def _make_space(self) -> None:
        """Drop those that nobody has come to for longest; one that is in use stays."""
        excess = self._weight - self._most_bytes
        latest = next(reversed(self._rooms))
        dropped = []
        for id_, opened in self._rooms.items():
            if excess <= 0 or id_ == latest:
                break
            if not opened.lock.locked():
                dropped.append(id_)
                excess -= opened.weight
        for id_ in dropped:
            self.drop(id_)


def weight_of(room: Room) -> int:
    """Return about how many bytes a room takes."""
    positions = (room.ply + 1) * room.game.grid.cell_count // _CELLS_A_BYTE
    return _ROOM_BYTES + _EVENT_BYTES * room.version + positions
