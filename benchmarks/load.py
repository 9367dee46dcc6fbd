"""The web app under load: live games, actions a second, a server that is killed, the first page.

A server is started for each measurement, on loopback and with SQLite; the players are in this
process, so on two cores they cost the server some of its time.  Everything is bounded in count and
in time.  What is printed was measured in this run.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvloop
from playwright.sync_api import sync_playwright
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

_GRIDLOCK = [sys.executable, "-m", "gridlock"]
_AT_ONCE = 50  # rooms that are made together


class Server:
    """A server in its own process."""

    def __init__(self, database: Path, port: int = 0) -> None:
        command = [*_GRIDLOCK, "serve", "--no-limits", "--database", str(database)]
        self._process = subprocess.Popen(
            [*command, "--port", str(port)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout
        self.url = self._process.stdout.readline().split()[4].rstrip("/")
        self.port = int(self.url.rsplit(":", 1)[1])

    def cpu_seconds(self) -> float:
        """Return the processor time that the server has used."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()


@dataclass
class Tally:
    """What all players have seen."""

    latencies: list[float] = field(default_factory=list)
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)


class Game:
    """A room and its two players, each with a live connection of their own."""

    def __init__(self, room: str, tokens: tuple[str, str], tally: Tally) -> None:
        self.room = room
        self.moves: list[tuple[int, int, str]] = []
        """The number of a game, the place in it and the cell of each acknowledged action."""
        self.turn = asyncio.Event()
        self.tokens = tokens
        self._tally = tally
        self._sockets: list[ClientConnection | None] = [None, None]
        self._versions = [0, 0]
        self._sent: tuple[str, float] | None = None
        self._view: dict[str, Any] = {}
        self._dice = random.Random(room)
        self._readers: list[asyncio.Task[None]] = []

    async def open(self, url: str) -> None:
        for seat in (0, 1):
            address = f"{url.replace('http', 'ws')}/api/rooms/{self.room}/live"
            socket = await connect(address, compression=None, ping_interval=None)
            self._sockets[seat] = socket
            await socket.send(json.dumps({"type": "hello", "token": self.tokens[seat]}))
            state = json.loads(await socket.recv())["state"]
            self._versions[seat] = state["view"]["version"]
            self._view = state["view"]
            self._readers.append(asyncio.create_task(self._read(seat, socket)))

    async def close(self) -> None:
        for reader in self._readers:
            reader.cancel()
        for socket in self._sockets:
            if socket:
                with contextlib.suppress(ConnectionClosed, OSError):
                    await socket.close()

    async def play(self) -> None:
        """Let the mover choose any legal cell, or begin the next game of the series."""
        board, ply, version = self._view["board"], self._view["ply"], self._view["version"]
        message = {"type": "action", "id": f"{version}", "ply": ply, "do": "next"}
        if self._view["status"] == "playing":
            message |= {"do": "play", "cell": self._dice.choice(board["legal"])}
        self.turn.clear()
        self._sent = (f"{version}", time.perf_counter())
        socket = self._sockets[board["mover"] - 1]
        assert socket
        await socket.send(json.dumps(message))

    async def _read(self, seat: int, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "event":
                    self._hear(seat, message["event"], message["view"])
                elif message["type"] == "state":
                    self._hear(seat, message["missed"][-1], message["state"]["view"])
                elif message["type"] == "refused":
                    self._tally.faults.append(message["detail"])

    def _hear(self, seat: int, event: dict[str, Any], view: dict[str, Any]) -> None:
        if event["version"] != self._versions[seat] + 1:
            self._tally.faults.append(f"{event['version']} after {self._versions[seat]}")
        self._versions[seat] = event["version"]
        if seat == event["player"] - 1:
            self._tally.acknowledged += 1
            if event["type"] == "played":
                self.moves.append((view["number"], view["ply"], event["cell"]))
        elif self._sent and self._sent[0] == event["id"]:
            self._tally.latencies.append(time.perf_counter() - self._sent[1])
        if min(self._versions) == max(self._versions):  # both have seen it
            self._view = view
            self.turn.set()


async def make_games(url: str, count: int, tally: Tally) -> list[Game]:
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:

        async def make() -> Game:
            body = {"game": "duel", "opponent": "friend", "rounds": 1000}
            made = (await client.post("/api/rooms", json=body)).json()
            room = made["state"]["room"]
            joining = {"invite": made["invite"]}
            joined = (await client.post(f"/api/rooms/{room}/join", json=joining)).json()
            return Game(room, (made["token"], joined["token"]), tally)

        games: list[Game] = []
        while len(games) < count:
            these = min(_AT_ONCE, count - len(games))
            games += await asyncio.gather(*(make() for _ in range(these)))
    for at in range(0, count, _AT_ONCE):
        await asyncio.gather(*(game.open(url) for game in games[at : at + _AT_ONCE]))
    return games


async def play_each_second(games: list[Game], seconds: int) -> None:
    """Let one action happen in every game each second, spread evenly."""

    async def play(game: Game, start: float) -> None:
        for tick in range(seconds):
            await asyncio.sleep(max(0.0, start + tick - time.perf_counter()))
            await game.play()
            await game.turn.wait()

    now = time.perf_counter() + 1
    await asyncio.gather(
        *(play(game, now + number / len(games)) for number, game in enumerate(games))
    )


async def play_at_full_speed(games: list[Game], deadline: float) -> None:
    async def play(game: Game) -> None:
        while time.perf_counter() < deadline:
            await game.play()
            await game.turn.wait()

    await asyncio.gather(*(play(game) for game in games))


async def measure_live(count: int, seconds: int) -> None:
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "games.db")
        games = await make_games(server.url, count, tally)
        before = server.cpu_seconds()
        gc.disable()  # the players' own pauses are not the server's
        await asyncio.wait_for(play_each_second(games, seconds), 3 * seconds + 30)
        used = (server.cpu_seconds() - before) / seconds
        lost = await count_lost(server.url, games)
        await asyncio.gather(*(game.close() for game in games))
        server.stop()
    ranked = sorted(tally.latencies)
    middle, last = statistics.median(ranked), ranked[int(0.99 * len(ranked))]
    print(
        f"live: {count} games, {2 * count} connections, {len(ranked)} actions in {seconds} s; "
        f"seen by the opponent after {1000 * middle:.1f} ms (median), {1000 * last:.1f} ms (99 %), "
        f"{1000 * ranked[-1]:.1f} ms (most); {lost} lost, "
        f"{len(tally.faults)} reordered or refused; server {100 * used:.0f} % of a core",
        flush=True,
    )


