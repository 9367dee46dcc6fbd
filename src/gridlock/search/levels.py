"""How strong the computer plays: levels 1 to 8, the last of which never errs where it can solve.

A lower level sees what is near, but on some turns it is careless: then it overlooks every win that
is further away, and falls for the mistake that by eye leaves it most room.  The lower the level the
more often that happens, the nearer it stops, and the worse its eye.  A careless turn costs a won
game whether many actions win or few, so that a level errs alike in every rulebook.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridlock.errors import LimitError
from gridlock.search import HIGHEST_LEVEL
from gridlock.search.analysis import Value, analyse
from gridlock.search.backends.base import CERTAIN
from gridlock.search.solver import STOPPED

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from gridlock.model import Position
    from gridlock.search.analysis import Action, Analysis
    from gridlock.search.solver import Solver


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level errs."""

    carelessness: float
    """The part of its turns on which it overlooks every win that is not near."""
    near: int
    """How many actions ahead it always sees."""
    blur: float
    """How far it misjudges room by eye, in cells."""


_LEVELS = {
    1: _Level(1.00, 1, 8.0),
    2: _Level(0.84, 2, 6.0),
    3: _Level(0.745, 3, 5.0),
    4: _Level(0.675, 4, 4.0),
    5: _Level(0.465, 4, 3.0),
    6: _Level(0.28, 4, 2.5),
    7: _Level(0.13, 4, 2.0),
}
"""Measured by ``benchmarks/levels.py``: each scores above 60 % against the one below it.

On trail 4x4 only the lowest can be told apart: most of its mistakes are punished at once, and a
game has two turns on which anything can be lost.  With two, what the seven pairs of neighbours
score above one half adds up to one half at most, however often each errs.
"""

SECONDS = 0.5
"""How long a level looks at a position."""

_PATIENCE = 6
"""How many times as long the highest level looks for a win, where one may be hidden."""

MOST_LOOKS = 2 + _PATIENCE
"""How many times ``SECONDS`` a level takes at most: at first, for a hidden win, when lost."""

_OVERLOOKED = 500.0
_FAR = 200  # actions: further than any distance that is known


def choose(
    solver: Solver,
    position: Position,
    level: int,
    rng: random.Random,
    seconds: float = SECONDS,
) -> int:
    """Return the cell that a level chooses in a position that is not over.

    It looks at it for ``seconds``, and the highest level for some times that where that may help.
    A solver that is stopped meanwhile makes it choose at once, by what is known so far and by eye;
    one that was stopped before raises ``LimitError``, as for every question.
    """
    analysis = analyse(position, seconds, solver=solver, with_lines=False)
    if level == HIGHEST_LEVEL:
        return _best(solver, analysis, rng, seconds)
    habits = _LEVELS[level]
    is_careless = rng.random() < habits.carelessness
    actions = {action.cell: action for action in analysis.actions}
    scores = _judge(
        solver,
        tuple(actions),
        lambda cell: _impression(solver, position, actions[cell], habits, rng, is_careless),
    )
    return max(scores, key=lambda cell: scores[cell])


def _judge(solver: Solver, cells: Sequence[int], judge: Callable[[int], float]) -> dict[int, float]:
    """Return what each cell seems worth: one at least, even if the solver has been stopped."""
    scores: dict[int, float] = {}
    for cell in cells:
        scores[cell] = judge(cell)
        if solver.limit == STOPPED:
            break
    return scores


def _impression(
    solver: Solver,
    position: Position,
    action: Action,
    habits: _Level,
    rng: random.Random,
    is_careless: bool,
) -> float:
    """Return how good an action seems to a level.

    On a careless turn only what is near seems what it is: a win that is further away seems worse
    than any mistake that is.
    """
    distance = action.distance
    is_near = distance is not None and distance <= habits.near
    if action.value is not Value.UNKNOWN and (is_near or not is_careless):
        left = _FAR if distance is None else distance
        return CERTAIN - left if action.value is Value.WIN else left - CERTAIN
    by_eye = solver.backend.evaluate(position.play(action.cell), position.mover)
    by_eye += rng.gauss(0, habits.blur)
    return by_eye - _OVERLOOKED if action.value is Value.WIN else by_eye


def _best(solver: Solver, analysis: Analysis, rng: random.Random, seconds: float) -> int:
    """Return a quickest win; or else what looks best of the unknown; or else what resists most."""
    actions = analysis.actions
    same = [
        action.cell
        for action in actions
        if (action.value, action.distance) == (actions[0].value, actions[0].distance)
    ]
    if analysis.value is Value.WIN:
        return rng.choice(same)
    if analysis.value is Value.UNKNOWN:
        return _promising(solver, analysis.position, same, rng, seconds)
    return _hardest(solver, analysis.position, same, rng, seconds)


def _promising(
    solver: Solver, position: Position, cells: Sequence[int], rng: random.Random, seconds: float
) -> int:
    """Return a cell that wins if one can be found in time, or else the one that looks best.

    One that looks good loses its place if it is seen to lose.
    """
    evaluate = solver.backend.evaluate
    looks = _judge(solver, cells, lambda cell: evaluate(position.play(cell), position.mover))
    hopes = sorted(looks, key=lambda cell: -looks[cell])
    deadline = time.monotonic() + _PATIENCE * seconds
    patience = seconds
    while hopes and solver.can_search(position):
        for cell in tuple(hopes):
            left = deadline - time.monotonic()
            if left <= 0 or solver.limit:
                return hopes[0]
            with contextlib.suppress(LimitError), solver.within(min(left, patience / len(cells))):
                if solver.wins_by(position, cell):
                    return cell
                hopes.remove(cell)
        patience *= 2
    return hopes[0] if hopes else _hardest(solver, position, cells, rng, seconds)


def _hardest(
    solver: Solver, position: Position, cells: Sequence[int], rng: random.Random, seconds: float
) -> int:
    """Return the cell that leaves the opponent the fewest cells which win, and the most others."""
    replies: dict[int, tuple[int, int]] = {}
    with contextlib.suppress(LimitError), solver.within(seconds):
        for cell in cells:
            after = position.play(cell)
            good = [solver.wins_by(after, reply) for reply in after.legal_cells()]
            replies[cell] = sum(good), -len(good)
    fewest = min(replies.values(), default=None)
    return rng.choice([cell for cell in cells if replies.get(cell) == fewest])
