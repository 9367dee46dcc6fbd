"""Rulebook, game and position; the rulebooks themselves are in ``rulebooks``.

A *rulebook* is the rules; a *game* is a rulebook on a board of some size; a *position* is an
immutable moment of a game.  In every rulebook an *action* is the choice of one cell.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from gridlock.errors import IllegalMoveError, NotationError, OutsideError, RecordError
from gridlock.grid import Grid, cells_of
from gridlock.notation import board_of, read_diagram, read_place, write_diagram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gridlock.notation import Diagram


class Player(IntEnum):
    """One of the two players; compares equal to 1 or 2."""

    ONE = 1
    TWO = 2

    @property
    def opponent(self) -> Player:
        """The other player."""
        return Player.TWO if self is Player.ONE else Player.ONE


_PLAYERS = tuple(Player)


class Effect(StrEnum):
    """What choosing a cell does to it."""

    MARK = "mark"
    """It gets a mark of the mover's."""
    STEP = "step"
    """A token of the mover's goes there."""
    BLOCK = "block"
    """It is blocked."""
    CHOOSE = "choose"
    """Nothing: the next action of the turn is about what stands there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One of the actions of a turn, and the words for it."""

    name: str
    """For programs: ``place``, or in race ``move`` and ``block``."""
    task: str
    """What the mover has to do: ``take a cell``."""
    noun: str
    """What the action is called: ``move``, ``step``."""
    by: str
    """How a sentence leads to the cell: ``with``, ``by moving to``."""
    effect: Effect = Effect.MARK


SAMPLE_SIZE = Grid(4, 5)
"""The board of the sample positions that illustrate games."""

PLACE = Phase(name="place", task="take a cell", noun="move", by="with")
"""The only phase of a rulebook in which a turn takes one cell."""


class Detail(StrEnum):
    """What the last field of a position text means."""

    NOTHING = "nothing"
    """It is always ``-``."""
    PHASE = "phase"
    """The name of the phase."""
    OWN_CELL = "own-cell"
    """A cell with a mark of the mover's, or ``-`` for none."""
    OTHER_CELL = "other-cell"
    """A cell with a mark of the other player's, or ``-`` for none."""
    OTHER = "other"
    """Something else, such as a phase with a cell; where a position is set up it can be written."""


class Reason(StrEnum):
    """Why a cell may not be chosen; the codes of ``IllegalMoveError``."""

    OVER = "over"
    OUTSIDE = "outside"
    TAKEN = "taken"
    BLOCKED = "blocked"
    APART = "apart"
    CLOSED = "closed"
    CLOSED_BY_OPPONENT = "closed-by-opponent"
    CLOSED_BY_OWN = "closed-by-own"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the mover may not choose a cell, and the cell to blame, if any.

    ``words`` say it in the rulebook's own words, after the name of the cell: ``is not your token``.
    """

    reason: Reason
    blame: int | None = None
    words: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class Rulebook(ABC):
    """The rules of one game on any board, and how it is presented.

    ``size`` is the rulebook's own board, ``counting`` the number of its first row and column,
    ``symbols`` the players' symbols for people, ``rules`` the rules in words, and ``sample`` the
    text of a position on a board of ``SAMPLE_SIZE`` that illustrates the game.  Title, description,
    size, rules and sample do not count when rulebooks are compared.
    """

    id: str
    title: str = field(compare=False)
    about: str = field(compare=False)
    size: Grid = field(compare=False)
    counting: int
    symbols: tuple[str, str]
    rules: str = field(compare=False, repr=False)
    sample: str = field(compare=False, repr=False)

    least_cells: ClassVar[int] = 1
    """The fewest cells that a board must have."""

    phases: ClassVar[tuple[Phase, ...]] = (PLACE,)
    """The actions of a turn, in order: every turn has all of them, unless it ends the game."""

    has_tokens: ClassVar[bool] = False
    """Whether each player has exactly one token, which moves."""

    @abstractmethod
    def start(self, game: Game, first: Player) -> Position:
        """Return the position before the first action."""

    @abstractmethod
    def set_up(self, game: Game, diagram: Diagram, mover: Player, detail: str) -> Position:
        """Return the position that a position text describes, or raise ``NotationError``."""

    def tables(self, grid: Grid) -> Any:  # noqa: ARG002
        """Return what the positions on a board look up in every move, for ``Game.tables``."""
        return None

    @property
    def detail(self) -> Detail:
        """What the last field of a position text means."""
        return Detail.NOTHING

    @property
    def actions_per_turn(self) -> int:
        """The most cells that a player chooses in one turn."""
        return len(self.phases)

    def symbol(self, player: Player) -> str:
        """Return a player's symbol for people."""
        return self.symbols[player - 1]

    def sample_position(self) -> Position:
        """Return a position that illustrates the game."""
        return Game(self, SAMPLE_SIZE).position(self.sample)


