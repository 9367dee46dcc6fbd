"""The sequential test against published values, another optimiser, and simulation."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import pytest
from scipy.optimize import minimize

from gridlock.errors import NotationError
from gridlock.lab.tournament.sprt import NORMALISED, Sprt, log_likelihood_ratio, read_sprt

if TYPE_CHECKING:
    from collections.abc import Sequence

PUBLISHED = [
    # losses, draws, wins; or LL, LD, WL and DD, WD, WW; bounds in normalised Elo; their ratio
    ((36027, 68692, 36433), 0, 2, 0.92),
    ((10650, 20431, 10871), -1.75, 0.25, 2.30),
    ((0, 0, 4250), 0, 10, 120.56),
    ((365, 16618, 36029 + 200, 16974, 390), 0, 2, 2.25),
    ((127, 4883, 10311 + 401, 5150, 104), -1.75, 0.25, 3.01),
    ((0, 0, 0, 0, 5550), 0, 5, 111.82),
]
"""The values that fastchess checks its own test by, which are those of fishtest."""


@pytest.mark.parametrize(("counts", "elo0", "elo1", "ratio"), PUBLISHED)
def test_ratios_are_the_published_ones(
    counts: tuple[int, ...], elo0: float, elo1: float, ratio: float
) -> None:
    assert log_likelihood_ratio(counts, elo0, elo1) == pytest.approx(ratio, rel=0.01, abs=0.005)


def likeliest(counts: Sequence[int], elo: float) -> float:
    """Return the greatest log-likelihood of outcomes under a strength, by a general optimiser."""
    number, total = len(counts), sum(counts)
    scores = [at / (number - 1) for at in range(number)]
    strength = elo / NORMALISED * math.sqrt((number - 1) / 2)

    def surplus(shares: Sequence[float]) -> float:
        mean = sum(p * score for p, score in zip(shares, scores, strict=True))
        variance = sum(p * (score - mean) ** 2 for p, score in zip(shares, scores, strict=True))
        return float(mean - 0.5 - strength * math.sqrt(variance))

    found = minimize(
        lambda shares: -sum(c * math.log(p) for c, p in zip(counts, shares, strict=True)) / total,
        [count / total for count in counts],
        bounds=[(1e-9, 1)] * number,
        constraints=[
            {"type": "eq", "fun": lambda shares: sum(shares) - 1},
            {"type": "eq", "fun": surplus},
        ],
        options={"ftol": 1e-14, "maxiter": 1000},
        method="SLSQP",
    )
    assert found.success
    return float(-found.fun * total)


@pytest.mark.parametrize(
    "counts", [(40, 20, 55), (10, 1, 30), (3, 20, 60, 30, 9), (30, 5, 80, 7, 50)]
)
def test_ratios_are_those_of_a_general_optimiser(counts: tuple[int, ...]) -> None:
    expected = likeliest(counts, 30) - likeliest(counts, -10)
    assert log_likelihood_ratio(counts, -10, 30) == pytest.approx(expected, abs=1e-3)


def test_nothing_is_known_without_games() -> None:
    assert log_likelihood_ratio((0, 0, 0), 0, 5) == 0
    assert Sprt(0, 5).decision((0, 0, 0, 0, 0)) is None


def test_a_clear_match_is_decided() -> None:
    test = Sprt(0, 20)
    assert (round(test.lower, 2), round(test.upper, 2)) == (-2.94, 2.94)
    assert test.decision((10, 0, 50, 0, 100)) == "elo1"
    assert test.decision((100, 0, 50, 0, 10)) == "elo0"


@pytest.mark.parametrize("text", ["", "5", "1,2,3", "a,b", "5,0", "3,3", "nan,1", "0,inf"])
def test_bounds_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_sprt(text)
    with pytest.raises(NotationError, match="between 0 and 0.5"):
        read_sprt("0,5", alpha=0.7)


def wrong_decisions(test: Sprt, truth: str, chances: Sequence[float], trials: int) -> int:
    """Return how often simulated matches are decided for what is not so."""
    rng = random.Random(truth)
    wrong = 0
    for _ in range(trials):
        counts = [0] * len(chances)
        decision = None
        while decision is None:
            for _ in range(4):
                counts[rng.choices(range(len(chances)), chances)[0]] += 1
            decision = test.decision(counts)
        wrong += decision != truth
    return wrong


def chances_of(elo: float, split: float) -> list[float]:
    """Return chances of losing, splitting and winning a pair at some normalised Elo."""
    strength = elo / NORMALISED * math.sqrt(2)
    low, high = 0.0, 1 - split
    for _ in range(60):
        win = (low + high) / 2
        mean = win + split / 2
        variance = win + split / 4 - mean**2
        low, high = (win, high) if (mean - 0.5) / math.sqrt(variance) < strength else (low, win)
    return [1 - split - win, 0, split, 0, win]


def check_errors(trials: int) -> None:
    test = Sprt(0, 100, alpha=0.1, beta=0.1)
    for truth, elo in (("elo0", test.elo0), ("elo1", test.elo1)):
        wrong = wrong_decisions(test, truth, chances_of(elo, 0.5), trials)
        deviation = math.sqrt(trials * 0.1 * 0.9)
        assert wrong <= 0.1 * trials + 3 * deviation
        assert wrong > 0  # so that the simulation could have found too many


def test_wrong_decisions_stay_within_their_bounds() -> None:
    check_errors(40)


@pytest.mark.long
def test_wrong_decisions_stay_within_their_bounds_in_many_matches() -> None:
    check_errors(2000)
