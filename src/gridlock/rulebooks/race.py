"""Race: two tokens step towards each other's corner and block cells on the way.

A turn is two choices of a cell, a step and then a block, so it takes two actions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gridlock.errors import NotationError, quote
from gridlock.grid import KING, ORTHOGONAL
from gridlock.model import Game, Phase, Player, Position, Reason, Refusal, Rulebook

if TYPE_CHECKING:
    from gridlock.notation import Diagram


def starting_cell(game: Game, player: Player) -> int:
    """Return the corner where a player's token starts, which is the other one's goal."""
    return 0 if player is Player.ONE else game.grid.cell_count - 1


@dataclass(frozen=True, kw_only=True)
class RaceRulebook(Rulebook):
    """The rules of race; they have no parts to choose."""

    least_cells = 2
    actions_per_turn = 2
    counts_cells = False

    def start(self, game: Game, first: Player) -> RacePosition:
        """Return the tokens in their corners."""
        tokens = (starting_cell(game, Player.ONE), starting_cell(game, Player.TWO))
        return RacePosition(game, first, tokens, 0, Phase.MOVE)

    def set_up(self, game: Game, diagram: Diagram, mover: Player, detail: str) -> RacePosition:
        """Return a position by its tokens and blocked cells; ``detail`` is the phase."""
        one, two, blocked = diagram
        if one.bit_count() != 1 or two.bit_count() != 1:
            raise NotationError("a race position has one token 1 and one token 2")
        if detail not in (Phase.MOVE, Phase.BLOCK):
            raise NotationError(
                f"the last field of a race position is move or block, not {quote(detail)}"
            )
        tokens = (one.bit_length() - 1, two.bit_length() - 1)
        position = RacePosition(game, mover, tokens, blocked, Phase.MOVE)
        arrived = [player for player in Player if position.has_arrived(player)]
        if arrived and (arrived != [mover.opponent] or detail == Phase.BLOCK):
            raise NotationError(
                f"player {arrived[0]} has reached the goal, so the game is over and "
                f"the position ends in '{arrived[0].opponent} move'"
            )
        return position.to_block() if detail == Phase.BLOCK else position


@dataclass(frozen=True, slots=True)
class RacePosition(Position):
    """Where the two tokens stand, which cells are blocked, and what the mover does next."""

    game: Game = field(hash=False)
    mover: Player
    tokens: tuple[int, int]
    blocked_cells: int
    current_phase: Phase

    @property
    def phase(self) -> Phase:
        """To step, or to block."""
        return self.current_phase

    @property
    def legal(self) -> int:
        """The free cells beside the mover's token: four to step to, eight to block."""
        if self.has_arrived(self.mover.opponent):
            return 0
        return (
            self._beside & ~self.blocked_cells & ~self.marks(Player.ONE) & ~self.marks(Player.TWO)
        )

    @property
    def _beside(self) -> int:
        offsets = ORTHOGONAL if self.current_phase is Phase.MOVE else KING
        return self.game.grid.around(offsets)[self._token]

    @property
    def _token(self) -> int:
        return self.tokens[self.mover - 1]

    @property
    def blocked(self) -> int:
        """The blocked cells."""
        return self.blocked_cells

    @property
    def detail(self) -> str:
        """The phase."""
        return self.current_phase

    def marks(self, player: Player) -> int:
        """Return the cell of a player's token."""
        return 1 << self.tokens[player - 1]

    def closed_to(self, player: Player) -> int:  # noqa: ARG002
        """Return none: what is not blocked may be reached some day."""
        return 0

    def goal(self, player: Player) -> int:
        """Return the other player's starting cell."""
        return starting_cell(self.game, player.opponent)

    def has_arrived(self, player: Player) -> bool:
        """Tell whether a player's token stands on its goal."""
        return self.tokens[player - 1] == self.goal(player)

    def refusal(self, cell: int) -> Refusal | None:
        """Return why the mover may not step to a cell, or block it."""
        if self.is_legal(cell):
            return None
        return self._general_refusal(cell) or Refusal(Reason.APART, self._token)

    def _after(self, cell: int) -> RacePosition:
        if self.current_phase is Phase.BLOCK:
            return self._next_turn(self.tokens, self.blocked_cells | 1 << cell)
        tokens = (cell, self.tokens[1]) if self.mover is Player.ONE else (self.tokens[0], cell)
        if cell == self.goal(self.mover):
            return self._next_turn(tokens, self.blocked_cells)
        return RacePosition(
            self.game, self.mover, tokens, self.blocked_cells, Phase.MOVE
        ).to_block()

    def _next_turn(self, tokens: tuple[int, int], blocked: int) -> RacePosition:
        return RacePosition(self.game, self.mover.opponent, tokens, blocked, Phase.MOVE)

    def to_block(self) -> RacePosition:
        """Return the mover's block phase, or the next turn where no cell beside can be blocked.

        In a game that began at the start there always is one: the cell just left.
        """
        blocking = RacePosition(self.game, self.mover, self.tokens, self.blocked_cells, Phase.BLOCK)
        if blocking.legal:
            return blocking
        return self._next_turn(self.tokens, self.blocked_cells)
