"""Clocks: base, increment, and who runs out."""

from __future__ import annotations

from gridlock.clock import Clock
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
    clock.run(None, at=8_000)
    assert clock.deadline is None
    assert clock.left == [10_000, 7_000]


def test_a_new_game_gives_both_all_their_time() -> None:
    clock = Clock(10)
    clock.run(ONE, at=0)
    clock.run(None, at=4_000)
    clock.reset()
    clock.run(TWO, at=9_000)
    assert (clock.left, clock.deadline) == ([10_000, 10_000], 19_000)
