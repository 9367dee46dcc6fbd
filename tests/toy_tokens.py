"""Another rulebook of a third kind, with as much as possible that no other one has.

A turn has three actions: choose one of your two tokens, slide it in a straight line, and burn a
cell in line with it.  The middle of the board is a pond from the start.  A token on the other
side's row wins at once; whoever cannot slide loses.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gridlock.errors import NotationError, quote
from gridlock.grid import ORTHOGONAL, Grid, cells_of, mask_of
from gridlock.model import (
    Detail,
    Effect,
    Game,
    Phase,
    Player,
    Position,
    Reason,
    Refusal,
    Rulebook,
)

if TYPE_CHECKING:
    from gridlock.notation import Diagram

FROM, TO, BURN = "from", "to", "burn"


@dataclass(frozen=True, kw_only=True)
class HuntRulebook(Rulebook):
    """The rules of hunt."""

    least_cells = 9
    phases = (
        Phase(
            name=FROM,
            task="choose one of your tokens",
            noun="choice",
            by="by choosing",
            effect=Effect.CHOOSE,
        ),
        Phase(name=TO, task="slide it", noun="slide", by="by sliding to", effect=Effect.STEP),
        Phase(name=BURN, task="burn a cell", noun="burn", by="by burning", effect=Effect.BLOCK),
    )

    @property
    def detail(self) -> Detail:
        """The phase, and the cell of the token that it is about."""
        return Detail.OTHER

    def start(self, game: Game, first: Player) -> HuntPosition:
        """Return two tokens in the corners of each side, and the pond."""
        last, columns = game.grid.cell_count - 1, game.grid.columns
        tokens = (1 | 1 << columns - 1, 1 << last | 1 << last - columns + 1)
        pond = 1 << game.grid.cell(game.grid.rows // 2, columns // 2)
        return HuntPosition(game, first, tokens, pond, FROM, None)

    def set_up(self, game: Game, diagram: Diagram, mover: Player, detail: str) -> HuntPosition:
        """Return a position; ``detail`` is ``from``, or ``to`` or ``burn`` with a cell."""
        one, two, blocked = diagram
        phase, _, name = detail.partition("@")
        if phase not in (FROM, TO, BURN) or (phase == FROM) is bool(name):
            raise NotationError(f"the last field is from, to@CELL or burn@CELL: {quote(detail)}")
        token = game.cell(name) if name else None
        if token is not None and not (one, two)[mover - 1] >> token & 1:
            raise NotationError(f"{name} is not a token of {self.symbol(mover)}")
        return HuntPosition(game, mover, (one, two), blocked, phase, token)


@dataclass(frozen=True, slots=True)
class HuntPosition(Position):
    """Tokens, burnt cells, and the token that is under way."""

    game: Game = field(hash=False)
    mover: Player
    tokens: tuple[int, int]
    burnt: int
    current: str
    token: int | None

    @property
    def phase(self) -> str:
        """Which of the three actions is next."""
        return self.current

    @property
    def blocked(self) -> int:
        """The pond, and what was burnt."""
        return self.burnt

    @property
    def detail(self) -> str:
        """The phase, and the cell of the token."""
        return FROM if self.token is None else f"{self.current}@{self.game.name(self.token)}"

    def marks(self, player: Player) -> int:
        """Return the cells of a player's tokens."""
        return self.tokens[player - 1]

    def closed_to(self, player: Player) -> int:
        """Return none."""
        return 0

    @property
    def feat(self) -> str:
        """What wins at once."""
        return "crossed the board" if self._has_crossed(self.mover.opponent) else ""

    def _has_crossed(self, player: Player) -> bool:
        row = self.game.grid.rows - 1 if player is Player.ONE else 0
        return any(self.game.grid.place(cell)[0] == row for cell in cells_of(self.marks(player)))

    def _lines(self, cell: int) -> int:
        grid, (row, column) = self.game.grid, self.game.grid.place(cell)
        taken = self.tokens[0] | self.tokens[1] | self.burnt
        found = 0
        for down, right in ORTHOGONAL:
            place = row + down, column + right
            while grid.contains(*place) and not taken >> grid.cell(*place) & 1:
                found |= 1 << grid.cell(*place)
                place = place[0] + down, place[1] + right
        return found

    @property
    def legal(self) -> int:
        """The tokens that can slide, or the cells in line with the one that was chosen."""
        if self._has_crossed(self.mover.opponent):
            return 0
        if self.token is not None:
            return self._lines(self.token)
        return mask_of(cell for cell in cells_of(self.marks(self.mover)) if self._lines(cell))

    def refusal(self, cell: int) -> Refusal | None:
        """Return why the mover may not choose a cell."""
        if self.is_legal(cell):
            return None
        refusal = self._general_refusal(cell)
        if self.token is not None:
            return refusal or Refusal(Reason.APART, words="is not in line with the token")
        if refusal and refusal.reason in (Reason.OUTSIDE, Reason.OVER):
            return refusal
        is_own = self.marks(self.mover) >> cell & 1
        return Refusal(Reason.CLOSED, words="cannot slide" if is_own else "is not a token of yours")

    def _after(self, cell: int) -> HuntPosition:
        if self.token is None:
            return replace(self, current=TO, token=cell)
        over = replace(self, mover=self.mover.opponent, current=FROM, token=None)
        if self.current == BURN:
            return replace(over, burnt=self.burnt | 1 << cell)
        tokens = list(self.tokens)
        tokens[self.mover - 1] ^= 1 << self.token | 1 << cell
        over = replace(over, tokens=(tokens[0], tokens[1]))
        return over if over.feat else replace(self, tokens=over.tokens, current=BURN, token=cell)


HUNT = HuntRulebook(
    id="hunt",
    title="Hunt",
    about="Cross the board before the other does",
    size=Grid(3, 4),
    counting=0,
    symbols=("Fox", "Geese"),
    sample="1...1/..#../...../2...2 1 from",
    rules="""\
Choose one of your tokens, slide it in a straight line, and burn a cell in line with it.

A token on the other side's row wins at once. Whoever cannot slide loses.
""",
)
