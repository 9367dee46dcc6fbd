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
    covers: list[list[int]]
    """Ways to part the board into cliques, of which one player can take one cell each."""
    columns: int
    """The columns of the board, 0 where open cells may not be moved together."""
    left_column: int
    symmetries: list[tuple[int, ...]]
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
        covers=_covers(game.grid, board, rulebook.own) if Theorem.BOUNDS in use else [],
        columns=game.grid.columns if has_symmetry else 0,
        left_column=mask_of(range(0, len(board), game.grid.columns)) if has_symmetry else 0,
        symmetries=list(symmetries),
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


def pack(board: Sequence[int], mask: int) -> int:
    """Return a mask of the board's own cells as a mask of those in ``board``."""
    return mask_of(index for index, cell in enumerate(board) if mask >> cell & 1)


def _reaches(grid: Grid, board: Sequence[int], offsets: Offsets) -> list[int]:
    around = grid.around(offsets)
    reaches = [around[cell] | 1 << cell for cell in board]
    if len(board) < grid.cell_count:
        reaches = [pack(board, reach) for reach in reaches]
    return reaches


def _covers(grid: Grid, board: Sequence[int], own: Offsets) -> list[list[int]]:
    """Return four ways to part the board into cliques: within 2x2 blocks, begun at each corner.

    No way at all where every clique is a single cell, which counting knows already.
    """
    both_ways = frozenset((down, right) for down, right in own if (-down, -right) in own)
    near = _reaches(grid, board, both_ways)
    places = [grid.place(cell) for cell in board]
    covers = []
    for down in (0, 1):
        for right in (0, 1):
            blocks: dict[tuple[int, int], int] = {}
            for index, (row, column) in enumerate(places):
                key = (row + down) // 2, (column + right) // 2
                blocks[key] = blocks.get(key, 0) | 1 << index
            covers.append([clique for block in blocks.values() for clique in _cliques(block, near)])
    return [cover for cover in covers if len(cover) < len(board)]


def _cliques(block: int, near: list[int]) -> list[int]:
    """Part a few cells into cliques, each grown greedily, by what closes each other."""
    cliques = []
    while block:
        clique = 0
        left = block
        while left:
            lowest = left & -left
            clique |= lowest
            left &= near[lowest.bit_length() - 1] & ~lowest
        cliques.append(clique)
        block &= ~clique
    return cliques
