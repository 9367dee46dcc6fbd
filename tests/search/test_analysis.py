from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

import gridlock
from gridlock import RULEBOOKS, Position
from gridlock.errors import SizeError
from gridlock.search.analysis import Analysis, Value, _Analyst, analyse, look_for_win
from gridlock.search.solver import Solver
from gridlock.search.theorems import ALL, Theorem
from tests.conftest import examples
from tests.oracle import solver as oracle
from tests.search.test_solver import small_positions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gridlock.search.backends.base import Estimator


class IgnorantSolver(Solver):
    """Cannot find out what some cells of a position are worth, or how long the game then lasts.

    Of like cells the first one in reading order is meant.  It has no time for estimates, which
    would prove it all the same.
    """

    def __init__(
        self, position: Position, *, values: Sequence[str] = (), distances: Sequence[str] = ()
    ) -> None:
        super().__init__(position.game, use=ALL & ~Theorem.MIRROR)
        self._valueless = [position.play(position.game.cell(cell)) for cell in values]
        self._endless = [position.play(position.game.cell(cell)) for cell in distances]

    def wins(self, position: Position) -> bool:
        if position in self._valueless:
            raise SizeError("not solved")
        return super().wins(position)

    def probe(self, position: Position) -> bool | None:
        return None if position in self._valueless else super().probe(position)

    def distance(self, position: Position) -> int:
        if position in self._endless:
            raise SizeError("not solved")
        return super().distance(position)

    @contextlib.contextmanager
    def thinking(self, search: Estimator) -> Iterator[None]:
        with super().thinking(search):
            self.signal[0] = 1
            yield


@examples(60)
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


def test_a_board_too_large_to_search_is_unknown_without_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gridlock.search.analysis._ENDLESS_SHARE", 0.05)
    start = gridlock.game("claim", "9x9").start()
    analysis = analyse(start, None)
    assert analysis.value is Value.UNKNOWN
    assert analysis.estimate is not None


def test_what_no_estimate_has_looked_at_has_no_chance() -> None:
    start = gridlock.game("claim", "9x9").start()
    analysis = analyse(start, 0.1, solver=IgnorantSolver(start))
    assert {action.estimate for action in analysis.actions} == {None}
    assert analysis.estimate is None


def test_estimates_are_told_while_they_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.search.throttle._INTERVAL", 0.0)
    monkeypatch.setattr("gridlock.search.throttle._SHARE", float("inf"))
    start = gridlock.game("claim", "9x9").start()
    told: list[Analysis] = []
    final = analyse(start, 0.3, on_progress=told.append)
    chances = [found.estimate for found in told if found.estimate is not None]
    assert len(set(chances)) > 3  # more than after each of the phases
    assert chances[-1] == final.estimate


def test_beside_the_proved_cells_of_a_large_board_only_those_are_tried_that_can_be_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(Solver, "wins_by")
    game = gridlock.game("duel", "9x9")
    analysis = analyse(game.start(), seconds=0.5)
    assert analysis.winning_cells() == (game.cell("5,5"),)
    assert {action.value for action in analysis.actions[1:]} == {Value.UNKNOWN}
    assert len(analysis.actions) == 81


def test_a_solver_can_be_shared() -> None:
    start = gridlock.game("occupation").start()
    solver = Solver(start.game)
    analyse(start, solver=solver)
    nodes = solver.progress.nodes
    analyse(start, solver=solver)
    assert solver.progress.nodes < 1.1 * nodes


# In a row of five the middle wins: two lone cells are left. Any other cell loses to one answer.
ROW_OF_FIVE = gridlock.game("duel", "1x5").start()

# In a row of six an end wins, which leaves a row of four, lost in two, and so does a third cell,
# which leaves a lone cell and a pair; a second cell leaves a row of three, and the middle wins it.
ROW_OF_SIX = gridlock.game("duel", "1x6").start()


def test_the_unknown_stands_after_wins_and_before_losses() -> None:
    analysis = analyse(ROW_OF_FIVE, solver=IgnorantSolver(ROW_OF_FIVE, values=["1,2"]))
    assert [(action.cell, action.value, action.distance) for action in analysis.actions] == [
        (2, Value.WIN, 3),
        (1, Value.UNKNOWN, None),
        (3, Value.UNKNOWN, None),
        (0, Value.LOSS, 2),
        (4, Value.LOSS, 2),
    ]


