"""What happened in a game: who gave a won position away, and how, or who probably did."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gridlock.errors import LimitError, SizeError
from gridlock.record import RESIGNATION
from gridlock.search import REVIEW_SECONDS
from gridlock.search.analysis import Value, best_line
from gridlock.search.estimating import Estimation, best_of, calibrated
from gridlock.search.solver import STOPPED, Solver
from gridlock.search.throttle import Throttle

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Player, Position
    from gridlock.record import Record
    from gridlock.search.estimating import Estimate

_ESTIMATING_SHARE = 0.4
"""The part of the time that is kept for estimates, where not everything can be proved."""

_ESTIMATING_SECONDS = 1.0
"""How long each position is estimated where there is no time limit."""

_EVEN, _DOUBTFUL_FALL = 0.5, 0.25
"""A probable mistake: who was likelier to win is likelier to lose, and the chance fell so far.

In random games on boards that can be solved, seven of eight such actions were mistakes indeed, and
half of all mistakes were found; three of four with a fifth of the playouts.
"""


@dataclass(frozen=True, slots=True)
class ReviewedAction:
    """An action of a game; both values are the mover's, before and after it.

    Where a won position was given away, ``better`` are all cells that are known to win, and
    ``punishment`` is the line by which the other player then wins; empty and None where they are
    not known.

    ``estimate_before`` and ``estimate_after`` guess how likely the mover wins with the best action
    and with the chosen one: each only where its value is unknown, and None where nobody has looked.
    """

    number: int
    """The place of the action in the game, from 1."""
    position: Position
    cell: int
    before: Value
    after: Value
    better: tuple[int, ...] = ()
    punishment: tuple[int, ...] | None = None
    estimate_before: float | None = None
    estimate_after: float | None = None

    @property
    def turn(self) -> int:
        """The number of the turn, from 1: what people call the number of a move."""
        step = self.position.game.rulebook.actions_per_turn
        begun = (self.position.actions_made + 1 - self.number) % step  # before the first action
        return -(-(self.number + begun) // step)

    @property
    def player(self) -> Player:
        """Who chose the cell."""
        return self.position.mover

    @property
    def is_mistake(self) -> bool:
        """Whether a won position was given away."""
        return self.before is Value.WIN and self.after is Value.LOSS

    @property
    def is_estimated(self) -> bool:
        """Whether nothing better than an estimate says how good the action was."""
        return (self.estimate_before, self.estimate_after) != (None, None)

    @property
    def is_doubtful(self) -> bool:
        """Whether it was probably a mistake, by an estimate: never where that is known."""
        before = _CERTAIN.get(self.before, self.estimate_before)
        after = _CERTAIN.get(self.after, self.estimate_after)
        if not self.is_estimated or before is None or after is None:
            return False
        return before >= _EVEN > after and before - after >= _DOUBTFUL_FALL


_CERTAIN = {Value.WIN: 1.0, Value.LOSS: 0.0}


@dataclass(frozen=True, slots=True)
class Review:
    """A game and all its actions."""

    record: Record
    actions: tuple[ReviewedAction, ...]
    end: Value
    """The value of the last position for its mover: who resigns may have had a win."""
    limit: str | None = None
    """Why not everything is known; None as well while the review goes on."""

    @property
    def is_complete(self) -> bool:
        """Whether every value is known."""
        values = [value for action in self.actions for value in (action.before, action.after)]
        return Value.UNKNOWN not in (*values, self.end)

    @property
    def resigned_a_win(self) -> Player | None:
        """The player who gave up a position that was won, if there is one."""
        has_resigned = self.record.termination == RESIGNATION
        if has_resigned and self.end is Value.WIN and self.record.result:
            return self.record.result.opponent
        return None

    def mistakes(self, player: Player | None = None) -> tuple[ReviewedAction, ...]:
        """Return the actions that gave a won position away: of one player, or of both."""
        return tuple(
            action
            for action in self.actions
            if action.is_mistake and player in (None, action.player)
        )

    def doubtful(self, player: Player | None = None) -> tuple[ReviewedAction, ...]:
        """Return the actions that were probably mistakes: of one player, or of both."""
        return tuple(
            action
            for action in self.actions
            if action.is_doubtful and player in (None, action.player)
        )

    def count(self, player: Player, before: Value | None = None) -> int:
        """Return how many actions a player chose: of all, or of those in positions so valued."""
        return sum(
            action.player is player and before in (None, action.before) for action in self.actions
        )


def review(
    record: Record,
    seconds: float | None = REVIEW_SECONDS,
    solver: Solver | None = None,
    on_progress: Callable[[Review], None] | None = None,
) -> Review:
    """Return the review of a game, from its end to its beginning, as far as the time allows.

    What could not be proved is estimated at the end, in a part of the time.

    ``on_progress`` is handed what is known so far whenever more is, some ten times a second at
    most; what it raises ends the review.

    ``Solver.stop`` ends it too: what is known by then is returned, with the limit "stopped".
    """
    solver = solver or Solver(record.game)
    positions = record.positions()
    solver.check(positions[0])
    return _Reviewer(record, positions, solver, seconds, on_progress).review()


def unreviewed(record: Record) -> Review:
    """Return the review of a game before anything is known."""
    return Review(record, tuple(_unknown(record, record.positions())), Value.UNKNOWN)


def _unknown(record: Record, positions: list[Position]) -> list[ReviewedAction]:
    """Return the actions of a game whose values have yet to be found out."""
    return [
        ReviewedAction(number, position, cell, Value.UNKNOWN, Value.UNKNOWN)
        for number, (position, cell) in enumerate(
            zip(positions, record.moves, strict=False), start=1
        )
    ]


class _Reviewer:
    """Goes back from the end, where positions are easiest, and explains mistakes on the way."""

    def __init__(
        self,
        record: Record,
        positions: list[Position],
        solver: Solver,
        seconds: float | None,
        on_progress: Callable[[Review], None] | None,
    ) -> None:
        self._record = record
        self._solver = solver
        self._seconds = seconds
        self._begun = time.monotonic()
        self._limit: str | None = None
        self._throttle = Throttle(on_progress)
        self._positions = positions
        self._values = [Value.UNKNOWN for _ in positions]
        self._actions = _unknown(record, positions)

    def review(self) -> Review:
        """Return all that can be found out in the time, or until the solver is stopped."""
        solver = self._solver
        watched = solver.watched_by(lambda _: self._throttle.catch_up(self._so_far))
        with solver.within(self._seconds), watched:
            with solver.within(self._left(1 - _ESTIMATING_SHARE)):
                self._prove()
            self._estimate()
        return self._so_far()

    def _left(self, part: float = 1.0) -> float | None:
        """Return how many seconds of a part of the time are left, None if it has no end."""
        if self._seconds is None:
            return None
        return max(0.0, self._begun + part * self._seconds - time.monotonic())

    def _so_far(self) -> Review:
        return Review(self._record, tuple(self._actions), self._values[-1], self._limit)

    # ------------------------------------------------------------------ facts

    def _prove(self) -> None:
        """Find out all values that can be."""
        for index in range(len(self._positions) - 1, -1, -1):
            if self._values[index] is Value.UNKNOWN:
                self._learn(index, self._value(self._positions[index]))
            if index < len(self._actions):
                self._throttle.tell(self._so_far)
                if self._actions[index].is_mistake:
                    self._explain(index)

    def _value(self, position: Position) -> Value:
        try:
            return Value.WIN if self._solver.wins(position) else Value.LOSS
        except LimitError as error:
            self._limit = self._why(error)
            return Value.UNKNOWN

    def _learn(self, index: int, value: Value) -> None:
        """Note what a position is worth, and what follows from that for those beside it."""
        if value in (Value.UNKNOWN, self._values[index]):
            return
        self._values[index] = value
        if index < len(self._actions):
            action = self._actions[index]
            self._actions[index] = replace(action, before=value, estimate_before=None)
            if value is Value.LOSS:  # whatever is chosen
                self._learn(index + 1, self._seen(index + 1, value))
        if index:
            action, mine = self._actions[index - 1], self._seen(index, value)
            self._actions[index - 1] = replace(action, after=mine, estimate_after=None)
            if mine is Value.WIN:
                self._learn(index - 1, mine)

    def _seen(self, index: int, value: Value) -> Value:
        """Return a value of a position as that of whoever moved there, and the other way round."""
        is_same = self._positions[index].mover is self._positions[index - 1].mover
        return value if is_same else _OTHER[value]

    def _why(self, error: LimitError) -> str:
        """Return which limit was met: the whole time, not the part of it that a search had."""
        if self._solver.limit == STOPPED:
            return STOPPED
        if isinstance(error, SizeError) or self._seconds is None:
            return str(error)
        return f"not solved within {self._seconds:g} s"

    def _explain(self, index: int) -> None:
        """Find what would have won and what punishes a mistake, in half the time for proofs."""
        solver, action = self._solver, self._actions[index]
        position = action.position
        left = self._left(1 - _ESTIMATING_SHARE)
        try:
            with solver.within(None if left is None else left / 2):
                better = [cell for cell in position.legal_cells() if solver.wins_by(position, cell)]
                self._actions[index] = replace(action, better=tuple(better))
                line = best_line(solver, self._positions[index + 1])
                self._actions[index] = replace(self._actions[index], punishment=line)
        except LimitError as error:
            self._limit = self._why(error)
        self._throttle.tell(self._so_far)

    # ------------------------------------------------------------------ estimates

    def _estimate(self) -> None:
        """Estimate what could not be proved, each position in its share of the time."""
        unsolved = [action.number - 1 for action in self._actions if _is_open(action)]
        for done, index in enumerate(reversed(unsolved)):
            if self._solver.limit:
                return
            if not _is_open(self._actions[index]):
                continue  # it follows from what was proved meanwhile
            left = self._left()
            share = _ESTIMATING_SECONDS if left is None else left / (len(unsolved) - done)
            estimation = Estimation(self._solver, self._positions[index])
            estimation.think(share)
            self._take(index, estimation.estimates())
            self._throttle.tell(self._so_far)

    def _take(self, index: int, estimates: dict[int, Estimate]) -> None:
        """Take the estimates of a position; what was proved on the way is a value."""
        chosen = estimates[self._actions[index].cell]
        proofs = {estimate.proof for estimate in estimates.values()}
        if proofs == {-1} or 1 in proofs:
            self._learn(index, Value.WIN if 1 in proofs else Value.LOSS)
        if chosen.proof:
            mine = Value.WIN if chosen.proof > 0 else Value.LOSS
            self._learn(index + 1, self._seen(index + 1, mine))
        action = self._actions[index]
        if action.is_mistake and not action.better:
            better = tuple(cell for cell, one in estimates.items() if one.proof > 0)
            self._actions[index] = replace(action, better=better)
        best = best_of(estimates.values())
        certainty = self._solver.backend.certainty
        if action.before is Value.UNKNOWN and best.weight:
            most = calibrated(max(best.chance, chosen.chance), certainty)
            self._actions[index] = replace(self._actions[index], estimate_before=most)
        if action.after is Value.UNKNOWN and chosen.weight:
            after = calibrated(chosen.chance, certainty)
            self._actions[index] = replace(self._actions[index], estimate_after=after)


def _is_open(action: ReviewedAction) -> bool:
    return Value.UNKNOWN in (action.before, action.after)


_OTHER = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN, Value.UNKNOWN: Value.UNKNOWN}
