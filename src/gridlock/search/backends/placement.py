"""The search of the placement games, in the compiled core, and the theorems that hold for them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, cast

from gridlock.errors import LimitError
from gridlock.grid import cells_of
from gridlock.search import theorems
from gridlock.search.backends.base import Backend
from gridlock.search.kernel.bits import CELLS, UNIT
from gridlock.search.kernel.placement import Placement
from gridlock.search.layout import pack, placement_layout
from gridlock.search.matching import missable
from gridlock.search.theorems import ALL, Theorem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.model import Game, Player, Position
    from gridlock.rulebooks.placement import PlacementPosition, PlacementRulebook
    from gridlock.search.backends.base import Run, Search, Shared


class PlacementBackend(Backend):
    """Every rulebook of three reaches."""

    distance_step = 2  # who wins moves last
    can_be_misere = True

    def __init__(self, game: Game, use: Theorem = ALL, *, is_misere: bool = False) -> None:
        super().__init__(game, use, is_misere=is_misere)
        self._rulebook = cast("PlacementRulebook", game.rulebook)
        self._board: Sequence[int] = ()
        """The cells that the kernel knows, in its order."""
        self._matched: tuple[Position | None, frozenset[int]] = (None, frozenset())

    # ------------------------------------------------------------------ searching

    def can_search(self, position: Position) -> bool:
        """Tell whether few enough cells are open."""
        return self._open(position).bit_count() <= CELLS or self.game.grid.cell_count <= CELLS

    def prepare(self, position: Position) -> bool:
        """Make sure that the kernel knows all open cells of a position."""
        super().prepare(position)
        needed = self._cells(position)
        if needed == self._board or set(needed) <= set(self._board):
            return True
        self._board = needed
        return False

    def _cells(self, position: Position) -> Sequence[int]:
        """Return the cells that the kernel has to know: all of them where it can."""
        cells = self.game.grid.cell_count
        return range(cells) if cells <= CELLS else cells_of(self._open(position))

    def _open(self, position: Position) -> int:
        """Return the cells that either player may still take, and the last one taken."""
        placed = cast("PlacementPosition", position)
        last = 0 if placed.last is None else 1 << placed.last
        return placed.still_open[0] | placed.still_open[1] | last

    def new_search(self, shared: Shared) -> Search:
        """Return one more search."""
        layout = placement_layout(self.game, self._board, self.use, is_misere=self.is_misere)
        return Placement(*shared, layout)

    def memory(self) -> int:
        """Return what searches of such boards were measured to use, above 30 cells and below."""
        cells = min(CELLS, self.game.grid.cell_count)
        return 1 << min(1 + cells * 2 // 3, 11 + cells // 3)

    def wins(self, search: Search, position: Position) -> bool:
        """Tell whether the mover wins."""
        return cast("Placement", search).wins(*self._masks(position), 0)

    def forced(self, search: Search, position: Position, within: int, *, ask: bool) -> int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0."""
        return cast("Placement", search).forced(*self._masks(position), within, ask)

    def _masks(self, position: Position) -> tuple[int, int, int]:
        """Return what the mover may take, what the other player may, and the last cell or -1."""
        placed = cast("PlacementPosition", position)
        mine = placed.still_open[position.mover - 1]
        theirs = placed.still_open[position.mover.opponent - 1]
        last = -1 if placed.last is None else self._board.index(placed.last)
        return self._pack(mine), self._pack(theirs), last

    def _pack(self, mask: int) -> int:
        """Return a mask of the board's cells as one of those that the kernel knows."""
        return mask if isinstance(self._board, range) else pack(self._board, mask)

    # ------------------------------------------------------------------ without a search

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
        return run(lambda search: cast("Placement", search).nimber(self._masks(position)[0]))

    def number(self, run: Run, position: Position) -> tuple[Fraction, bool]:
        """Return the value of a position, for player 1: a number, and whether a star is with it.

        Numbers are tried from the simplest on; who wins their difference says where to go on.
        """
        if not self.has_numbers:
            return super().number(run, position)
        one, two = cast("PlacementPosition", position).still_open
        if self._can_mirror_only(position) and one == two and self.mirror_of(position):
            return Fraction(0), False

        def first_wins(mine: int, theirs: int, beside: int) -> bool:
            return run(
                lambda search: cast("Placement", search).wins(
                    self._pack(mine), self._pack(theirs), -1, 2 * beside
                )
            )

        low, high = -(CELLS + 1) * UNIT, (CELLS + 1) * UNIT
        guess = 0
        while True:
            above = first_wins(one, two, -guess)
            below = first_wins(two, one, guess)
            if above == below:
                # Equal, or a star apart: nothing else is confused with a number here.
                return Fraction(guess, UNIT), above
            low, high = (guess, high) if above else (low, guess)
            guess = _simplest_between(low, high)

    # ------------------------------------------------------------------ by eye

    def room(self, position: Position, player: Player) -> int:
        """Return the cells that a player may take, now or later."""
        placed = cast("PlacementPosition", position)
        if placed.last is None:
            return placed.still_open[player - 1].bit_count()
        return position.legal.bit_count() if position.mover is player else 0


def _simplest_between(low: int, high: int) -> int:
    """Return the simplest number between two, in units: 0, small integers, few halvings."""
    if low < 0 < high:
        return 0
    if high <= 0:
        return -_simplest_between(-high, -low)
    step = UNIT
    while low // step * step + step >= high:
        step //= 2
        if step == 0:
            raise LimitError(f"not solved: the value is finer than 1/{UNIT}")
    return low // step * step + step
