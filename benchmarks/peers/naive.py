"""Plain negamax over GridLock's own positions, with a dictionary as its memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import Clock, Result, timed

if TYPE_CHECKING:
    from gridlock import Position


def solve(position: Position, seconds: float) -> Result:
    """Tell whether the mover wins."""
    memory: dict[Position, bool] = {}

    def wins(position: Position, clock: Clock) -> bool:
        if position not in memory:
            memory[position] = False
            for cell in position.legal_cells():
                clock.tick()
                child = position.play(cell)
                # In race the mover of a step is also the one who blocks.
                if wins(child, clock) == (child.mover is position.mover):
                    memory[position] = True
                    break
        return memory[position]

    return timed(lambda clock: wins(position, clock), seconds)
