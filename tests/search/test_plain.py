"""The search of any kind of rulebook."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from gridlock import Game, Grid, Player
from gridlock.search.backends.plain import PlainSearch
from gridlock.search.memory import new_shared
from tests.toy import DOMINO, DominoPosition

if TYPE_CHECKING:
    from gridlock.model import Position


class CountedPosition(DominoPosition):
    """Counts the actions that are tried after somebody has said stop."""

    __slots__ = ()
    signal = memoryview(array("Q", [0]))
    tried = 0

    def _after(self, cell: int) -> DominoPosition:
        type(self).tried += self.signal[0]
        after = super()._after(cell)
        return CountedPosition(
            after.game, after.mover, after.both_marks, after.blocked_cells, after.half
        )


def test_it_tries_nothing_more_once_it_is_told_to_stop() -> None:
    signal = CountedPosition.signal
    position: Position = CountedPosition(Game(DOMINO, Grid(4, 4)), Player.ONE, (0, 0), 0, None)

    def stop() -> None:
        signal[0] = 1

    search = PlainSearch(new_shared(1 << 16, signal))
    search.poll = stop
    search.wins(position)
    assert (signal[0], CountedPosition.tried) == (1, 0)
    signal[0] = 0
    search.forced(position, 12)
    assert (signal[0], CountedPosition.tried) == (1, 0)
