"""What every action of a position is worth: its value, its distance and the best line."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from gridlock.errors import LimitError, SizeError
from gridlock.search import ANALYSIS_SECONDS
from gridlock.search.backends.base import TOO_LARGE
from gridlock.search.solver import STOPPED, Solver
from gridlock.search.theorems import Theorem
from gridlock.search.throttle import Throttle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gridlock.model import Position

_LEAST_SHARE = 0.02  # seconds that are worth to begin with


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

    @property
    def label(self) -> str:
        """``W5`` for a win in five, ``L`` for a loss of unknown length, ``?`` for neither."""
        letter = {Value.WIN: "W", Value.LOSS: "L", Value.UNKNOWN: "?"}[self.value]
        return letter if self.distance is None else f"{letter}{self.distance}"


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position and all its actions, the best first.

    ``limit`` is why not everything is known; it is None as well while the analysis goes on.
    """

    position: Position
    value: Value
    distance: int | None
    actions: tuple[Action, ...]
    limit: str | None = None

    def action(self, cell: int) -> Action:
        """Return what is known of the action that chooses a cell, or raise ``IllegalMoveError``."""
        self.position.check(cell)
        return next(action for action in self.actions if action.cell == cell)

    def winning_cells(self) -> tuple[int, ...]:
        """Return the cells that are known to win, the quickest first."""
        return tuple(action.cell for action in self.actions if action.value is Value.WIN)


def analyse(
    position: Position,
    seconds: float | None = ANALYSIS_SECONDS,
    *,
    solver: Solver | None = None,
    with_lines: bool = True,
    on_progress: Callable[[Analysis], None] | None = None,
) -> Analysis:
    """Return what every action of a position is worth, as far as the time allows.

    Values are found out first, then distances, and lines if they are wanted.  What is said is
    exact; what could not be found out is said to be unknown.  ``on_progress`` is handed what is
    known so far whenever more is, some ten times a second at most.

    ``Solver.stop`` ends it too: what is known by then is returned, with the limit "stopped".
    """
    if position.winner is not None:
        return Analysis(position, Value.LOSS, 0, ())
    solver = solver or Solver(position.game)
    solver.check(position)
    return _Analyst(position, solver, seconds, on_progress).analysis(with_lines=with_lines)


def find_values(position: Position, solver: Solver, seconds: float | None = None) -> Analysis:
    """Return what every action of a position is worth, without any distance or line.

    A misere solver may be asked, too.
    """
    if position.winner is not None:
        return Analysis(position, Value.WIN if solver.wins(position) else Value.LOSS, 0, ())
    return _Analyst(position, solver, seconds, None).values()


