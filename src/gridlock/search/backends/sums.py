"""Positions that are too large to be searched whole, as sums of regions that are not.

Three theorems say how regions add up: where both players may always take the same cells, their
nimbers do; where every region is worth a number, numbers and stars do; and in every other game a
lone cell is a whole move, or a star, and need not be searched.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from gridlock.errors import LimitError
from gridlock.model import Player
from gridlock.search.kernel import MOST_CELLS
from gridlock.search.kernel.bits import CELLS, UNIT
from gridlock.search.layout import pack
from gridlock.search.regions import Links, Region

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.model import Game
    from gridlock.search.backends.base import Board, Run
    from gridlock.search.backends.boards import Boards
    from gridlock.search.kernel.placement import Placement


class UnknownError(Exception):
    """Something is not known without a search."""


class Part(NamedTuple):
    """A region on a board of the kernel."""

    board: Board
    one: int
    two: int

    def seen_by(self, player: Player) -> tuple[int, int]:
        """Return what a player may take, and what the other one may."""
        return (self.one, self.two) if player is Player.ONE else (self.two, self.one)


class Searching:
    """What is asked of parts, answered by a search however long it takes."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def wins(self, part: Part, player: Player, rest: int) -> bool:
        """Tell whether a player who moves first wins, with a number and a star beside a part."""
        mine, theirs = part.seen_by(player)
        return self._run(
            part.board, lambda search: cast("Placement", search).wins(mine, theirs, -1, rest)
        )

    def is_nimber(self, part: Part, value: int) -> bool:
        """Tell whether a part has this Grundy value."""
        return self._run(
            part.board, lambda search: cast("Placement", search).is_nimber(part.one, value)
        )

    def nimber(self, part: Part) -> int:
        """Return the Grundy value of a part."""
        return self._run(part.board, lambda search: cast("Placement", search).nimber(part.one))

    def number(self, part: Part) -> tuple[int, bool]:
        """Return what a part is worth to player 1: a number in units, and whether a star is there.

        Numbers are tried from the simplest on; who wins their difference says where to go on.
        """
        low, high = -(MOST_CELLS + 1) * UNIT, (MOST_CELLS + 1) * UNIT
        guess = 0
        while True:
            above = self.wins(part, Player.ONE, -2 * guess)
            below = self.wins(part, Player.TWO, 2 * guess)
            if above == below:
                # Equal, or a star apart: nothing else is confused with a number here.
                return guess, above
            low, high = (guess, high) if above else (low, guess)
            guess = simplest_between(low, high)


class Probing(Searching):
    """The same, answered by what tables know already: or else ``UnknownError`` is raised."""

    def wins(self, part: Part, player: Player, rest: int) -> bool:
        """Tell whether a player who moves first wins, if that is known."""
        mine, theirs = part.seen_by(player)
        return _known(
            self._run(
                part.board, lambda search: cast("Placement", search).probe(mine, theirs, -1, rest)
            )
        )

    def is_nimber(self, part: Part, value: int) -> bool:
        """Tell whether a part has this Grundy value, if that is known."""
        return _known(
            self._run(
                part.board, lambda search: cast("Placement", search).probe_nimber(part.one, value)
            )
        )

    def nimber(self, part: Part) -> int:
        """Return the Grundy value of a part, if it is known."""
        value = 0
        while not self.is_nimber(part, value):
            value += 1
        return value


def _known(verdict: int) -> bool:
    if verdict == 0:
        raise UnknownError
    return verdict > 0


class Split(NamedTuple):
    """A position in parts: its regions, the smallest first, and what lone cells are worth.

    ``number`` is what they are worth to player 1, in units, beside which there may be a star.
    """

    regions: list[Region]
    number: int
    star: bool

    def beside(self, player: Player) -> int:
        """Return what lone cells are worth to a player, as the kernel takes it."""
        return _beside(player, self.number, self.star)


