from __future__ import annotations

import pytest
from hypothesis import given, settings

import gridlock
from gridlock import RULEBOOKS, Position
from gridlock.search.analysis import Value, analyse
from gridlock.search.solver import Solver
from tests.oracle import solver as oracle
from tests.search.test_solver import small_positions


@settings(max_examples=60)
@given(small_positions)
def test_every_action_has_the_oracles_value_distance_and_a_right_line(position: Position) -> None:
    analysis = analyse(position)
    won, distance = oracle.solve(position)
    assert (analysis.value is Value.WIN, analysis.distance) == (won, distance)
    assert {action.cell for action in analysis.actions} == set(position.legal_cells())
    for action in analysis.actions:
        won, distance = oracle.solve_action(position, action.cell)
        assert (action.value, action.distance) == (Value.WIN if won else Value.LOSS, distance)
        assert action.line[0] == action.cell
        assert len(action.line) == distance
        after = position.play(action.cell)
        assert oracle.best_line_is_right(after, action.line[1:])
    assert analysis.limit is None


@given(small_positions)
def test_actions_stand_best_first_ties_in_reading_order(position: Position) -> None:
    keys = []
    for action in analyse(position).actions:
        assert action.distance is not None
        is_win = action.value is Value.WIN
        keys.append((not is_win, action.distance if is_win else -action.distance, action.cell))
    assert keys == sorted(keys)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_rulebooks_boards_are_analysed_whole(name: str) -> None:
    start = gridlock.game(name).start()
    analysis = analyse(start, None)
    assert analysis.limit is None
    best = analysis.actions[0]
    position = start
    for cell in best.line:
        position = position.play(cell)
    assert position.winner is not None
    assert (position.winner is start.mover) == (analysis.value is Value.WIN)
    assert len(best.line) == best.distance == analysis.distance


def test_a_game_that_is_over_is_lost_at_once() -> None:
    over = gridlock.game("duel", "1x1").start().play(0)
    analysis = analyse(over)
    assert (analysis.value, analysis.distance, analysis.actions) == (Value.LOSS, 0, ())


def test_what_cannot_be_solved_in_the_time_is_unknown() -> None:
    start = gridlock.game("claim", "7x9").start()
    analysis = analyse(start, 0.1)
    assert (analysis.value, analysis.distance) == (Value.UNKNOWN, None)
    assert analysis.limit == "not solved within 0.1 s"
    assert {(a.value, a.distance, a.line) for a in analysis.actions} == {
        (Value.UNKNOWN, None, (cell,)) for cell in start.legal_cells()
    }
    assert analyse(start, 1e-9).value is Value.UNKNOWN


def test_a_win_without_its_distance_is_still_a_win() -> None:
    trail = gridlock.game("trail", "11x11").start()
    analysis = analyse(trail)
    assert (analysis.value, analysis.distance) == (Value.WIN, None)
    wins = [action for action in analysis.actions if action.value is Value.WIN]
    assert analysis.actions[: len(wins)] == tuple(wins)
    assert len(wins) == 61
    assert {action.distance for action in analysis.actions} == {None}
    assert analysis.action(0).value is Value.WIN
    assert analysis.action(1).value is Value.LOSS


def test_a_board_too_large_to_search_is_unknown_at_once_without_a_limit() -> None:
    start = gridlock.game("claim", "9x9").start()
    assert analyse(start, None).value is Value.UNKNOWN


def test_a_solver_can_be_shared() -> None:
    start = gridlock.game("occupation").start()
    solver = Solver(start.game)
    analyse(start, solver=solver)
    nodes = solver.progress.nodes
    analyse(start, solver=solver)
    assert solver.progress.nodes < 1.1 * nodes
