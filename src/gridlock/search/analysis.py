"""What every action of a position is worth: its value, its distance and the best line."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from gridlock.errors import LimitError, SizeError
from gridlock.search.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Position

SECONDS = 10.0
"""How long an analysis may take where nothing else is asked for."""

_LEAST_SLICE = 0.02  # seconds that are worth to begin with


class Value(StrEnum):
    """What a position, or an action, is worth to the mover under perfect play."""

    WIN = "win"
    LOSS = "loss"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Action:
    """An action and what is known of it: ``distance`` None and a short ``line`` are not known.

    The line is the whole best continuation, the action itself first.
    """

    cell: int
    value: Value
    distance: int | None
    line: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position and all its actions, the best first."""

    position: Position
    value: Value
    distance: int | None
    actions: tuple[Action, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every value and every distance is known."""
        return self.distance is not None and all(
            action.distance is not None for action in self.actions
        )

    def action(self, cell: int) -> Action:
        """Return what is known of the action that chooses a legal cell."""
        return next(action for action in self.actions if action.cell == cell)

    def winning_cells(self) -> tuple[int, ...]:
        """Return the cells that are known to win, the quickest first."""
        return tuple(action.cell for action in self.actions if action.value is Value.WIN)


def analyse(
    position: Position, seconds: float | None = SECONDS, *, solver: Solver | None = None
) -> Analysis:
    """Return what every action of a position is worth, as far as the time allows.

    Values are found out first, then distances and lines.  What is said is exact; what could not be
    found out is said to be unknown.
    """
    if position.winner is not None:
        return Analysis(position, Value.LOSS, 0, ())
    solver = solver or Solver(position.game)
    deadline = None if seconds is None else time.monotonic() + seconds
    actions = {cell: Action(cell, Value.UNKNOWN, None, (cell,)) for cell in position.legal_cells()}

    def find_value(cell: int) -> None:
        value = Value.WIN if solver.wins_by(position, cell) else Value.LOSS
        actions[cell] = replace(actions[cell], value=value)

    def find_line(cell: int) -> None:
        line = (cell, *best_line(solver, position.play(cell)))
        actions[cell] = replace(actions[cell], distance=len(line), line=line)

    _in_turns(find_value, list(actions), solver, deadline)
    if solver.can_search(position):
        known = [cell for cell, action in actions.items() if action.value is not Value.UNKNOWN]
        _in_turns(find_line, known, solver, deadline)
    return _summary(position, sorted(actions.values(), key=_rank))


def best_line(solver: Solver, position: Position) -> tuple[int, ...]:
    """Return the cells of a game between a winner who hurries and a loser who delays."""
    line = []
    left = solver.distance(position)
    winner = position.mover if left and solver.wins(position) else position.mover.opponent
    while position.winner is None:
        cell = _best_cell(solver, position, left, wins=position.mover is winner)
        line.append(cell)
        position = position.play(cell)
        left -= 1
    return tuple(line)


def _best_cell(solver: Solver, position: Position, left: int, *, wins: bool) -> int:
    """Return the first cell that keeps the distance of a position."""
    for cell in position.legal_cells():
        if wins and solver.forced_by(position, cell, left):
            return cell
        if not wins and solver.forced_by(position, cell, left - 1) is None:
            return cell
    raise AssertionError("some action has the distance of its position")  # pragma: no cover


def _in_turns(
    find: Callable[[int], None], cells: list[int], solver: Solver, deadline: float | None
) -> None:
    """Find something out about each cell; one that takes long waits until the others are done."""
    while cells:
        unfinished = []
        for done, cell in enumerate(cells):
            share = None
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0:
                    return
                share = max(_LEAST_SLICE, left / (2 * (len(cells) - done)))
            try:
                with solver.within(share):
                    find(cell)
            except SizeError:
                continue
            except LimitError:
                unfinished.append(cell)
        cells = unfinished


def _rank(action: Action) -> tuple[int, float, int]:
    """Return the place of an action: short wins, the unknown, long losses, then reading order."""
    if action.value is Value.UNKNOWN:
        return 1, 0, action.cell
    if action.value is Value.WIN:
        return 0, float("inf") if action.distance is None else action.distance, action.cell
    return 2, float("inf") if action.distance is None else -action.distance, action.cell


def _summary(position: Position, actions: list[Action]) -> Analysis:
    """Return the analysis: as good as its best action, as far as that is known to be the best."""
    best = actions[0]
    distance = best.distance
    rivals = [action for action in actions if action.value in (best.value, Value.UNKNOWN)]
    if best.value is Value.UNKNOWN or any(action.distance is None for action in rivals):
        distance = None
    return Analysis(position, best.value, distance, tuple(actions))
