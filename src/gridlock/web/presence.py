"""Who is there: rooms are told who is connected, and notice when somebody whose turn it is leaves.

Every process notes in the database, again and again, which players it sees.  So each knows of those
whom another one sees, and nobody who is connected anywhere is taken to be away.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from gridlock.clock import milliseconds
from gridlock.errors import GridlockError
from gridlock.model import Player
from gridlock.web.journal import Entry
from gridlock.web.rooms import SEEN_MILLISECONDS
from gridlock.web.settings import Opponent
from gridlock.web.wire import WatchingMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gridlock.web.journal import Journal
    from gridlock.web.room import Room
    from gridlock.web.rooms import Rooms

_log = logging.getLogger(__name__)

_TELLING_SECONDS = 0.3
_NOTING_SECONDS = 20.0  # well within those for which somebody counts as seen


class Presence:
    """Who is in each room; ``publish`` tells the room, soon and not each time, if it is given."""

    def __init__(
        self, rooms: Rooms, journal: Journal, publish: Callable[[str, bytes], None] | None
    ) -> None:
        self._rooms = rooms
        self._journal = journal
        self._publish = publish
        self._counts: defaultdict[str, Counter[Player | None]] = defaultdict(Counter)
        self._to_tell: set[str] = set()
        self._connected: Counter[tuple[str, Player]] = Counter()
        """The connections of players whom somebody else may wait for."""
        self._seen: set[tuple[str, Player]] = set()
        """The players who came or went, or asked for something, since it was last noted."""
        self._noting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to note who is there."""
        self._noting = asyncio.create_task(self._note_again_and_again())

    async def stop(self) -> None:
        """Stop noting."""
        if self._noting:
            self._noting.cancel()
            await asyncio.gather(self._noting, return_exceptions=True)

    async def greet(self, room: Room, held: tuple[Player, ...]) -> Room:
        """Take notice of whoever comes or asks with the token of a seat; return the room then."""
        awaited = set(_awaited(room, held))
        new = awaited - self._seen - self._connected.keys()
        self._seen |= awaited
        if new:  # every process must know before the next one looks for them
            await self._write(new)
            room = await self._rooms.room(room.id)
        if room.claim_at is not None and room.position.mover in held:
            await self._rooms.come_back(room.id, room.position.mover)
            return await self._rooms.room(room.id)
        return room

    def rooms(self) -> list[str]:
        """Return the rooms to which anybody is connected."""
        return list(self._counts)

    @contextlib.contextmanager
    def count(self, room: Room, held: tuple[Player, ...]) -> Iterator[None]:
        """Count somebody as long as they are connected."""
        awaited = _awaited(room, held)
        self._change(room.id, held or (None,), 1)
        self._connected.update(awaited)
        try:
            yield
        finally:
            self._change(room.id, held or (None,), -1)
            for seat in awaited:  # to subtract a Counter would look at all who are connected
                self._connected[seat] -= 1
                if not self._connected[seat]:
                    del self._connected[seat]
            self._seen.update(awaited)

    def _change(self, room: str, players: Iterable[Player | None], by: int) -> None:
        counts = self._counts[room]
        for player in players:
            counts[player] += by
        if not counts.total():
            del self._counts[room]
        if self._publish and room not in self._to_tell:
            self._to_tell.add(room)
            asyncio.get_running_loop().call_later(_TELLING_SECONDS, self._tell, room)

    def _tell(self, room: str) -> None:
        self._to_tell.discard(room)
        counts = self._counts.get(room, Counter())
        one, two = (counts[player] > 0 for player in Player)
        message = WatchingMessage(counts[None], (one, two))
        if self._publish:
            self._publish(room, msgspec.json.encode(message))

    async def _note_again_and_again(self) -> None:
        while True:
            try:
                await self._note()
            except GridlockError as error:
                _log.warning("who is there cannot be noted: %s", error)
            await asyncio.sleep(_NOTING_SECONDS)

    async def _note(self) -> None:
        """Note who is there, and whom they wait for in vain."""
        here, self._seen = self._seen | self._connected.keys(), set()
        if not here:
            return
        await self._write(here)
        missing = {(room, player.opponent) for room, player in here} - here
        since = milliseconds() - SEEN_MILLISECONDS
        seen = await self._journal.seen({room for room, _ in missing}, since)
        for room, player in missing - seen:
            try:
                await self._rooms.leave(room, player, partial(self._sees, room, player))
            except Exception:  # noqa: BLE001 - one damaged room keeps nobody else waiting
                _log.exception("somebody cannot be taken to be away", extra={"room": room})

    async def _write(self, players: set[tuple[str, Player]]) -> None:
        entry = Entry()
        entry.add_seen(players, milliseconds())
        await self._journal.write(entry)

    def _sees(self, room: str, player: Player) -> bool:
        return (room, player) in self._connected or (room, player) in self._seen


def _awaited(room: Room, held: tuple[Player, ...]) -> list[tuple[str, Player]]:
    """Return those of a room's players whom somebody else may wait for."""
    if room.settings.opponent is not Opponent.FRIEND:
        return []
    return [(room.id, player) for player in held]
