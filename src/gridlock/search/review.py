"""What happened in a game: who gave a won position away, and how."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gridlock.errors import LimitError
from gridlock.record import RESIGNATION
from gridlock.search import REVIEW_SECONDS
from gridlock.search.analysis import Value, best_line
from gridlock.search.solver import Solver

if TYPE_CHECKING:
    from gridlock.model import Player, Position
    from gridlock.record import Record


@dataclass(frozen=True, slots=True)
class ReviewedAction:
    """An action of a game; both values are the mover's, before and after it.

    Where a won position was given away, ``better`` are the cells that would have won, and
    ``punishment`` is the line by which the other player then wins.
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
    record: Record, seconds: float | None = REVIEW_SECONDS, solver: Solver | None = None
) -> Review:
    """Return the review of a game, from its end to its beginning, as far as the time allows."""
    solver = solver or Solver(record.game)
    with solver.within(seconds):
        return _review(record, solver)


def _review(record: Record, solver: Solver) -> Review:
    positions = record.positions()
    values = [_value(solver, position) for position in reversed(positions)]  # the easiest first
    values.reverse()
    actions = []
    for number, cell in enumerate(record.moves, start=1):
        position, after = positions[number - 1], positions[number]
        value = values[number] if after.mover is position.mover else _OTHER[values[number]]
        action = ReviewedAction(number, position, cell, values[number - 1], value)
        actions.append(_explained(solver, action, after) if action.is_mistake else action)
    return Review(record, tuple(actions), values[-1])


_OTHER = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN, Value.UNKNOWN: Value.UNKNOWN}


def _value(solver: Solver, position: Position) -> Value:
    try:
        return Value.WIN if solver.wins(position) else Value.LOSS
    except LimitError:
        return Value.UNKNOWN


def _explained(solver: Solver, action: ReviewedAction, after: Position) -> ReviewedAction:
    """Return a mistake with what would have won and what punishes it, if that can be found."""
    position = action.position
    with contextlib.suppress(LimitError):
        better = tuple(cell for cell in position.legal_cells() if solver.wins_by(position, cell))
        action = replace(action, better=better)
        action = replace(action, punishment=best_line(solver, after))
    return action
