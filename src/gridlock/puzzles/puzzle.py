"""A puzzle, what makes a position one, and somebody's attempt at it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock.model import Player, Position
    from gridlock.search.solver import Solver


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which the mover has to find the win.

    ``line`` is what has to be played, with the answers of the other player in between; it begins
    and ends with an action of the solver's.  ``also`` are cells that win in place of the last one.
    """

    id: str
    position: Position
    line: tuple[int, ...]
    rating: int
    themes: tuple[str, ...] = ()
    also: tuple[int, ...] = ()

    @property
    def solver(self) -> Player:
        """The player who has to find the win."""
        return self.position.mover

    def positions(self) -> list[Position]:
        """Return the position of the puzzle, and those after each action of its line."""
        return self.position.replay(self.line)


@dataclass(frozen=True, slots=True)
class Attempt:
    """How far somebody has come with a puzzle: an immutable moment of it."""

    puzzle: Puzzle
    position: Position
    played: int = 0
    """How many actions of the line have been played."""
    mistakes: int = 0
    """How many tries were wrong."""

    @classmethod
    def at(cls, puzzle: Puzzle) -> Attempt:
        """Return the beginning of an attempt."""
        return cls(puzzle, puzzle.position)

    @property
    def is_solved(self) -> bool:
        """Whether the whole line has been found."""
        return self.played == len(self.puzzle.line)

    @property
    def answer(self) -> tuple[int, ...]:
        """The other player's actions just before, none at the beginning."""
        movers = [position.mover for position in self.puzzle.positions()[: self.played]]
        last = [mover is self.puzzle.solver for mover in movers[::-1]]
        count = last.index(True) if True in last else 0
        return self.puzzle.line[self.played - count : self.played]

    @property
    def left(self) -> int:
        """How many actions the solver still has to find."""
        return sum(mover is self.puzzle.solver for mover in self._movers())

    def try_(self, cell: int) -> Attempt:
        """Return the attempt after the solver's choice of a cell, and the answer to a right one.

        Where several win, the line of its puzzle is then the one that was found.  After a wrong one
        nothing has changed but the number of mistakes.  Raises ``IllegalMoveError``.
        """
        self.position.check(cell)
        line = self.puzzle.line
        is_last = self.played == len(line) - 1
        if cell != line[self.played] and not (is_last and cell in self.puzzle.also):
            return replace(self, mistakes=self.mistakes + 1)
        puzzle = replace(self.puzzle, line=(*line[:-1], cell)) if is_last else self.puzzle
        position = self.position.play(cell)
        played = self.played + 1
        while played < len(line) and position.mover is not puzzle.solver:
            position = position.play(line[played])
            played += 1
        return replace(self, puzzle=puzzle, position=position, played=played)

    def give_up(self) -> Attempt:
        """Return the attempt when the solution was asked for, which is as good as a wrong try."""
        return replace(self, mistakes=self.mistakes + 1)

    def _movers(self) -> Iterator[Player]:
        """Yield who makes each action of the line that is left."""
        position = self.position
        for cell in self.puzzle.line[self.played :]:
            yield position.mover
            position = position.play(cell)


def find_line(solver: Solver, position: Position) -> tuple[int, ...] | None:
    """Return the line of the puzzle that a position is, None if it is none.

    Whenever its mover is to move exactly one cell wins, until the win is plain: until half of the
    cells win, or the game is over.  The other player answers with the longest resistance, and of
    answers that resist equally long with one that leaves the fewest cells that win.
    """
    mover = position.mover
    line: list[int] = []
    length = 0
    while position.winner is None:
        winning = winning_cells(solver, position)
        if len(winning) != 1:
            is_plain = 2 * len(winning) >= position.legal.bit_count()
            return tuple(line[:length]) if line and is_plain else None
        line += winning
        length = len(line)
        position = position.play(winning[0])
        while position.winner is None and position.mover is not mover:
            answer = _answer(solver, position, mover)
            line.append(answer)
            position = position.play(answer)
    return tuple(line[:length]) or None


def choices(puzzle: Puzzle) -> int:
    """Return how often the solver of a puzzle has to choose among several cells."""
    return sum(
        position.mover is puzzle.solver and position.legal.bit_count() > 1
        for position in puzzle.positions()[:-1]
    )


def winning_cells(solver: Solver, position: Position) -> list[int]:
    """Return the cells that win for the mover."""
    return [cell for cell in position.legal_cells() if solver.wins_by(position, cell)]


def _answer(solver: Solver, position: Position, winner: Player) -> int:
    """Return the action of a lost player that resists longest."""
    following = {cell: position.play(cell) for cell in position.legal_cells()}
    distances = {cell: solver.distance(after) for cell, after in following.items()}
    longest = max(distances.values())

    def left(cell: int) -> int:
        after = following[cell]
        return len(winning_cells(solver, after)) if after.mover is winner else 0

    return min((cell for cell in following if distances[cell] == longest), key=left)