async def measure_rate(count: int, seconds: int) -> None:
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "games.db")
        games = await make_games(server.url, count, tally)
        before, began = server.cpu_seconds(), time.perf_counter()
        await play_at_full_speed(games, began + seconds)
        spent = time.perf_counter() - began
        used = (server.cpu_seconds() - before) / spent
        lost = await count_lost(server.url, games)
        await asyncio.gather(*(game.close() for game in games))
        server.stop()
    print(
        f"rate: {tally.acknowledged / spent:,.0f} actions a second, "
        f"{tally.acknowledged} in {spent:.1f} s, {count} games; {lost} lost, "
        f"{len(tally.faults)} reordered or refused; "
        f"server {100 * used:.0f} % of a core",
        flush=True,
    )


async def measure_kills(count: int, kills: int) -> None:
    """Kill the server in the middle of the load, and look for every acknowledged action."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "games.db"
        server = Server(database)
        tally = Tally()
        games = await make_games(server.url, count, tally)
        lost = 0
        for number in range(kills):
            playing = asyncio.create_task(play_at_full_speed(games, time.perf_counter() + 10))
            await asyncio.sleep(0.5 + random.random())
            server.kill()
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await asyncio.sleep(0.1)  # what was on its way arrives
            await asyncio.gather(*(game.close() for game in games))
            server = Server(database, server.port)
            lost += await count_lost(server.url, games)
            games = await reopen(server.url, games, tally)
            print(
                f"kill {number + 1}: {tally.acknowledged} acknowledged so far, {lost} lost",
                flush=True,
            )
        await asyncio.wait_for(play_at_full_speed(games, time.perf_counter() + 1), 30)
        await asyncio.gather(*(game.close() for game in games))
        server.stop()
    print(
        f"kills: {kills} times, {tally.acknowledged} actions acknowledged, {lost} lost", flush=True
    )


def measure_page() -> None:
    """Load the first page in a browser that has never seen it, and wait until it can be used."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("page: Chromium is not installed")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "games.db")
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        sizes: list[float] = []
        seconds, hosts = [], set()
        for _ in range(5):
            page = browser.new_context().new_page()
            session = page.context.new_cdp_session(page)
            session.send("Network.enable")
            sizes.clear()
            session.on("Network.loadingFinished", lambda e: sizes.append(e["encodedDataLength"]))
            page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
            began = time.perf_counter()
            page.goto(server.url)
            page.locator("input[name=game]:checked").wait_for(state="attached")
            seconds.append(time.perf_counter() - began)
            page.wait_for_load_state("networkidle")
        browser.close()
        server.stop()
    print(
        f"page: {sum(sizes) / 1000:.1f} kB in {len(sizes)} requests to {len(hosts)} host, usable "
        f"after {statistics.median(seconds):.2f} s (median of 5, {max(seconds):.2f} s at most)"
    )


async def reopen(url: str, games: list[Game], tally: Tally) -> list[Game]:
    """Return the same rooms with new connections."""
    again = [Game(game.room, game.tokens, tally) for game in games]
    for before, after in zip(games, again, strict=True):
        after.moves = before.moves
    for at in range(0, len(again), _AT_ONCE):
        await asyncio.gather(*(game.open(url) for game in again[at : at + _AT_ONCE]))
    return again


async def count_lost(url: str, games: list[Game]) -> int:
    """Return how many acknowledged actions the server does not know, or knows otherwise."""
    lost = 0
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        for game in games:
            answer = await client.get(f"/api/rooms/{game.room}")
            state = answer.raise_for_status().json()
            kept = [*(finished["moves"] for finished in state["games"]), state["moves"]]
            lost += sum(
                kept[number - 1][ply - 1 : ply] != [cell] for number, ply, cell in game.moves
            )
    return lost


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="live games at once")
    parser.add_argument("--seconds", type=int, default=20, help="of each measurement")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--only", choices=["live", "rate", "kills", "page"])
    options = parser.parse_args()
    if options.only in (None, "live"):
        uvloop.run(measure_live(options.games, options.seconds))
    if options.only in (None, "rate"):
        uvloop.run(measure_rate(200, options.seconds))
    if options.only in (None, "kills"):
        uvloop.run(measure_kills(100, options.kills))
    if options.only in (None, "page"):
        measure_page()


if __name__ == "__main__":
    main()
