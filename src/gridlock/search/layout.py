"""A game in the form that the kernel takes: reaches and symmetries as plain lists of masks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from gridlock.grid import KING, ORTHOGONAL, mask_of
from gridlock.search import theorems
from gridlock.search.theorems import Theorem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.grid import Grid, Offsets
    from gridlock.model import Game
    from gridlock.rulebooks.placement import PlacementRulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A placement game; every reach includes the cell itself."""

    cells: int
    own: list[int]
    opponent: list[int]
    follow: list[int] | None
    own_shifts: list[tuple[int, int]]
    """How far the other cells are that a cell closes to its player, or that close it, and from
    which cells one stays on the board; none where the board is not whole."""
    opponent_shifts: list[tuple[int, int]]
    columns: int
    """The columns of the board, 0 where open cells may not be moved together."""
    symmetries: list[tuple[int, ...]]
    origins: list[int]
    """For each symmetry, which corner it sends to the top left: 0 to 3, row by row."""
    spoilt: list[int]
    """For each symmetry, the cells by whose image one cannot answer."""
    is_impartial: bool
    is_misere: bool
    has_regions: bool
    has_bounds: bool
    has_numbers: bool
    has_mirror: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceLayout:
    """A race: its first symmetry turns the board half round, the second, if any, flips it."""

    cells: int
    full: int
    steps: list[int]
    around: list[int]
    symmetries: list[tuple[int, ...]]
    has_regions: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WideLayout:
    """A placement game on a board of any size, with a margin that every reach stays within.

    Thanks to the margin a reach is the same few steps from every cell, and no table of neighbours
    is needed, which for a long reach on a large board would be larger than all else.
    """

    cells: int
    """The cells of the board and its margin."""
    places: list[int]
    """Where each cell of the board is among them."""
    own: list[int]
    opponent: list[int]
    follow: list[int] | None


@lru_cache(maxsize=64)
def placement_layout(
    game: Game, board: Sequence[int], use: Theorem, *, is_misere: bool = False
) -> Layout:
    """Return the layout of a placement game on some cells of its board.

    Where these are not the whole board, its symmetries cannot be used.
    """
    rulebook = cast("PlacementRulebook", game.rulebook)
    is_whole = len(board) == game.grid.cell_count
    has_symmetry = Theorem.SYMMETRY in use and is_whole
    symmetries = theorems.symmetries(game) if has_symmetry else (tuple(range(len(board))),)
    has_mirror = Theorem.MIRROR in use and has_symmetry
    return Layout(
        cells=len(board),
        own=_reaches(game.grid, board, rulebook.own),
        opponent=_reaches(game.grid, board, rulebook.opponent),
        follow=None if rulebook.follow is None else _reaches(game.grid, board, rulebook.follow),
        own_shifts=_shifts(game.grid, rulebook.own) if is_whole else [],
        opponent_shifts=_shifts(game.grid, rulebook.opponent) if is_whole else [],
        columns=game.grid.columns if has_symmetry else 0,
        symmetries=list(symmetries),
        origins=[_origin(game.grid, symmetry) for symmetry in symmetries] if has_symmetry else [0],
        spoilt=[
            theorems.spoilt_cells(game.grid, symmetry, rulebook.opponent) for symmetry in symmetries
        ]
        if has_mirror
        else [0],
        is_impartial=Theorem.NIMBERS in use and theorems.is_impartial(rulebook),
        is_misere=is_misere,
        has_regions=Theorem.REGIONS in use,
        has_bounds=Theorem.BOUNDS in use,
        has_numbers=use & (Theorem.NUMBERS | Theorem.REGIONS) == (Theorem.NUMBERS | Theorem.REGIONS)
        and theorems.has_numbers(rulebook),
        has_mirror=has_mirror,
    )


@lru_cache(maxsize=64)
def race_layout(game: Game, use: Theorem) -> RaceLayout:
    """Return the layout of a race."""
    grid = game.grid
    board = range(grid.cell_count)
    symmetries = [tuple(reversed(board))]
    if grid.rows == grid.columns and Theorem.SYMMETRY in use:
        symmetries.append(tuple(grid.cell(*reversed(grid.place(cell))) for cell in board))
    return RaceLayout(
        cells=grid.cell_count,
        full=grid.full,
        steps=[grid.around(ORTHOGONAL)[cell] for cell in board],
        around=[grid.around(KING)[cell] for cell in board],
        symmetries=symmetries,
        has_regions=Theorem.REGIONS in use,
    )


@lru_cache(maxsize=16)
def wide_layout(game: Game) -> WideLayout:
    """Return the layout of a placement game on the whole of a board of any size."""
    rulebook, grid = cast("PlacementRulebook", game.rulebook), game.grid
    reaches = [
        [
            (down, right)
            for down, right in reach
            if abs(down) < grid.rows and abs(right) < grid.columns
        ]
        for reach in (rulebook.own, rulebook.opponent, rulebook.follow or frozenset())
    ]
    above = max((abs(down) for reach in reaches for down, _ in reach), default=0)
    beside = max((abs(right) for reach in reaches for _, right in reach), default=0)
    width = grid.columns + beside  # the margin beside a row is that before the next one, too
    own, opponent, follow = (
        sorted(down * width + right for down, right in reach) for reach in reaches
    )
    return WideLayout(
        cells=(grid.rows + 2 * above) * width + beside,
        places=[
            (row + above) * width + beside + column
            for row in range(grid.rows)
            for column in range(grid.columns)
        ],
        own=own,
        opponent=opponent,
        follow=None if rulebook.follow is None else follow,
    )


def pack(board: Sequence[int], mask: int) -> int:
    """Return a mask of the board's own cells as a mask of those in ``board``."""
    if isinstance(board, range):
        return mask
    return mask_of(index for index, cell in enumerate(board) if mask >> cell & 1)


def _reaches(grid: Grid, board: Sequence[int], offsets: Offsets) -> list[int]:
    around = grid.around(offsets)
    reaches = [around[cell] | 1 << cell for cell in board]
    if len(board) < grid.cell_count:
        reaches = [pack(board, reach) for reach in reaches]
    return reaches


def _shifts(grid: Grid, offsets: Offsets) -> list[tuple[int, int]]:
    """Return the shifts of a reach both ways, each with the cells from which it leads to cells."""
    shifts = []
    for down, right in sorted({*offsets, *((-down, -right) for down, right in offsets)}):
        around = grid.around(frozenset({(down, right)}))
        start = mask_of(cell for cell in range(grid.cell_count) if around[cell])
        if start:
            shifts.append((down * grid.columns + right, start))
    return shifts


def _origin(grid: Grid, symmetry: Sequence[int]) -> int:
    """Return which corner of the board becomes cell 0."""
    corners = [
        grid.cell(row, column) for row in (0, grid.rows - 1) for column in (0, grid.columns - 1)
    ]
    return corners.index(symmetry.index(0))