class Sum(ABC):
    """The positions of a game as sums of regions."""

    is_searched_together: ClassVar[bool] = False
    """Whether all regions of more than a cell have to be searched as one."""

    def __init__(self, game: Game, boards: Boards) -> None:
        self._links = Links(game)
        self._boards = boards

    def split(self, one: int, two: int) -> Split | None:
        """Return the regions of the cells open to each player, None if they are too large."""
        regions: list[Region] = []
        number, star = 0, False
        together = 0
        for region in self._links.regions(one, two, MOST_CELLS):
            size = region.size
            if size > 1:
                regions.append(region)
                together = together + size if self.is_searched_together else size
                if together > MOST_CELLS:
                    return None
            else:
                number += UNIT * (bool(region.one) - bool(region.two))
                star ^= bool(region.one & region.two)
        split = Split(sorted(regions, key=lambda region: region.size), number, star)
        return split if all(map(self._can_search, self._searched(split))) else None

    def _can_search(self, region: Region) -> bool:
        """Tell whether a region is small enough, or else linked no more than a small board is.

        How long a search takes depends on the links more than on the cells.
        """
        if region.size <= CELLS:
            return True
        return self._links.count(region) <= self._links.most

    def has_boards(self, split: Split) -> bool:
        """Tell whether there are boards for a position, whose tables may know something."""
        return all(self._boards.has(region.cells) for region in self._searched(split))

    def _searched(self, split: Split) -> Sequence[Region]:
        """Return what is searched by itself."""
        return split.regions

    @abstractmethod
    def wins(self, ask: Searching, split: Split, mover: Player) -> bool:
        """Tell whether the mover wins."""

    def _parts(self, regions: Sequence[Region]) -> list[Part]:
        """Return regions on boards of the kernel."""
        boards = self._boards.of_each([region.cells for region in regions], CELLS)
        return [
            Part(board, pack(board, region.one), pack(board, region.two))
            for board, region in zip(boards, regions, strict=True)
        ]


class NimSum(Sum):
    """Regions that are worth nim heaps: the largest one need only be compared with the rest."""

    def wins(self, ask: Searching, split: Split, mover: Player) -> bool:  # noqa: ARG002
        """Tell whether the mover wins: the nimbers do not cancel."""
        if not split.regions:
            return split.star
        *small, largest = self._parts(split.regions)
        return not ask.is_nimber(largest, split.star ^ self._nim_sum(ask, small))

    def nimber(self, ask: Searching, split: Split) -> int:
        """Return the Grundy value of the sum."""
        return split.star ^ self._nim_sum(ask, self._parts(split.regions))

    @staticmethod
    def _nim_sum(ask: Searching, parts: Sequence[Part]) -> int:
        """Return the Grundy value of some parts: a search finds regions of one board by itself."""
        boards: dict[Board, int] = {}
        for part in parts:
            boards[part.board] = boards.get(part.board, 0) | part.one
        total = 0
        for board, mask in boards.items():
            total ^= ask.nimber(Part(board, mask, mask))
        return total


class NumberSum(Sum):
    """Regions that are worth numbers and stars: the largest one is only compared with the rest."""

    def wins(self, ask: Searching, split: Split, mover: Player) -> bool:
        """Tell whether the mover wins."""
        if not split.regions:
            return split.beside(mover) > 0
        *small, largest = self._parts(split.regions)
        number, star = self._number(ask, small)
        return ask.wins(largest, mover, _beside(mover, split.number + number, split.star != star))

    def number(self, ask: Searching, split: Split) -> tuple[Fraction, bool]:
        """Return the value of the sum for player 1: a number, and whether a star is with it."""
        number, star = self._number(ask, self._parts(split.regions))
        return Fraction(split.number + number, UNIT), split.star != star

    @staticmethod
    def _number(ask: Searching, parts: Sequence[Part]) -> tuple[int, bool]:
        """Return what some parts are worth to player 1, one board after the other."""
        total, star = 0, False
        for part in sorted(parts, key=lambda part: tuple(part.board)):
            number, has_star = ask.number(part)
            total += number
            star ^= has_star
        return total, star


class MoveSum(Sum):
    """Regions of which only lone cells have a known value: the others are searched together."""

    is_searched_together = True

    def _searched(self, split: Split) -> Sequence[Region]:
        one = two = 0
        for region in split.regions:
            one |= region.one
            two |= region.two
        return [Region(one, two)]

    def wins(self, ask: Searching, split: Split, mover: Player) -> bool:
        """Tell whether the mover wins."""
        if not split.regions:
            return split.beside(mover) > 0
        (part,) = self._parts(self._searched(split))
        return ask.wins(part, mover, split.beside(mover))


def _beside(player: Player, number: int, star: bool) -> int:
    """Return what the kernel takes beside a position: a player's number, doubled, plus a star.

    The player wins this alone by moving first if it is positive.
    """
    return 2 * (number if player is Player.ONE else -number) + star


def simplest_between(low: int, high: int) -> int:
    """Return the simplest number between two, in units: 0, small integers, few halvings."""
    if low < 0 < high:
        return 0
    if high <= 0:
        return -simplest_between(-high, -low)
    step = UNIT
    while low // step * step + step >= high:
        step //= 2
        if step == 0:
            raise LimitError(f"not solved: the value is finer than 1/{UNIT}")
    return low // step * step + step
