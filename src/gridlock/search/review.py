"""What happened in a game: who gave a won position away, and how."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gridlock.errors import LimitError, SizeError
from gridlock.record import RESIGNATION
from gridlock.search import REVIEW_SECONDS
from gridlock.search.analysis import Value, best_line
from gridlock.search.solver import Solver
from gridlock.search.throttle import Throttle

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Player, Position
    from gridlock.record import Record


@dataclass(frozen=True, slots=True)
class ReviewedAction:
    """An action of a game; both values are the mover's, before and after it.

    Where a won position was given away, ``better`` are all cells that would have won, and
    ``punishment`` is the line by which the other player then wins; empty and None where they are
    not known.
    """

    number: int
    """The place of the action in the game, from 1."""
    position: Position
    cell: int
    before: Value
    after: Value
    better: tuple[int, ...] = ()
    punishment: tuple[int, ...] | None = None

    @property
    def turn(self) -> int:
        """The number of the turn, from 1: what people call the number of a move."""
        return (self.number - 1) // self.position.game.rulebook.actions_per_turn + 1

    @property
    def player(self) -> Player:
        """Who chose the cell."""
        return self.position.mover

    @property
    def is_mistake(self) -> bool:
        """Whether a won position was given away."""
        return self.before is Value.WIN and self.after is Value.LOSS


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
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._limit: str | None = None
        self._throttle = Throttle(on_progress)
        self._actions = _unknown(record, positions)
        self._last = positions[-1]
        self._end = Value.UNKNOWN

    def review(self) -> Review:
        """Return all that can be found out in the time, or until the solver is stopped."""
        solver = self._solver
        watched = solver.watched_by(lambda _: self._throttle.catch_up(self._so_far))
        with solver.within(self._seconds), watched:
            after, value = self._last, self._value(self._last)
            self._end = value
            for index in range(len(self._actions) - 1, -1, -1):
                action = self._actions[index]
                before = self._value(action.position)
                mine = value if after.mover is action.player else _OTHER[value]
                self._actions[index] = replace(action, before=before, after=mine)
                self._throttle.tell(self._so_far)
                if self._actions[index].is_mistake:
                    self._explain(index, after)
                after, value = action.position, before
        return self._so_far()

    def _so_far(self) -> Review:
        return Review(self._record, tuple(self._actions), self._end, self._limit)

    def _value(self, position: Position) -> Value:
        try:
            return Value.WIN if self._solver.wins(position) else Value.LOSS
        except LimitError as error:
            self._limit = self._solver.limit or str(error)
            return Value.UNKNOWN

    def _explain(self, index: int, after: Position) -> None:
        """Find what would have won and what punishes a mistake, in half the time that is left."""
        solver, action = self._solver, self._actions[index]
        position = action.position
        half = None if self._deadline is None else (self._deadline - time.monotonic()) / 2
        try:
            with solver.within(half):
                better = [cell for cell in position.legal_cells() if solver.wins_by(position, cell)]
                self._actions[index] = replace(action, better=tuple(better))
                line = best_line(solver, after)
                self._actions[index] = replace(self._actions[index], punishment=line)
        except SizeError as error:
            self._limit = str(error)
        except LimitError:
            self._limit = solver.limit or f"not solved within {self._seconds:g} s"
        self._throttle.tell(self._so_far)


_OTHER = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN, Value.UNKNOWN: Value.UNKNOWN}
