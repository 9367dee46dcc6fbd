"""What every action of a position is worth: its value, its distance and the best line."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from gridlock.errors import LimitError, SizeError
from gridlock.search import ANALYSIS_SECONDS
from gridlock.search.backends.base import TOO_LARGE, free_cells
from gridlock.search.estimating import Estimation, calibrated, mean_chance, percent
from gridlock.search.solver import STOPPED, Solver
from gridlock.search.theorems import Theorem
from gridlock.search.throttle import Throttle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gridlock.model import Position

_LEAST_SHARE = 0.02  # seconds that are worth to begin with

_CHOICE_SHARE = 0.3  # of the time, to find the quickest way where it is known how to win
_REFUTATION_SECONDS = 1.0  # for the whole line that refutes an action
_ENDLESS_SHARE = 1.0  # seconds of estimates where no limit would ever end them

_PHASES = ((0.15, 0.15), (0.3, 0.1))
"""The parts of the time in which to prove and then to estimate; what is left is for lines."""

_SURE_CELLS = 25
"""With so few free cells everything is proved soon: estimates before that would be in vain."""

_SURE_PHASES = ((0.8, 0.2),)


class Value(StrEnum):
    """What a position, or an action, is worth to the mover under perfect play."""

    WIN = "win"
    LOSS = "loss"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Action:
    """An action and what is known of it: ``distance`` None and a short ``line`` are not known.

    The line is the whole best continuation, the action itself first.  ``estimate`` is a guess,
    from 0 to 1, of how likely the mover wins by it: only where the value is unknown, and None where
    nobody has looked.
    """

    cell: int
    value: Value
    distance: int | None
    line: tuple[int, ...]
    estimate: float | None = None

    @property
    def label(self) -> str:
        """``W5`` for a win in five, ``L`` for a loss of unknown length, ``~63`` for a chance in %.

        ``?`` where nothing is known.
        """
        if self.value is Value.UNKNOWN and self.estimate is not None:
            return f"~{percent(self.estimate)}"
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

    @property
    def estimate(self) -> float | None:
        """How likely the mover wins, by an estimate, where it is not known who does."""
        return self.actions[0].estimate if self.value is Value.UNKNOWN else None

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

    Values are found out first, then distances, and lines if they are wanted.  Every value is
    exact; what could not be found out is said to be unknown, and how likely it wins is estimated.
    ``on_progress`` is handed what is known so far whenever more is, ten times a second at most.

    ``Solver.stop`` ends it too: what is known by then is returned, with the limit "stopped".
    """
    if position.winner is not None:
        return Analysis(position, Value.LOSS, 0, ())
    solver = solver or Solver(position.game)
    solver.check(position)
    return _Analyst(position, solver, seconds, on_progress).analysis(with_lines=with_lines)


