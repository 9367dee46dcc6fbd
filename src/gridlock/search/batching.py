"""Games and positions in the form that the batch kernel takes: plain words, one kind at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, cast

from gridlock.errors import RulebookError, SizeError
from gridlock.grid import KING, ORTHOGONAL
from gridlock.model import Player
from gridlock.rulebooks.placement import PlacementPosition, PlacementRulebook
from gridlock.rulebooks.race import BLOCK, MOVE, RacePosition, RaceRulebook
from gridlock.search.kernel.bits import BLOCKING, CELLS, LAST_SHIFT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.grid import Offsets
    from gridlock.model import Game, Position, Rulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLayout:
    """A game; ``first`` is 0 or 1 for the player who begins, or ``EITHER``."""

    cells: int
    full: int
    first: int
    is_race: bool
    own: list[int]
    """What taking a cell closes to the mover; in race, the cells beside it, to step to."""
    opponent: list[int]
    """What it closes to the other player; in race, the cells around it, to block."""
    follow: list[int] | None
    planes: int


class Batching(ABC):
    """How the positions of one kind of rulebook are written as words, and seen by learners."""

    is_race: ClassVar[bool] = False

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    @abstractmethod
    def planes(self) -> tuple[str, ...]:
        """The names of the planes: masks of cells that tell a player all about a position."""

    @abstractmethod
    def masks(self, position: Position, viewer: Player) -> tuple[int, ...]:
        """Return the planes of a position as a player sees it."""

    @abstractmethod
    def words(self, position: Position) -> tuple[int, ...]:
        """Return the words of a position, all but the last: its source of chance."""

    @abstractmethod
    def position(self, words: Sequence[int]) -> Position:
        """Return the position that words describe."""

    @abstractmethod
    def _reaches(self) -> tuple[Offsets, Offsets, Offsets | None]:
        """Return the offsets behind ``own``, ``opponent`` and ``follow``."""

    def layout(self, first: int) -> BatchLayout:
        """Return the game as the kernel takes it, or raise ``SizeError``."""
        grid = self.game.grid
        if grid.cell_count > CELLS:
            raise SizeError(f"a batch takes boards of at most {CELLS} cells, not {grid}")
        own, opponent, follow = self._reaches()
        itself = 0 if self.is_race else 1

        def reach(offsets: Offsets) -> list[int]:
            around = grid.around(offsets)
            return [around[cell] | itself << cell for cell in range(grid.cell_count)]

        return BatchLayout(
            cells=grid.cell_count,
            full=grid.full,
            first=first,
            is_race=self.is_race,
            own=reach(own),
            opponent=reach(opponent),
            follow=None if follow is None else reach(follow),
            planes=len(self.planes),
        )


class PlacementBatching(Batching):
    """Rulebooks of three reaches."""

    @property
    def planes(self) -> tuple[str, ...]:
        """Marks, the cells each player may still take, and the last cell where that matters."""
        names = ("own", "other", "own_open", "other_open")
        return names if self._rulebook.follow is None else (*names, "last")

    @property
    def _rulebook(self) -> PlacementRulebook:
        return cast("PlacementRulebook", self.game.rulebook)

    def masks(self, position: Position, viewer: Player) -> tuple[int, ...]:
        """Return the planes of a position as a player sees it."""
        placed = cast("PlacementPosition", position)
        mine, theirs = viewer - 1, viewer.opponent - 1
        marks, still_open = placed.both_marks, placed.still_open
        masks = (marks[mine], marks[theirs], still_open[mine], still_open[theirs])
        if self._rulebook.follow is None:
            return masks
        return (*masks, 0 if placed.last is None else 1 << placed.last)

    def words(self, position: Position) -> tuple[int, ...]:
        """Return the words of a position, all but the last: its source of chance."""
        placed = cast("PlacementPosition", position)
        last = 0 if placed.last is None else placed.last + 1
        turn = placed.mover - 1 | last << LAST_SHIFT
        return (*placed.both_marks, *placed.still_open, placed.blocked, turn, placed.legal)

    def position(self, words: Sequence[int]) -> Position:
        """Return the position that words describe."""
        one, two, open_one, open_two, blocked, turn, *_ = words
        last = turn >> LAST_SHIFT
        return PlacementPosition(
            self.game,
            Player((turn & 1) + 1),
            (one, two),
            self.game.grid.full & ~blocked,
            last - 1 if last else None,
            (open_one, open_two),
        )

    def _reaches(self) -> tuple[Offsets, Offsets, Offsets | None]:
        return self._rulebook.own, self._rulebook.opponent, self._rulebook.follow


class RaceBatching(Batching):
    """Race."""

    is_race = True
    planes = ("own", "other", "blocked", "goal", "block_phase")

    def masks(self, position: Position, viewer: Player) -> tuple[int, ...]:
        """Return the planes of a position as a player sees it."""
        race = cast("RacePosition", position)
        blocking = self.game.grid.full if race.phase == BLOCK else 0
        tokens = race.marks(viewer), race.marks(viewer.opponent)
        return (*tokens, race.blocked, 1 << race.goal(viewer), blocking)

    def words(self, position: Position) -> tuple[int, ...]:
        """Return the words of a position, all but the last: its source of chance."""
        race = cast("RacePosition", position)
        turn = race.mover - 1 | (BLOCKING if race.phase == BLOCK else 0)
        tokens = race.marks(Player.ONE), race.marks(Player.TWO)
        return (*tokens, 0, 0, race.blocked, turn, race.legal)

    def position(self, words: Sequence[int]) -> Position:
        """Return the position that words describe."""
        one, two, _, _, blocked, turn, *_ = words
        phase = BLOCK if turn & BLOCKING else MOVE
        tokens = (one.bit_length() - 1, two.bit_length() - 1)
        return RacePosition(self.game, Player((turn & 1) + 1), tokens, blocked, phase)

    def _reaches(self) -> tuple[Offsets, Offsets, Offsets | None]:
        return ORTHOGONAL, KING, None


_KINDS: dict[type[Rulebook], type[Batching]] = {
    PlacementRulebook: PlacementBatching,
    RaceRulebook: RaceBatching,
}


@lru_cache(maxsize=16)
def batching_of(game: Game) -> Batching:
    """Return how positions of a game become words, or raise ``RulebookError``."""
    kind = _KINDS.get(type(game.rulebook))
    if kind is None:
        raise RulebookError(f"the positions of {game.rulebook.id} cannot be written as words")
    return kind(game)