def test_a_position_whose_best_action_is_unknown_is_unknown() -> None:
    analysis = analyse(ROW_OF_FIVE, solver=IgnorantSolver(ROW_OF_FIVE, values=["1,3"]))
    assert (analysis.value, analysis.distance) == (Value.UNKNOWN, None)
    assert analysis.actions[0].cell == 2


def test_a_win_has_no_distance_while_an_unknown_action_may_be_shorter() -> None:
    analysis = analyse(ROW_OF_FIVE, solver=IgnorantSolver(ROW_OF_FIVE, values=["1,2"]))
    assert (analysis.value, analysis.distance) == (Value.WIN, None)
    assert analysis.actions[0].distance == 3


def test_a_win_has_no_distance_while_another_wins_length_is_unknown() -> None:
    analysis = analyse(ROW_OF_SIX, solver=IgnorantSolver(ROW_OF_SIX, distances=["1,3"]))
    assert (analysis.value, analysis.distance) == (Value.WIN, None)
    assert (analysis.action(0).distance, analysis.action(2).distance) == (3, None)


def test_a_win_has_its_distance_though_the_length_of_a_loss_is_unknown() -> None:
    analysis = analyse(ROW_OF_SIX, solver=IgnorantSolver(ROW_OF_SIX, distances=["1,2"]))
    assert (analysis.value, analysis.distance) == (Value.WIN, 3)
    assert analysis.action(1).distance is None


def test_a_loss_has_no_distance_while_another_loss_may_be_longer() -> None:
    row_of_four = gridlock.game("duel", "1x4").start()
    analysis = analyse(row_of_four, solver=IgnorantSolver(row_of_four, distances=["1,2"]))
    assert (analysis.value, analysis.distance) == (Value.LOSS, None)
    assert (analysis.action(0).distance, analysis.action(1).distance) == (2, None)


def test_what_is_known_is_told_as_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.search.throttle._INTERVAL", 0.0)
    monkeypatch.setattr("gridlock.search.throttle._SHARE", float("inf"))
    start = gridlock.game("occupation", "4x5").start()
    told: list[Analysis] = []
    final = analyse(start, None, on_progress=told.append)
    known = [sum(action.value is not Value.UNKNOWN for action in found.actions) for found in told]
    lines = [sum(action.distance is not None for action in found.actions) for found in told]
    assert known == sorted(known)
    assert lines == sorted(lines)
    assert 0 < known[0] < known[-1] == len(start.legal_cells())
    assert all(known[at] == known[-1] for at, count in enumerate(lines) if count)  # values first
    assert told[-1] == final
    for found in told:
        assert found.limit is None
        assert {action.cell for action in found.actions} == set(start.legal_cells())
        for action in found.actions:
            if action.value is not Value.UNKNOWN:
                assert action.value is final.action(action.cell).value
            if action.distance is not None:
                assert action == final.action(action.cell)


def test_an_analysis_that_is_stopped_returns_what_it_knows() -> None:
    start = gridlock.game("occupation", "8x8").start()
    solver = Solver(start.game)
    final = analyse(start, None, solver=solver, on_progress=lambda _: solver.stop())
    assert final.limit == "stopped"
    values = {action.value for action in final.actions}
    assert Value.UNKNOWN in values
    assert len(values) > 1


def test_what_a_listener_raises_ends_the_analysis() -> None:
    def listen(_: Analysis) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analyse(gridlock.game("claim").start(), on_progress=listen)


@pytest.mark.parametrize(("rulebook", "is_short"), [("race", True), ("claim", False)])
def test_who_chooses_in_race_leaves_most_of_the_time_to_estimates(
    monkeypatch: pytest.MonkeyPatch, rulebook: str, is_short: bool
) -> None:
    estimated: list[float | None] = []
    monkeypatch.setattr(_Analyst, "_estimate", lambda _, seconds: estimated.append(seconds))
    monkeypatch.setattr(_Analyst, "_find_values", lambda _: None)
    position = gridlock.game(rulebook, "7x7").start()
    look_for_win(position, Solver(position.game), 1.0, seed=0)
    *parts, rest = estimated
    assert rest is None  # as long as there is time
    assert (sum(part or 0 for part in parts) > 0.5) == is_short
