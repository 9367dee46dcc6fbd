"""Labels are what the oracle and the solver say, and regret is what follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridlock
from gridlock import IllegalMoveError, LimitError, Position, RulebookError, Settings
from gridlock.bridges import values as module
from gridlock.bridges.batch import ArrayError, Batch, random_states
from gridlock.bridges.values import regret, values
from gridlock.search.solver import Solver
from tests.conftest import examples
from tests.oracle import solver as oracle
from tests.strategies import custom_games, lines_of_play, rulebook_games

if TYPE_CHECKING:
    from gridlock import Game


def _is_small(game: Game) -> bool:
    return game.grid.cell_count <= 9 and game.start().winner is None


small_lines = lines_of_play((rulebook_games() | custom_games()).filter(_is_small))


@examples(100)
@given(line=small_lines)
def test_values_of_states_and_actions_are_the_oracles(line: list[Position]) -> None:
    batch = Batch(line[0].game, len(line), autoreset=False)
    batch.place(line)
    found = values(batch, distances=True, actions=True)
    for number, position in enumerate(line):
        won, distance = oracle.solve(position)
        assert found.value[number] == (1 if won else -1)
        assert found.distance is not None
        assert found.distance[number] == distance
        for cell in range(position.game.grid.cell_count):
            assert found.action_value is not None
            assert found.action_distance is not None
            if position.is_legal(cell):
                won, distance = oracle.solve_action(position, cell)
                assert found.action_value[number, cell] == (1 if won else -1)
                assert found.action_distance[number, cell] == distance
            else:
                assert found.action_value[number, cell] == 0
                assert found.action_distance[number, cell] == -1


@pytest.mark.parametrize("name", gridlock.RULEBOOKS)
def test_values_on_the_rulebooks_own_boards_are_the_solvers(name: str) -> None:
    batch = random_states(name, 200, seed=3)
    solver = Solver(batch.game)
    found = values(batch, solver)
    assert found.distance is found.action_value is found.action_distance is None
    for number in range(200):
        assert (found.value[number] > 0) == solver.wins(batch.position(number))


def test_large_batches_are_evaluated_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = random_states("duel", 50, seed=1)
    whole = values(batch, distances=True)
    monkeypatch.setattr(module, "_AT_ONCE", 7)
    parts = values(batch, distances=True)
    assert np.array_equal(whole.value, parts.value)
    assert np.array_equal(whole.distance, parts.distance)  # type: ignore[arg-type]


def test_a_solver_of_another_game_or_out_of_time_is_refused() -> None:
    batch = Batch("claim", 2)
    with pytest.raises(
        RulebookError, match="^a solver of <Game duel 5x5> cannot answer for <Game cl"
    ):
        values(batch, Solver(gridlock.game("duel")))
    with pytest.raises(LimitError):
        values(batch, Solver(batch.game, Settings(seconds=0)))
    with pytest.raises(RulebookError, match="misere"):
        values(batch, Solver(batch.game, is_misere=True))


# ---------------------------------------------------------------------- regret


def test_perfect_play_has_no_regret_and_its_opposite_has_all_it_can_have() -> None:
    batch = random_states("duel", 300, size="4x4", seed=2)
    solver = Solver(batch.game)
    labels = values(batch, solver, actions=True)
    worth = np.asarray(labels.action_value)
    best = regret(lambda games: np.where(games.legal, worth, -2).argmax(axis=1), batch, solver)
    assert (best.won, best.expected, best.rate) == (int((labels.value > 0).sum()), 0.0, 0.0)
    worst = regret(lambda games: np.where(games.legal, -worth, -2).argmax(axis=1), batch, solver)
    can_fail = (labels.value > 0) & (worth < 0).any(axis=1)
    assert worst.expected == can_fail.sum() > 0


@examples(40)
@given(seed=st.integers(0, 1000), is_race=st.booleans())
def test_chances_are_counted_as_such(seed: int, is_race: bool) -> None:
    batch = random_states("race" if is_race else "claim", 20, size="3x3", seed=seed)
    found = regret(lambda games: games.legal / games.legal.sum(axis=1, keepdims=True), batch)
    expected, won = 0.0, 0
    for number in range(20):
        position = batch.position(number)
        if oracle.solve(position)[0]:
            cells = position.legal_cells()
            won += 1
            expected += sum(not oracle.solve_action(position, cell)[0] for cell in cells) / len(
                cells
            )
    assert found.won == won
    assert found.expected == pytest.approx(expected)


def test_games_that_are_over_are_not_asked_about() -> None:
    game = gridlock.game("duel", "1x2")
    batch = Batch(game, 2, autoreset=False)
    batch.place([game.start(), game.start().play(0)])
    assert regret(lambda games: [0] * len(games), batch).won == 1
    batch.place([game.start().play(0)] * 2)
    assert regret(lambda games: [], batch).rate == 0.0
    labels = values(batch, actions=True)
    assert labels.value.tolist() == [-1, -1]
    assert not np.asarray(labels.action_value).any()


def test_a_policy_that_breaks_the_rules_is_told_so() -> None:
    batch = Batch("duel", 2, size="2x2")
    batch.step([0, 0])
    with pytest.raises(IllegalMoveError, match="^game 0: 1,1 is already taken$"):
        regret(lambda games: [0, 3], batch)
    even = np.full((2, 4), 0.25)
    with pytest.raises(ArrayError, match="^illegal actions must have a chance of 0$"):
        regret(lambda games: even, batch)
    with pytest.raises(ArrayError, match="that add up to 1$"):
        regret(lambda games: even * 2, batch)
    with pytest.raises(ArrayError, match=r"^chances have the shape \(1, 4\), not \(2, 4\)$"):
        regret(lambda games: even[:1], batch)
