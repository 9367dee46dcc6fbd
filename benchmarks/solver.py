"""How fast positions are solved: times, node counts and nodes/s, beside the goals.

    python benchmarks/solver.py            everything that takes a minute or two
    python benchmarks/solver.py --stretch  the hardest starts as well, and threads side by side

Every start is solved with an empty table and without the theorem of the mirror, which would answer
most of them at once.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import gridlock
from gridlock import RULEBOOKS, Game, LimitError, Position
from gridlock.search.kernel import is_compiled
from gridlock.search.settings import Settings
from gridlock.search.solver import Solver
from gridlock.search.theorems import ALL, Theorem

if TYPE_CHECKING:
    from collections.abc import Iterator

WITHOUT_MIRROR = ALL & ~Theorem.MIRROR
PLACEMENT = ("occupation", "duel", "claim", "trail")
RUNS = 5
STOPPED = [
    ("occupation", "8x8", False), ("occupation", "8x8", True),
    ("claim", "7x9", False), ("duel", "7x9", False), ("race", "6x7", False),
]  # fmt: skip
"""Searches that take seconds: game, size, and whether play is misere."""

SAMPLE = 12
"""Positions of a kind that are measured."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stretch", action="store_true")
    arguments = parser.parse_args()
    print(f"core: {'compiled' if is_compiled else 'interpreted'}\n")
    measure_processes()
    measure_positions()
    measure_stops()
    measure_starts("goal: 20 s each", [
        ("occupation", "7x7"), ("claim", "5x7"), ("duel", "7x8"), ("race", "5x5"),
    ])  # fmt: skip
    if arguments.stretch:
        measure_starts("the stretch", [
            ("claim", "6x7"), ("claim", "7x7"),
            ("duel", "7x7"), ("duel", "8x8"), ("duel", "6x9"), ("duel", "6x10"), ("duel", "7x9"),
            ("race", "5x6"), ("race", "6x6"),
            ("occupation", "8x8"),
        ])  # fmt: skip
        measure_threads([("claim", "7x8"), ("duel", "7x9"), ("race", "5x7")])


def measure_processes() -> None:
    """Print how long a whole analysis takes, from the command line."""
    print(f"gridlock analyse GAME --json, whole process, median of {RUNS} (goal: 0.5 s)")
    for name in RULEBOOKS:
        command = [sys.executable, "-m", "gridlock", "analyse", name, "--json"]
        times = []
        for _ in range(RUNS):
            began = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times.append(time.perf_counter() - began)
        print(f"  {name:<12}{statistics.median(times):>8.3f} s")


def measure_positions() -> None:
    """Print how long the values of all actions of random positions take."""
    rng = random.Random(1)
    print(f"\nvalues of all actions, empty table, {SAMPLE} positions each")
    print(f"{'':<34}{'slowest':>10}{'median':>10}{'nodes':>12}{'nodes/s':>12}")
    for name, size, lengths, goal in kinds():
        game = gridlock.game(name, size)
        results = []
        for number in range(SAMPLE):
            position = random_position(game, lengths[number % len(lengths)], rng)
            solver = Solver(game, use=WITHOUT_MIRROR)
            began = time.perf_counter()
            for cell in position.legal_cells():
                solver.wins_by(position, cell)
            results.append((time.perf_counter() - began, solver.progress.nodes))
        times = [seconds for seconds, _ in results]
        nodes = sum(count for _, count in results)
        what = f"{name} {size}, {'/'.join(map(str, lengths))} actions in, {goal}"
        print(
            f"  {what:<34}{max(times):>8.3f} s{statistics.median(times):>8.3f} s"
            f"{nodes:>12,}{nodes / sum(times):>12,.0f}"
        )


def measure_stops() -> None:
    """Print how long searches of each kind go on after they were stopped."""
    print(f"\nfrom stop() to the end of the search, slowest of {RUNS} (goal: 0.05 s)")
    for name, size, is_misere in STOPPED:
        start = gridlock.game(name, size).start()
        times = []
        for threads in (1, 2):
            for run in range(RUNS):
                settings = Settings(memory=1 << 30, threads=threads)
                solver = Solver(start.game, settings, use=WITHOUT_MIRROR, is_misere=is_misere)
                searching = threading.Thread(target=give_up, args=(solver, start))
                searching.start()
                time.sleep(0.1 * (run + 1))
                began = time.perf_counter()
                solver.stop()
                searching.join()
                times.append(time.perf_counter() - began)
        what = f"{name} {size}{' misere' if is_misere else ''}"
        print(f"  {what:<24}{max(times):>8.4f} s")


def give_up(solver: Solver, position: Position) -> None:
    """Search until the solver is stopped."""
    with contextlib.suppress(LimitError):
        solver.wins(position)


def kinds() -> Iterator[tuple[str, str, tuple[int, ...], str]]:
    """Return game, size, the actions played before, and the goal for each position."""
    for name in PLACEMENT:
        yield name, "6x6", (0, 1, 2, 4), "1 s"
    yield "race", "4x5", (0, 2, 4, 5), "1 s"
    for name in PLACEMENT:
        yield name, "7x7", (8,), "20 s"


def random_position(game: Game, length: int, rng: random.Random) -> Position:
    """Return a position of a game that is not over, after random actions."""
    while True:
        position = game.start()
        for _ in range(length):
            if position.winner is None:
                position = position.play(rng.choice(position.legal_cells()))
        if position.winner is None:
            return position


def measure_starts(title: str, starts: list[tuple[str, str]]) -> None:
    """Print how long the starts of some games take, with Grundy values where there are any."""
    print(f"\nstarts, one thread, {title}")
    print(f"{'':<20}{'value':>16}{'time':>10}{'nodes':>14}{'nodes/s':>12}{'table':>8}")
    for name, size in starts:
        answer, seconds, solver = solve_start(name, size, 1)
        progress = solver.progress
        print(
            f"  {name + ' ' + size:<18}{answer:>16}{seconds:>8.2f} s{progress.nodes:>14,}"
            f"{progress.nodes / seconds:>12,.0f}{progress.fill:>8.0%}",
            flush=True,
        )


def solve_start(name: str, size: str, threads: int) -> tuple[str, float, Solver]:
    """Return what a start is worth, how long that took, and the solver."""
    start = gridlock.game(name, size).start()
    solver = Solver(start.game, Settings(memory=1 << 30, threads=threads), use=WITHOUT_MIRROR)
    began = time.perf_counter()
    if name == "duel":
        answer = f"Grundy {solver.nimber(start)}"
    else:
        answer = "win" if solver.wins(start) else "loss"
    return answer, time.perf_counter() - began, solver


def measure_threads(starts: list[tuple[str, str]]) -> None:
    """Print how much faster two threads are than one."""
    print("\none thread and two")
    for name, size in starts:
        one = solve_start(name, size, 1)
        two = solve_start(name, size, 2)
        print(
            f"  {name + ' ' + size:<18}{one[1]:>8.2f} s{one[2].progress.nodes:>14,}"
            f"{two[1]:>8.2f} s{two[2].progress.nodes:>14,}{one[1] / two[1]:>8.2f} times faster",
            flush=True,
        )


if __name__ == "__main__":
    main()
