"""A rulebook of a third kind, as CONTRIBUTING says how to write one: this module is all it takes.

A turn marks two free cells that share a side, one after the other.  Whoever cannot loses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gridlock.errors import NotationError, quote
from gridlock.grid import ORTHOGONAL, Grid, cells_of, mask_of
from gridlock.model import Detail, Game, Phase, Player, Position, Reason, Refusal, Rulebook

if TYPE_CHECKING:
    from gridlock.notation import Diagram

FIRST, SECOND = "first", "second"


@dataclass(frozen=True, kw_only=True)
class DominoRulebook(Rulebook):
    """The rules of domino."""

    least_cells = 2
    phases = (
        Phase(name=FIRST, task="take a cell beside a free one", noun="first half", by="with"),
        Phase(name=SECOND, task="take a cell beside it", noun="second half", by="with"),
    )

    @property
    def detail(self) -> Detail:
        """The first half of a domino that is not whole yet."""
        return Detail.OWN_CELL

    def start(self, game: Game, first: Player) -> DominoPosition:
        """Return the empty board."""
        return DominoPosition(game, first, (0, 0), 0, None)

    def set_up(self, game: Game, diagram: Diagram, mover: Player, detail: str) -> DominoPosition:
        """Return a position by its marks; ``detail`` is a first half, or ``-``."""
        one, two, blocked = diagram
        half = None if detail == "-" else game.cell(detail)
        if half is not None and not (one, two)[mover - 1] >> half & 1:
            raise NotationError(f"{quote(detail)} holds no mark of {self.symbol(mover)}")
        position = DominoPosition(game, mover, (one, two), blocked, half)
        if half is not None and not position.legal:
            raise NotationError(f"there is no free cell beside {detail}")
        return position


@dataclass(frozen=True, slots=True)
class DominoPosition(Position):
    """Marks on a board, and the first half of a domino that is being laid."""

    game: Game = field(hash=False)
    mover: Player
    both_marks: tuple[int, int]
    blocked_cells: int
    half: int | None

    @property
    def phase(self) -> str:
        """Which half is laid next."""
        return FIRST if self.half is None else SECOND

    @property
    def _free(self) -> int:
        one, two = self.both_marks
        return self.game.grid.full & ~(one | two | self.blocked_cells)

    @property
    def legal(self) -> int:
        """The free cells beside the first half, or beside any other free cell."""
        around, free = self.game.grid.around(ORTHOGONAL), self._free
        if self.half is not None:
            return around[self.half] & free
        return mask_of(cell for cell in cells_of(free) if around[cell] & free)

    @property
    def blocked(self) -> int:
        """The cells that are not part of the board."""
        return self.blocked_cells

    @property
    def detail(self) -> str:
        """The first half, or ``-``."""
        return "-" if self.half is None else self.game.name(self.half)

    def marks(self, player: Player) -> int:
        """Return the cells of a player's dominoes."""
        return self.both_marks[player - 1]

    def closed_to(self, player: Player) -> int:
        """Return the free cells beside which nothing is free: the same for both."""
        around, free = self.game.grid.around(ORTHOGONAL), self._free
        return mask_of(cell for cell in cells_of(free) if not around[cell] & free)

    def refusal(self, cell: int) -> Refusal | None:
        """Return why the mover may not take a cell."""
        if self.is_legal(cell):
            return None
        if refusal := self._general_refusal(cell):
            return refusal
        is_begun = self.half is not None
        return Refusal(Reason.APART, self.half) if is_begun else Refusal(Reason.CLOSED)

    def _after(self, cell: int) -> DominoPosition:
        marks = list(self.both_marks)
        marks[self.mover - 1] |= 1 << cell
        is_whole = self.half is not None
        return DominoPosition(
            self.game,
            self.mover.opponent if is_whole else self.mover,
            (marks[0], marks[1]),
            self.blocked_cells,
            None if is_whole else cell,
        )


DOMINO = DominoRulebook(
    id="domino",
    title="Domino",
    about="Lay dominoes until there is no room",
    size=Grid(3, 4),
    counting=1,
    symbols=("X", "O"),
    sample="11.../.22../...1./...1. 2 -",
    rules="""\
The two players, X and O, take turns to mark two free cells that share a side.

Whoever cannot loses.
""",
)
