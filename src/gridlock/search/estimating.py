"""What cannot be proved is estimated: how likely each action of a position wins."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, NamedTuple

from gridlock.search.settings import ESTIMATES_SHARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gridlock.model import Position
    from gridlock.search.solver import Solver

_NEVER = 1 << 62  # nodes
_MOST_MEMORY = 1 << 27  # bytes
_LEAST_CHANCE = 0.001  # of what is not proved


class Estimate(NamedTuple):
    """How likely an action wins: by a search of which ``weight`` says how far it went.

    ``proof`` is 1 or -1 where it surely wins or loses; 0, and a chance however near to 1, is a
    guess.
    """

    cell: int
    chance: float
    weight: int
    proof: int


class Estimation:
    """Estimates one position, and better the longer it is let think.

    It keeps to the limits of a solver, and ends when that is stopped.  With one thread the same
    seed and the same number of nodes give the same estimates.
    """

    def __init__(self, solver: Solver, position: Position, seed: int = 0) -> None:
        self._solver = solver
        memory = min(solver.settings.memory // ESTIMATES_SHARE, _MOST_MEMORY)
        self._searches = solver.backend.new_estimators(
            position, solver.signal, memory, seed, solver.most_threads
        )

    @property
    def nodes(self) -> int:
        """How many nodes, or playouts, all threads have seen."""
        return sum(search.nodes for search in self._searches)

    def think(self, seconds: float | None = None, nodes: int = _NEVER) -> None:
        """Go on for so long, until the first thread has seen so many nodes, or all is proved."""
        first, *others = self._searches
        with self._solver.within(seconds), self._solver.thinking(first):
            helpers = [threading.Thread(target=search.think, args=(nodes,)) for search in others]
            for helper in helpers:
                helper.start()
            try:
                first.think(nodes)
            finally:
                self._solver.signal[0] = 1
                for helper in helpers:
                    helper.join()

    def estimates(self) -> dict[int, Estimate]:
        """Return what is known so far of every legal cell, in reading order."""
        found: dict[int, Estimate] = {}
        for search in self._searches:
            for cell, chance, weight, proof in search.estimates():
                found[cell] = _joined(found.get(cell), Estimate(cell, chance, weight, proof))
        return {
            cell: estimate if estimate.proof else _doubted(estimate)
            for cell, estimate in found.items()
        }


def best_of(estimates: Iterable[Estimate]) -> Estimate:
    """Return the estimate of the action to choose: a sure win, or else what was looked at most.

    A Monte Carlo search looks most at what it finds best, and is less sure of all else.
    """
    return max(estimates, key=weight_of)


def weight_of(estimate: Estimate) -> tuple[int, int, float]:
    """Return what an estimate is worth beside others: the larger, the better the action."""
    return estimate.proof, estimate.weight, estimate.chance


def mean_chance(estimates: Sequence[Estimate]) -> float:
    """Return the chance of actions that are alike."""
    weight = sum(one.weight for one in estimates)
    if not weight:
        return sum(one.chance for one in estimates) / len(estimates)
    return sum(one.chance * one.weight for one in estimates) / weight


def calibrated(chance: float, certainty: float) -> float:
    """Return a chance such that about as many positions are won, by a ``Backend.certainty``."""
    wins, losses = math.pow(chance, certainty), math.pow(1 - chance, certainty)
    return min(1 - _LEAST_CHANCE, max(_LEAST_CHANCE, wins / (wins + losses)))


def percent(chance: float) -> int:
    """Return a chance in per cent; what is not proved is never 0 or 100."""
    return min(99, max(1, round(100 * chance)))


def _doubted(estimate: Estimate) -> Estimate:
    """Return a guess that claims no certainty: one more playout might have ended otherwise."""
    least = 0.5 / (estimate.weight + 1)
    return estimate._replace(chance=min(1 - least, max(least, estimate.chance)))


def _joined(known: Estimate | None, other: Estimate) -> Estimate:
    """Return two threads' estimates of the same action as one."""
    if known is None or other.proof:
        return other
    if known.proof:
        return known
    weight = known.weight + other.weight
    return Estimate(known.cell, mean_chance([known, other]), weight, 0)
