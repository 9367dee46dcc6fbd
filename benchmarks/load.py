"""The web app under load: live games, actions a second, a server that is killed, the first page.

A server is started for each measurement, on loopback and with SQLite; ``--url`` measures one that
runs already.  The players are in this process, so on two cores they cost the server some of its
time.  Everything is bounded in count and in time.  What is printed was measured in this run.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import uvloop
from playwright.sync_api import sync_playwright

from benchmarks.crowd import (
    Site,
    Tally,
    analyse_again_and_again,
    count_lost,
    in_groups,
    make_tables,
    play_at_full_speed,
    play_each_second,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_GRIDLOCK = [sys.executable, "-m", "gridlock"]


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
        self.site = Site(self.url)

    def cpu_seconds(self) -> float:
        """Return the processor time that the server has used."""
        return cpu_seconds(self._process.pid)

    def memory(self) -> int:
        """Return the bytes that the server holds in memory."""
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()


def cpu_seconds(process: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure_live(site: Site, crowd: Crowd, seconds: int, server: Server | None) -> None:
    """Let everybody play, watch and analyse for a while, and print what they saw."""
    tally = Tally()
    tables = await make_tables(site, crowd.games, tally, watchers=crowd.watchers)
    against = await make_tables(site, crowd.computers, tally, level=crowd.level)
    analysts = [analyse_again_and_again(site, seconds, tally) for _ in range(crowd.analysts)]
    gc.disable()  # the players' own pauses are not the server's
    before = server.cpu_seconds() if server else 0.0
    async with asyncio.timeout(3 * seconds + 60):
        await asyncio.gather(play_each_second([*tables, *against], seconds), *analysts)
    used = server.cpu_seconds() - before if server else 0.0
    lost = await count_lost(site, [*tables, *against])
    await asyncio.gather(*(table.close() for table in [*tables, *against]))
    print(f"live: {crowd}, {seconds} s: {tally.summary()}; {told(lost, tally)}", flush=True)
    if server:
        cost = f"{1000 * used / tally.acknowledged:.2f} ms for an action"
        held = f"{server.memory() / 1e6:.0f} MB"
        print(f"  the server computed {cost}, and holds {held}", flush=True)


async def measure_rate(server: Server, count: int, seconds: int) -> None:
    tally = Tally()
    tables = await make_tables(server.site, count, tally)
    before, began = server.cpu_seconds(), time.perf_counter()
    await play_at_full_speed(tables, seconds)
    spent = time.perf_counter() - began
    used = (server.cpu_seconds() - before) / spent
    lost = await count_lost(server.site, tables)
    await asyncio.gather(*(table.close() for table in tables))
    print(
        f"rate: {tally.acknowledged / spent:,.0f} actions a second, {tally.acknowledged:,} in "
        f"{spent:.1f} s, {count} games; {told(lost, tally)}; server {100 * used:.0f} % of a core",
        flush=True,
    )


async def measure_sizes(server: Server, rooms: int, connections: int) -> None:
    """Fill the server's memory with rooms and with connections, and print what each takes."""
    tally = Tally()
    before = server.memory()
    tables = await make_tables(server.site, rooms, tally, are_open=False)
    with_rooms = server.memory()
    guests = [table.again(server.site, tally) for table in tables[: connections // 2]]
    await in_groups([guest.open for guest in guests])
    with_connections = server.memory()
    await in_groups([guest.close for guest in guests])
    print(
        f"sizes: {before / 1e6:.0f} MB empty, {(with_rooms - before) / rooms / 1e3:.1f} kB a room, "
        f"{(with_connections - with_rooms) / connections / 1e3:.1f} kB a connection "
        f"({rooms} rooms, {connections} connections)",
        flush=True,
    )


async def measure_kills(database: Path, count: int, kills: int) -> None:
    """Kill the server in the middle of the load, and look for every acknowledged action."""
    server = Server(database)
    tally = Tally()
    tables = await make_tables(server.site, count, tally)
    playing = asyncio.create_task(play_at_full_speed(tables, 2.5 * kills))
    for number in range(kills):
        await asyncio.sleep(0.5 + random.random())
        server.kill()
        server = await asyncio.to_thread(Server, database, server.port)
        print(f"kill {number + 1}: {tally.acknowledged:,} acknowledged so far", flush=True)
    await asyncio.wait_for(playing, 5 * kills + 30)
    lost = await count_lost(server.site, tables)
    await asyncio.gather(*(table.close() for table in tables))
    server.stop()
    print(f"kills: {kills} times, {tally.summary()}; {told(lost, tally)}", flush=True)


def told(lost: int, tally: Tally) -> str:
    """Return what went wrong, in words."""
    faults = f"{tally.doubled} doubled, {len(tally.faults)} reordered or refused"
    return f"{lost} lost, {faults}" + "".join(f"\n  {fault}" for fault in tally.faults[:5])


@contextlib.contextmanager
def running() -> Iterator[Server]:
    """Run a server with an empty database."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "games.db")
        try:
            yield server
        finally:
            server.stop()


@dataclass(frozen=True)
class Crowd:
    """How many people there are, and what they do."""

    games: int
    watchers: int
    computers: int
    level: int
    analysts: int

    def __str__(self) -> str:
        parts = [f"{self.games} games"]
        if self.watchers:
            parts.append(f"{self.watchers} watchers each")
        if self.computers:
            parts.append(f"{self.computers} against level {self.level}")
        if self.analysts:
            parts.append(f"{self.analysts} analysts")
        return ", ".join(parts)


def measure_page() -> None:
    """Load the first page in a browser that has never seen it, and wait until it can be used."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("page: Chromium is not installed")
        return
    with running() as server, sync_playwright() as playwright:
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
    print(
        f"page: {sum(sizes) / 1000:.1f} kB in {len(sizes)} requests to {len(hosts)} host, usable "
        f"after {statistics.median(seconds):.2f} s (median of 5, {max(seconds):.2f} s at most)"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="live games at once")
    parser.add_argument("--seconds", type=int, default=20, help="of each measurement")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--only", choices=["live", "rate", "sizes", "kills", "page"])
    parser.add_argument("--watchers", type=int, default=0, help="of each game")
    parser.add_argument("--computers", type=int, default=0, help="games against the computer")
    parser.add_argument("--level", type=int, default=4, help="of the computer")
    parser.add_argument("--analysts", type=int, default=0, help="with an analysis a second each")
    parser.add_argument("--url", help="of a server that runs already: measures live games alone")
    parser.add_argument("--authority", help="a file of certificates that are believed")
    options = parser.parse_args()
    crowd = Crowd(
        options.games, options.watchers, options.computers, options.level, options.analysts
    )
    if options.url:
        site = Site(options.url.rstrip("/"), options.authority)
        uvloop.run(measure_live(site, crowd, options.seconds, None))
        return
    if options.only in (None, "live"):
        with running() as server:
            uvloop.run(measure_live(server.site, crowd, options.seconds, server))
    if options.only in (None, "rate"):
        with running() as server:
            uvloop.run(measure_rate(server, 200, options.seconds))
    if options.only in (None, "sizes"):
        with running() as server:
            uvloop.run(measure_sizes(server, 2000, 2000))
    if options.only in (None, "kills"):
        with tempfile.TemporaryDirectory() as folder:
            uvloop.run(measure_kills(Path(folder) / "games.db", 100, options.kills))
    if options.only in (None, "page"):
        measure_page()


if __name__ == "__main__":
    main()
