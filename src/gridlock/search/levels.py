"""How strong the computer plays: levels 1 to 8, one definition for every rulebook and size.

Levels 1 to 7 judge actions by an estimating search.  The higher a level the further it looks, and
the less often it is careless: then it only glances at a position, and its judgement is blurred.  On
a larger board, where a game has more turns to go wrong in, each turn is careless less often.  What
is near all but the lowest see, careless or not.

The highest level takes the time that it is given, and never errs where it can solve a position;
once it is lost it sets traps.
"""

from __future__ import annotations

import contextlib
import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridlock.errors import LimitError
from gridlock.search import HIGHEST_LEVEL
from gridlock.search.analysis import Value, look_for_win
from gridlock.search.backends.base import free_cells
from gridlock.search.estimating import Estimation

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from gridlock.model import Player, Position
    from gridlock.search.analysis import Action, Analysis
    from gridlock.search.estimating import Estimate
    from gridlock.search.solver import Solver


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level looks at a position."""

    nodes: int
    """How far it looks: the nodes, or playouts, of its estimates."""
    carelessness: float
    """How often it only glances at a position: a part of its turns, on a board of 5x5."""
    blur: float
    """How far its judgement at a glance is off, in the logarithm of odds."""
    near: int
    """How many turns ahead it always sees a win or a loss."""


_LEVELS = {
    1: _Level(30, 0.93, 10.0, 0),
    2: _Level(40, 0.90, 10.0, 2),
    3: _Level(80, 0.76, 10.0, 2),
    4: _Level(160, 0.60, 10.0, 2),
    5: _Level(350, 0.44, 10.0, 2),
    6: _Level(1000, 0.28, 10.0, 2),
    7: _Level(8000, 0.12, 10.0, 2),
}
"""What each scores against the one below it is measured by ``benchmarks/levels.py``."""

SECONDS = 0.3
"""How long a level looks at a position, at most."""

LONG_SECONDS = 1.0
"""How long the two highest levels look at a position."""

PATIENT_SECONDS = 3.0
"""How long the highest level looks at a position that it may just not have solved before."""

_GLANCE = 30  # nodes
_USUAL_SIDE = 5  # cells
_LONG_LEVEL = 7
_PATIENT_CELLS = 36  # free cells with which a position is solved within seconds, or nearly
_FAR = 500  # actions: further than any distance that is known
_CERTAIN = 1000.0  # what a proved win seems worth: more than any odds
_NEAR = 10 * _CERTAIN
_NEAR_TURNS = 2
_NEAR_SHARE = 0.2  # of the time, where a clock runs
_TRAP_SECONDS = 0.3
_TRAP_SHARE = 0.1  # likewise, that is left for a trap where a loss is proved late
_TRAP_TURNS = 5  # of the loser, that a trap is planned ahead
_TRAP_NODES = 50  # playouts by which it is guessed how an answer looks to a person
_TEMPTATION = 3.0  # how much likelier an answer is that looks better, in the logarithm of odds


def usual_seconds(level: int) -> float:
    """Return how long a level looks at a position where nobody says anything."""
    return LONG_SECONDS if level >= _LONG_LEVEL else SECONDS


def choose(
    solver: Solver,
    position: Position,
    level: int,
    rng: random.Random,
    seconds: float | None = None,
    tell: Callable[[Analysis], None] | None = None,
) -> int:
    """Return the cell that a level chooses in a position that is not over.

    It takes no longer than ``seconds``, where these are given.  The highest level lets ``tell``
    know what it chooses by.  A solver that is stopped meanwhile
    makes it choose at once, by what is known so far; one that was stopped before raises
    ``LimitError``, as for every question.
    """
    solver.check(position)
    if level == HIGHEST_LEVEL:
        return _best(solver, position, rng, seconds, tell)
    habits = _LEVELS[level]
    with solver.within(seconds):  # what is near is worth more than a tenth of a second
        near = _near(solver, position, habits.near)
        with solver.within(usual_seconds(level)):
            scores = _judge(solver, position, habits, rng)
    for cell, is_won in near.items():
        scores[cell] += _NEAR if is_won else -_NEAR
    return max(scores, key=lambda cell: scores[cell])


def _judge(
    solver: Solver, position: Position, habits: _Level, rng: random.Random
) -> dict[int, float]:
    """Return how good each action seems to a level."""
    size = max(1.0, math.sqrt(position.game.grid.cell_count) / _USUAL_SIDE)
    is_careless = rng.random() < habits.carelessness**size
    estimation = Estimation(solver, position, rng.getrandbits(31))
    estimation.think(nodes=_GLANCE if is_careless else habits.nodes)
    estimates = estimation.estimates()
    if is_careless:
        return {cell: _odds(one) + rng.gauss(0, habits.blur) for cell, one in estimates.items()}
    return {cell: _odds(one) + _CERTAIN * one.proof for cell, one in estimates.items()}


def _odds(estimate: Estimate) -> float:
    """Return the logarithm of the odds of an estimate; of what nobody looked at they are even."""
    sure = estimate.weight / (estimate.weight + 1.0)
    chance = 0.5 + (estimate.chance - 0.5) * sure
    chance = min(0.98, max(0.02, chance))
    return math.log(chance / (1 - chance))


def _near(solver: Solver, position: Position, turns: int) -> dict[int, bool]:
    """Return which actions win or lose within so many turns, as far as time allows."""
    within = turns * position.game.rulebook.actions_per_turn
    found: dict[int, bool] = {}
    with contextlib.suppress(LimitError):
        for cell in position.legal_cells() if turns else ():
            is_won = solver.soon(position, cell, within)
            if is_won is not None:
                found[cell] = is_won
    return found


def _distance(action: Action) -> int:
    return _FAR if action.distance is None else action.distance


def _best(
    solver: Solver,
    position: Position,
    rng: random.Random,
    seconds: float | None,
    tell: Callable[[Analysis], None] | None,
) -> int:
    """Return a quickest win; or else what is likeliest to win; or else the best trap."""
    end = None if seconds is None else time.monotonic() + seconds
    with solver.within(None if seconds is None else _NEAR_SHARE * seconds):
        near = _near(solver, position, _NEAR_TURNS)
    analysis = _look(solver, position, rng, None if end is None else end - time.monotonic())
    if tell:
        tell(analysis)
    if analysis.value is Value.LOSS:
        return _trap(solver, analysis, near, rng, None if end is None else end - time.monotonic())
    actions = sorted(analysis.actions, key=lambda action: _rank(near, action.cell))
    best = actions[0]
    alike = [
        action.cell
        for action in actions
        if _rank(near, action.cell) == _rank(near, best.cell)
        and (action.value, action.distance, action.estimate)
        == (best.value, best.distance, best.estimate)
    ]
    return rng.choice(alike)


def _rank(near: dict[int, bool], cell: int) -> int:
    """Return the place of an action by what is near: wins, what is neither, losses."""
    return {True: 0, None: 1, False: 2}[near.get(cell)]


def _look(
    solver: Solver, position: Position, rng: random.Random, seconds: float | None
) -> Analysis:
    """Return what the highest level finds out; without a clock it goes on where that may help."""
    seed = rng.getrandbits(31)
    if seconds is not None:
        share = (1 - _TRAP_SHARE) * max(0.0, seconds)
        return look_for_win(position, solver, share, seed)
    analysis = look_for_win(position, solver, LONG_SECONDS, seed)
    is_small = free_cells(position).bit_count() <= _PATIENT_CELLS
    if analysis.value is Value.UNKNOWN and is_small and solver.limit is None:
        return look_for_win(position, solver, PATIENT_SECONDS - LONG_SECONDS, seed)
    return analysis


def _trap(
    solver: Solver,
    analysis: Analysis,
    near: dict[int, bool],
    rng: random.Random,
    seconds: float | None,
) -> int:
    """Return the lost action after which a person is likeliest to go wrong.

    Where that is all the same, or there is no time, it is the one that resists longest.  What loses
    soon is chosen only where everything does.
    """
    actions = [action for action in analysis.actions if action.cell not in near]
    with solver.within(_TRAP_SECONDS if seconds is None else min(_TRAP_SECONDS, seconds)):
        hopes = _hopes(solver, analysis.position, [action.cell for action in actions])
    worth = {
        action.cell: (round(hopes.get(action.cell, 0.0), 2), _distance(action))
        for action in actions or analysis.actions
    }
    return rng.choice([cell for cell, value in worth.items() if value == max(worth.values())])


def _hopes(solver: Solver, position: Position, cells: list[int]) -> dict[int, float]:
    """Return how likely the other player goes wrong after each of some actions.

    It is planned one turn further ahead again and again, as far as time allows.  Where there is not
    time for one turn, what is hard to see through for an estimating search will do.
    """
    hopes: dict[int, float] = {}
    if solver.can_search(position):
        with contextlib.suppress(LimitError), solver.within(_TRAP_SECONDS / 2):
            for turns in range(_TRAP_TURNS):
                hopes = {
                    cell: _hope(solver, position.play(cell), position.mover, turns)
                    for cell in cells
                }
    if hopes:
        return hopes
    estimation = Estimation(solver, position)
    estimation.think()
    return {cell: estimate.chance for cell, estimate in estimation.estimates().items()}


def _hope(solver: Solver, position: Position, loser: Player, turns: int) -> float:
    """Return how likely the other player goes wrong until the loser has had so many more turns."""
    if solver.wins(position) == (position.mover is loser):
        return 1.0
    if position.winner is not None:
        return 0.0
    following = {cell: position.play(cell) for cell in position.legal_cells()}
    if position.mover is loser:
        return max(_hope(solver, after, loser, turns) for after in following.values())
    hope = total = 0.0
    for cell, look in _looks(solver, position).items():
        after = following[cell]
        left = turns - (after.mover is loser)
        if left >= 0:
            hope += look * _hope(solver, after, loser, left)
        else:
            hope += look * solver.wins(after)
        total += look
    return hope / total


def _looks(solver: Solver, position: Position) -> dict[int, float]:
    """Return how likely a person chooses each action, by how good it looks at a glance."""
    estimation = Estimation(solver, position)
    estimation.think(nodes=_TRAP_NODES)
    return {
        cell: math.exp(_TEMPTATION * estimate.chance)
        for cell, estimate in estimation.estimates().items()
    }
