"""A club's server as its guide describes it: nginx with TLS, two processes, PostgreSQL and Redis.

All of them are started here, on loopback.  The players are in this process, so on two cores they
cost the servers some of their time.  What is printed was measured in this run.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvloop

from benchmarks.crowd import (
    Site,
    Tally,
    analyse_again_and_again,
    count_lost,
    in_groups,
    make_tables,
    play_each_second,
)
from benchmarks.load import cpu_seconds
from tests.web.proxies import run_nginx
from tests.web.services import Server, Service, free_port, run_postgresql, run_redis

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator

    from benchmarks.crowd import Table

_PAUSE = 10  # seconds between two faults, and before and after them


class Club:
    """Everything that runs; a process that is replaced keeps its port."""

    def __init__(self, folder: Path, database: Service, redis: Service) -> None:
        self.folder = folder
        self.database = database
        self.redis = redis
        self.processes: list[Server] = []
        self._ports = [free_port(), free_port()]

    @contextlib.contextmanager
    def running(self) -> Iterator[Club]:
        """Run the processes, and nginx before them."""
        upgrade = [sys.executable, "-m", "gridlock", "db", "upgrade"]
        subprocess.run([*upgrade, "--database", self.database.url], check=True, capture_output=True)
        with run_nginx(self.folder, self._ports) as nginx:
            self.site = Site(nginx.url, str(self.folder / "certificate.pem"))
            self.processes = [self._serve(number) for number in (0, 1)]
            try:
                yield self
            finally:
                for process in self.processes:
                    process.stop()

    def replace(self, number: int, *, kill: bool = False) -> None:
        """End a process, gently or not, and start it again."""
        if kill:
            self.processes[number].kill()
        else:
            self.processes[number].process.send_signal(signal.SIGTERM)
            self.processes[number].process.wait()
        self.processes[number] = self._serve(number)

    def cpu_seconds(self) -> float:
        """Return the processor time that both processes have used since they started."""
        return sum(cpu_seconds(process.process.pid) for process in self.processes)

    def memory(self) -> list[float]:
        """Return the megabytes that each process holds."""
        return [process.memory / 1e6 for process in self.processes]

    def _serve(self, number: int) -> Server:
        return Server(
            self.folder / f"process-{number + 1}.log",
            *("--port", str(self._ports[number]), "--no-limits", "--log", "info"),
            *("--database", self.database.url, "--redis", self.redis.url),
            *("--proxy", "127.0.0.1", "--origin", self.site.url),
        )


async def measure_live(club: Club, games: int, seconds: int) -> None:
    """Let friends play one action a second in every game."""
    tally = Tally()
    tables = await make_tables(club.site, games, tally)
    before = club.cpu_seconds()
    await play_each_second(tables, seconds)
    used = 1000 * (club.cpu_seconds() - before) / tally.acknowledged
    await close(club, f"live: {games} games, {seconds} s", tables, tally)
    print(f"  the processes computed {used:.1f} ms for an action", flush=True)


async def measure_faults(club: Club, games: int) -> None:
    """Replace and kill processes and services, one after the other, in the load of live games."""
    tally = Tally()
    tables = await make_tables(club.site, games, tally)
    begin = time.perf_counter()
    faults: list[tuple[str, Callable[[], object]]] = [
        ("process 1 replaced", lambda: club.replace(0)),
        ("process 2 replaced", lambda: club.replace(1)),
        ("process 1 killed", lambda: club.replace(0, kill=True)),
        ("process 2 killed", lambda: club.replace(1, kill=True)),
        ("Redis restarted", lambda: restart(club.redis)),
        ("PostgreSQL restarted", lambda: restart(club.database)),
    ]
    seconds = (len(faults) + 1) * _PAUSE
    playing = asyncio.create_task(play_each_second(tables, seconds))
    moments: list[tuple[str, float]] = []
    for number, (what, happen) in enumerate(faults, 1):
        await asyncio.sleep(max(0.0, begin + number * _PAUSE - time.perf_counter()))
        moments.append((what, time.perf_counter()))
        await asyncio.to_thread(happen)
    await asyncio.wait_for(playing, 3 * seconds)
    for what, moment in moments:
        waits = [wait for sent, wait in tally.slowest if moment - 1 <= sent < moment + _PAUSE - 1]
        most = f"{max(waits):.1f} s at most" if waits else "none"
        print(f"  {what}: {len(waits)} heard after more than 1 s, {most}", flush=True)
    await close(club, f"faults: {games} games, {seconds} s", tables, tally)


def restart(service: Service) -> None:
    """End a service, and start it again."""
    service.stop()
    service.start()


async def measure_herd(club: Club, connections: int) -> None:
    """Open many connections at once to a process that has just started, then play in every room."""
    tally = Tally()
    tables = await make_tables(club.site, connections // 2, tally)
    await asyncio.gather(*(table.close() for table in tables))
    club.replace(0)
    site = Site(club.processes[0].url)
    tally = Tally()
    again = [table.again(site, tally) for table in tables]
    began = time.perf_counter()
    await asyncio.gather(*(table.open() for table in again))
    opened = time.perf_counter() - began
    await play_each_second(again, 1)
    what = f"herd: {connections} connections to a fresh process, greeted after {opened:.1f} s"
    await close(club, what, again, tally)


async def measure_memory(club: Club, games: int, seconds: int) -> None:
    """Let people play each other and the computer, watch and analyse; look at the memory."""
    tally = Tally()
    friends = await make_tables(club.site, games, tally, watchers=1)
    against = await make_tables(club.site, games // 4, tally, level=8)
    work: list[Awaitable[None]] = [play_each_second([*friends, *against], seconds)]
    work += [analyse_again_and_again(club.site, seconds, tally) for _ in range(2)]
    playing = asyncio.gather(*work)
    began = time.perf_counter()
    while not playing.done():
        await asyncio.wait([playing], timeout=max(15, seconds / 12))
        held = " and ".join(f"{megabytes:.0f} MB" for megabytes in club.memory())
        print(f"  after {time.perf_counter() - began:.0f} s: {held}", flush=True)
    await playing
    what = f"memory: {games} games with a watcher, {games // 4} against level 8, 2 analysts"
    await close(club, what, [*friends, *against], tally)


async def close(club: Club, what: str, tables: list[Table], tally: Tally) -> None:
    """Look for what was lost, send everybody home, and print what they saw."""
    lost = await count_lost(club.site, tables)
    await in_groups([table.close for table in tables])
    faults = "".join(f"\n  {fault}" for fault in tally.faults[:5])
    print(f"{what}: {tally.summary()}; {lost} lost, {len(tally.faults)} faults{faults}", flush=True)


def count_logged(club: Club) -> None:
    """Print what the processes have logged, by its words."""
    for number in (1, 2):
        counts: dict[str, int] = {}
        for line in (club.folder / f"process-{number}.log").read_text().splitlines():
            entry = json.loads(line)
            if entry["message"] != "request":
                key = f"{entry['level']} {entry['message'][:90]}"
                counts[key] = counts.get(key, 0) + 1
        print(f"process {number} has logged:")
        for key, count in sorted(counts.items(), key=lambda pair: -pair[1])[:20]:
            print(f"  {count:6} {key}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--connections", type=int, default=1000, help="of the herd")
    parser.add_argument("--only", choices=["live", "faults", "herd", "memory"])
    parser.add_argument("--logs", action="store_true", help="print what was logged")
    options = parser.parse_args()
    measures: dict[str, Callable[[Club], Coroutine[Any, Any, None]]] = {
        "live": lambda club: measure_live(club, options.games, options.seconds),
        "faults": lambda club: measure_faults(club, options.games),
        "herd": lambda club: measure_herd(club, options.connections),
        "memory": lambda club: measure_memory(club, options.games // 6, options.seconds),
    }
    gc.disable()  # the players' own pauses are not the server's
    with (
        tempfile.TemporaryDirectory() as folder,
        run_postgresql() as database,
        run_redis() as redis,
        Club(Path(folder), database, redis).running() as club,
    ):
        for name, measure in measures.items():
            if options.only in (None, name):
                uvloop.run(measure(club))
        if options.logs:
            count_logged(club)


if __name__ == "__main__":
    main()
