"""A game that is looked at: one can step through it, leave it for side lines, and come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.model import Position


class Line:
    """Moves from a position on; ``main`` are those of the game, ``moves`` those looked at now."""

    def __init__(self, start: Position, main: Sequence[int] = ()) -> None:
        self.start = start
        self.main = tuple(main)
        self.moves = self.main
        self.at = len(self.main)
        self._positions = [start]
        self._extend()

    @property
    def position(self) -> Position:
        """The position looked at."""
        return self._positions[self.at]

    @property
    def end(self) -> Position:
        """The position at the end of the moves looked at."""
        return self._positions[-1]

    @property
    def last(self) -> int | None:
        """The action that led here."""
        return self.moves[self.at - 1] if self.at else None

    @property
    def next(self) -> int | None:
        """The action that follows here."""
        return self.moves[self.at] if self.at < len(self.moves) else None

    @property
    def is_side(self) -> bool:
        """Whether the game did not come here."""
        return self.moves[: self.at] != self.main[: self.at]

    def play(self, cell: int) -> None:
        """Go on with an action: along the line where it is the next one, or to a side line.

        Raises ``IllegalMoveError``.
        """
        self.position.check(cell)
        if not self.is_side and self.main[self.at : self.at + 1] == (cell,):
            self.go_in_game(self.at)
        elif cell != self.next:
            self.moves = (*self.moves[: self.at], cell)
            del self._positions[self.at + 1 :]
            self._extend()
        self.at += 1

    def go(self, at: int) -> None:
        """Go to the position after so many actions of the present line, as far as it goes."""
        self.at = max(0, min(at, len(self.moves)))

    def go_in_game(self, at: int) -> None:
        """Go to the position after so many actions of the game itself."""
        self.moves = self.main
        del self._positions[1:]
        self._extend()
        self.go(at)

    def come_back(self) -> None:
        """Go back to where the side line left the game."""
        common = 0
        for here, there in zip(self.moves[: self.at], self.main, strict=False):
            if here != there:
                break
            common += 1
        self.go_in_game(common)

    def _extend(self) -> None:
        for cell in self.moves[len(self._positions) - 1 :]:
            self._positions.append(self._positions[-1].play(cell))
