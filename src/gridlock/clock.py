"""A clock for two players: so much time for a game, and an increment for every turn."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlock.model import Player

MILLISECONDS = 1000

LOW_TIME = 10 * MILLISECONDS
"""Below this a player has little time left."""

_CONTROL = re.compile(r"([1-9][0-9]{0,4})(?:\+([0-9]{1,5}))?")
_PACES_LEFT = 30  # for how many more actions the time on a clock should last at a leisurely pace


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time each player has for a game, and gets back for each turn, in seconds."""

    base: int
    increment: int = 0

    def __str__(self) -> str:
        return f"{self.base}+{self.increment}"

    def in_words(self) -> str:
        """Return it as people say it: ``5 min + 3 s``."""
        base = f"{self.base} s" if self.base % 60 else f"{self.base // 60} min"
        return f"{base} + {self.increment} s" if self.increment else base


def read_time_control(text: str) -> TimeControl | None:
    """Return the time control that is written so, as ``300+3`` or ``300``; None if none is."""
    match = _CONTROL.fullmatch(text)
    return TimeControl(int(match[1]), int(match[2] or 0)) if match else None


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
        self.times = [(self._base, self._base)]
        """What both had left before a game, and after each action."""

    @property
    def deadline(self) -> int | None:
        """When the time of the player who is to move runs out."""
        return None if self.running is None else self.since + self.left[self.running - 1]

    def is_up(self, at: int) -> bool:
        """Tell whether the player for whom the clock runs has no time left."""
        return self.deadline is not None and at >= self.deadline

    def reset(self) -> None:
        """Give both players all their time, as before a game."""
        self.set_back(())

    def set_back(self, times: Iterable[tuple[int, int]]) -> None:
        """Stand still, as after a game's first actions with so much time left after each."""
        self.times = [(self._base, self._base), *times]
        self.left = list(self.times[-1])
        self.running = None

    def rewind(self, actions: int, at: int) -> None:
        """Go back to after so many actions: it is as if the later ones had never been made."""
        self.run(None, at)
        del self.times[actions + 1 :]
        self.left = list(self.times[-1])

    def left_at(self, player: Player, at: int) -> int:
        """Return what a player has left at a time, never less than nothing."""
        spent = at - self.since if self.running is player else 0
        return max(0, self.left[player - 1] - spent)

    def press(self, player: Player, mover: Player, at: int) -> None:
        """Let the clock run for the mover after a player's action; the end of a turn is rewarded.

        So is that of a game's first turn, for which no time has run.
        """
        if player is not mover:
            self.left[player - 1] += self.increment
        self.run(mover, at)
        self.times.append((self.left[0], self.left[1]))

    def run(self, mover: Player | None, at: int) -> None:
        """Let the clock run for a player, or for nobody."""
        if self.running is not None:
            self.left[self.running - 1] -= at - self.since
        self.running = mover
        self.since = at


def write_left(left: int) -> str:
    """Return a time left as a clock shows it: ``4:58``, tenths of seconds where it is low."""
    if left < LOW_TIME:
        return f"{left // 100 / 10:.1f}"
    minutes, seconds = divmod(-(-left // MILLISECONDS), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def unhurried(usual: float, clock: Clock | None, at: int) -> float:
    """Return the least seconds for a program's action: the usual, or a share of its time left."""
    deadline = clock.deadline if clock else None
    if deadline is None:  # also before the first action of a game, for which no time runs
        return usual
    return min(usual, max(0, deadline - at) / MILLISECONDS / _PACES_LEFT)


def milliseconds() -> int:
    """Return the time of day, for those who tell it to rooms and clocks."""
    return time.time_ns() // 1_000_000
