"""How long a request of each kind blocks the server's event loop, on the largest boards.

A probe inside the server's process wakes up every few milliseconds.  Of every request it prints how
late the probe was at most, and how long the loop's own thread computed meanwhile: the first is what
other visitors feel, on a busy machine as well what other programs do; the second is ours alone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from websockets.asyncio.client import connect

from gridlock.rulebooks import catalogue

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

_PROBE = """
import asyncio, os, time
from gridlock.web import rooms

start = rooms.Rooms.start

async def probe():
    with open(os.environ["LAG_LOG"], "a", buffering=1) as log:
        woke, computed = time.monotonic(), time.thread_time()
        while True:
            await asyncio.sleep(0.002)
            now, used = time.monotonic(), time.thread_time()
            print(woke, now, now - woke - 0.002, used - computed, file=log)
            woke, computed = time.monotonic(), time.thread_time()

async def probed(self):
    self.probe = asyncio.create_task(probe())
    await start(self)

rooms.Rooms.start = probed
from gridlock.cli.main import main
main()
"""
_LARGEST = "100x100"
_MOST_TEXT = 59_000  # characters of the moves of a question
_MOST_ASKED, _MOST_PLAYED = 5000, 400
_LONG = 3000  # moves of a game that somebody comes to late
_WATCHERS = 10
_GAMES = ("occupation", "duel", "trail", "race")


class Probed:
    """A server with a probe in its event loop."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "lag"
        self._arguments = ["--no-limits", "--port", "0", "--database", str(folder / "games.db")]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROBE, "serve", *self._arguments],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LAG_LOG": str(self._log)},
        )
        assert self._process.stdout
        found = re.search(r"http://\S+:\d+", self._process.stdout.readline())
        assert found
        self.url = found[0]

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()

    def worst(self, since: float, until: float) -> tuple[float, float]:
        """Return how late the loop was at most, and how long it computed, in some time."""
        ticks = [
            [float(number) for number in line.split()]
            for line in self._log.read_text().splitlines()
        ]
        within = [tick for tick in ticks if tick[1] >= since and tick[0] <= until]
        return max(tick[2] for tick in within), max(tick[3] for tick in within)


class Report:
    """What every kind of request costs."""

    def __init__(self, server: Probed) -> None:
        self._server = server
        self.rows: list[tuple[str, float, float]] = []

    @contextlib.contextmanager
    def of(self, name: str) -> Iterator[None]:
        time.sleep(0.05)
        began = time.monotonic()
        yield
        ended = time.monotonic()
        time.sleep(0.05)  # the probe writes
        late, computed = self._server.worst(began, ended)
        self.rows.append((name, late, computed))
        print(
            f"{name:45} {1000 * (ended - began):8.0f} ms; loop late by {1000 * late:6.1f} ms, "
            f"computing {1000 * computed:6.1f} ms",
            flush=True,
        )


def many_moves(game: str, most: int) -> list[str]:
    """Return the moves of a long game: the first legal cell each time."""
    board = catalogue.game(game, _LARGEST)
    position = board.start()
    cells: list[str] = []
    while position.winner is None and len(cells) < most:
        mask = position.legal
        cell = (mask & -mask).bit_length() - 1
        cells.append(board.name(cell))
        position = position.play(cell)
    return cells


@contextlib.asynccontextmanager
async def live(
    url: str, room: str, token: str | None, since: int | None = None
) -> AsyncIterator[Any]:
    address = f"{url.replace('http', 'ws')}/api/rooms/{room}/live"
    async with connect(address, max_size=None) as socket:
        await socket.send(json.dumps({"type": "hello", "token": token, "since": since}))
        await socket.recv()
        yield socket


async def ask(client: httpx.AsyncClient, report: Report) -> None:
    """Ask everything that needs no room."""
    for path in ("/", "/api/games", "/schema", "/static/icon.svg", "/healthz"):
        with report.of(f"GET {path}"):
            (await client.get(path)).raise_for_status()
    for game in _GAMES:
        moves = " ".join(many_moves(game, _MOST_ASKED))[:_MOST_TEXT].rpartition(" ")[0]
        for path in ("/api/analysis", "/api/analysis/stream"):
            for name, text in (("start", ""), (f"{len(moves.split())} moves", moves)):
                with report.of(f"{path} {game} {name}"):
                    asked = {"game": game, "size": _LARGEST, "moves": text}
                    (await client.get(path, params=asked)).raise_for_status()
        board = catalogue.game(game, _LARGEST)
        position = board.start()
        for cell in moves.split():
            position = position.play(board.cell(cell))
        with report.of(f"/api/analysis {game} position text"):
            asked = {"game": game, "size": _LARGEST, "position": str(position)}
            (await client.get("/api/analysis", params=asked)).raise_for_status()


