from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridlock
from gridlock import Position
from gridlock.lab.eval.grade import (
    DISTANCES,
    Examiner,
    Faced,
    Share,
    find_likeness,
    grade,
    grade_random,
)
from tests.oracle import solver as oracle

DUEL = gridlock.game("duel", "1x3")


def face(position: Position, cell: int, difficulty: str | None = None) -> Faced:
    return Faced("t", Examiner().analyse(position), cell, difficulty)


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [  # published: Newcombe 1998 has 81 of 263, 15 of 148, 0 of 20 and 1 of 29
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_intervals_are_wilsons(hits: int, total: int, low: float, high: float) -> None:
    assert Share(hits, total).interval == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 60), st.integers(1, 60))
def test_a_share_lies_in_its_interval(hits: int, total: int) -> None:
    share = Share(min(hits, total), total)
    low, high = share.interval
    assert share.value is not None
    assert 0 <= low <= share.value <= high <= 1


def test_a_share_of_nothing_says_nothing() -> None:
    assert Share(0, 0).write() == {"hits": 0, "total": 0, "share": None, "low": 0.0, "high": 1.0}
    assert not Share(0, 0).differs_from(Share(1, 1))


def test_shares_differ_where_newcombes_interval_says_so() -> None:
    # published: 56/70 and 48/80 differ by 0.0524 to 0.3339; 9/10 and 3/10 by 0.1705 to 0.8090
    assert Share(56, 70).differs_from(Share(48, 80))
    assert Share(3, 10).differs_from(Share(9, 10))
    assert not Share(5, 10).differs_from(Share(3, 10))
    assert not Share(5, 56).differs_from(Share(0, 29))  # -0.0381 to 0.1926


def test_the_grades_of_a_few_choices_come_out_as_computed_by_hand() -> None:
    """On 1x3 the middle wins, either end loses; with one cell left there is nothing to lose."""
    start = DUEL.start()
    after = start.play(0)
    faced = [face(start, 1), face(start, 0), face(start, 2), face(after, 2)]
    assert not faced[3].is_telling
    grades = grade(faced, [one.cell for one in faced])
    assert grades.kept_wins == Share(2, 4)
    assert grades.telling_wins == Share(1, 3)
    assert grades.resisted == Share(0, 0)
    assert grades.by_distance == {"1 to 2": Share(1, 3)}
    assert grade_random(faced).kept_wins == Share(1 / 3 + 1 / 3 + 1 / 3 + 1, 4, is_exact=True)
    assert grade_random(faced).telling_wins.interval == pytest.approx((1 / 3, 1 / 3))


def test_when_lost_only_the_longest_resistance_counts() -> None:
    game = gridlock.game("claim")
    position = game.start()
    faced = face(position, 0)
    assert not faced.is_won
    best = [action for action in faced.analysis.actions if action.distance == 14]
    rest = [action for action in faced.analysis.actions if action.distance != 14]
    assert best
    assert rest
    assert grade([faced], [best[0].cell]).resisted == Share(1, 1)
    assert grade([faced], [rest[0].cell]).resisted == Share(0, 1)


def test_positions_of_the_suite_are_graded_apart() -> None:
    start = DUEL.start()
    faced = [face(start, 1, "easy"), face(start, 0, "hard"), face(start, 1, "hard")]
    grades = grade(faced, [one.cell for one in faced])
    assert grades.suite == {"easy": Share(1, 1), "hard": Share(1, 2)}
    assert grades.kept_wins == Share(0, 0)


@pytest.mark.parametrize("rulebook", gridlock.RULEBOOKS)
def test_what_is_kept_is_what_plain_recursion_says(rulebook: str) -> None:
    rng = random.Random(5)
    game = gridlock.game(rulebook, "3x3")
    for _ in range(4):
        position = game.start()
        while position.winner is None:
            cell = rng.choice(position.legal_cells())
            after = position.play(cell)
            one = face(position, cell)
            wins = oracle.solve_action(position, cell)[0]
            assert one.is_won == oracle.solve(position)[0]
            if one.is_won:
                assert one.is_good(cell) == wins
            position = after


def test_distances_are_grouped_without_gaps() -> None:
    lasts = [last for _, last in DISTANCES]
    assert lasts[-1] is None
    assert lasts[:-1] == sorted(last for last in lasts if last is not None)


def test_a_position_that_is_not_solved_is_not_graded() -> None:
    game = gridlock.game("race", "9x9")
    faced = Faced("t", Examiner(0.01).analyse(game.start()), 1)
    assert not faced.is_known
    assert grade([faced], [1]).kept_wins == Share(0, 0)


def test_levels_are_not_asked_where_every_choice_is_as_good() -> None:
    start = DUEL.start()
    faced = [face(start, 0), face(start.play(0), 2)]
    assert Examiner().choices(8, faced) == [1, 2]


def test_likeness_names_the_nearest_level_and_those_that_do_not_differ() -> None:
    levels = {
        0: Share(30, 100, is_exact=True),
        1: Share(40, 100),
        2: Share(70, 100),
        3: Share(99, 100),
    }
    likeness = find_likeness(Share(66, 100), levels)
    assert likeness is not None
    assert (likeness.nearest, likeness.alike) == (2, (2,))
    assert str(likeness) == "plays like level 2"
    assert str(find_likeness(Share(4, 10), levels)) == ("plays like level 1 (95 %: random to 2)")
    assert str(find_likeness(Share(20, 100), levels)) == "plays like random play"
    assert find_likeness(Share(0, 0), levels) is None
    assert find_likeness(Share(1, 1), {}) is None
