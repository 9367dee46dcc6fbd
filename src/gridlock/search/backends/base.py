"""What every kind of rulebook is asked, so that nobody else need know which kind it is."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar, cast

from gridlock.errors import RulebookError, SizeError
from gridlock.search.backends.plain_uct import PlainUct
from gridlock.search.kernel.batch import Answers
from gridlock.search.kernel.bits import CELLS, GAME
from gridlock.search.theorems import ALL, Theorem

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from gridlock.model import Game, Position
    from gridlock.search.kernel.search import Search as KernelSearch
    from gridlock.search.memory import Shared

_Answer = TypeVar("_Answer")

Board = Sequence[int]
"""The cells that a search knows, in its order."""

TOO_LARGE = f"not solved: more than {CELLS} cells are open"
_MOST_TRIED = 5000  # lines of play


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


Evaluation = tuple[memoryview, memoryview]
"""Of many games: 1 or -1, if the mover wins or loses; and how soon, or zeros if not asked for."""

Estimate = tuple[int, float, int, int]
"""A cell, the chance of winning by it, the playouts behind that, and its proof: 1, -1, or 0."""


class Estimator(Protocol):
    """A search in one thread that estimates what it cannot prove, and may be asked at any time.

    ``nodes`` counts its playouts; ``poll`` and ``failure`` are those of a ``Search``.  As many
    playouts with the same seed always find the same.
    """

    nodes: int
    poll: Callable[[], None] | None
    failure: BaseException | None

    def think(self, nodes: int) -> None:
        """Search until there were so many playouts in all, or all is proved, or told to stop."""

    def estimates(self) -> list[Estimate]:
        """Return what is known of every legal cell so far, in reading order.

        What is proved has a chance of 1 or 0; nothing else is said to be proved, however likely.
        The best cell is a proved win, otherwise the one with most playouts that is no proved loss.
        """


class Run(Protocol):
    """Has something asked of a search, within the limits of a solver."""

    def __call__(self, board: Board, ask: Callable[[Search], _Answer]) -> _Answer:
        """Return the answer of a search that knows a board, or raise ``LimitError``."""


class Backend(ABC):
    """The search of one kind of rulebook, and what is known of its positions without one."""

    most_threads: ClassVar[int | None] = None
    """How many threads can search at once; None for any number."""

    distance_step: ClassVar[int] = 1
    """By how much the distances of positions with the same value and mover differ, at least."""

    can_be_misere: ClassVar[bool] = False
    """Whether it can tell who wins where the player who cannot move wins."""

    proof_share: ClassVar[float] = 1.0
    """The part of the usual time for proofs that helps to choose; the rest is for estimates."""

    def __init__(self, game: Game, use: Theorem = ALL, *, is_misere: bool = False) -> None:
        if is_misere and not self.can_be_misere:
            raise RulebookError(f"misere play of {game.rulebook.id} cannot be solved")
        self.game = game
        self.use = use
        self.is_misere = is_misere

    # ------------------------------------------------------------------ searching

    @abstractmethod
    def can_search(self, position: Position) -> bool:
        """Tell whether a position is small enough to search who wins it."""

    def can_measure(self, position: Position) -> bool:
        """Tell whether a position is small enough to search how soon it is won."""
        return self.can_search(position)

    def check_size(self, position: Position) -> None:
        """Raise ``SizeError`` where it cannot be searched who wins a position."""
        if not self.can_search(position):
            raise SizeError(TOO_LARGE)

    @property
    def most_boards(self) -> int:
        """How many boards are worth keeping: positions of some games are searched in parts."""
        return 1

    @abstractmethod
    def new_search(self, board: Board, shared: Shared) -> Search:
        """Return one more search, which knows the cells of a board."""

    @abstractmethod
    def memory(self, board: Board) -> int:
        """Return how many bytes of a table the search of a board can use."""

    @abstractmethod
    def wins(self, run: Run, position: Position) -> bool:
        """Tell whether the mover of a position that is not over wins."""

    @abstractmethod
    def probe(self, run: Run, position: Position) -> bool | None:
        """Tell whether the mover of a position wins, where earlier searches found that out."""

    @abstractmethod
    def forced(self, run: Run, position: Position, within: int, *, ask: bool) -> int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0.

        With ``ask`` who wins is found out first, which helps unless the board is too large.
        """

    def evaluate(self, run: Run, words: memoryview, *, distances: bool) -> Evaluation:  # noqa: ARG002
        """Return who wins many games, as words of the batch kernel, and if asked how soon."""
        raise RulebookError(f"games of {self.game.rulebook.id} cannot be evaluated many at once")

    def new_estimator(
        self, position: Position, signal: memoryview, memory: int, seed: int
    ) -> Estimator:
        """Return a search that estimates a position, however large, in so many bytes at most.

        It stops when the word of the signal is not zero.
        """
        if self.is_misere:
            raise RulebookError(f"misere play of {self.game.rulebook.id} cannot be estimated")
        return PlainUct(position, signal, memory, seed)

    def new_estimators(
        self, position: Position, signal: memoryview, memory: int, seed: int, threads: int
    ) -> list[Estimator]:
        """Return searches for several threads, in so many bytes together."""
        share = memory // threads
        return [
            self.new_estimator(position, signal, share, seed + number) for number in range(threads)
        ]

    @property
    def certainty(self) -> float:
        """How much surer one may be than an estimating search: a factor of the log of the odds.

        ``benchmarks/calibration.py`` compares chances with how games ended.
        """
        return 1.0

    # ------------------------------------------------------------------ without a search

    def may_end(self, position: Position, within: int) -> bool:
        """Tell whether a game may end within so few actions that all of them can be tried."""
        return math.prod([position.legal.bit_count()] * within) <= _MOST_TRIED

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


def evaluate_all(run: Run, board: Board, words: memoryview, *, distances: bool) -> Evaluation:
    """Return what a search of the kernel answers for many games."""
    if len(board) > CELLS:
        raise SizeError(TOO_LARGE)
    count = len(words) // GAME

    def ask(search: Search) -> Evaluation:
        # In arrays of its own: when told to stop, a search writes nonsense.
        values, far = (memoryview(array("q", [0]) * count) for _ in range(2))
        cast("KernelSearch", search).evaluate(Answers(words, values, far), distances)
        return values, far

    return run(board, ask)


def free_cells(position: Position) -> int:
    """Return the mask of the cells on which nothing stands."""
    one, two = (position.marks(player) for player in type(position.mover))
    return position.game.grid.full & ~(one | two | position.blocked)
