from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlock.grid import (
    DIAGONAL,
    KING,
    KNIGHT,
    LINE,
    MAX_SIDE,
    ORTHOGONAL,
    Grid,
    Offsets,
    cells_of,
    mask_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

grids = st.builds(Grid, st.integers(1, 9), st.integers(1, 9))


@given(st.sets(st.integers(0, 400)))
def test_masks_and_sets_of_cells_are_the_same_thing(cells: set[int]) -> None:
    assert cells_of(mask_of(cells)) == tuple(sorted(cells))


@given(grids)
def test_every_cell_has_one_place_in_reading_order(grid: Grid) -> None:
    places = [(row, column) for row in range(grid.rows) for column in range(grid.columns)]
    assert [grid.place(cell) for cell in range(grid.cell_count)] == places
    assert [grid.cell(*place) for place in places] == list(range(grid.cell_count))
    assert cells_of(grid.full) == tuple(range(grid.cell_count))


@pytest.mark.parametrize(
    ("offsets", "near"),
    [
        (ORTHOGONAL, lambda down, right: abs(down) + abs(right) == 1),
        (DIAGONAL, lambda down, right: abs(down) == abs(right) == 1),
        (KING, lambda down, right: max(abs(down), abs(right)) == 1),
        (KNIGHT, lambda down, right: {abs(down), abs(right)} == {1, 2}),
        (LINE, lambda down, right: (down == 0) != (right == 0)),
    ],
)
def test_neighbourhoods_hold_the_cells_at_their_distance(
    offsets: Offsets, near: Callable[[int, int], bool]
) -> None:
    grid = Grid(6, 7)
    for cell in range(grid.cell_count):
        row, column = grid.place(cell)
        expected = [
            other
            for other in range(grid.cell_count)
            if near(grid.place(other)[0] - row, grid.place(other)[1] - column)
        ]
        assert list(cells_of(grid.around(offsets)[cell])) == expected


def test_a_line_spans_the_largest_board() -> None:
    corner = Grid(MAX_SIDE, MAX_SIDE).around(LINE)[0]
    assert corner.bit_count() == 2 * (MAX_SIDE - 1)


@pytest.mark.parametrize(
    ("grid", "count"), [(Grid(5, 5), 8), (Grid(2, 3), 4), (Grid(1, 4), 2), (Grid(1, 1), 1)]
)
def test_a_board_has_as_many_symmetries_as_its_shape(grid: Grid, count: int) -> None:
    assert len(grid.symmetries()) == count


@given(grids)
def test_symmetries_keep_neighbours_together(grid: Grid) -> None:
    for symmetry in grid.symmetries():
        assert sorted(symmetry) == list(range(grid.cell_count))
        for cell in range(grid.cell_count):
            image = mask_of(symmetry[near] for near in cells_of(grid.around(ORTHOGONAL)[cell]))
            assert image == grid.around(ORTHOGONAL)[symmetry[cell]]


@given(grids)
def test_the_first_symmetry_leaves_all_as_it_is(grid: Grid) -> None:
    assert grid.symmetries()[0] == tuple(range(grid.cell_count))
