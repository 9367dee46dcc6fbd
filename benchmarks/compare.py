"""GridLock's solver side by side with a naive one, easyAI's and OpenSpiel's, on the same positions.

Every solver answers one question, does the mover win, in one run, from an empty table.  GridLock's
time includes setting up.  It answers twice: as it is, and by search alone, without the theorems of
the mirror and of matchings, which answer some of these at once.  Whoever is quick is asked again
several times, and the median of these counts, since a single thousandth of a second says little.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import TYPE_CHECKING

import gridlock
from benchmarks.peers import Result, easyai, naive, openspiel
from gridlock import Position
from gridlock.search.settings import Settings
from gridlock.search.solver import Solver
from gridlock.search.theorems import ALL, Theorem

if TYPE_CHECKING:
    from collections.abc import Callable

    Solve = Callable[[Position, float], Result]

RUNS = 9
QUICK = 0.5  # seconds
PEERS = {
    "easyAI": easyai.solve,
    "OpenSpiel alpha-beta": openspiel.solve_alpha_beta,
    "OpenSpiel minimax": openspiel.solve_minimax,
    "naive": naive.solve,
}

STARTS = [
    ("occupation", "4x5"), ("occupation", "5x5"),
    ("duel", "5x5"), ("duel", "6x6"),
    ("claim", "5x5"), ("claim", "6x6"),
    ("trail", "5x6"), ("trail", "6x6"),
    ("race", "4x4"), ("race", "5x5"),
]  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="the limit for each answer")
    seconds = parser.parse_args().seconds
    print(f"seconds and nodes; > is the limit of {seconds:g} s; in brackets times GridLock's time")
    solvers = {"GridLock": solve, "GridLock by search": search, **PEERS}
    print(f"{'':<18}" + "".join(f"{name:>32}" for name in solvers))
    for name, size in STARTS:
        start = gridlock.game(name, size).start()
        results = [measure(solver, start, seconds) for solver in solvers.values()]
        if len({result.won for result in results if result.won is not None}) != 1:
            raise SystemExit(f"{name} {size}: the answers differ: {results}")
        own = results[0].seconds
        cells = "".join(f"{_cell(result, own):>32}" for result in results)
        print(f"{name + ' ' + size:<18}{cells}", flush=True)


def measure(solver: Solve, position: Position, seconds: float) -> Result:
    """Return what a solver answers, and the median of its times if it is quick."""
    result = solver(position, seconds)
    if result.won is None or result.seconds > QUICK:
        return result
    times = [solver(position, seconds).seconds for _ in range(RUNS)]
    return Result(result.won, result.nodes, statistics.median(times))


def solve(position: Position, seconds: float) -> Result:
    """Solve a position with GridLock's own solver, as it is."""
    return _solve(position, seconds, ALL)


def search(position: Position, seconds: float) -> Result:
    """Solve a position with GridLock's own search, without the theorems that answer at once."""
    return _solve(position, seconds, ALL & ~Theorem.MIRROR & ~Theorem.MATCHING)


def _solve(position: Position, seconds: float, use: Theorem) -> Result:
    began = time.perf_counter()
    solver = Solver(position.game, Settings(seconds), use=use)
    won = solver.wins(position)
    return Result(won, solver.progress.nodes, time.perf_counter() - began)


def _cell(result: Result, own: float) -> str:
    mark = ">" if result.won is None else " "
    factor = f"({result.seconds / own:,.0f})"
    return f"{mark}{result.seconds:.4f} {result.nodes:>10,} {factor:>8}"


if __name__ == "__main__":
    main()
