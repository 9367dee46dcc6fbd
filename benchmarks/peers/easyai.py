"""The games for easyAI (2.0.12), solved by its own depth-first search with a transposition table.

Of its solvers this is the fastest here: iterative deepening reaches three to eight times as many
positions, and Negamax to full depth reaches as many or a few more but needs longer for most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from easyAI import (  # type: ignore[import, unused-ignore]
    TranspositionTable,
    TwoPlayerGame,
    solve_with_depth_first_search,
)

from . import Clock, Node, Result, Rules, rules_of, timed

if TYPE_CHECKING:
    from gridlock import Position


class LockOut(TwoPlayerGame):  # type: ignore[misc]
    """A game with easyAI's fast ways: ``unmake_move`` instead of copies, and ``ttentry``."""

    def __init__(self, rules: Rules, clock: Clock) -> None:
        self.players = None
        self.current_player = 1
        self.rules = rules
        self.clock = clock
        self.node = rules.root
        self.past: list[Node] = []

    def possible_moves(self) -> list[int]:
        return self.rules.moves(self.node)

    def make_move(self, move: int) -> None:
        self.clock.tick()
        self.past.append(self.node)
        self.node = self.rules.after(self.node, move)

    def unmake_move(self, _move: int) -> None:
        self.node = self.past.pop()

    def switch_player(self) -> None:
        """Do nothing: a node is always seen by its mover."""

    def is_over(self) -> bool:
        return not self.node[0]

    def scoring(self) -> int:
        return 0 if self.node[0] else -1

    def ttentry(self) -> Node:
        return self.node


def solve(position: Position, seconds: float) -> Result:
    """Tell whether the mover wins."""
    rules = rules_of(position)

    def search(clock: Clock) -> bool:
        value = solve_with_depth_first_search(
            LockOut(rules, clock), win_score=1, maxdepth=rules.longest + 1, tt=TranspositionTable()
        )
        return bool(value == 1)

    return timed(search, seconds)
