"""The peers: other people's solvers, and a naive one, which GridLock's own is measured against.

Each is a function ``solve(position, seconds)`` that returns a ``Result``.  For the libraries the
rules stand here once more, as one of their users would write them for speed: positions are bare
tuples of integers, nothing is checked, and every reach is looked up in a table.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridlock.grid import KING, ORTHOGONAL, cells_of
from gridlock.rulebooks.placement import PlacementPosition, PlacementRulebook
from gridlock.rulebooks.race import MOVE, RacePosition, starting_cell

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock import Position


@dataclass(frozen=True, slots=True)
class Result:
    """What a peer found: does the mover win? None when the time was over first.

    ``nodes`` counts every time that a position was reached, also one that was remembered.
    """

    won: bool | None
    nodes: int
    seconds: float


class OutOfTimeError(Exception):
    """The time limit has passed."""


class Clock:
    """Counts nodes, and stops the search at the time limit by an exception."""

    def __init__(self, seconds: float) -> None:
        self.start = time.perf_counter()
        self.deadline = self.start + seconds
        self.nodes = 1

    def tick(self) -> None:
        self.nodes += 1
        if time.perf_counter() > self.deadline:
            raise OutOfTimeError


def timed(search: Callable[[Clock], bool], seconds: float) -> Result:
    """Run a search, which calls ``tick`` for every position that it reaches after the first."""
    clock = Clock(seconds)
    try:
        won = search(clock)
    except OutOfTimeError:
        return Result(None, clock.nodes, time.perf_counter() - clock.start)
    return Result(won, clock.nodes, time.perf_counter() - clock.start)


Node = tuple[int, ...]
"""A position seen by its mover; the first number is 0 when the mover cannot move and has lost."""


class Placement:
    """Nodes are masks: the legal cells, the mover's open cells, the opponent's open cells."""

    def __init__(self, position: PlacementPosition) -> None:
        rulebook, grid = position.game.rulebook, position.game.grid
        assert isinstance(rulebook, PlacementRulebook)
        cells = range(grid.cell_count)
        own, opponent = grid.around(rulebook.own), grid.around(rulebook.opponent)
        self.own_keeps = [~(1 << cell | own[cell]) for cell in cells]
        self.opponent_keeps = [~(1 << cell | opponent[cell]) for cell in cells]
        self.follow = [grid.full] * grid.cell_count
        if rulebook.follow is not None:
            self.follow = [grid.around(rulebook.follow)[cell] for cell in cells]
        self.action_count = self.longest = grid.cell_count
        mine, theirs = position.still_open[:: 1 if position.mover == 1 else -1]
        self.root: Node = (position.legal, mine, theirs)

    def moves(self, node: Node) -> list[int]:
        return list(cells_of(node[0]))

    def after(self, node: Node, move: int) -> Node:
        _, mine, theirs = node
        mine, theirs = theirs & self.opponent_keeps[move], mine & self.own_keeps[move]
        return mine & self.follow[move], mine, theirs


class Race:
    """Nodes are the mask of steps, the opponent's token, the mask of blocks, and both goals.

    A move is a whole turn, ``step * cells + block``; a step onto the goal "blocks" that same cell.
    The mover's own token is needed no more once its steps are known.
    """

    def __init__(self, position: RacePosition) -> None:
        game, mover = position.game, position.mover
        self.beside, self.around = game.grid.around(ORTHOGONAL), game.grid.around(KING)
        self.cells = self.longest = game.grid.cell_count
        self.action_count = self.cells**2
        # A mover who has stepped and has to block still "steps" to where the token stands.
        steps = position.legal if position.phase == MOVE else position.marks(mover)
        goals = starting_cell(game, mover.opponent), starting_cell(game, mover)
        self.root: Node = (steps, position.tokens[mover.opponent - 1], position.blocked, *goals)

    def moves(self, node: Node) -> list[int]:
        steps, other, blocked, goal, _ = node
        taken = blocked | 1 << other
        return [
            step * self.cells + block
            for step in cells_of(steps)
            for block in ((step,) if step == goal else cells_of(self.around[step] & ~taken))
        ]

    def after(self, node: Node, move: int) -> Node:
        _, other, blocked, goal, home = node
        step, block = divmod(move, self.cells)
        blocked |= 1 << block
        steps = 0 if step == goal else self.beside[other] & ~(blocked | 1 << step)
        return steps, step, blocked, home, goal


Rules = Placement | Race


def rules_of(position: Position) -> Rules:
    """Return the fast rules, whose root is this position."""
    if isinstance(position, RacePosition):
        return Race(position)
    assert isinstance(position, PlacementPosition)
    return Placement(position)
