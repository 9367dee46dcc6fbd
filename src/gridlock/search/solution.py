"""Who wins a position, with which cells, by which theorem, and what else is known of it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridlock.errors import LimitError
from gridlock.search.analysis import Value, find_values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from gridlock.model import Position
    from gridlock.search.solver import Solver
    from gridlock.search.theorems import Theorem


@dataclass
class Solution:
    """What is known of a position; None is not known, or not to be had in this game."""

    is_won: bool | None = None
    theorem: Theorem | None = None
    """What proves who wins, where no search was needed."""
    winning: tuple[int, ...] = ()
    unsolved: tuple[int, ...] = ()
    nimber: int | None = None
    number: tuple[Fraction, bool] | None = None
    limit: str | None = None

    @contextlib.contextmanager
    def within_limits(self) -> Iterator[None]:
        """Find something out, or note which limit was met."""
        try:
            yield
        except LimitError as error:
            self.limit = self.limit or str(error)


def solve(solver: Solver, position: Position, seconds: float | None = None) -> Solution:
    """Find out one thing after the other, each as far as the limits allow."""
    found = Solution()
    backend = solver.backend
    with found.within_limits():
        found.theorem = solver.theorem(position)
        found.is_won = solver.wins(position)
    values = find_values(position, solver, seconds)
    found.limit = values.limit or found.limit
    found.winning = tuple(sorted(values.winning_cells()))
    found.unsolved = tuple(a.cell for a in values.actions if a.value is Value.UNKNOWN)
    if values.value is not Value.UNKNOWN:  # some cell may be proved to win, and nothing else known
        found.is_won = values.value is Value.WIN
    if backend.is_impartial and not backend.is_misere:
        with found.within_limits():
            found.nimber = solver.nimber(position)
    if backend.has_numbers and not backend.is_misere:
        with found.within_limits():
            found.number = solver.number(position)
    return found
