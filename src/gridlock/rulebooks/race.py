"""Race: two tokens step towards each other's corner and block cells on the way.

A turn is two choices of a cell, a step and then a block, so it takes two actions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from gridlock.errors import NotationError, quote
from gridlock.grid import KING, ORTHOGONAL, cells_of
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
    setters,
)
from gridlock.notation import write_count
from gridlock.rulebooks.retrograde import leads_back

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock.grid import Grid, Neighbourhoods
    from gridlock.notation import Diagram


MOVE, BLOCK = "move", "block"


def starting_cell(game: Game, player: Player) -> int:
    """Return the corner where a player's token starts, which is the other one's goal."""
    return 0 if player is Player.ONE else game.grid.cell_count - 1


class _Tables(NamedTuple):
    """What a move looks up: where a token may step to from each cell, and what it may block."""

    steps: Neighbourhoods
    blocks: Neighbourhoods


@dataclass(frozen=True, kw_only=True)
class RaceRulebook(Rulebook):
    """The rules of race; they have no parts to choose."""

    least_cells = 2
    phases = (
        Phase(
            name=MOVE,
            task="step to a cell beside your token",
            noun="step",
            by="by moving to",
            effect=Effect.STEP,
        ),
        Phase(
            name=BLOCK,
            task="block a cell around your token",
            noun="block",
            by="by blocking",
            effect=Effect.BLOCK,
        ),
    )
    has_tokens = True

    @property
    def detail(self) -> Detail:
        """The phase."""
        return Detail.PHASE

    def tables(self, grid: Grid) -> _Tables:
        """Return where a token may step to from each cell, and what it may block."""
        return _Tables(grid.around(ORTHOGONAL), grid.around(KING))

    def start(self, game: Game, first: Player) -> RacePosition:
        """Return the tokens in their corners."""
        tokens = (starting_cell(game, Player.ONE), starting_cell(game, Player.TWO))
        return RacePosition(game, first, tokens, 0, MOVE)

    def set_up(self, game: Game, diagram: Diagram, mover: Player, detail: str) -> RacePosition:
        """Return a position by its tokens and blocked cells; ``detail`` is the phase."""
        one, two, blocked = diagram
        if one.bit_count() != 1 or two.bit_count() != 1:
            raise NotationError(
                f"a race position has one token {self.symbols[0]} and one token {self.symbols[1]}"
            )
        if detail not in (MOVE, BLOCK):
            raise NotationError(
                f"the last field of a race position is move or block, not {quote(detail)}"
            )
        tokens = (one.bit_length() - 1, two.bit_length() - 1)
        position = RacePosition(game, mover, tokens, blocked, MOVE)
        arrived = [player for player in Player if position.has_arrived(player)]
        if len(arrived) > 1:
            raise NotationError("both players have reached the goal, though the first one wins")
        if arrived and (arrived != [mover.opponent] or detail == BLOCK):
            raise NotationError(
                f"{self.symbol(arrived[0])} has reached the goal, so the game is over: "
                f"the mover is {self.symbol(arrived[0].opponent)}, and the phase is move"
            )
        return position.to_block() if detail == BLOCK else position


@dataclass(frozen=True, slots=True)
class RacePosition(Position):
    """Where the two tokens stand, which cells are blocked, and what the mover does next."""

    game: Game = field(hash=False)
    mover: Player
    tokens: tuple[int, int]
    blocked_cells: int
    current_phase: str
    legal: int = field(init=False, compare=False, repr=False)
    """The free cells beside the mover's token: four to step to, eight to block."""

    def __post_init__(self) -> None:
        legal = _find_legal(
            self.game, self.mover, self.tokens, self.blocked_cells, self.current_phase
        )
        object.__setattr__(self, "legal", legal)

    @property
    def phase(self) -> str:
        """To step, or to block."""
        return self.current_phase

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

    def why_unreachable(self) -> str | None:
        """Return why no game comes to this position: every turn but a winning one blocks a cell."""
        turns = self.blocked_cells.bit_count()
        other = self.mover.opponent
        steps = {self.mover: turns // 2, other: turns - turns // 2}
        if self.current_phase == BLOCK:
            steps[self.mover] += 1
        elif self.has_arrived(other):  # with a step of a turn that blocked nothing
            steps = {other: turns // 2 + 1, self.mover: turns - turns // 2}
        for player in Player:
            if not self._can_have_made(steps[player], player):
                return (
                    f"with {write_count(turns, 'cell')} blocked "
                    f"{self.game.rulebook.symbol(player)} has made "
                    f"{write_count(steps[player], 'step')}, and cannot be on "
                    f"{self.game.name(self.tokens[player - 1])} after that"
                )
        if leads_back(self, RacePosition._before, RacePosition._is_start) is False:
            return "no order of moves leads to it"
        return None

    def _can_have_made(self, steps: int, player: Player) -> bool:
        """Tell whether a token is as many steps from its start, or fewer by an even number."""
        grid = self.game.grid
        ends = grid.place(self.tokens[player - 1]), grid.place(starting_cell(self.game, player))
        (row, column), (start_row, start_column) = ends
        distance = abs(row - start_row) + abs(column - start_column)
        return distance <= steps and (steps - distance) % 2 == 0

    def _is_start(self) -> bool:
        return self == self.game.rulebook.start(self.game, self.mover)

    def _before(self) -> Iterator[RacePosition]:
        """Return the positions from which one action leads here."""
        other = self.mover.opponent
        around = self.game.grid.around
        if self.current_phase == BLOCK or self.has_arrived(other):
            player = self.mover if self.current_phase == BLOCK else other
            free = ~self.blocked_cells & ~self.marks(Player.ONE) & ~self.marks(Player.TWO)
            for cell in cells_of(around(ORTHOGONAL)[self.tokens[player - 1]] & free):
                one, two = self.tokens
                tokens = (cell, two) if player is Player.ONE else (one, cell)
                before = RacePosition(self.game, player, tokens, self.blocked_cells, MOVE)
                if not any(before.has_arrived(each) for each in Player):
                    yield before
            return
        if self.has_arrived(self.mover):
            return
        for cell in cells_of(around(KING)[self.tokens[other - 1]] & self.blocked_cells):
            blocked = self.blocked_cells & ~(1 << cell)
            yield RacePosition(self.game, other, self.tokens, blocked, BLOCK)

    def _after(self, cell: int) -> RacePosition:
        if self.current_phase == BLOCK:
            return self._next_turn(self.tokens, self.blocked_cells | 1 << cell)
        tokens = (cell, self.tokens[1]) if self.mover is _ONE else (self.tokens[0], cell)
        if cell == self.goal(self.mover):
            return self._next_turn(tokens, self.blocked_cells)
        return self._to_block(tokens)

    def _next_turn(self, tokens: tuple[int, int], blocked: int) -> RacePosition:
        return _make(self.game, _TWO if self.mover is _ONE else _ONE, tokens, blocked, MOVE)

    def to_block(self) -> RacePosition:
        """Return the mover's block phase, or the next turn where no cell beside can be blocked.

        In a game that began at the start there always is one: the cell just left.
        """
        return self._to_block(self.tokens)

    def _to_block(self, tokens: tuple[int, int]) -> RacePosition:
        blocking = _make(self.game, self.mover, tokens, self.blocked_cells, BLOCK)
        return blocking if blocking.legal else self._next_turn(tokens, self.blocked_cells)


# A frozen dataclass takes twice as long to be made in the usual way.
_new = object.__new__
_set_game, _set_mover, _set_tokens, _set_blocked, _set_phase, _set_legal = setters(RacePosition)
_ONE, _TWO = Player


def _make(
    game: Game, mover: Player, tokens: tuple[int, int], blocked: int, phase: str
) -> RacePosition:
    """Return a position, quickly."""
    position = _new(RacePosition)
    _set_game(position, game)
    _set_mover(position, mover)
    _set_tokens(position, tokens)
    _set_blocked(position, blocked)
    _set_phase(position, phase)
    _set_legal(position, _find_legal(game, mover, tokens, blocked, phase))
    return position


def _find_legal(
    game: Game, mover: Player, tokens: tuple[int, int], blocked: int, phase: str
) -> int:
    """Return the free cells beside the mover's token, none if the other player has arrived."""
    one, two = tokens
    token = two
    if mover is _ONE:
        if two == 0:
            return 0
        token = one
    elif one == game.grid.cell_count - 1:
        return 0
    beside: int = game.tables[phase == BLOCK][token]
    return beside & ~(blocked | 1 << one | 1 << two)