async def play(client: httpx.AsyncClient, url: str, report: Report, game: str) -> str:
    """Do everything that can be done in a room, and return its id."""
    wishes = {"game": game, "size": _LARGEST, "opponent": "self"}
    with report.of(f"{game}: make a room"):
        made = (await client.post("/api/rooms", json=wishes)).raise_for_status().json()
    room, token = made["state"]["room"], made["token"]
    client.headers["Authorization"] = f"Bearer {token}"
    path = f"/api/rooms/{room}"
    with report.of(f"{game}: state"):
        (await client.get(path)).raise_for_status()
    with report.of(f"{game}: hint"):
        (await client.post(f"{path}/hint")).raise_for_status()
    moves = many_moves(game, _MOST_PLAYED)

    async def act(ply: int, do: str, cell: str | None = None) -> None:
        action = {"id": f"{ply} {do}", "ply": ply, "do": do, "cell": cell}
        (await client.post(f"{path}/actions", json=action)).raise_for_status()

    async with contextlib.AsyncExitStack() as stack:
        with report.of(f"{game}: {_WATCHERS} live connections"):
            sockets = [
                await stack.enter_async_context(live(url, room, token)) for _ in range(_WATCHERS)
            ]
        readers = [asyncio.ensure_future(_drain(socket)) for socket in sockets]
        with report.of(f"{game}: {min(20, len(moves))} moves, {_WATCHERS} watch"):
            for ply, cell in enumerate(moves[:20]):
                await act(ply, "play", cell)
        for reader in readers:
            reader.cancel()
    async with live(url, room, token) as socket:
        reader = asyncio.ensure_future(_drain(socket))
        with report.of(f"{game}: {len(moves) - 20} moves more"):
            for ply, cell in list(enumerate(moves))[20:]:
                await act(ply, "play", cell)
        reader.cancel()
    with report.of(f"{game}: state after {len(moves)} moves"):
        (await client.get(path)).raise_for_status()
    with report.of(f"{game}: live after {len(moves)} moves"):
        async with live(url, room, token):
            pass
    with report.of(f"{game}: record"):
        (await client.get(f"{path}/record")).raise_for_status()
    state = (await client.get(path)).json()
    if state["view"]["status"] == "playing":
        await act(state["view"]["ply"], "resign")
    for kind in ("review", "review/stream"):
        with report.of(f"{game}: {kind}"):
            (await client.get(f"{path}/{kind}")).raise_for_status()
    return str(room)


async def play_long(client: httpx.AsyncClient, url: str, report: Report) -> str:
    """Let two friends play a long game, and others come late to it; return its room."""
    wishes = {"game": "occupation", "size": _LARGEST, "opponent": "friend"}
    made = (await client.post("/api/rooms", json=wishes)).raise_for_status().json()
    path = f"/api/rooms/{made['state']['room']}"
    with report.of("long game: join"):
        answer = await client.post(f"{path}/join", json={"invite": made["invite"], "name": "Bob"})
        joined = answer.raise_for_status().json()
    tokens = made["token"], joined["token"]

    async def act(ply: int, do: str, cell: str | None = None, who: int = 0) -> None:
        action = {"id": f"{ply} {do}", "ply": ply, "do": do, "cell": cell}
        headers = {"Authorization": f"Bearer {tokens[who]}"}
        answer = await client.post(f"{path}/actions", json=action, headers=headers)
        answer.raise_for_status()

    moves = many_moves("occupation", _LONG)
    with report.of(f"long game: {_LONG - 20} moves"):
        for ply, cell in enumerate(moves[:-20]):
            await act(ply, "play", cell, ply % 2)
    room = str(made["state"]["room"])
    with report.of("long game: state"):
        (await client.get(path)).raise_for_status()
    with report.of("long game: live, all of it missed"):
        async with live(url, room, tokens[0], since=0):
            pass
    async with contextlib.AsyncExitStack() as stack:
        with report.of(f"long game: {_WATCHERS} live connections"):
            sockets = [
                await stack.enter_async_context(live(url, room, None)) for _ in range(_WATCHERS)
            ]
        readers = [asyncio.ensure_future(_drain(socket)) for socket in sockets]
        with report.of(f"long game: 20 moves, {_WATCHERS} watch"):
            for ply, cell in list(enumerate(moves))[-20:]:
                await act(ply, "play", cell, ply % 2)
        with report.of(f"long game: a turn taken back, {_WATCHERS} watch"):
            await act(_LONG, "undo", who=(_LONG - 1) % 2)
            await act(_LONG, "agree", who=_LONG % 2)
        for reader in readers:
            reader.cancel()
    with report.of("long game: record"):
        (await client.get(f"{path}/record")).raise_for_status()
    await act(_LONG - 1, "resign", who=(_LONG - 1) % 2)
    for kind in ("review", "review/stream"):
        with report.of(f"long game: {kind}"):
            (await client.get(f"{path}/{kind}")).raise_for_status()
    return room


async def _drain(socket: Any) -> None:
    async for _ in socket:
        pass


async def play_computer(client: httpx.AsyncClient, report: Report) -> None:
    for level in (1, 8):
        for game in _GAMES:
            wishes = {"game": game, "size": _LARGEST, "level": level, "first": 2}
            with report.of(f"{game}: a turn of level {level}"):
                made = (await client.post("/api/rooms", json=wishes)).raise_for_status().json()
                path = f"/api/rooms/{made['state']['room']}"
                while not (await client.get(path)).json()["view"]["ply"]:
                    await asyncio.sleep(0.2)


async def measure(games: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Probed(Path(folder))
        report = Report(server)
        try:
            async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
                await ask(client, report)
                rooms = {game: await play(client, server.url, report, game) for game in games}
                await play_computer(client, report)
                client.headers.pop("Authorization")
                rooms["long game"] = await play_long(client, server.url, report)
            server.stop()
            server.start()
            async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
                for game, room in rooms.items():
                    with report.of(f"{game}: state after a restart"):
                        (await client.get(f"/api/rooms/{room}")).raise_for_status()
        finally:
            server.stop()
    _, late, _ = max(report.rows, key=lambda row: row[1])
    name, _, computed = max(report.rows, key=lambda row: row[2])
    print(f"late by {1000 * late:.0f} ms at most, computing {1000 * computed:.0f} ms ({name})")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=[*catalogue.RULEBOOKS], help="to play")
    asyncio.run(measure(parser.parse_args().games))


if __name__ == "__main__":
    main()
