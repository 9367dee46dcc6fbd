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
from typing import TYPE_CHECKING, cast

from gridlock.errors import LimitError
from gridlock.grid import ORTHOGONAL
from gridlock.rulebooks.race import RacePosition, starting_cell
from gridlock.search import HIGHEST_LEVEL
from gridlock.search.analysis import Value, analyse
from gridlock.search.solver import STOPPED

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from gridlock.model import Player, Position
    from gridlock.rulebooks.placement import PlacementPosition
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

_SECONDS = 0.5
"""How long a level looks at a position."""

_SECONDS_AT_BEST = 3.0
"""How long the highest level goes on looking for a win, where one may be hidden."""

_CERTAIN = 1000.0
_OVERLOOKED = 500.0
_FAR = 200  # actions: further than any distance that is known


def choose(solver: Solver, position: Position, level: int, dice: random.Random) -> int:
    """Return the cell that a level chooses in a position that is not over.

    A solver that is stopped meanwhile makes it choose at once, by what is known so far and by eye;
    one that was stopped before raises ``LimitError``, as for every question.
    """
    analysis = analyse(position, _SECONDS, solver=solver)
    if level == HIGHEST_LEVEL:
        return _best(solver, analysis, dice)
    habits = _LEVELS[level]
    is_careless = dice.random() < habits.carelessness
    actions = {action.cell: action for action in analysis.actions}
    scores = _judge(
        solver,
        tuple(actions),
        lambda cell: _impression(position, actions[cell], habits, dice, is_careless=is_careless),
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
    position: Position, action: Action, habits: _Level, dice: random.Random, *, is_careless: bool
) -> float:
    """Return how good an action seems to a level.

    On a careless turn only what is near seems what it is: a win that is further away seems worse
    than any mistake that is.
    """
    distance = action.distance
    is_near = distance is not None and distance <= habits.near
    if action.value is not Value.UNKNOWN and (is_near or not is_careless):
        left = _FAR if distance is None else distance
        return _CERTAIN - left if action.value is Value.WIN else left - _CERTAIN
    by_eye = promise(position.play(action.cell), position.mover) + dice.gauss(0, habits.blur)
    return by_eye - _OVERLOOKED if action.value is Value.WIN else by_eye


def _best(solver: Solver, analysis: Analysis, dice: random.Random) -> int:
    """Return a quickest win; or else what looks best of the unknown; or else what resists most."""
    actions = analysis.actions
    same = [
        action.cell
        for action in actions
        if (action.value, action.distance) == (actions[0].value, actions[0].distance)
    ]
    if analysis.value is Value.WIN:
        return dice.choice(same)
    if analysis.value is Value.UNKNOWN:
        return _promising(solver, analysis.position, same, dice)
    return _hardest(solver, analysis.position, same, dice)


def _promising(
    solver: Solver, position: Position, cells: Sequence[int], dice: random.Random
) -> int:
    """Return a cell that wins if one can be found in time, or else the one that looks best.

    One that looks good loses its place if it is seen to lose.
    """
    looks = _judge(solver, cells, lambda cell: promise(position.play(cell), position.mover))
    hopes = sorted(looks, key=lambda cell: -looks[cell])
    deadline = time.monotonic() + _SECONDS_AT_BEST
    patience = _SECONDS
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
    return hopes[0] if hopes else _hardest(solver, position, cells, dice)


def _hardest(solver: Solver, position: Position, cells: Sequence[int], dice: random.Random) -> int:
    """Return the cell that leaves the opponent the fewest cells which win, and the most others."""
    replies: dict[int, tuple[int, int]] = {}
    with contextlib.suppress(LimitError), solver.within(_SECONDS):
        for cell in cells:
            after = position.play(cell)
            good = [solver.wins_by(after, reply) for reply in after.legal_cells()]
            replies[cell] = sum(good), -len(good)
    fewest = min(replies.values(), default=None)
    return dice.choice([cell for cell in cells if replies.get(cell) == fewest])


def promise(position: Position, player: Player) -> float:
    """Return by eye how much better a player stands than the other one, in cells of room."""
    if position.winner is not None:
        return _CERTAIN if position.winner is player else -_CERTAIN
    return _room(position, player) - _room(position, player.opponent)


def _room(position: Position, player: Player) -> int:
    if isinstance(position, RacePosition):
        return _room_in_race(position, player)
    return _room_in_placement(cast("PlacementPosition", position), player)


def _room_in_placement(position: PlacementPosition, player: Player) -> int:
    """Return the cells that a player may take, now or later."""
    if position.last is None:
        return position.still_open[player - 1].bit_count()
    return position.legal.bit_count() if position.mover is player else 0


def _room_in_race(position: RacePosition, player: Player) -> int:
    """Return the free cells beside a token, less the way to its goal."""
    game = position.game
    token = position.tokens[player - 1]
    row, column = game.grid.place(token)
    goal_row, goal_column = game.grid.place(starting_cell(game, player.opponent))
    free = game.grid.around(ORTHOGONAL)[token] & ~position.blocked
    return free.bit_count() - abs(goal_row - row) - abs(goal_column - column)
