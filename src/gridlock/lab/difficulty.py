"""How hard puzzles are: measured by who finds their whole lines.

Levels of the computer, and estimating searches of growing size, try every puzzle several times.
The results are explained by one number for each puzzle and one for each of those who tried (a
Rasch model, as ratings use): the likeliest ones, found by turns.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

from gridlock.search import levels
from gridlock.search.estimating import Estimation, best_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gridlock.model import Position
    from gridlock.puzzles.puzzle import Puzzle
    from gridlock.search.solver import Solver

    Chooser = Callable[[Solver, Position, random.Random], int]

TRIES = 6
_LEVELS = range(1, 8)  # level 8 solves whatever can be solved
_NODES = (10, 30, 100, 300, 1000, 3000)
_POINTS = 400 / math.log(10)  # of a rating, to a step in the logarithm of odds
_CENTRE = 1500.0
_PRIOR = 350.0  # points: how far ratings are from the centre without any result
_ROUNDS = 60


def level(number: int) -> Chooser:
    """Return how a level chooses."""
    return lambda solver, position, rng: levels.choose(solver, position, number, rng)


def search(nodes: int) -> Chooser:
    """Return how an estimating search of some nodes chooses."""

    def choose(solver: Solver, position: Position, rng: random.Random) -> int:
        estimation = Estimation(solver, position, rng.getrandbits(31))
        estimation.think(nodes=nodes)
        return best_of(estimation.estimates().values()).cell

    return choose


SOLVERS: dict[str, Chooser] = {
    **{f"level {number}": level(number) for number in _LEVELS},
    **{f"{nodes} nodes": search(nodes) for nodes in _NODES},
}
"""Those who try the puzzles."""


def measure(
    solver: Solver, puzzle: Puzzle, tries: int = TRIES, *, seed: str = ""
) -> dict[str, int]:
    """Return how often each of the solvers finds the whole line of a puzzle."""
    rng = random.Random(f"{seed}{puzzle.position}")
    turns = [
        (position, cell)
        for position, cell in zip(puzzle.positions(), puzzle.line, strict=False)
        if position.mover is puzzle.solver
    ]
    return {
        name: sum(
            all(choose(solver, position, rng) == cell for position, cell in turns)
            for _ in range(tries)
        )
        for name, choose in SOLVERS.items()
    }


def rate(
    results: Sequence[Mapping[str, int]], by: Iterable[str] = SOLVERS, tries: int = TRIES
) -> list[int]:
    """Return the ratings of puzzles, by how often each of some solvers found each of them."""
    puzzles = [_CENTRE] * len(results)
    solvers = dict.fromkeys(by, _CENTRE)
    for _ in range(_ROUNDS):
        for name in solvers:
            won = [result[name] for result in results]
            solvers[name] = _step(solvers[name], puzzles, won, tries)
        ratings = list(solvers.values())
        for place, result in enumerate(results):
            lost = [tries - result[name] for name in solvers]
            puzzles[place] = _step(puzzles[place], ratings, lost, tries)
    return [round(rating) for rating in puzzles]


def _step(rating: float, others: Sequence[float], won: Sequence[int], tries: int) -> float:
    """Return a rating after a step of Newton's towards the one that explains its results best."""
    slope = (_CENTRE - rating) / _PRIOR**2 * _POINTS
    bend = _POINTS / _PRIOR**2 * _POINTS
    for other, count in zip(others, won, strict=True):
        expected = 1 / (1 + math.exp((other - rating) / _POINTS))
        slope += count - tries * expected
        bend += tries * expected * (1 - expected)
    return rating + _POINTS * max(-1.0, min(1.0, slope / bend))
