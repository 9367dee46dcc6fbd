"""People for measurements: players, watchers, and those who play the computer or analyse.

Each has a live connection that is opened again when it breaks, as the page does it, and says what
it has seen last.  An act that was not answered is sent again.  So whatever happens to the server,
every action is played in the end, and how long everybody waited to hear of it is measured: from the
moment when it was due, also where the one before was late, as nobody waits with their turn because
a server is slow.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import ssl
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.5, 8.0  # seconds before a connection is opened again
_ANSWER_SECONDS = 8.0  # within which a new connection is answered
_AT_ONCE = 50  # rooms that are made together
_BROKEN = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, TimeoutError, EOFError)
_LATER = ("store",)  # refusals after which an act is sent again
_ANALYSIS = {"game": "occupation", "size": "6x6"}

Json = dict[str, Any]


@dataclass(frozen=True)
class Site:
    """Where the server is; ``authority`` is a file of certificates that are believed."""

    url: str
    authority: str | None = None

    @property
    def live(self) -> str:
        return self.url.replace("http", "ws", 1)

    def context(self) -> ssl.SSLContext | None:
        if not self.url.startswith("https"):
            return None
        return _context(self.authority)

    def client(self) -> httpx.AsyncClient:
        context = self.context()
        return httpx.AsyncClient(
            base_url=self.url, timeout=60, verify=True if context is None else context
        )


@cache
def _context(authority: str | None) -> ssl.SSLContext:
    """Return a context; to make one for each connection would take longer than the connection."""
    return ssl.create_default_context(cafile=authority)


@dataclass
class Tally:
    """What everybody has seen."""

    heard: list[tuple[float, float]] = field(default_factory=list)
    """When each act was due, and the seconds until each one of its room has heard of it."""
    thoughts: list[float] = field(default_factory=list)
    """The seconds from an act to the computer's answer."""
    analyses: list[float] = field(default_factory=list)
    acknowledged: int = 0
    doubled: int = 0
    """Acts that were played twice."""
    repeats: int = 0
    """Events that were told again to somebody who had heard of them."""
    gaps: int = 0
    """Times that somebody heard of an event before the one that goes before it, and asked."""
    closes: Counter[int | str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def hear(self, due: float) -> None:
        """Take notice that somebody has heard of an act."""
        self.heard.append((due, time.perf_counter() - due))

    @property
    def waits(self) -> list[float]:
        """The seconds that everybody waited to hear of each act."""
        return [waited for _, waited in self.heard]

    def summary(self) -> str:
        """Return what was seen, in words."""
        parts = [
            f"{self.acknowledged:,} actions, heard {len(self.heard):,} times: {spread(self.waits)}",
            f"{sum(waited > 1 for waited in self.waits)} heard after more than 1 s",
            f"{self.doubled} doubled, {self.repeats} told again, {self.gaps} gaps",
        ]
        if self.thoughts:
            parts.append(f"computers' {len(self.thoughts):,} answers: {spread(self.thoughts)}")
        if self.analyses:
            parts.append(f"{len(self.analyses):,} analyses: {spread(self.analyses)}")
        if self.closes:
            closes = ", ".join(f"{count} x {why}" for why, count in self.closes.most_common())
            parts.append(f"closed: {closes}")
        if self.refusals:
            refusals = ", ".join(f"{count} x {why}" for why, count in self.refusals.most_common())
            parts.append(f"refused: {refusals}")
        return "; ".join(parts)


def percentile(seconds: list[float], part: float) -> float:
    """Return the time within which a part of some times are; 0 where there are none."""
    ranked = sorted(seconds)
    return ranked[min(int(part * len(ranked)), len(ranked) - 1)] if ranked else 0.0


def spread(seconds: list[float]) -> str:
    """Return the middle, the 99th percentile and the most of some times."""
    if not seconds:
        return "none"
    middle, last, most = (1000 * percentile(seconds, part) for part in (0.5, 0.99, 1))
    return f"{middle:.1f} ms (median), {last:.1f} ms (99 %), {most:.1f} ms (most)"


class Listener:
    """Somebody in a room, who comes again whenever the connection breaks."""

    def __init__(
        self,
        site: Site,
        room: str,
        token: str | None,
        hear: Callable[[Listener, Json, Json], None],
        tally: Tally,
        first: Site | None = None,
    ) -> None:
        """Prepare to come: by ``first``, if there is one, and by the site whenever it breaks."""
        self.version: int | None = None
        """The version of the last event that was heard of."""
        self.token = token
        self.view: Json = {}
        self._site = site
        self._next_site = first or site
        self._room = room
        self._hear = hear
        self._tally = tally
        self._socket: ClientConnection | None = None
        self._unanswered: Json | None = None
        self._acts: set[str] = set()
        """The acts that were played."""
        self._is_greeted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Come, unless one is there already, and be greeted."""
        self._task = self._task or asyncio.create_task(self._stay())
        await self._is_greeted.wait()

    async def close(self) -> None:
        """Go."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def act(self, message: Json) -> None:
        """Do something, now or as soon as there is a connection, until it is answered."""
        self._unanswered = message
        if self._is_greeted.is_set():
            await self._say(message)

    async def _say(self, message: Json) -> None:
        if self._socket:
            with contextlib.suppress(*_BROKEN):  # the reader notices, and it is said again
                await self._socket.send(msgspec.json.encode(message).decode())

    async def _stay(self) -> None:
        pause = _SHORTEST_PAUSE
        while True:
            site, self._next_site = self._next_site, self._site
            try:
                async with connect(
                    f"{site.live}/api/rooms/{self._room}/live",
                    compression=None,
                    ping_interval=None,
                    open_timeout=_ANSWER_SECONDS,
                    ssl=site.context(),
                ) as socket:
                    self._socket = socket
                    await self._greet()
                    async for text in socket:
                        if self._is_greeted.is_set():
                            pause = _SHORTEST_PAUSE
                        await self._receive(msgspec.json.decode(text))
                self._tally.closes[socket.close_code or 0] += 1
            except ConnectionClosed as error:
                self._tally.closes[error.rcvd.code if error.rcvd else "cut"] += 1
            except _BROKEN as error:
                self._tally.closes[type(error).__name__] += 1
            self._socket = None
            self._is_greeted.clear()
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _greet(self) -> None:
        self._is_greeted.clear()
        await self._say({"type": "hello", "token": self.token, "since": self.version})

    async def _receive(self, message: Json) -> None:
        kind = message["type"]
        if kind == "state" and not self._is_greeted.is_set():
            self._take(message["missed"], message["state"]["view"])
            self.version = message["state"]["view"]["version"]
            self.view = message["state"]["view"]
            self._is_greeted.set()
            if self._unanswered:
                await self._say(self._unanswered)
        elif kind == "state":
            self._take(message["missed"], message["state"]["view"])
        elif kind == "event" and self._is_greeted.is_set():
            version = message["event"]["version"]
            if self.version is not None and version > self.version + 1:
                self._tally.gaps += 1
                await self._greet()  # a slow reader has missed something, and asks
            elif self.version is not None and version <= self.version:
                self._tally.repeats += 1
            else:
                self._take([message["event"]], message["view"])
        elif kind == "refused":
            self._tally.refusals[message["code"]] += 1
            if message["code"] in _LATER:
                await asyncio.sleep(0.2)
                if self._unanswered:
                    await self._say(self._unanswered)
            else:
                self._tally.faults.append(f"{self._room}: {message['detail']}")

    def _take(self, events: list[Json], view: Json) -> None:
        for event in events:
            if self.version is not None and event["version"] <= self.version:
                continue  # heard of before
            if self.version is not None and event["version"] != self.version + 1:
                self._tally.faults.append(f"{event['version']} after {self.version}")
            self.version = event["version"]
            if act := event.get("id"):
                self._tally.doubled += act in self._acts
                self._acts.add(act)
            if self._unanswered and event.get("id") == self._unanswered["id"]:
                self._unanswered = None
            self.view = view
            self._hear(self, event, view)


class Table:
    """A room with its players, who may play the computer, and those who watch."""

    def __init__(
        self,
        site: Site,
        room: str,
        tokens: list[str],
        tally: Tally,
        watchers: int = 0,
        seats: Sequence[Site] = (),
    ) -> None:
        """Prepare a room; players and then watchers first come by ``seats``, if there are any."""
        self.room = room
        self._tokens = tokens
        self.moves: list[tuple[int, int, str]] = []
        """The number of a game, the place in it and the cell of each acknowledged action."""
        self._tally = tally
        holders: list[str | None] = [*tokens, *[None] * watchers]
        firsts: list[Site | None] = [*seats] or [None] * len(holders)
        self._everybody = [
            Listener(site, room, token, self._hear, tally, first)
            for token, first in zip(holders, firsts, strict=True)
        ]
        self._players = self._everybody[: len(tokens)]
        self._acts: dict[str, tuple[float, int, int, str | None]] = {}
        """When each act was due, and the action: number of the game, place in it, and cell."""
        self._last_act = 0.0
        self._wake = asyncio.Event()
        self._rng = random.Random(room)

    def again(self, site: Site, tally: Tally) -> Table:
        """Return the same room with new people who have the same seats."""
        return Table(site, self.room, self._tokens, tally)

    @property
    def is_computer(self) -> bool:
        """Whether a person plays the computer here."""
        return len(self._players) == 1

    async def open(self) -> None:
        """Let everybody come who is not there yet."""
        await asyncio.gather(*(one.open() for one in self._everybody))

    async def open_players(self) -> None:
        """Let the players come."""
        await asyncio.gather(*(one.open() for one in self._players))

    async def close(self) -> None:
        """Let everybody go."""
        await asyncio.gather(*(one.close() for one in self._everybody))

    async def play(self, due: float | None = None) -> None:
        """Let a person choose any legal cell, and wait until everybody has heard of it.

        Unless it was due before, it is now, or when the computer has answered.
        """
        view = await self._agreed()
        mover = self._players[0 if self.is_computer else view["board"]["mover"] - 1]
        version = view["version"]
        number, ply, cell = view["number"], view["ply"], None
        if view["status"] == "playing":
            cell = self._rng.choice(view["board"]["legal"])
        self._last_act = time.perf_counter()
        self._acts[f"{version}"] = (due or self._last_act, number, ply, cell)
        do = "play" if cell else "next"
        act = {"id": f"{version}", "number": number, "ply": ply, "do": do, "cell": cell}
        await mover.act({"type": "action", **act})
        await self._until(lambda: all((one.version or 0) > version for one in self._everybody))

    async def _agreed(self) -> Json:
        """Wait until everybody has seen the same, and a person is to move; return the view."""
        await self._until(
            lambda: len({one.version for one in self._everybody}) == 1 and self._is_ready()
        )
        return self._players[0].view

    def _is_ready(self) -> bool:
        view = self._players[0].view
        return not self.is_computer or view["status"] != "playing" or view["board"]["mover"] == 1

    async def _until(self, is_done: Callable[[], bool]) -> None:
        while not is_done():
            self._wake.clear()
            await self._wake.wait()

    def _hear(self, listener: Listener, event: Json, _: Json) -> None:
        act = self._acts.get(event.get("id") or "")
        if act:
            due, number, ply, cell = act
            self._tally.hear(due)
            if listener is self._players[0]:
                self._tally.acknowledged += 1
                if cell:
                    self.moves.append((number, ply, cell))
        elif event["type"] == "played" and listener is self._players[0]:
            self._tally.thoughts.append(time.perf_counter() - self._last_act)
        self._wake.set()


async def make_tables(
    site: Site,
    count: int,
    tally: Tally,
    *,
    watchers: int = 0,
    level: int | None = None,
    seats: Sequence[Site] = (),
    are_open: bool = True,
) -> list[Table]:
    """Make rooms, of two friends each or of one person and a computer, and sit down if wanted."""
    body: Json = {"game": "duel", "opponent": "friend", "rounds": 1000}
    if level is not None:
        body |= {"opponent": "computer", "level": level}
    async with site.client() as client:

        async def make() -> Table:
            made = (await client.post("/api/rooms", json=body)).raise_for_status().json()
            room, tokens = made["state"]["room"], [made["token"]]
            if made["invite"]:
                joining = {"invite": made["invite"]}
                path = f"/api/rooms/{room}/join"
                joined = (await client.post(path, json=joining)).raise_for_status().json()
                tokens.append(joined["token"])
            return Table(site, room, tokens, tally, watchers, seats)

        tables = await in_groups([make] * count)
    if are_open:
        await in_groups([table.open for table in tables])
    return tables


async def in_groups(work: list[Callable[[], Awaitable[Any]]]) -> list[Any]:
    """Do many things, some at a time."""
    done: list[Any] = []
    for at in range(0, len(work), _AT_ONCE):
        done += await asyncio.gather(*(one() for one in work[at : at + _AT_ONCE]))
    return done


async def play_each_second(tables: list[Table], seconds: float) -> None:
    """Let one action be due at every table each second, spread evenly, however late the last was.

    Only whoever plays the computer waits for its answer.
    """

    async def play(table: Table, start: float) -> None:
        due = start
        while due < start + seconds:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if table.is_computer:
                await table.play()
                due = max(due + 1, time.perf_counter())
            else:
                await table.play(due)
                due += 1

    now = time.perf_counter() + 1
    await asyncio.gather(
        *(play(table, now + number / len(tables)) for number, table in enumerate(tables))
    )


async def play_at_full_speed(tables: list[Table], seconds: float) -> None:
    """Let one action follow the other at every table."""
    deadline = time.perf_counter() + seconds

    async def play(table: Table) -> None:
        while time.perf_counter() < deadline:
            await table.play()

    await asyncio.gather(*(play(table) for table in tables))


async def analyse_again_and_again(site: Site, seconds: float, tally: Tally) -> None:
    """Ask for an analysis of another position every second."""
    rng = random.Random(1)
    deadline = time.perf_counter() + seconds
    async with site.client() as client:
        while time.perf_counter() < deadline:
            began = time.perf_counter()
            cells = {f"{rng.randint(1, 6)},{rng.randint(1, 6)}"}
            try:
                answer = await client.get(
                    "/api/analysis", params=_ANALYSIS | {"moves": " ".join(cells)}
                )
            except httpx.HTTPError as error:
                tally.refusals[type(error).__name__] += 1
            else:
                if answer.is_success:
                    tally.analyses.append(time.perf_counter() - began)
                else:
                    tally.refusals[f"{answer.status_code}"] += 1
            await asyncio.sleep(max(0.0, began + 1 - time.perf_counter()))


async def count_lost(site: Site, tables: list[Table]) -> int:
    """Return how many acknowledged actions the server does not know, or knows otherwise."""
    lost = 0
    async with site.client() as client:
        for table in tables:
            answer = await client.get(f"/api/rooms/{table.room}")
            state = answer.raise_for_status().json()
            kept = [*(finished["moves"] for finished in state["games"]), state["moves"]]
            lost += sum(
                kept[number - 1][ply : ply + 1] != [cell] for number, ply, cell in table.moves
            )
    return lost


async def come_and_go(site: Site, seconds: float, tally: Tally) -> None:
    """Make a room every second, play an action there, and leave it for ever."""
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        began = time.perf_counter()
        with contextlib.suppress(httpx.HTTPError):
            for table in await make_tables(site, 1, tally):
                await table.play()
                await table.close()
        await asyncio.sleep(max(0.0, began + 1 - time.perf_counter()))
