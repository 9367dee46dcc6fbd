"""Games that are played by a clock, which their records keep.

The tag ``TimeControl`` says how much time there is, ``300+3``; the tag ``Times``, in seconds, what
the player of each action had left after it.  Where a game was left, or ended, in the middle of
a turn, one more number is what the mover had left then.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from gridlock.clock import MILLISECONDS, Clock, milliseconds
from gridlock.errors import GridlockError
from gridlock.match import Match
from gridlock.record import CLOCK

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.match import Series
    from gridlock.model import Player
    from gridlock.record import Record

_TIMES = "Times"
_SECONDS = re.compile(r"[0-9]{1,6}\.[0-9]")


class TimedMatch(Match):
    """A game by the clock: it runs for the mover from the first action on, until the end.

    Whoever resumes a game has what was left, and may take turns back with their time.
    """

    def __init__(self, record: Record, keep: Callable[[Record], None], clock: Clock) -> None:
        super().__init__(record, keep)
        self._clock = clock
        self._restore()

    def run_clock(self) -> None:
        """Let the clock run for the mover, but not before the first action nor after the end."""
        is_running = bool(self.record.moves) and not self.record.is_over
        self._clock.run(self.position.mover if is_running else None, milliseconds())

    def stop_clock(self) -> None:
        """Stop the clock of a game that is left, and keep what is on it; raises ``StoreError``."""
        self._clock.run(None, milliseconds())
        if self.record.moves and not self.record.is_over:
            self._change(self.record.moves, None)

    def play(self, cell: int) -> None:
        """Choose a cell for the mover; one that cannot be kept gives the time for it back."""
        self._check_going_on()
        mover, now = self.position.mover, milliseconds()
        self._clock.press(mover, self.position.play(cell).mover, now)
        try:
            super().play(cell)
        except GridlockError:
            self._clock.rewind(len(self.record.moves), now)
            raise
        finally:
            self.run_clock()

    def undo(self, player: Player | None = None) -> bool:
        """Take back a player's last turn and the time for it, unless the game was lost on time."""
        if self.record.termination == CLOCK:
            return False
        length = len(self.record.moves)
        is_done = super().undo(player)
        if len(self.record.moves) < length:
            self._clock.rewind(len(self.record.moves), milliseconds())
        self.run_clock()
        return is_done

    def redo(self) -> bool:
        """Replay what was last taken back, which takes no time."""
        before = len(self.record.moves)
        is_done = super().redo()
        if is_done:
            after, times = len(self.record.moves), self._clock.times
            times.extend(times[-1:] * (after - before))
            self._clock.rewind(after, milliseconds())
            self.run_clock()
        return is_done

    def _end(self, winner: Player | None, termination: str) -> None:
        self._clock.run(None, milliseconds())
        try:
            super()._end(winner, termination)
        finally:
            self.run_clock()

    def _tags(self, moves: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
        """Return the tags of the record after some moves, with their times."""
        clock, movers = self._clock, [*self.movers, self.position.mover]
        times = clock.times[: len(moves) + 1]
        left = [after[mover - 1] for mover, after in zip(movers, times[1:], strict=False)]
        is_cut_short = clock.running is None and len(moves) == len(self.record.moves)
        if is_cut_short and tuple(clock.left) != times[-1]:
            left.append(max(0, clock.left[self.position.mover - 1]))
        written = " ".join(f"{time / MILLISECONDS:.1f}" for time in left)
        others = untimed(self.record).tags
        return (*others, (_TIMES, written)) if written else others

    def _restore(self) -> None:
        """Set the clock to what the record says; without a word of it no time has passed."""
        words = dict(self.record.tags).get(_TIMES, "").split()
        is_read = all(map(_SECONDS.fullmatch, words))
        told = [round(float(word) * MILLISECONDS) for word in words] if is_read else []
        movers = self.movers
        self._clock.reset()
        left, times = list(self._clock.left), []
        for number, mover in enumerate(movers):
            if number < len(told):  # further moves were made where there is no clock
                left[mover - 1] = told[number]
            times.append((left[0], left[1]))
        self._clock.set_back(times)
        if len(told) == len(movers) + 1:
            self._clock.left[self.position.mover - 1] = told[-1]


def untimed(record: Record) -> Record:
    """Return a record without the times of its actions."""
    return replace(record, tags=tuple(tag for tag in record.tags if tag[0] != _TIMES))


def put_on_clock(series: Series) -> Clock | None:
    """Let the games of a series be played by the clock that they are meant for, if by any."""
    control = series.time_control
    if control is None:
        return None
    clock = Clock(control.base, control.increment)
    series.play_as(lambda record, keep: TimedMatch(record, keep, clock))
    return clock
