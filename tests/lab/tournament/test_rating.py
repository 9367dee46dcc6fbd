"""Ratings against another library, and against what is known without one."""

from __future__ import annotations

import math
import random

import choix
import pytest

from gridlock.lab.tournament.rating import ELO, rate


def simulate(strengths: list[float], games: int, seed: int) -> list[list[float]]:
    rng = random.Random(seed)
    count = len(strengths)
    wins = [[0.0] * count for _ in range(count)]
    for one in range(count):
        for two in range(one):
            for _ in range(games):
                chance = 1 / (1 + 10 ** ((strengths[two] - strengths[one]) / 400))
                is_won = rng.random() < chance
                wins[one][two] += is_won
                wins[two][one] += not is_won
    return wins


@pytest.mark.parametrize("seed", range(5))
def test_ratings_are_those_of_another_library(seed: int) -> None:
    wins = simulate([0, 50, 100, -80, 200], 30, seed)
    data = [
        (one, two)
        for one in range(5)
        for two in range(5)
        for _ in range(int(wins[one][two]))
    ]  # fmt: skip
    expected = choix.opt_pairwise(5, data, tol=1e-10)
    found = rate(wins)
    assert not found.is_regularised
    for elo, other in zip(found.elo, expected - expected.mean(), strict=True):
        assert elo == pytest.approx(other * ELO, abs=0.05)


def test_two_players_have_the_ratings_of_the_textbook() -> None:
    found = rate([[0, 75], [25, 0]])
    assert found.elo[0] - found.elo[1] == pytest.approx(400 * math.log10(3))
    # The variance of the logarithm of odds is 1 / (n p q).
    deviation = ELO * math.sqrt(1 / (100 * 0.75 * 0.25))
    assert 2 * found.error(0) == pytest.approx(1.959964 * deviation)
    assert found.error(0) == pytest.approx(found.error(1))
    expected = (1 + math.erf((found.elo[0] - found.elo[1]) / deviation / math.sqrt(2))) / 2
    assert found.superiority(0, 1) == pytest.approx(expected)
    assert found.superiority(1, 0) == pytest.approx(1 - expected)


def test_intervals_hold_the_truth_in_95_percent_of_cases() -> None:
    truth = [60.0, -60.0, 0.0]
    held = 0
    for seed in range(150):
        found = rate(simulate(truth, 40, 1000 + seed))
        held += sum(abs(found.elo[i] - truth[i]) <= found.error(i) for i in range(3))
    assert 0.92 * 450 <= held <= 0.98 * 450


@pytest.mark.parametrize(
    "wins",
    [
        [[0, 4], [0, 0]],  # everything won
        [[0, 0], [0, 0]],  # nothing played
        [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 1, 0]],  # two groups that never met
    ],
)
def test_what_would_be_infinite_is_finite_and_says_so(wins: list[list[float]]) -> None:
    found = rate(wins)
    assert found.is_regularised
    assert all(math.isfinite(elo) for elo in found.elo)
    assert all(0 < found.error(player) < 2000 for player in range(len(wins)))
    assert sum(found.elo) == pytest.approx(0, abs=1e-6)


def test_who_has_won_everything_is_first() -> None:
    found = rate([[0, 3, 3], [0, 0, 2], [0, 1, 0]])
    assert found.elo[0] > found.elo[1] > found.elo[2]
    assert found.superiority(0, 2) > found.superiority(0, 1) > 0.5