def look_for_win(position: Position, solver: Solver, seconds: float, seed: int) -> Analysis:
    """Return an analysis that finds out less, without lines, once it is known how to win.

    A solver that is stopped already leaves everything unknown.
    """
    return _Analyst(position, solver, seconds, None, seed).analysis(
        with_lines=False, all_of_it=False
    )


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
        seed: int = 0,
    ) -> None:
        self._position = position
        self._solver = solver
        self._seconds = seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._limit: str | None = None
        self._throttle = Throttle(on_progress)
        self._seed = seed
        self._estimation: Estimation | None = None
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

    def analysis(self, *, with_lines: bool, all_of_it: bool = True) -> Analysis:
        """Return all that can be found out in the time, or until the solver is stopped.

        Proofs and estimates take turns: nobody can say beforehand whether a proof is near.
        """
        find = self._find_line if with_lines else self._find_distance
        watched = self._solver.watched_by(lambda _: self._throttle.catch_up(self._so_far))
        with self._solver.within(self._seconds), watched:
            can_search = self._solver.can_search(self._position)
            if self._solver.backend.has_matching:
                self._find_values()  # which takes no search, however large the board is
            is_sure = can_search and free_cells(self._position).bit_count() <= _SURE_CELLS
            share = 1.0 if all_of_it or is_sure else self._solver.backend.proof_share
            for proving, estimating in _SURE_PHASES if is_sure else _PHASES:
                if self._is_solved(all_of_it=all_of_it) or self._seconds is None:
                    break
                proof = share * proving * self._seconds
                with self._within(proof if can_search else _LEAST_SHARE):
                    self._find_values()
                if not self._is_solved(all_of_it=all_of_it):
                    self._estimate((proving + estimating) * self._seconds - proof)
            if self._seconds is None:
                self._find_values()
            with self._within(None if all_of_it else _CHOICE_SHARE * (self._seconds or 0)):
                self._find_rest(find)
            if not self._is_solved(all_of_it=all_of_it):
                self._estimate(_ENDLESS_SHARE if self._seconds is None else None)
            self._limit = self._what_was_met(can_search=can_search)
        return self._so_far()

    def _what_was_met(self, *, can_search: bool) -> str | None:
        """Return the limit because of which not everything is known."""
        actions = self._actions.values()
        can_measure = self._solver.can_measure(self._position)
        if all(action.distance is not None for action in actions):
            return None
        if not can_search or (all(map(_known, actions)) and not can_measure):
            return self._too_large()
        return self._solver.limit or f"not solved within {self._seconds:g} s"

    def _find_rest(self, find: Callable[[int], None]) -> None:
        """Find the values that are left where some cell is known to win, and distances or lines."""
        values = {action.value for action in self._actions.values()}
        if values >= {Value.WIN, Value.UNKNOWN}:
            self._find_values()
        if self._solver.can_measure(self._position):
            self._in_turns(find, [a.cell for a in self._actions.values() if _known(a)])

    def _is_solved(self, *, all_of_it: bool) -> bool:
        """Tell whether every value is known, or, if that is not wanted, a cell that wins."""
        values = [action.value for action in self._actions.values()]
        return Value.UNKNOWN not in values or (Value.WIN in values and not all_of_it)

    @contextlib.contextmanager
    def _within(self, seconds: float | None) -> Iterator[None]:
        """Have something found out in a part of the time."""
        outer, limit = self._deadline, self._limit
        if seconds is not None:
            end = time.monotonic() + seconds
            self._deadline = end if outer is None else min(outer, end)
        try:
            with self._solver.within(seconds):
                yield
        finally:
            self._deadline, self._limit = outer, limit

    def _estimate(self, seconds: float | None) -> None:
        """Estimate for a time, or as long as there is any; what is proved on the way is a value."""
        if self._estimation is None:
            self._estimation = Estimation(self._solver, self._position, self._seed)
        with self._solver.watched_by(lambda _: self._throttle.tell(self._so_far)):
            self._estimation.think(seconds)
        self._take_estimates()
        self._throttle.tell(self._so_far)

    def _take_estimates(self) -> None:
        if self._estimation is None:
            return
        estimates = self._estimation.estimates()
        for cell, action in self._actions.items():
            if not _known(action):
                alike = [estimates[image] for image in self._images[cell]]
                proof = next((one.proof for one in alike if one.proof), 0)
                value = {1: Value.WIN, -1: Value.LOSS, 0: Value.UNKNOWN}[proof]
                is_looked_at = any(one.weight for one in alike)
                chance = None
                if is_looked_at and not proof:
                    chance = calibrated(mean_chance(alike), self._solver.backend.certainty)
                self._actions[cell] = replace(action, value=value, estimate=chance)

    def _too_large(self) -> str:
        """Return why a board that is too large is not solved: more time would not help."""
        return STOPPED if self._solver.limit == STOPPED else TOO_LARGE

    def _so_far(self) -> Analysis:
        self._take_estimates()
        actions = [
            replace(action, cell=image, line=tuple(symmetry[c] for c in action.line))
            for action in self._actions.values()
            for image, symmetry in self._images[action.cell].items()
        ]
        return _summary(self._position, sorted(actions, key=_rank), self._limit)

    def _find_values(self) -> None:
        """Find all values: those that are proved, and those of a lost position, at once."""
        position, solver = self._position, self._solver
        cells = [cell for cell, action in self._actions.items() if not _known(action)]
        proved = set[int]()
        is_won = False
        with contextlib.suppress(LimitError), solver.within(self._share(1)):
            theorem = solver.theorem(position)
            if theorem is Theorem.MIRROR:
                proved = set(solver.backend.mirror_cells(position))
            if not proved and (theorem is Theorem.MIRROR or not solver.wins(position)):
                self._set_values(cells, Value.LOSS)
                return
            is_won = not proved
        if is_won:
            with contextlib.suppress(LimitError):
                cells = self._find_proof(cells)
        if proved:
            self._set_values([c for c in cells if proved & self._images[c].keys()], Value.WIN)
            cells = self._searchable()  # only a search can tell the rest
        self._in_turns(self._find_value, cells)

    def _searchable(self) -> list[int]:
        """Return the cells whose values are unknown and can be searched; some if time is up."""
        cells = []
        for cell, action in self._actions.items():
            if self._solver.limit:
                break
            if not _known(action) and self._solver.can_search(self._position.play(cell)):
                cells.append(cell)
        return cells

    def _find_proof(self, cells: list[int]) -> list[int]:
        """Find what the proof that a position is won has shown; return the cells that are left."""
        known = {cell: self._solver.probe_by(self._position, cell) for cell in cells}
        self._set_values([cell for cell in cells if known[cell]], Value.WIN)
        self._set_values([cell for cell in cells if known[cell] is False], Value.LOSS)
        return [cell for cell in cells if known[cell] is None]

    def _set_values(self, cells: list[int], value: Value) -> None:
        for cell in cells:
            self._actions[cell] = replace(self._actions[cell], value=value, estimate=None)
        self._throttle.tell(self._so_far)

    def _find_value(self, cell: int) -> None:
        value = Value.WIN if self._solver.wins_by(self._position, cell) else Value.LOSS
        self._actions[cell] = replace(self._actions[cell], value=value, estimate=None)

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


def refutation(solver: Solver, position: Position, cell: int) -> tuple[int, ...]:
    """Return a cell that does not win, and how the other player wins after it.

    Where the whole line would take long to find it is only the answer that wins.
    """
    after = position.play(cell)
    with contextlib.suppress(LimitError), solver.within(_REFUTATION_SECONDS):
        return (cell, *best_line(solver, after))
    line = [cell]
    while after.winner is None and after.mover is position.mover:  # the turn goes on, lost as it is
        line.append(after.legal_cells()[0])
        after = after.play(line[-1])
    answer = solver.winning_cell(after)
    return tuple(line) if answer is None else (*line, answer)


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
    """Return the place of an action: short wins, the unknown, long losses, then reading order.

    Of the unknown those come first that are likeliest to win.
    """
    if action.value is Value.UNKNOWN:
        return 1, -(action.estimate or 0), action.cell
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
