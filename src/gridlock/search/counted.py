"""Choosing within so many nodes, or so many actions ahead, however long that takes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from gridlock.errors import LimitError
from gridlock.search.analysis import Action, Analysis, Value
from gridlock.search.estimating import Estimation, weight_of

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from gridlock.model import Position
    from gridlock.search.estimating import Estimate
    from gridlock.search.settings import Limit
    from gridlock.search.solver import Solver

_USUAL_NODES = 1000
"""The nodes by which it is estimated what is further ahead than the depth."""

_FAR = 1 << 15  # actions: longer than any game
_PROVED = {1: Value.WIN, 0: Value.UNKNOWN, -1: Value.LOSS}


def choose(
    solver: Solver,
    position: Position,
    limit: Limit,
    rng: random.Random,
    tell: Callable[[Analysis], None] | None = None,
) -> int:
    """Return the best cell of a position that is not over, as far as the limit lets one look.

    Wins and losses within the depth are seen for sure, the quickest win first; the rest is
    estimated by so many nodes.
    """
    solver.check(position)
    near: dict[int, Action] = {}
    with contextlib.suppress(LimitError):
        for cell in position.legal_cells() if limit.depth else ():
            if action := _within(solver, position, cell, limit.depth or 0):
                near[cell] = action
    estimation = Estimation(solver, position, rng.getrandbits(31))
    estimation.think(nodes=limit.nodes or _USUAL_NODES)
    found = sorted(estimation.estimates().values(), key=weight_of, reverse=True)
    actions = sorted((near.get(one.cell) or _guessed(one) for one in found), key=_rank)
    if tell:
        tell(Analysis(position, actions[0].value, actions[0].distance, tuple(actions)))
    return actions[0].cell


def _within(solver: Solver, position: Position, cell: int, depth: int) -> Action | None:
    """Return an action that wins or loses within so many actions, None for any other."""
    is_won = solver.soon(position, cell, depth)
    if is_won is None:
        return None
    distance = next(n for n in range(1, depth + 1) if solver.soon(position, cell, n) is is_won)
    return Action(cell, Value.WIN if is_won else Value.LOSS, distance, (cell,))


def _guessed(estimate: Estimate) -> Action:
    value = _PROVED[estimate.proof]
    chance = estimate.chance if value is Value.UNKNOWN else None
    return Action(estimate.cell, value, None, (estimate.cell,), chance)


def _rank(action: Action) -> tuple[int, int]:
    """Return the place of an action: wins, the shortest first; the unknown; losses, likewise."""
    if action.value is Value.UNKNOWN:
        return 1, 0
    distance = _FAR if action.distance is None else action.distance
    return (0, distance) if action.value is Value.WIN else (2, -distance)
