from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridlock
from gridlock import Player, Position, Record
from gridlock.errors import LimitError
from gridlock.record import RESIGNATION
from gridlock.search.analysis import Value, analyse
from gridlock.search.review import Review, review
from gridlock.search.solver import Solver
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


@settings(max_examples=40)
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
