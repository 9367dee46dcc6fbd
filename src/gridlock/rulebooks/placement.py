"""One game for every rulebook in which a move is "take one cell".

Such a rulebook is three *reaches*: which cells, beside the one taken, close to the player who took
it (``own``), which close to the other player (``opponent``), and where the next move must be
(``follow``, or None for anywhere).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeGuard, cast

from gridlock.errors import NotationError, RulebookError, quote
from gridlock.grid import DIAGONAL, KING, KNIGHT, LINE, MAX_SIDE, ORTHOGONAL, Offsets, cells_of
from gridlock.model import Detail, Game, Player, Position, Reason, Refusal, Rulebook, setters
from gridlock.notation import write_count
from gridlock.rulebooks.retrograde import leads_back

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gridlock.grid import Grid, Neighbourhoods
    from gridlock.notation import Diagram

NAMED_REACHES: dict[str, Offsets] = {
    "cell": frozenset(),
    "line": LINE,
    "king": KING,
    "orthogonal": ORTHOGONAL,
    "diagonal": DIAGONAL,
    "knight": KNIGHT,
}
"""The reaches that have a name; the cell itself always closes to both."""

Reach = str | tuple[int, int] | list[int]
"""One part of a reach: names and offsets such as ``king 2,0``, or one offset as two numbers."""


class _Kept(dict[int, int]):
    """The mask of what stays open when a cell is taken, worked out when first asked for."""

    def __init__(self, grid: Grid, reach: Offsets) -> None:
        super().__init__()
        self._full = grid.full
        self._around = grid.around(reach)

    def __missing__(self, cell: int) -> int:
        self[cell] = self._full & ~(self._around[cell] | 1 << cell)
        return self[cell]


class _Tables(NamedTuple):
    """What a move looks up: what it leaves open to either player, and where the next must be."""

    own: _Kept
    opponent: _Kept
    follow: Neighbourhoods | None


_State = tuple[tuple[int, int], Player, int | None]
"""What changes while a game is taken back: the marks, the mover, and the last cell."""

_OFFSET = re.compile(r"(-?[0-9]{1,3}),(-?[0-9]{1,3})")


def read_reach(parts: Reach | Iterable[Reach]) -> Offsets:
    """Return the offsets of a reach given by names, by offsets, or by several of them."""
    if isinstance(parts, (tuple, list, set, frozenset)) and not _is_offset(parts):
        return frozenset().union(*map(_read_part, parts))
    return _read_part(parts)


def write_reach(offsets: Offsets) -> str:
    """Return the shortest usual way to write a reach, which ``read_reach`` reads."""
    words = []
    rest = offsets
    for name, named in NAMED_REACHES.items():
        if named and named <= rest:
            words.append(name)
            rest -= named
    words += [f"{down},{right}" for down, right in sorted(rest)]
    return " ".join(words) or "cell"


def _is_offset(part: object) -> TypeGuard[tuple[int, int]]:
    return (
        isinstance(part, (tuple, list))
        and len(part) == 2
        and all(type(number) is int for number in part)
    )


def _read_part(part: object) -> Offsets:
    if isinstance(part, str):
        return frozenset().union(*map(_read_word, part.split() or [part]))
    if _is_offset(part):
        return _checked_offset(*part)
    raise RulebookError(f"{quote(str(part))} is neither a reach nor an offset such as [2, -1]")


def _read_word(word: str) -> Offsets:
    if word in NAMED_REACHES:
        return NAMED_REACHES[word]
    match = _OFFSET.fullmatch(word)
    if match is None:
        names = ", ".join(NAMED_REACHES)
        raise RulebookError(f"{quote(word)} is not a reach: use {names}, or an offset such as 2,-1")
    return _checked_offset(int(match[1]), int(match[2]))


def _checked_offset(down: int, right: int) -> Offsets:
    if max(abs(down), abs(right)) >= MAX_SIDE:
        raise RulebookError(f"the offset {down},{right} leaves every board")
    return frozenset({(down, right)} - {(0, 0)})


@lru_cache(maxsize=64)
def _reversed(reach: Offsets) -> Offsets:
    """Return the offsets at which a mark has a cell in its reach, seen from that cell."""
    return frozenset((-down, -right) for down, right in reach)


@dataclass(frozen=True, kw_only=True)
class PlacementRulebook(Rulebook):
    """A rulebook of three reaches."""

    own: Offsets
    opponent: Offsets
    follow: Offsets | None = None

    @property
    def detail(self) -> Detail:
        """The last cell taken, where the next one must follow it."""
        return Detail.NOTHING if self.follow is None else Detail.OTHER_CELL

    def tables(self, grid: Grid) -> _Tables:
        """Return what taking each cell leaves open, and where the next move must be after it."""
        follow = None if self.follow is None else grid.around(self.follow)
        return _Tables(_Kept(grid, self.own), _Kept(grid, self.opponent), follow)

    def start(self, game: Game, first: Player) -> PlacementPosition:
        """Return the empty board."""
        full = game.grid.full
        return PlacementPosition(game, first, (0, 0), full, None, (full, full))

    def set_up(self, game: Game, diagram: Diagram, mover: Player, detail: str) -> PlacementPosition:
        """Return a position by its marks; ``detail`` is the last cell taken where that matters."""
        one, two, blocked = diagram
        board = game.grid.full & ~blocked
        last = None
        if self.follow is None and detail != "-":
            raise NotationError(f"the last field of a {self.id} position is -, not {quote(detail)}")
        if detail != "-":
            last = game.cell(detail)
            if not (one, two)[mover.opponent - 1] >> last & 1:
                raise NotationError(
                    f"the last cell {detail} does not hold a mark of {self.symbol(mover.opponent)},"
                    " who moved last"
                )
        return PlacementPosition(
            game, mover, (one, two), board, last, self.open_cells(game, (one, two), board)
        )

    def open_cells(self, game: Game, marks: tuple[int, int], board: int) -> tuple[int, int]:
        """Return which cells each player may still take, worked out from every mark anew."""
        free = board & ~(marks[0] | marks[1])
        still_open = [free, free]
        for player in (0, 1):
            for cell in cells_of(marks[player]):
                still_open[player] &= ~game.grid.around(self.own)[cell]
                still_open[1 - player] &= ~game.grid.around(self.opponent)[cell]
        return still_open[0], still_open[1]


@dataclass(frozen=True, slots=True)
class PlacementPosition(Position):
    """Marks on a board.

    ``board`` is the mask of the cells that are part of the board.  ``last`` is the cell just taken
    where the rulebook's next move must follow it, otherwise None.  ``still_open``, the masks of
    the cells that each player may still take, and ``legal``, the mover's within the reach of
    ``last``, follow from the rest and are kept for speed.
    """

    game: Game = field(hash=False)
    mover: Player
    both_marks: tuple[int, int]
    board: int
    last: int | None
    still_open: tuple[int, int] = field(compare=False, repr=False)
    legal: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        legal = self.still_open[self.mover - 1]
        if self.last is not None:
            legal &= self.game.tables.follow[self.last]
        object.__setattr__(self, "legal", legal)

    @property
    def _rulebook(self) -> PlacementRulebook:
        return cast("PlacementRulebook", self.game.rulebook)

    @property
    def blocked(self) -> int:
        """The cells that are not part of the board."""
        return self.game.grid.full & ~self.board

    @property
    def detail(self) -> str:
        """The last cell taken, where that matters."""
        return "-" if self.last is None else self.game.name(self.last)

    def marks(self, player: Player) -> int:
        """Return the cells that a player has taken."""
        return self.both_marks[player - 1]

    def closed_to(self, player: Player) -> int:
        """Return the cells within reach of a mark."""
        taken = self.both_marks[0] | self.both_marks[1]
        return self.board & ~taken & ~self.still_open[player - 1]

    def refusal(self, cell: int) -> Refusal | None:
        """Return why the mover may not take a cell, blaming the first mark that closes it."""
        if self.is_legal(cell):
            return None
        if refusal := self._general_refusal(cell):
            return refusal
        around = self.game.grid.around
        for player, reach, reason in (
            (self.mover.opponent, self._rulebook.opponent, Reason.CLOSED_BY_OPPONENT),
            (self.mover, self._rulebook.own, Reason.CLOSED_BY_OWN),
        ):
            for mark in cells_of(self.marks(player)):
                if around(reach)[mark] >> cell & 1:
                    return Refusal(reason, mark)
        return Refusal(Reason.APART, self.last)

    def why_unreachable(self) -> str | None:
        """Return why no game on this board, with the holes that it has, comes to this position."""
        symbol = self.game.rulebook.symbol
        mine, theirs = (
            self.marks(player).bit_count() for player in (self.mover, self.mover.opponent)
        )
        if theirs - mine not in (0, 1):
            return (
                f"{symbol(self.mover.opponent)} has {write_count(theirs, 'mark')} and "
                f"{symbol(self.mover)}, who is to move, has {mine}, though they take turns"
            )
        if clash := self._clash():
            one, other = (f"{symbol(player)}'s {self.game.name(cell)}" for player, cell in clash)
            return f"{one} and {other} each close the other's cell"
        if self._rulebook.follow is not None and theirs and self.last is None:
            return "no mark is named as the last one"
        if self._rulebook.follow is None and not any(
            self._shut(player, cell, self.both_marks)
            for player in Player
            for cell in cells_of(self.marks(player))
        ):
            return None  # in whatever order the cells are taken, all of them are open
        start = (self.both_marks, self.mover, self.last)
        if leads_back(start, self._before, lambda state: not any(state[0])) is False:
            return "no order of moves leads to it"
        return None

    def _clash(self) -> tuple[tuple[Player, int], tuple[Player, int]] | None:
        """Return two marks, each of which has closed the other's cell to its player."""
        for player in Player:
            for cell in cells_of(self.marks(player)):
                for other in Player:
                    closed = self._closed_by(player, other, cell)
                    both = closed & self._closing(player, other, cell) & self.marks(other)
                    if both:
                        return (player, cell), (other, cells_of(both)[0])
        return None

    def _closed_by(self, player: Player, other: Player, cell: int) -> int:
        """Return the cells that a player's mark on a cell closes to the same or the other."""
        rulebook = self._rulebook
        return self.game.grid.around(rulebook.own if player is other else rulebook.opponent)[cell]

    def _closing(self, player: Player, other: Player, cell: int) -> int:
        """Return the cells on which a mark of the same or the other closes a cell to a player."""
        reach = self._rulebook.own if player is other else self._rulebook.opponent
        return self.game.grid.around(_reversed(reach))[cell]

    def _shut(self, player: Player, cell: int, marks: tuple[int, int]) -> bool:
        """Tell whether any of some marks closes a cell to a player."""
        return any(self._closing(player, other, cell) & marks[other - 1] for other in Player)

    def _before(self, state: _State) -> Iterator[_State]:
        """Return the states in which the last mark had not been put yet."""
        marks, mover, last = state
        player = mover.opponent
        follow = self._rulebook.follow
        taken = cells_of(marks[player - 1]) if follow is None or last is None else (last,)
        for cell in taken:
            rest = marks[player - 1] & ~(1 << cell)
            left = (rest, marks[1]) if player is Player.ONE else (marks[0], rest)
            if self._shut(player, cell, left):
                continue
            if follow is None or not any(left):
                yield left, player, None
            else:
                near = self.game.grid.around(_reversed(follow))[cell] & left[mover - 1]
                yield from ((left, player, earlier) for earlier in cells_of(near))

    def _after(self, cell: int) -> PlacementPosition:
        own, opponent, follow = self.game.tables
        taken = 1 << cell
        one, two = self.both_marks
        open_one, open_two = self.still_open
        after = _new(PlacementPosition)
        if self.mover is _ONE:
            open_one &= own[cell]
            legal = open_two = open_two & opponent[cell]
            _set_mover(after, _TWO)
            _set_marks(after, (one | taken, two))
        else:
            legal = open_one = open_one & opponent[cell]
            open_two &= own[cell]
            _set_mover(after, _ONE)
            _set_marks(after, (one, two | taken))
        if follow is None:
            _set_last(after, None)
            _set_legal(after, legal)
        else:
            _set_last(after, cell)
            _set_legal(after, legal & follow[cell])
        _set_open(after, (open_one, open_two))
        _set_game(after, self.game)
        _set_board(after, self.board)
        return after


# A frozen dataclass takes twice as long to be made in the usual way, and most of a move is that.
_new = object.__new__
_set_game, _set_mover, _set_marks, _set_board, _set_last, _set_open, _set_legal = setters(
    PlacementPosition
)
_ONE, _TWO = Player
