"""The estimating search of race: what it proves is true, and what it guesses is orderly."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridlock
from gridlock import Player
from gridlock.search.backends import backend_of
from gridlock.search.estimating import Estimation, best_of
from gridlock.search.settings import Settings
from gridlock.search.solver import Solver
from gridlock.search.theorems import Theorem

if TYPE_CHECKING:
    import random

    from gridlock import Position
    from gridlock.search.backends.base import Estimate

sizes = st.sampled_from(["1x5", "2x2", "2x6", "3x4", "4x4", "5x3"])


def played(size: str, rng: random.Random, most: int) -> Position:
    """Return a position of race that is not over, after some random actions."""
    position = gridlock.game("race", size).start()
    for _ in range(rng.randrange(most)):
        after = position.play(rng.choice(position.legal_cells()))
        if after.winner is None:
            position = after
    return position


def estimates(position: Position, nodes: int) -> list[Estimate]:
    search = backend_of(position.game).new_estimator(
        position, memoryview(array("q", [0])), 1 << 20, 0
    )
    search.think(nodes)
    return search.estimates()


@settings(max_examples=150)
@given(sizes, st.randoms(use_true_random=False), st.sampled_from([0, 30, 500, 20_000]))
def test_what_is_proved_is_true(size: str, rng: random.Random, nodes: int) -> None:
    position = played(size, rng, 14)
    solver = Solver(position.game, use=Theorem(0))
    found = estimates(position, nodes)
    assert [cell for cell, *_ in found] == list(position.legal_cells())
    for cell, chance, _, proof in found:
        assert 0 <= chance <= 1
        if proof:
            assert solver.wins_by(position, cell) == (proof > 0)
            assert chance == (proof > 0)


@settings(max_examples=30)
@given(st.randoms(use_true_random=False))
def test_a_small_board_is_proved_whole(rng: random.Random) -> None:
    position = played("3x4", rng, 8)
    found = estimates(position, 1_000_000)
    is_won = Solver(position.game).wins(position)
    assert max(proof for *_, proof in found) == (1 if is_won else -1)


def test_the_goal_beside_the_token_is_reached() -> None:
    position = gridlock.game("race", "3x3").position("..2/.../.1. 1 move")
    assert best_of(Estimation(Solver(position.game), position).estimates().values()).proof == 1
    found = {cell: proof for cell, _, _, proof in estimates(position, 1)}
    assert found[position.game.cell("2,2")] == 1


def test_apart_for_good_the_longer_walk_wins() -> None:
    """A wall of blocked cells, two wide, lies between the tokens: neither goal can be reached."""
    position = gridlock.game("race", "8x4").position(
        "#.../..1./..../####/####/.2##/.###/...# 1 move"
    )
    assert all(proof == 1 for *_, proof in estimates(position, 1) if proof)
    assert max(proof for *_, proof in estimates(position, 2000)) == 1
    assert Solver(position.game).wins(position)


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_a_board_turned_round_is_worth_the_same(rng: random.Random) -> None:
    """Half a turn exchanges the goals, so it exchanges the players."""
    position = played("5x6", rng, 10)
    game = position.game
    last = game.grid.cell_count - 1
    one, two, blocked = (
        [last - cell for cell in range(last + 1) if mask >> cell & 1]
        for mask in (position.marks(Player.ONE), position.marks(Player.TWO), position.blocked)
    )
    cells = ["."] * (last + 1)
    for symbol, places in (("2", one), ("1", two), ("#", blocked)):
        for place in places:
            cells[place] = symbol
    columns = game.grid.columns
    rows = ["".join(cells[at : at + columns]) for at in range(0, last + 1, columns)]
    text = f"{'/'.join(rows)} {position.mover.opponent.value} {position.phase}"
    turned = game.position(text)
    seen = {cell: chance for cell, chance, *_ in estimates(position, 0)}
    assert {last - cell: chance for cell, chance, *_ in estimates(turned, 0)} == seen


def test_as_many_nodes_find_the_same() -> None:
    position = gridlock.game("race", "9x9").start()
    assert estimates(position, 3000) == estimates(position, 3000)


@pytest.mark.parametrize("size", ["19x19", "5x63", "70x70", "100x3"])
def test_boards_of_any_size_are_estimated(size: str) -> None:
    position = gridlock.game("race", size).start()
    assert len(estimates(position, 20)) == 2


def test_a_search_that_is_told_to_stop_stops() -> None:
    position = gridlock.game("race", "11x11").start()
    solver = Solver(position.game, Settings(seconds=600))

    class Watch:
        asked = 0

        def __call__(self, _: object) -> None:
            self.asked += 1
            if self.asked == 3:
                solver.stop()

    with solver.watched_by(Watch()):
        estimation = Estimation(solver, position)
        estimation.think()
    assert 0 < estimation.nodes < 1_000_000


def test_what_goes_wrong_in_a_watcher_ends_the_search() -> None:
    position = gridlock.game("race", "11x11").start()
    solver = Solver(position.game)

    def fail(_: object) -> None:
        raise RuntimeError("wrong")

    with solver.watched_by(fail), pytest.raises(RuntimeError, match="wrong"):
        Estimation(solver, position).think()


def test_two_threads_look_at_more() -> None:
    position = gridlock.game("race", "7x7").start()
    solver = Solver(position.game, Settings(threads=2))
    estimation = Estimation(solver, position)
    estimation.think(nodes=2000)
    assert estimation.nodes >= 2000
    assert estimation.estimates().keys() == set(position.legal_cells())