@dataclass(frozen=True)
class Game:
    """A rulebook on a board."""

    rulebook: Rulebook
    grid: Grid

    def __post_init__(self) -> None:
        if self.grid.cell_count < self.rulebook.least_cells:
            raise NotationError(
                f"{self.rulebook.id} needs a board of at least {self.rulebook.least_cells} cells, "
                f"not {self.grid}"
            )

    def __repr__(self) -> str:
        return f"<Game {self.rulebook.id} {self.grid}>"

    def __reduce__(self) -> tuple[type[Game], tuple[Rulebook, Grid]]:
        return Game, (self.rulebook, self.grid)  # without the tables

    @cached_property
    def tables(self) -> Any:
        """What the rulebook looks up in every move; nobody else need understand it."""
        return self.rulebook.tables(self.grid)

    def start(self, first: int = 1) -> Position:
        """Return the position before the first action, with player ``first`` to begin."""
        if first not in _PLAYERS:
            raise NotationError(f"player 1 or 2 begins, not {first}")
        return self.rulebook.start(self, Player(first))

    def replay(self, first: int, moves: Iterable[int]) -> list[Position]:
        """Return every position of a game, the start first, or raise ``RecordError``."""
        return self.start(first).replay(moves)

    def position(self, text: str) -> Position:
        """Return the position that a position text describes: the inverse of ``str(position)``."""
        diagram, mover, detail = read_diagram(self.grid, text)
        return self.rulebook.set_up(self, diagram, Player(mover), detail)

    def cell(self, text: str) -> int:
        """Return the cell written as ``3,3``, ``3 3`` or ``(3,3)``."""
        return self.grid.cell(*read_place(self.grid, self.rulebook.counting, text))

    def name(self, cell: int) -> str:
        """Return how a cell is written: ``3,3``."""
        if not 0 <= cell < self.grid.cell_count:
            raise OutsideError(f"cell {cell} is outside the {self.grid} board")
        return _all_names(self.grid, self.rulebook.counting)[cell]

    def names(self, mask: int) -> tuple[str, ...]:
        """Return how the cells of a mask are written, in reading order."""
        names = _all_names(self.grid, self.rulebook.counting)
        return tuple([names[cell] for cell in cells_of(mask)])


def read_position(rulebook: Rulebook, text: str) -> Position:
    """Return the position that a text describes, on the board that it has there."""
    return Game(rulebook, board_of(text)).position(text)


@lru_cache(maxsize=8)
def _all_names(grid: Grid, counting: int) -> tuple[str, ...]:
    """Return the name of every cell; a large board needs thousands at once."""
    rows = range(counting, counting + grid.rows)
    columns = range(counting, counting + grid.columns)
    return tuple(f"{row},{column}" for row in rows for column in columns)


