"""What every kind of rulebook is asked, so that nobody else need know which kind it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, TypeVar

from gridlock.errors import RulebookError, SizeError
from gridlock.search.kernel.bits import CELLS
from gridlock.search.theorems import ALL, Theorem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from gridlock.model import Game, Player, Position

_Answer = TypeVar("_Answer")

TOO_LARGE = f"not solved: more than {CELLS} cells are open"
CERTAIN = 1000.0
"""What a won game is worth by eye: more than any number of cells."""


class Shared(NamedTuple):
    """What all searches of a solver share: the words of a table, and signals between threads."""

    words: memoryview
    busy: memoryview
    signal: memoryview
    """Its one word is not zero when every search has to stop."""


class Search(Protocol):
    """A search in one thread.

    When it is told to stop it answers nonsense, which nobody must believe.  ``poll`` is called many
    times a second; what it raises is kept in ``failure``, or raised.
    """

    nodes: int
    is_shared: bool
    poll: Callable[[], None] | None
    failure: BaseException | None

    @property
    def entries(self) -> int:
        """How many entries of the table are in use."""


class Run(Protocol):
    """Has something asked of a search, within the limits of a solver."""

    def __call__(self, ask: Callable[[Search], _Answer]) -> _Answer:
        """Return the answer, or raise ``LimitError``."""


class Backend(ABC):
    """The search of one kind of rulebook, and what is known of its positions without one."""

    most_threads: ClassVar[int | None] = None
    """How many threads can search at once; None for any number."""

    distance_step: ClassVar[int] = 1
    """By how much the distances of positions with the same value and mover differ, at least."""

    can_be_misere: ClassVar[bool] = False
    """Whether it can tell who wins where the player who cannot move wins."""

    def __init__(self, game: Game, use: Theorem = ALL, *, is_misere: bool = False) -> None:
        if is_misere and not self.can_be_misere:
            raise RulebookError(f"misere play of {game.rulebook.id} cannot be solved")
        self.game = game
        self.use = use
        self.is_misere = is_misere

    # ------------------------------------------------------------------ searching

    @abstractmethod
    def can_search(self, position: Position) -> bool:
        """Tell whether a position is small enough to be searched."""

    def prepare(self, position: Position) -> bool:
        """Get ready to search a position; tell whether searches made before can be kept.

        Raises ``SizeError`` where it is too large.
        """
        if not self.can_search(position):
            raise SizeError(TOO_LARGE)
        return True

    @abstractmethod
    def new_search(self, shared: Shared) -> Search:
        """Return one more search, which knows all cells that were prepared."""

    @abstractmethod
    def memory(self) -> int:
        """Return how many bytes of a table the game can use."""

    @abstractmethod
    def wins(self, search: Search, position: Position) -> bool:
        """Tell whether the mover of a position that is not over wins."""

    @abstractmethod
    def forced(self, search: Search, position: Position, within: int, *, ask: bool) -> int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0.

        With ``ask`` who wins is found out first, which helps unless the board is too large.
        """

    # ------------------------------------------------------------------ without a search

    def known(self, position: Position) -> bool | None:  # noqa: ARG002
        """Tell whether the mover wins, where a theorem answers quicker than a search can."""
        return None

    def known_by(self, position: Position, cell: int) -> bool | None:  # noqa: ARG002
        """Tell whether the mover wins by choosing a cell, likewise."""
        return None

    def theorem(self, position: Position) -> Theorem | None:  # noqa: ARG002
        """Return the theorem that proves who wins, where one does without a search."""
        return None

    def symmetries(self, position: Position) -> Sequence[Sequence[int]]:
        """Return the symmetries that change nothing of a position, the identity first."""
        return [range(position.game.grid.cell_count)]

    def mirror_of(self, position: Position) -> Sequence[int] | None:  # noqa: ARG002
        """Return the symmetry by which the other player can answer every action, if any."""
        return None

    def mirror_cells(self, position: Position) -> list[int]:  # noqa: ARG002
        """Return the cells by which the mover can mirror from then on."""
        return []

    @property
    def has_matching(self) -> bool:
        """Whether a matching of the open cells says who wins."""
        return False

    @property
    def is_impartial(self) -> bool:
        """Whether both players may always choose the same cells, so that there are nimbers."""
        return False

    @property
    def has_numbers(self) -> bool:
        """Whether every position is worth a number, or a number and a star."""
        return False

    def nimber(self, run: Run, position: Position) -> int:  # noqa: ARG002
        """Return the Grundy value, where there is one."""
        raise RulebookError(f"positions of {self.game.rulebook.id} have no Grundy value")

    def number(self, run: Run, position: Position) -> tuple[Fraction, bool]:  # noqa: ARG002
        """Return the value for player 1: a number, and whether a star is with it."""
        raise RulebookError(f"positions of {self.game.rulebook.id} are not all numbers")

    # ------------------------------------------------------------------ by eye

    def evaluate(self, position: Position, player: Player) -> float:
        """Return by eye how much better a player stands than the other one, in cells of room."""
        if position.winner is not None:
            return CERTAIN if position.winner is player else -CERTAIN
        return self.room(position, player) - self.room(position, player.opponent)

    def room(self, position: Position, player: Player) -> int:
        """Return by eye how much room a player has: the cells that are open to them."""
        return (free_cells(position) & ~position.closed_to(player)).bit_count()


def free_cells(position: Position) -> int:
    """Return the mask of the cells on which nothing stands."""
    one, two = (position.marks(player) for player in type(position.mover))
    return position.game.grid.full & ~(one | two | position.blocked)
