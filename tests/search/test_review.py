from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridlock
from gridlock import Player, Position, Record
from gridlock.errors import LimitError
from gridlock.record import RESIGNATION
from gridlock.search.analysis import Value, analyse
from gridlock.search.estimating import Estimate, Estimation, calibrated
from gridlock.search.review import Review, ReviewedAction, review
from gridlock.search.solver import Solver
from tests.conftest import examples
from tests.oracle import solver as oracle
from tests.search.test_solver import small_games
from tests.strategies import lines_of_play


def record_of(line: list[Position]) -> Record:
    moves = [
        next(cell for cell in before.legal_cells() if before.play(cell) == after)
        for before, after in pairwise(line)
    ]
    return Record(
        game=line[0].game,
        first=line[0].mover,
        moves=tuple(moves),
        players=("Ann", "Bob"),
        date="2026.11.15",
        result=line[-1].winner,
    )


@examples(40)
@given(lines_of_play(small_games()))
def test_labels_agree_with_analysis(line: list[Position]) -> None:
    found = review(record_of(line))
    assert found.is_complete
    assert len(found.actions) == len(line) - 1
    for action, position in zip(found.actions, line, strict=False):
        analysis = analyse(position)
        assert action.position == position
        assert action.before is analysis.value
        assert action.after is analysis.action(action.cell).value
        assert action.is_mistake == (
            analysis.value is Value.WIN and action.cell not in analysis.winning_cells()
        )
        if action.is_mistake:
            assert set(action.better) == set(analysis.winning_cells())
            assert action.punishment is not None
            assert oracle.best_line_is_right(position.play(action.cell), action.punishment)
        else:
            assert (action.better, action.punishment) == ((), None)


def test_a_summary_counts_each_players_mistakes() -> None:
    game = gridlock.game("occupation")
    record = gridlock.read_record(
        '[Game "occupation"] [Size "5x5"] [First "2"] [Result "*"]\n\n2,1 4,2 2,4'
    )
    found = review(record)
    assert [(a.number, a.player, game.name(a.cell)) for a in found.mistakes()] == [
        (1, Player.TWO, "2,1"),
        (2, Player.ONE, "4,2"),
        (3, Player.TWO, "2,4"),
    ]
    assert len(found.mistakes(Player.TWO)) == 2
    assert found.count(Player.ONE) == 1
    assert found.count(Player.TWO, Value.WIN) == 2
    assert found.count(Player.TWO, Value.LOSS) == 0


def test_resigning_a_won_position_is_told() -> None:
    for name, player in (("occupation", Player.ONE), ("claim", None)):
        line = [gridlock.game(name).start()]
        resigned = replace(record_of(line), result=Player.TWO, termination=RESIGNATION)
        assert review(resigned).resigned_a_win is player


@given(st.sampled_from([0.0, 1e-9]))
def test_what_cannot_be_solved_in_the_time_is_not_judged(seconds: float) -> None:
    start = gridlock.game("claim", "7x9").start()
    found = review(record_of([start, start.play(0), start.play(0).play(10)]), seconds)
    assert not found.is_complete
    assert {action.before for action in found.actions} == {Value.UNKNOWN}
    assert found.mistakes() == ()
    assert found.count(Player.ONE, Value.UNKNOWN) == 1


GIVEN_AWAY = gridlock.read_record(
    '[Game "occupation"] [Size "5x5"] [First "2"] [Result "*"]\n\n2,1 4,2 2,4'
)


def test_what_is_known_is_told_as_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.search.throttle._INTERVAL", 0.0)
    monkeypatch.setattr("gridlock.search.throttle._SHARE", float("inf"))
    told: list[Review] = []
    final = review(GIVEN_AWAY, on_progress=told.append)
    known = [sum(action.before is not Value.UNKNOWN for action in found.actions) for found in told]
    assert known == sorted(known)
    assert set(known) == {1, 2, 3}
    assert told[0].actions[0].before is Value.UNKNOWN  # from the end to the beginning
    assert not told[0].is_complete
    assert told[-1] == final
    assert final.is_complete
    assert final.limit is None


def test_a_review_that_is_stopped_returns_what_it_knows() -> None:
    solver = Solver(GIVEN_AWAY.game)
    final = review(GIVEN_AWAY, None, solver, on_progress=lambda _: solver.stop())
    assert final.limit == "stopped"
    assert [action.before for action in final.actions] == [
        Value.UNKNOWN,
        Value.UNKNOWN,
        Value.WIN,
    ]
    assert final.actions[-1].is_mistake
    assert (final.actions[-1].better, final.actions[-1].punishment) == ((), None)
    with pytest.raises(LimitError, match="^stopped$"):
        review(GIVEN_AWAY, None, solver)


def test_turns_are_counted_as_people_count_moves() -> None:
    race = gridlock.read_record('[Game "race"] [Size "4x4"] [First "1"] [Result "*"]\n\n'
                                "0,1/1,0 3,2/2,3 0,2")  # fmt: skip
    actions = review(race).actions
    assert [action.number for action in actions] == [1, 2, 3, 4, 5]
    assert [action.turn for action in actions] == [1, 1, 2, 2, 3]
    assert [action.turn for action in review(GIVEN_AWAY).actions] == [1, 2, 3]


LARGE = gridlock.read_record('[Game "claim"] [Size "9x9"] [First "1"] [Result "*"]\n\n0,0 4,4 8,8')


