"""Exact labels: who wins every game of a batch, by which actions, and how soon.

All are facts, from the solver.  ``regret`` measures a policy by them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gridlock.bridges.batch import ArrayError, Batch
from gridlock.errors import RulebookError
from gridlock.search.solver import Solver

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from gridlock.search.backends.base import Evaluation

Policy = Callable[[Batch], "ArrayLike"]
"""Returns an action for each game, or a row of chances for each, one for every cell."""

_AT_ONCE = 1 << 16  # games that are evaluated in one call, between two looks at the clock
_TOLERANCE = 1e-4  # of chances that should add up to 1: policies are often float32


@dataclass(frozen=True, slots=True)
class Values:
    """The exact values of the games of a batch, 1 if the mover wins and -1 otherwise.

    ``distance`` is how many actions are left when the winner hurries and the loser delays.  For
    actions both are those of choosing a cell, with a value of 0 and a distance of -1 where it is
    illegal.  What was not asked for is None.
    """

    value: NDArray[np.int8]
    distance: NDArray[np.int16] | None = None
    action_value: NDArray[np.int8] | None = None
    action_distance: NDArray[np.int16] | None = None


def values(
    batch: Batch, solver: Solver | None = None, *, distances: bool = False, actions: bool = False
) -> Values:
    """Return the exact values of all games of a batch, and if asked of all their actions.

    Pass the same ``solver`` again and again: what it has found out it remembers.  Its limits apply,
    and raise ``LimitError``.  It must be one of the batch's game.
    """
    solver = solver or Solver(batch.game)
    if solver.game != batch.game:
        raise RulebookError(f"a solver of {solver.game} cannot answer for {batch.game}")
    value, distance = _evaluate(batch, solver, distances=distances)
    if not actions:
        return Values(value, distance)
    action_value = np.zeros(batch.legal.shape, np.int8)
    action_distance = np.full(batch.legal.shape, -1, np.int16) if distances else None
    if batch.legal.any():
        after, parents, cells = batch.children()
        after_value, after_distance = _evaluate(after, solver, distances=distances)
        same = after.movers == batch.movers[parents]
        action_value[parents, cells] = np.where(same, after_value, -after_value)
        if action_distance is not None and after_distance is not None:
            action_distance[parents, cells] = after_distance + 1
    return Values(value, distance, action_value, action_distance)


def _evaluate(
    batch: Batch, solver: Solver, *, distances: bool
) -> tuple[NDArray[np.int8], NDArray[np.int16] | None]:
    found: list[Evaluation] = []
    for at in range(0, len(batch), _AT_ONCE):
        words = batch.state[at : at + _AT_ONCE].reshape(-1)
        found.append(solver.evaluate(words.data, distances=distances))
    value, distance = (np.concatenate(part) for part in zip(*found, strict=True))
    return value.astype(np.int8), distance.astype(np.int16) if distances else None


@dataclass(frozen=True, slots=True)
class Regret:
    """How often a policy gives won positions away."""

    won: int
    """The positions that the mover wins."""
    expected: float
    """How many of these the policy gives away; a chance counts as such."""

    @property
    def rate(self) -> float:
        """The part of the won positions that is given away: 0 is perfect play."""
        return self.expected / self.won if self.won else 0.0


def regret(policy: Policy, batch: Batch, solver: Solver | None = None) -> Regret:
    """Return how often a policy gives won positions of a batch away, exactly.

    It is asked once, for all games that are not over.  A policy of chances gives a position away as
    often as its chances say.  Illegal choices raise ``IllegalMoveError`` or ``ArrayError``.
    """
    if batch.over.all():
        return Regret(0, 0.0)
    batch = batch.select(~batch.over)
    labels = values(batch, solver, actions=True)
    action_value = np.asarray(labels.action_value)
    is_won = labels.value > 0
    chosen = np.asarray(policy(batch))
    if chosen.ndim == 2:
        chances = _checked(chosen, batch)
    else:
        batch.select(np.arange(len(batch))).step(chosen)  # which refuses what is illegal
        chances = np.zeros(batch.legal.shape)
        chances[np.arange(len(batch)), chosen] = 1.0
    given_away = (chances * (action_value < 0)).sum(axis=1)
    return Regret(int(is_won.sum()), float(given_away[is_won].sum()))


def _checked(chances: NDArray[Any], batch: Batch) -> NDArray[Any]:
    """Return the chances of a policy, or raise ``ArrayError`` if they are not."""
    if chances.shape != batch.legal.shape:
        raise ArrayError(f"chances have the shape {chances.shape}, not {batch.legal.shape}")
    if (chances < 0).any() or not np.allclose(chances.sum(axis=1), 1.0, atol=_TOLERANCE):
        raise ArrayError("the chances of each game are numbers from 0 up that add up to 1")
    if chances[batch.legal == 0].any():
        raise ArrayError("illegal actions must have a chance of 0")
    return chances
