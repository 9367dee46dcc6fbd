"""A clock for two players: so much time for a game, and an increment for every turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridlock.model import Player

MILLISECONDS = 1000


class Clock:
    """The time left, in milliseconds; it never looks at the time of day itself.

    It is made with the seconds that each player has for a game, and gets back for each turn.
    """

    def __init__(self, base: float, increment: float = 0) -> None:
        self.increment = round(increment * MILLISECONDS)
        self._base = round(base * MILLISECONDS)
        self.left = [self._base, self._base]
        self.running: Player | None = None
        self.since = 0
        """When ``left`` held true."""

    @property
    def deadline(self) -> int | None:
        """When the time of the player who is to move runs out."""
        return None if self.running is None else self.since + self.left[self.running - 1]

    def reset(self) -> None:
        """Give both players all their time, as before a game."""
        self.left = [self._base, self._base]
        self.running = None

    def press(self, player: Player, mover: Player, at: int) -> None:
        """Let the clock run for the mover after a player's action; the end of a turn is rewarded.

        So is that of a game's first turn, for which no time has run.
        """
        if player is not mover:
            self.left[player - 1] += self.increment
        self.run(mover, at)

    def run(self, mover: Player | None, at: int) -> None:
        """Let the clock run for a player, or for nobody."""
        if self.running is not None:
            self.left[self.running - 1] -= at - self.since
        self.running = mover
        self.since = at


def milliseconds() -> int:
    """Return the time of day, for those who tell it to rooms and clocks."""
    return time.time_ns() // 1_000_000
