"""A club's server as its guide describes it: nginx with TLS, two processes, PostgreSQL and Redis.

All of them are started here, on loopback.  The players are in this process, so on two cores they
cost the servers some of their time.  What is printed was measured in this run, each measurement
with its goals and whether they were met; on a machine that is busy with something else they may
not be.
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
    come_and_go,
    count_lost,
    in_groups,
    make_tables,
    percentile,
    play_each_second,
)
from benchmarks.goals import Goals
from benchmarks.load import cpu_seconds
from benchmarks.seen import Watch
from tests.web.proxies import run_nginx
from tests.web.services import Server, Service, free_port, run_postgresql, run_redis

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator

    from benchmarks.crowd import Table

_VISIT = 300  # seconds for which the people of the memory row stay
_PAUSE = 12  # seconds between two faults, and before and after them

_QUICK = 0.150  # seconds within which 99 % are to hear of a move
_UNHEARD = 1.0  # seconds after which a move counts as unheard
_DEAF = 5.0  # seconds after which somebody counts as deaf
_GROWTH = 50.0  # megabytes by which a process may grow after the first minutes


class Club:
    """Everything that runs; a process that is replaced keeps its port."""

    def __init__(self, folder: Path, database: Service, redis: Service) -> None:
        self.folder = folder
        self.database = database
        self.redis = redis
        self.processes: list[Server] = []
        self._ports = [free_port(), free_port()]
        metrics_ports = [free_port(), free_port()]
        self.watch = Watch(metrics_ports, [folder / f"process-{number}.log" for number in (1, 2)])

    @contextlib.contextmanager
    def running(self) -> Iterator[Club]:
        """Run the processes, and nginx before both and before each of them alone."""
        upgrade = [sys.executable, "-m", "gridlock", "db", "upgrade"]
        subprocess.run([*upgrade, "--database", self.database.url], check=True, capture_output=True)
        with contextlib.ExitStack() as stack:
            self.site = self._site(stack, "both", self._ports)
            one, two = (self._site(stack, f"only-{port}", [port] * 2) for port in self._ports)
            self.one, self.two = one, two
            self.processes = [self._serve(number) for number in (0, 1)]
            try:
                yield self
            finally:
                for process in self.processes:
                    process.stop()

    def _site(self, stack: contextlib.ExitStack, name: str, ports: list[int]) -> Site:
        """Run nginx before some of the processes."""
        folder = self.folder / name
        folder.mkdir()
        nginx = stack.enter_context(run_nginx(folder, ports))
        return Site(nginx.url, str(folder / "certificate.pem"))

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
            self.watch.logs[number],
            *("--port", str(self._ports[number]), "--no-limits", "--log", "info"),
            *("--metrics-port", str(self.watch.ports[number])),
            *("--database", self.database.url, "--redis", self.redis.url),
            *("--proxy", "127.0.0.1"),
            *(part for site in (self.site, self.one, self.two) for part in ("--origin", site.url)),
            is_fresh=True,
        )


async def measure_live(club: Club, goals: Goals, games: int, seconds: int) -> None:
    """Let friends, at a process each, play one action a second in every game."""
    tally = Tally()
    tables = await make_tables(club.site, games, tally, seats=[club.one, club.two])
    before = club.cpu_seconds()
    await play_each_second(tables, seconds)
    used = 1000 * (club.cpu_seconds() - before) / tally.acknowledged
    lost = await close(club, f"live: {games} games, {seconds} s", tables, tally)
    print(f"  the processes computed {used:.1f} ms for an action", flush=True)
    late, most = percentile(tally.waits, 0.99), max(tally.waits)
    check_time(goals, "99 % are heard", late, _QUICK)
    check_time(goals, "all are heard", most, _UNHEARD)
    goals.none(lost=lost, doubled=tally.doubled, told_again=tally.repeats, gaps=tally.gaps)
    goals.none(reordered_or_refused=len(tally.faults), connections_closed=tally.closes.total())


async def measure_faults(club: Club, goals: Goals, games: int) -> None:
    """Replace and kill processes and services, one after the other, in the load of live games."""
    tally = Tally()
    tables = await make_tables(club.site, games, tally, seats=[club.one, club.two])
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
    moments: list[tuple[str, float, float]] = []
    async with club.watch.watching():
        playing = asyncio.create_task(play_each_second(tables, seconds))
        for number, (what, happen) in enumerate(faults, 1):
            await asyncio.sleep(max(0.0, begin + number * _PAUSE - time.perf_counter()))
            moments.append((what, time.perf_counter(), time.time()))
            await asyncio.to_thread(happen)
        await asyncio.wait_for(playing, 3 * seconds)
    lost = await close(club, f"faults: {games} games, {seconds} s", tables, tally)
    for what, moment, hour in moments:
        waits = [wait for due, wait in tally.heard if moment - 1 <= due < moment + _PAUSE - 1]
        check_time(goals, f"{what}: all are heard", max(waits), _DEAF)
        in_metrics, in_logs = club.watch.seen(hour, hour + _PAUSE)
        for place, shown in (("metrics", in_metrics), ("logs", in_logs)):
            goals.check(f"{what}: seen in {place}", ", ".join(shown), is_met=bool(shown))
    goals.none(lost=lost, doubled=tally.doubled, reordered_or_refused=len(tally.faults))


def restart(service: Service) -> None:
    """End a service, and start it again."""
    service.stop()
    service.start()


async def measure_herd(club: Club, goals: Goals, connections: int) -> None:
    """Open many connections at once to a process that has just started, then play in every room.

    The players are at the other process.
    """
    tally = Tally()
    seats = [club.two, club.two, club.one, club.one]
    rooms = connections // 2
    tables = await make_tables(club.site, rooms, tally, watchers=2, seats=seats, are_open=False)
    await in_groups([table.open_players for table in tables])
    club.replace(0)
    began = time.perf_counter()
    await asyncio.gather(*(table.open() for table in tables))
    opened = time.perf_counter() - began
    await play_each_second(tables, 1)
    what = f"herd: {connections} connections to a fresh process, greeted after {opened:.1f} s"
    lost = await close(club, what, tables, tally)
    check_time(goals, "everybody hears the next event", max(tally.waits), _UNHEARD)
    goals.none(lost=lost, gaps=tally.gaps, connections_closed=tally.closes.total())


async def measure_memory(club: Club, goals: Goals, games: int, seconds: int) -> None:
    """Let people play each other and the computer, watch, analyse, come and go."""
    tally = Tally()
    lost = 0

    async def play() -> None:
        """Let people come for a while, play, and go, and others after them."""
        nonlocal lost
        deadline = time.perf_counter() + seconds
        while (left := deadline - time.perf_counter()) > 0:
            friends = await make_tables(club.site, games, tally, watchers=1)
            tables = [*friends, *await make_tables(club.site, games // 4, tally, level=8)]
            await play_each_second(tables, min(_VISIT, left))
            lost += await count_lost(club.site, tables)
            await in_groups([table.close for table in tables])

    work: list[Awaitable[None]] = [play()]
    work += [analyse_again_and_again(club.site, seconds, tally) for _ in range(2)]
    work += [come_and_go(club.site, seconds, tally) for _ in range(4)]
    playing = asyncio.gather(*work)
    began = time.perf_counter()
    held: list[list[float]] = []
    while not playing.done():
        await asyncio.wait([playing], timeout=max(10, seconds / 12))
        held.append(club.memory())
        shown = " and ".join(f"{megabytes:.0f} MB" for megabytes in held[-1])
        print(f"  after {time.perf_counter() - began:.0f} s: {shown}", flush=True)
    await playing
    what = f"memory: {games} games with a watcher, {games // 4} against level 8, 2 analysts"
    print(f"{what}, 4 rooms made and left a second: {tally.summary()}; {lost} lost", flush=True)
    later = held[len(held) // 4 :]
    growth = [max(of_one) - of_one[0] for of_one in zip(*later, strict=True)]
    reached = " and ".join(f"{megabytes:.0f} MB" for megabytes in growth)
    goal = f"{seconds} s, no process grows by more than {_GROWTH:.0f} MB after a quarter of them"
    goals.check(goal, reached, is_met=max(growth) <= _GROWTH)
    goals.none(lost=lost, doubled=tally.doubled)


def check_time(goals: Goals, goal: str, seconds: float, most: float) -> None:
    """Check that something was within a time."""
    shown = f"{1000 * seconds:,.0f} ms"
    goals.check(f"{goal} within {1000 * most:,.0f} ms", shown, is_met=seconds <= most)


async def close(club: Club, what: str, tables: list[Table], tally: Tally) -> int:
    """Print what everybody saw, send them home, and return how many actions were lost."""
    lost = await count_lost(club.site, tables)
    await in_groups([table.close for table in tables])
    faults = "".join(f"\n  {fault}" for fault in tally.faults[:5])
    print(f"{what}: {tally.summary()}; {lost} lost{faults}", flush=True)
    return lost


def count_logged(club: Club) -> None:
    """Print what the processes have logged, by its words."""
    for number, log in enumerate(club.watch.logs, 1):
        counts: dict[str, int] = {}
        for line in log.read_text().splitlines():
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
    parser.add_argument("--memory-seconds", type=int, default=300, help="of mixed load")
    parser.add_argument("--only", choices=["live", "faults", "herd", "memory"])
    parser.add_argument("--logs", action="store_true", help="print what was logged")
    options = parser.parse_args()
    measures: dict[str, Callable[[Club], Coroutine[Any, Any, None]]] = {
        "live": lambda club: measure_live(club, goals, options.games, options.seconds),
        "faults": lambda club: measure_faults(club, goals, options.games),
        "herd": lambda club: measure_herd(club, goals, options.connections),
        "memory": lambda club: measure_memory(
            club, goals, options.games // 6, options.memory_seconds
        ),
    }
    goals = Goals()
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
    goals.conclude()


if __name__ == "__main__":
    main()
