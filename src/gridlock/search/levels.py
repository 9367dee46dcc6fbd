"""How strong the computer plays: levels 1 to 8, the last of which never errs where it can solve.

A level sees what is near and overlooks what is far: it notices that an action wins or loses in so
many actions with a chance that halves every few of them, the more the higher the level.  What it
does not notice it judges by eye: who would have more room.
"""

from __future__ import annotations

import contextlib
import math
import time
from typing import TYPE_CHECKING, cast

from gridlock.errors import LimitError
from gridlock.grid import ORTHOGONAL
from gridlock.rulebooks.race import RacePosition, starting_cell
from gridlock.search import HIGHEST_LEVEL
from gridlock.search.analysis import Value, analyse

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from gridlock.model import Player, Position
    from gridlock.rulebooks.placement import PlacementPosition
    from gridlock.search.analysis import Action, Analysis
    from gridlock.search.solver import Solver

_SIGHT = {1: 0.5, 2: 1.2, 3: 2.2, 4: 3.6, 5: 5.6, 6: 9.0, 7: 16.0}
"""How many actions ahead a level still notices every second thing."""

_BLUR = {1: 3.0, 2: 2.0, 3: 1.5, 4: 1.2, 5: 1.0, 6: 0.8, 7: 0.6}
"""How far a level misjudges room by eye, in cells."""

_SECONDS = 0.5
"""How long a level looks at a position."""

_SECONDS_AT_BEST = 5.0
"""How long the highest level goes on looking for a win, where one may be hidden."""

_CERTAIN = 1000.0


def choose(solver: Solver, position: Position, level: int, dice: random.Random) -> int:
    """Return the cell that a level chooses in a position that is not over."""
    analysis = analyse(position, _SECONDS, solver=solver)
    if level == HIGHEST_LEVEL:
        return _best(solver, analysis, dice)
    scores = {
        action.cell: _impression(position, action, level, dice) for action in analysis.actions
    }
    return max(scores, key=lambda cell: scores[cell])


def _impression(position: Position, action: Action, level: int, dice: random.Random) -> float:
    """Return how good an action seems to a level."""
    distance = action.distance
    if distance is not None and dice.random() < math.exp2(-(distance - 1) / _SIGHT[level]):
        return _CERTAIN - distance if action.value is Value.WIN else distance - _CERTAIN
    return promise(position.play(action.cell), position.mover) + dice.gauss(0, _BLUR[level])


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
        return _promising(solver, analysis.position, same)
    return _hardest(solver, analysis.position, same, dice)


def _promising(solver: Solver, position: Position, cells: Sequence[int]) -> int:
    """Return a cell that wins if one can be found in time, or else the one that looks best.

    One that looks good loses its place if it is seen to lose.
    """
    looks = {cell: promise(position.play(cell), position.mover) for cell in cells}
    cells = sorted(cells, key=lambda cell: -looks[cell])
    deadline = time.monotonic() + _SECONDS_AT_BEST
    losing = set()
    patience = _SECONDS
    while solver.can_search(position) and (left := deadline - time.monotonic()) > 0:
        for cell in cells:
            solver.allow(min(left, patience / len(cells)))
            with contextlib.suppress(LimitError):
                if solver.wins_by(position, cell):
                    return cell
                losing.add(cell)
        cells = [cell for cell in cells if cell not in losing] or cells
        patience *= 2
    return cells[0]


def _hardest(solver: Solver, position: Position, cells: Sequence[int], dice: random.Random) -> int:
    """Return the cell that leaves the opponent the fewest cells which still win."""
    solver.allow(_SECONDS)
    replies: dict[int, int] = {}
    try:
        for cell in cells:
            after = position.play(cell)
            replies[cell] = sum(solver.wins_by(after, reply) for reply in after.legal_cells())
    except LimitError:
        pass
    fewest = min(replies.values(), default=0)
    return dice.choice([cell for cell in cells if replies.get(cell, fewest) == fewest])


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
