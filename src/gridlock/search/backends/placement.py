"""The search of the placement games, in the compiled core, and the theorems that hold for them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, cast

from gridlock.errors import SizeError
from gridlock.grid import cells_of
from gridlock.search import theorems
from gridlock.search.backends.base import TOO_LARGE, Backend, evaluate_all
from gridlock.search.backends.boards import MOST_BOARDS, Boards
from gridlock.search.backends.sums import (
    MoveSum,
    NimSum,
    NumberSum,
    Part,
    Probing,
    Searching,
    UnknownError,
)
from gridlock.search.kernel import WidePlacement
from gridlock.search.kernel.bits import CELLS, UNIT
from gridlock.search.kernel.placement import Placement
from gridlock.search.kernel.uct import Uct
from gridlock.search.layout import pack, placement_layout, wide_layout
from gridlock.search.matching import missable
from gridlock.search.theorems import ALL, Theorem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.model import Game, Position
    from gridlock.rulebooks.placement import PlacementPosition, PlacementRulebook
    from gridlock.search.backends.base import Board, Estimator, Evaluation, Run, Search
    from gridlock.search.backends.sums import Split, Sum
    from gridlock.search.memory import Shared


_CERTAINTY = 2.0


class PlacementBackend(Backend):
    """Every rulebook of three reaches."""

    distance_step = 2  # who wins moves last
    can_be_misere = True

    def __init__(self, game: Game, use: Theorem = ALL, *, is_misere: bool = False) -> None:
        super().__init__(game, use, is_misere=is_misere)
        self._rulebook = cast("PlacementRulebook", game.rulebook)
        self._boards = Boards(game.grid.cell_count)
        self._matched: tuple[Position | None, frozenset[int]] = (None, frozenset())
        self._last_split: tuple[Position | None, Split | None] = (None, None)
        self._nimbers: NimSum | None = None
        self._numbers: NumberSum | None = None
        self._sum: Sum | None = None
        if Theorem.REGIONS in use and not is_misere and self._rulebook.follow is None:
            if self.is_impartial and Theorem.NIMBERS in use:
                self._nimbers = NimSum(game, self._boards)
            if self.has_numbers and Theorem.NUMBERS in use:
                self._numbers = NumberSum(game, self._boards)
            self._sum = self._nimbers or self._numbers or MoveSum(game, self._boards)

    # ------------------------------------------------------------------ searching

    def can_search(self, position: Position) -> bool:
        """Tell whether few enough cells are open, in each region at least."""
        return self.can_measure(position) or self._split(position) is not None

    def can_measure(self, position: Position) -> bool:
        """Tell whether few enough cells are open."""
        return self.game.grid.cell_count <= CELLS or self._open(position).bit_count() <= CELLS

    @property
    def most_boards(self) -> int:
        """How many boards are worth keeping: where they are not the whole one, some."""
        return 1 if self._boards.is_whole else MOST_BOARDS

    def _split(self, position: Position) -> Split | None:
        """Return the regions of a position, None if it cannot be searched by these."""
        if self._sum is None:
            return None
        if self._last_split[0] is not position:
            one, two = cast("PlacementPosition", position).still_open
            self._last_split = position, self._sum.split(one, two)
        return self._last_split[1]

    def board_of(self, position: Position) -> Board:
        """Return the cells that the kernel has to know to search a position whole."""
        return self._boards.of(self._open(position))

    def _open(self, position: Position) -> int:
        """Return the cells that either player may still take, and the last one taken."""
        placed = cast("PlacementPosition", position)
        last = 0 if placed.last is None else 1 << placed.last
        return placed.still_open[0] | placed.still_open[1] | last

    def new_search(self, board: Board, shared: Shared) -> Search:
        """Return one more search."""
        layout = placement_layout(self.game, board, self.use, is_misere=self.is_misere)
        kind = Placement if layout.cells <= CELLS else WidePlacement
        return cast("Search", kind(*shared, layout))

    def memory(self, board: Board) -> int:
        """Return what searches of such boards were measured to use, above 30 cells and below."""
        cells = len(board)
        return 1 << min(1 + cells * 2 // 3, 11 + cells // 3)

    def wins(self, run: Run, position: Position) -> bool:
        """Tell whether the mover wins."""
        if self._is_split(position):
            return self._wins_sum(Searching(run), position)
        board = self.board_of(position)
        masks = self._masks(board, position)
        return run(board, lambda search: cast("Placement", search).wins(*masks, 0))

    def probe(self, run: Run, position: Position) -> bool | None:
        """Tell whether the mover wins, if bounds or tables know it."""
        if self._is_split(position):
            try:
                return self._wins_sum(Probing(run), position)
            except UnknownError:
                return None
        board = self.board_of(position)
        masks = self._masks(board, position)
        verdict = run(board, lambda search: cast("Placement", search).probe(*masks, 0))
        return None if verdict == 0 else verdict > 0

    def forced(self, run: Run, position: Position, within: int, *, ask: bool) -> int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0."""
        if not self.can_measure(position):
            raise SizeError(TOO_LARGE)
        board = self.board_of(position)
        masks = self._masks(board, position)
        return run(board, lambda search: cast("Placement", search).forced(*masks, within, ask))

    def evaluate(self, run: Run, words: memoryview, *, distances: bool) -> Evaluation:
        """Return who wins many games, as words of the batch kernel, and if asked how soon."""
        return evaluate_all(run, range(self.game.grid.cell_count), words, distances=distances)

    def _is_split(self, position: Position) -> bool:
        """Tell whether to search a position region by region: if it is too large, for one.

        One that has become small enough since is searched as before, by boards that there are.
        """
        if not self.can_measure(position):
            return True
        if self._sum is None or self._boards.has(self._open(position)):
            return False
        split = self._split(position)
        return split is not None and self._sum.has_boards(split)

    def _wins_sum(self, ask: Searching, position: Position) -> bool:
        """Tell whether the mover wins, by the regions of a position."""
        split = self._split(position)
        if self._sum is None or split is None:
            raise SizeError(TOO_LARGE)
        return self._sum.wins(ask, split, position.mover)

    def _masks(self, board: Board, position: Position) -> tuple[int, int, int]:
        """Return what the mover may take, what the other player may, and the last cell or -1."""
        placed = cast("PlacementPosition", position)
        mine = placed.still_open[position.mover - 1]
        theirs = placed.still_open[position.mover.opponent - 1]
        last = -1 if placed.last is None else board.index(placed.last)
        return pack(board, mine), pack(board, theirs), last

    def new_estimator(
        self, position: Position, signal: memoryview, memory: int, seed: int
    ) -> Estimator:
        """Return a search that estimates a position on a board of any size."""
        if self.is_misere:
            return super().new_estimator(position, signal, memory, seed)
        placed = cast("PlacementPosition", position)
        search = Uct(signal, wide_layout(self.game), memory, seed)
        search.set_root(
            cells_of(placed.still_open[position.mover - 1]),
            cells_of(placed.still_open[position.mover.opponent - 1]),
            -1 if placed.last is None else placed.last,
        )
        return search

    @property
    def certainty(self) -> float:
        """How much surer one may be than playouts: most of these err more often than the winner.

        Fitted to the ends of games of occupation and claim on 8x8 and 10x10, with some caution.
        Where both players may take the same cells playouts say little until the end is near.
        """
        return 1.0 if self.is_impartial else _CERTAINTY

    # ------------------------------------------------------------------ without a search

    def may_end(self, position: Position, within: int) -> bool:
        """Tell whether so few actions may close all cells that are open to either player."""
        if self._rulebook.follow is not None:
            return super().may_end(position, within)
        closed = 1 + max(len(self._rulebook.own), len(self._rulebook.opponent))
        still_open = cast("PlacementPosition", position).still_open
        return min(cells.bit_count() for cells in still_open) <= within * closed

    def known(self, position: Position) -> bool | None:
        """Tell whether the mover wins by a matching; or by a mirror, where nothing else can."""
        if self.has_matching:
            return bool(self._good_cells(position))
        return self._mirrored(position) if self._can_mirror_only(position) else None

    def known_by(self, position: Position, cell: int) -> bool | None:
        """Tell whether the mover wins by taking a cell, by a matching."""
        return cell in self._good_cells(position) if self.has_matching else None

    def theorem(self, position: Position) -> Theorem | None:
        """Return the theorem that proves who wins, where one does without a search."""
        if self.has_matching:
            return Theorem.MATCHING
        if self._may_mirror and self._mirrored(position) is not None:
            return Theorem.MIRROR
        return None

    def symmetries(self, position: Position) -> Sequence[Sequence[int]]:
        """Return the symmetries that change nothing of a position, the identity first."""
        return theorems.symmetries_of(cast("PlacementPosition", position))

    def mirror_of(self, position: Position) -> Sequence[int] | None:
        """Return the symmetry by which the other player can answer every action, if any."""
        return theorems.mirror_of(cast("PlacementPosition", position))

    def mirror_cells(self, position: Position) -> list[int]:
        """Return the cells of the centre by which the mover can mirror from then on."""
        return theorems.mirror_cells(cast("PlacementPosition", position))

    @property
    def has_matching(self) -> bool:
        """Whether a matching of the open cells says who wins."""
        is_allowed = Theorem.MATCHING in self.use and not self.is_misere
        return is_allowed and theorems.has_matching(self._rulebook)

    @property
    def is_impartial(self) -> bool:
        """Whether both players may always take the same cells."""
        return theorems.is_impartial(self._rulebook)

    @property
    def has_numbers(self) -> bool:
        """Whether every position is worth a number, or a number and a star."""
        return theorems.has_numbers(self._rulebook)

    @property
    def _may_mirror(self) -> bool:
        return Theorem.MIRROR in self.use and not self.is_misere

    def _can_mirror_only(self, position: Position) -> bool:
        """Tell whether nothing but mirroring can answer for a position: it is too large."""
        is_large = self.game.grid.cell_count > CELLS
        return self._may_mirror and is_large and not self.can_search(position)

    def _mirrored(self, position: Position) -> bool | None:
        """Tell whether the mover of a position wins, if mirroring decides it."""
        if self.mirror_of(position):
            return False
        return True if self.mirror_cells(position) else None

    def _good_cells(self, position: Position) -> frozenset[int]:
        """Return the legal cells that win by the theorem of the matching."""
        if self._matched[0] is not position:
            neighbours = theorems.following_cells(cast("PlacementPosition", position))
            good = missable(neighbours) & set(position.legal_cells())
            self._matched = position, frozenset(good)
        return self._matched[1]

    def nimber(self, run: Run, position: Position) -> int:
        """Return the Grundy value, where both players may always take the same cells."""
        if not self.is_impartial:
            return super().nimber(run, position)
        if self._can_mirror_only(position) and self.mirror_of(position):
            return 0
        if self.can_measure(position):
            return Searching(run).nimber(self._whole(position))
        split = self._split(position)
        if self._nimbers is None or split is None:
            raise SizeError(TOO_LARGE)
        return self._nimbers.nimber(Searching(run), split)

    def number(self, run: Run, position: Position) -> tuple[Fraction, bool]:
        """Return the value of a position, for player 1: a number, and whether a star is with it."""
        if not self.has_numbers:
            return super().number(run, position)
        one, two = cast("PlacementPosition", position).still_open
        if self._can_mirror_only(position) and one == two and self.mirror_of(position):
            return Fraction(0), False
        if self.can_measure(position):
            number, star = Searching(run).number(self._whole(position))
            return Fraction(number, UNIT), star
        split = self._split(position)
        if self._numbers is None or split is None:
            raise SizeError(TOO_LARGE)
        return self._numbers.number(Searching(run), split)

    def _whole(self, position: Position) -> Part:
        """Return a position that is small enough as one part."""
        board = self.board_of(position)
        one, two = cast("PlacementPosition", position).still_open
        return Part(board, pack(board, one), pack(board, two))