class _Analyst:
    """Finds out one thing after the other, about one of each set of like cells."""

    def __init__(
        self,
        position: Position,
        solver: Solver,
        seconds: float | None,
        on_progress: Callable[[Analysis], None] | None,
    ) -> None:
        self._position = position
        self._solver = solver
        self._seconds = seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._limit: str | None = None
        self._throttle = Throttle(on_progress)
        self._images: dict[int, dict[int, Sequence[int]]] = {}
        seen: set[int] = set()
        symmetries = solver.backend.symmetries(position)
        for cell in position.legal_cells():
            if cell not in seen:
                self._images[cell] = {symmetry[cell]: symmetry for symmetry in symmetries[::-1]}
                seen |= set(self._images[cell])
        self._actions = {cell: Action(cell, Value.UNKNOWN, None, (cell,)) for cell in self._images}

    def values(self) -> Analysis:
        """Return all values that can be found out in the time."""
        with self._solver.within(self._seconds):
            self._find_values()
            is_complete = all(map(_known, self._actions.values()))
            if not is_complete and not self._solver.can_search(self._position):
                self._limit = self._too_large()
        return self._so_far()

    def analysis(self, *, with_lines: bool) -> Analysis:
        """Return all that can be found out in the time, or until the solver is stopped."""
        watched = self._solver.watched_by(lambda _: self._throttle.catch_up(self._so_far))
        with self._solver.within(self._seconds), watched:
            self._find_values()
            if self._solver.can_search(self._position):
                known = [action.cell for action in self._actions.values() if _known(action)]
                self._in_turns(self._find_line if with_lines else self._find_distance, known)
            else:
                self._limit = self._too_large()
        return self._so_far()

    def _too_large(self) -> str:
        """Return why a board that is too large is not solved: more time would not help."""
        return STOPPED if self._solver.limit == STOPPED else TOO_LARGE

    def _so_far(self) -> Analysis:
        actions = [
            Action(image, action.value, action.distance, tuple(symmetry[c] for c in action.line))
            for action in self._actions.values()
            for image, symmetry in self._images[action.cell].items()
        ]
        return _summary(self._position, sorted(actions, key=_rank), self._limit)

    def _find_values(self) -> None:
        """Find all values: those that are proved, and those of a lost position, at once."""
        position, solver = self._position, self._solver
        cells, proved = list(self._actions), set[int]()
        with contextlib.suppress(LimitError), solver.within(self._share(1)):
            theorem = solver.theorem(position)
            if theorem is Theorem.MIRROR:
                proved = set(solver.backend.mirror_cells(position))
            if not proved and (theorem is Theorem.MIRROR or not solver.wins(position)):
                self._set_values(cells, Value.LOSS)
                return
        if proved:
            self._set_values([c for c in cells if proved & self._images[c].keys()], Value.WIN)
            # Only a search can tell the rest.
            cells = [
                cell
                for cell, action in self._actions.items()
                if not _known(action) and solver.can_search(position.play(cell))
            ]
        self._in_turns(self._find_value, cells)

    def _set_values(self, cells: list[int], value: Value) -> None:
        for cell in cells:
            self._actions[cell] = replace(self._actions[cell], value=value)
        self._throttle.tell(self._so_far)

    def _find_value(self, cell: int) -> None:
        value = Value.WIN if self._solver.wins_by(self._position, cell) else Value.LOSS
        self._actions[cell] = replace(self._actions[cell], value=value)

    def _find_distance(self, cell: int) -> None:
        distance = 1 + self._solver.distance(self._position.play(cell))
        self._actions[cell] = replace(self._actions[cell], distance=distance)

    def _find_line(self, cell: int) -> None:
        line = (cell, *best_line(self._solver, self._position.play(cell)))
        self._actions[cell] = replace(self._actions[cell], distance=len(line), line=line)

    def _in_turns(self, find: Callable[[int], None], cells: list[int]) -> None:
        """Find something out about each cell; what takes long waits until the rest is done."""
        while cells:
            unfinished = []
            for done, cell in enumerate(cells):
                if limit := self._solver.limit:
                    self._limit = limit
                    return
                try:
                    with self._solver.within(self._share(len(cells) - done)):
                        find(cell)
                except SizeError:
                    continue
                except LimitError:
                    unfinished.append(cell)
                else:
                    self._throttle.tell(self._so_far)
            cells = unfinished

    def _share(self, cells: int) -> float | None:
        """Return the time for the next of some cells: half of what would be fair."""
        if self._deadline is None:
            return None
        return max(_LEAST_SHARE, (self._deadline - time.monotonic()) / (2 * cells))


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


def _known(action: Action) -> bool:
    return action.value is not Value.UNKNOWN


def _rank(action: Action) -> tuple[int, float, int]:
    """Return the place of an action: short wins, the unknown, long losses, then reading order."""
    if action.value is Value.UNKNOWN:
        return 1, 0, action.cell
    if action.value is Value.WIN:
        return 0, float("inf") if action.distance is None else action.distance, action.cell
    return 2, float("inf") if action.distance is None else -action.distance, action.cell


def _summary(position: Position, actions: list[Action], limit: str | None) -> Analysis:
    """Return the analysis: as good as its best action, as far as that is known to be the best."""
    best = actions[0]
    distance = best.distance
    rivals = [action for action in actions if action.value in (best.value, Value.UNKNOWN)]
    if not _known(best) or any(action.distance is None for action in rivals):
        distance = None
    return Analysis(position, best.value, distance, tuple(actions), limit)
