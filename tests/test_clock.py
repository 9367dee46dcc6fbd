"""Clocks: base, increment, and who runs out."""

from __future__ import annotations

import pytest

from gridlock.clock import Clock, TimeControl, read_time_control, unhurried, write_left
from gridlock.model import Player

ONE, TWO = Player


def test_only_the_mover_loses_time_and_each_turn_brings_the_increment() -> None:
    clock = Clock(60, 2)
    clock.run(ONE, at=1_000)
    clock.press(ONE, TWO, at=11_000)
    assert (clock.left, clock.running, clock.since) == ([52_000, 60_000], TWO, 11_000)
    clock.press(TWO, ONE, at=12_000)
    assert clock.left == [52_000, 61_000]


def test_a_turn_of_two_actions_brings_one_increment() -> None:
    clock = Clock(60, 2)
    clock.run(ONE, at=0)
    clock.press(ONE, ONE, at=1_000)
    assert clock.left == [59_000, 60_000]
    clock.press(ONE, TWO, at=2_000)
    assert clock.left == [60_000, 60_000]


def test_the_first_turn_of_a_game_takes_no_time_and_brings_its_increment() -> None:
    clock = Clock(60, 2)
    clock.press(ONE, TWO, at=9_000)
    assert (clock.left, clock.running, clock.since) == ([62_000, 60_000], TWO, 9_000)


def test_the_deadline_is_when_the_movers_time_runs_out() -> None:
    clock = Clock(10)
    assert clock.deadline is None
    clock.run(TWO, at=5_000)
    assert clock.deadline == 15_000
    assert (clock.is_up(14_999), clock.is_up(15_000)) == (False, True)
    clock.run(None, at=8_000)
    assert clock.deadline is None
    assert not clock.is_up(99_000)
    assert clock.left == [10_000, 7_000]


def test_a_new_game_gives_both_all_their_time() -> None:
    clock = Clock(10)
    clock.run(ONE, at=0)
    clock.run(None, at=4_000)
    clock.reset()
    clock.run(TWO, at=9_000)
    assert (clock.left, clock.deadline) == ([10_000, 10_000], 19_000)


def test_what_was_left_comes_back_with_actions_taken_back() -> None:
    clock = Clock(60, 2)
    clock.press(ONE, TWO, at=0)
    clock.press(TWO, ONE, at=5_000)
    clock.press(ONE, TWO, at=9_000)
    clock.rewind(1, at=11_000)
    assert (clock.left, clock.running) == ([62_000, 60_000], None)
    assert clock.times == [(60_000, 60_000), (62_000, 60_000)]


def test_what_a_player_has_left_runs_down_to_nothing() -> None:
    clock = Clock(10)
    clock.run(ONE, at=1_000)
    assert [clock.left_at(ONE, at) for at in (1_000, 4_000, 99_000)] == [10_000, 7_000, 0]
    assert clock.left_at(TWO, 99_000) == 10_000


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        (0, "0.0"), (99, "0.0"), (9_990, "9.9"), (10_000, "0:10"), (59_001, "1:00"),
        (298_000, "4:58"), (3_600_000, "1:00:00"), (3_725_000, "1:02:05"),
    ],
)  # fmt: skip
def test_a_clock_shows_tenths_only_where_time_is_low(left: int, shown: str) -> None:
    assert write_left(left) == shown


@pytest.mark.parametrize(
    ("text", "control", "words"),
    [
        ("300+3", TimeControl(300, 3), "5 min + 3 s"),
        ("60+0", TimeControl(60), "1 min"),
        ("90+1", TimeControl(90, 1), "90 s + 1 s"),
    ],
)
def test_a_time_control_is_read_as_it_is_written(
    text: str, control: TimeControl, words: str
) -> None:
    assert read_time_control(text) == control
    assert (str(control), control.in_words()) == (text, words)


def test_a_time_control_without_an_increment_need_not_say_so() -> None:
    assert read_time_control("60") == TimeControl(60)


@pytest.mark.parametrize("text", ["", "0+5", "5+", "-1+2", "40/9000", "1.5+1", "999999+0"])
def test_what_is_no_time_control_is_none(text: str) -> None:
    assert read_time_control(text) is None


def test_a_program_is_in_no_hurry_unless_its_time_is_short() -> None:
    clock = Clock(3)
    assert unhurried(0.5, None, at=0) == unhurried(0.5, clock, at=0) == 0.5
    clock.run(ONE, at=0)
    assert unhurried(0.5, clock, at=0) == 0.1
    assert unhurried(0.5, clock, at=9_000) == 0
