from __future__ import annotations

from hypothesis import given, settings

import gridlock
from gridlock.grid import mask_of
from gridlock.rulebooks.placement import PlacementPosition
from gridlock.search.kernel.bits import CELLS
from gridlock.search.regions import Links, Region
from tests.search.test_solver import small_positions

ROW = gridlock.placement(own="orthogonal", opponent="cell", size="1x9")
"""A cell closes those beside it, to its owner."""


def test_cells_that_close_each_other_even_through_others_are_one_region() -> None:
    links = Links(ROW)
    one, two = mask_of([0, 1, 2, 5]), mask_of([2, 3, 7, 8])
    regions = [
        Region(mask_of([0, 1, 2]), mask_of([2, 3])),
        Region(mask_of([5]), 0),
        Region(0, mask_of([7, 8])),
    ]
    assert list(links.regions(one, two, CELLS)) == regions
    assert [region.size for region in regions] == [4, 1, 2]


def test_cells_that_are_closed_one_way_only_depend_on_each_other_too() -> None:
    links = Links(gridlock.placement(own="cell", opponent=[(0, 2)], size="1x9"))
    one, two = mask_of([0, 4]), mask_of([2, 7])
    assert list(links.regions(one, two, CELLS)) == [
        Region(mask_of([0, 4]), mask_of([2])),  # by 0 player 1 closes 2, by 2 player 2 closes 4
        Region(0, mask_of([7])),
    ]


def test_a_region_of_too_many_cells_is_the_last_and_need_not_be_whole() -> None:
    links = Links(gridlock.game("duel", "100x100"))
    full = gridlock.Grid(100, 100).full
    (region,) = links.regions(full, full, CELLS)
    assert CELLS < region.size < 1000


@settings(max_examples=60)
@given(small_positions)
def test_regions_are_disjoint_and_no_action_in_one_changes_another(
    position: gridlock.Position,
) -> None:
    if not isinstance(position, PlacementPosition) or position.last is not None:
        return
    regions = list(Links(position.game).regions(*position.still_open, CELLS))
    cells = position.still_open[0] | position.still_open[1]
    assert sum(region.cells for region in regions) == cells
    if position.game.rulebook.follow is not None:  # type: ignore[attr-defined]
        return
    for cell in position.legal_cells():
        after = position.play(cell)
        assert isinstance(after, PlacementPosition)
        for region in regions:
            if not region.cells >> cell & 1:
                assert after.still_open[0] & region.cells == region.one
                assert after.still_open[1] & region.cells == region.two