def estimate_by(monkeypatch: pytest.MonkeyPatch, chances: dict[int, float]) -> list[Position]:
    """Give the cells of every position these chances, 0.5 to all others; return what was asked.

    A chance of 0 or 1 is proved.
    """
    asked: list[Position] = []

    def init(self: Estimation, _: Solver, position: Position) -> None:
        self.position = position  # type: ignore[attr-defined]
        asked.append(position)

    def estimates(self: Estimation) -> dict[int, Estimate]:
        found = {}
        for cell in self.position.legal_cells():  # type: ignore[attr-defined]
            chance = chances.get(cell, 0.5)
            proof = int(chance == 1) - int(chance == 0)
            found[cell] = Estimate(cell, chance, round(100 * chance), proof)
        return found

    monkeypatch.setattr(Estimation, "__init__", init)
    monkeypatch.setattr(Estimation, "think", lambda *_: None)
    monkeypatch.setattr(Estimation, "estimates", estimates)
    return asked


def test_what_cannot_be_solved_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    game = LARGE.game
    chances = {game.cell("0,1"): 0.8, game.cell("0,0"): 0.3, game.cell("4,4"): 0.7}
    asked = estimate_by(monkeypatch, chances)
    found = review(LARGE)
    one, two, three = found.actions
    assert {(action.before, action.after) for action in found.actions} == {
        (Value.UNKNOWN, Value.UNKNOWN)
    }
    certainty = Solver(game).backend.certainty
    best, bad, good = (calibrated(chance, certainty) for chance in (0.8, 0.3, 0.7))
    assert (one.estimate_before, one.estimate_after) == (best, bad)
    assert (two.estimate_before, two.estimate_after) == (best, good)
    assert (three.estimate_before, three.estimate_after) == (0.5, 0.5)  # 0,1 is closed to its mover
    assert [position.mover for position in asked] == [1, 2, 1]
    assert found.doubtful() == found.doubtful(Player.ONE) == (one,)
    assert found.doubtful(Player.TWO) == found.mistakes() == ()
    assert found.limit == "not solved: more than 64 cells are open"


def test_the_estimates_of_a_large_board_are_chances() -> None:
    found = review(LARGE, 0.3)
    assert found.doubtful() == tuple(action for action in found.actions if action.is_doubtful)
    for action in found.actions:
        assert action.estimate_before is not None
        assert action.estimate_after is not None
        assert 0 < action.estimate_after <= action.estimate_before < 1


def test_estimates_are_told_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.search.throttle._INTERVAL", 0.0)
    monkeypatch.setattr("gridlock.search.throttle._SHARE", float("inf"))
    estimate_by(monkeypatch, {})
    told: list[Review] = []
    final = review(LARGE, on_progress=told.append)
    counts = [sum(action.is_estimated for action in found.actions) for found in told]
    assert counts == sorted(counts)
    assert set(counts) == {0, 1, 2, 3}
    assert told[-1] == final


def test_what_an_estimate_proves_is_a_fact(monkeypatch: pytest.MonkeyPatch) -> None:
    game = LARGE.game
    estimate_by(monkeypatch, {game.cell("8,8"): 0.0, game.cell("0,2"): 1.0})
    one, two, three = review(LARGE).actions
    assert (three.before, three.after, three.is_mistake) == (Value.WIN, Value.LOSS, True)
    assert three.better == (game.cell("0,2"),)
    assert not three.is_estimated
    assert not three.is_doubtful
    assert (two.after, two.estimate_after) == (Value.LOSS, None)
    assert one.before is Value.WIN


def test_what_follows_from_a_value_needs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Position] = []
    wins = Solver.wins

    def count(solver: Solver, position: Position) -> bool:
        asked.append(position)
        return wins(solver, position)

    monkeypatch.setattr(Solver, "wins", count)
    start = gridlock.game("duel", "1x5").start()
    found = review(record_of([start, start.play(2)]))
    assert (found.actions[0].before, found.actions[0].after) == (Value.WIN, Value.WIN)
    assert start not in asked  # the move wins, so the position did


def test_every_action_of_a_lost_position_is_known_to_lose() -> None:
    start = gridlock.game("duel", "10x10").start()
    found = review(record_of([start, start.play(0)]), 0.1)
    assert (found.actions[0].before, found.actions[0].after) == (Value.LOSS, Value.LOSS)
    assert found.is_complete


@pytest.mark.parametrize(
    ("before", "after", "chances", "is_doubtful"),
    [
        (Value.UNKNOWN, Value.UNKNOWN, (0.7, 0.4), True),
        (Value.UNKNOWN, Value.UNKNOWN, (0.6, 0.4), False),  # it did not fall far
        (Value.UNKNOWN, Value.UNKNOWN, (0.9, 0.6), False),  # it still looks won
        (Value.UNKNOWN, Value.UNKNOWN, (0.4, 0.1), False),  # it looked lost before
        (Value.UNKNOWN, Value.LOSS, (0.7, None), True),
        (Value.UNKNOWN, Value.LOSS, (0.4, None), False),
        (Value.WIN, Value.UNKNOWN, (None, 0.4), True),
        (Value.WIN, Value.UNKNOWN, (None, 0.6), False),
        (Value.UNKNOWN, Value.UNKNOWN, (None, None), False),
        (Value.WIN, Value.LOSS, (None, None), False),  # that is a fact
    ],
)
def test_an_action_is_doubtful_if_who_looked_like_winning_then_looks_like_losing(
    before: Value, after: Value, chances: tuple[float | None, float | None], is_doubtful: bool
) -> None:
    position = LARGE.game.start()
    action = ReviewedAction(1, position, 0, before, after, (), None, *chances)
    assert action.is_doubtful is is_doubtful
