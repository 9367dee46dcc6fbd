from __future__ import annotations

import pytest

import gridlock
from gridlock import Solver
from gridlock.errors import PuzzleError
from gridlock.lab.eval.suite import DIFFICULTIES, choose_items, find_item
from gridlock.puzzles.puzzle import winning_cells


@pytest.mark.parametrize("game_id", gridlock.RULEBOOKS)
def test_every_position_has_the_one_right_answer(game_id: str) -> None:
    for item in choose_items(game_id, 6):
        solver = Solver(item.position.game)
        assert winning_cells(solver, item.position) == [item.right]
        assert item.position.legal.bit_count() > 1


def test_positions_are_spread_from_the_easiest_to_the_hardest() -> None:
    items = choose_items("duel", 9)
    assert [item.difficulty for item in items] == [d for d in DIFFICULTIES for _ in range(3)]
    assert items == choose_items("duel", 9)
    assert find_item(items[4].id) == items[4]


@pytest.mark.parametrize("count", [0, 10_000])
def test_a_suite_of_an_impossible_size_is_refused(count: int) -> None:
    with pytest.raises(PuzzleError, match=r"the suite of duel has 1 to \d+ positions, not"):
        choose_items("duel", count)