class Position(ABC):
    """An immutable moment of a game.

    Positions are equal, with equal hashes, when the same game goes on from them and their boards
    look the same; they can be pickled.  No game comes to the same position twice.  When ``winner``
    is set, nobody can move and ``mover`` is the loser.
    """

    __slots__ = ()

    game: Game
    mover: Player

    def __copy__(self) -> Self:
        return self  # it never changes

    def __deepcopy__(self, _: object) -> Self:
        return self

    @property
    def phase(self) -> str:
        """The name of the phase; rulebooks with several override this."""
        return self.game.rulebook.phases[0].name

    @property
    def actions_made(self) -> int:
        """How many actions of the turn have been made."""
        return [phase.name for phase in self.game.rulebook.phases].index(self.phase)

    @property
    def upcoming(self) -> Phase:
        """The phase of the mover's next action."""
        return self.game.rulebook.phases[self.actions_made]

    @property
    @abstractmethod
    def legal(self) -> int:
        """The mask of the cells the mover may choose."""

    @property
    @abstractmethod
    def blocked(self) -> int:
        """The mask of the cells that are blocked or not part of the board."""

    @property
    @abstractmethod
    def detail(self) -> str:
        """The last field of the position text."""

    @abstractmethod
    def marks(self, player: Player) -> int:
        """Return the mask of a player's marks or token."""

    @abstractmethod
    def closed_to(self, player: Player) -> int:
        """Return the mask of the free cells that marks have closed to a player for good."""

    @property
    def closed(self) -> int:
        """The mask of the free cells that marks have closed to the mover for good."""
        return self.closed_to(self.mover)

    def goal(self, player: Player) -> int | None:  # noqa: ARG002
        """Return the cell that wins for a player who reaches it, or None."""
        return None

    @property
    def feat(self) -> str:
        """What the winner has done, as in ``X has reached the goal``; '' if the loser is stuck."""
        winner = self.winner
        goal = None if winner is None else self.goal(winner)
        is_there = goal is not None and winner is not None and self.marks(winner) >> goal & 1
        return "reached the goal" if is_there else ""

    @abstractmethod
    def refusal(self, cell: int) -> Refusal | None:
        """Return why the mover may not choose a cell, or None if they may."""

    @abstractmethod
    def _after(self, cell: int) -> Position:
        """Return the position after a legal action."""

    def why_unreachable(self) -> str | None:
        """Return why no game reaches this position, or None if one does or it is not known.

        Either player may have begun.  A reason is certain.  The check takes some hundredths of a
        second at most, so it finds less on large boards.
        """
        return None

    @property
    def winner(self) -> Player | None:
        """The player who has won, or None while the game goes on."""
        return None if self.legal else self.mover.opponent

    def turn_number(self, action: int) -> int:
        """Return the turn of the ``action``-th action from here, both counted from 1.

        This is what people call the move number.  It is 0 before the first action.
        """
        begun = self.actions_made  # the first turn has only the rest of it left
        return -(-(action + begun) // self.game.rulebook.actions_per_turn) if action else 0

    def legal_cells(self) -> tuple[int, ...]:
        """Return the cells the mover may choose, in reading order."""
        return cells_of(self.legal)

    def is_legal(self, cell: int) -> bool:
        """Return whether the mover may choose a cell, for any integer."""
        return cell >= 0 and bool(self.legal >> cell & 1)

    def check(self, cell: int) -> None:
        """Raise ``IllegalMoveError`` with the reason unless the mover may choose a cell."""
        if refusal := self.refusal(cell):
            raise IllegalMoveError(refusal.reason, self._explain(cell, refusal), self, cell)

    def play(self, cell: int) -> Position:
        """Return the position after the mover chooses a cell, or raise ``IllegalMoveError``."""
        if cell < 0 or not self.legal >> cell & 1:
            self.check(cell)
        return self._after(cell)

    def replay(
        self,
        moves: Iterable[int],
        explain: Callable[[Position, int], str] = lambda _position, _cell: "",
    ) -> list[Position]:
        """Return this position and those after each move.

        Raises ``RecordError``, which names the first illegal move by its turn and gives the reason,
        in the words of ``explain`` or else of the rules.
        """
        positions = [self]
        for number, cell in enumerate(moves, start=1):
            try:
                positions.append(positions[-1].play(cell))
            except IllegalMoveError as error:
                where = f"move {self.turn_number(number)}"
                why = explain(positions[-1], cell) or error
                raise RecordError(f"{where} is illegal: {why}") from None
        return positions

    def _general_refusal(self, cell: int) -> Refusal | None:
        """Return the refusals that all rulebooks share."""
        if not 0 <= cell < self.game.grid.cell_count:
            return Refusal(Reason.OUTSIDE)
        if self.winner is not None:
            return Refusal(Reason.OVER)
        if (self.marks(Player.ONE) | self.marks(Player.TWO)) >> cell & 1:
            return Refusal(Reason.TAKEN)
        if self.blocked >> cell & 1:
            return Refusal(Reason.BLOCKED)
        return None

    def _explain(self, cell: int, refusal: Refusal) -> str:
        if refusal.reason is Reason.OUTSIDE:
            return f"cell {cell} is outside the {self.game.grid} board"
        name = self.game.name(cell)
        if refusal.words:
            return f"{name} {refusal.words}"
        blame = "" if refusal.blame is None else self.game.name(refusal.blame)
        return {
            Reason.OVER: f"{name} cannot be chosen: the game is over",
            Reason.TAKEN: f"{name} is already taken",
            Reason.BLOCKED: f"{name} is blocked",
            Reason.APART: f"{name} is not next to {blame}",
            Reason.CLOSED: f"{name} is closed to both players",
            Reason.CLOSED_BY_OPPONENT: f"{name} is closed by the opponent's {blame}",
            Reason.CLOSED_BY_OWN: f"{name} is closed by the mover's own {blame}",
        }[refusal.reason]

    def __str__(self) -> str:
        """Return the position text."""
        diagram = (self.marks(Player.ONE), self.marks(Player.TWO), self.blocked)
        return f"{write_diagram(self.game.grid, diagram)} {self.mover} {self.detail}"


def setters(position: type[Position]) -> list[Callable[[Position, object], None]]:
    """Return the functions that set the fields of a new position, which is frozen, in order."""
    names: tuple[str, ...] = position.__slots__
    return [getattr(position, name).__set__ for name in names]
