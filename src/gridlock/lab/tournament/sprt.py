"""The sequential probability ratio test: when enough games have been played to decide.

It asks whether one player is stronger than another by ``elo1`` rather than by ``elo0``, both in
normalised Elo, which measures strength by how many games it takes to show: the mean score beyond
one half, in standard deviations of a game, times 800 / ln 10.  The log-likelihood ratio is the
generalised one of M. Van den Bergh, "Comments on normalized Elo" (2020), section 4.1: of all
distributions of outcomes with a given strength, the one under which the outcomes are likeliest.

Outcomes are those of games (trinomial: loss, draw, win) or of pairs of games on one opening from
both sides (pentanomial: 0 to 4 half points).  Pairs are right where openings favour a side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridlock.errors import NotationError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

NORMALISED = 800 / math.log(10)
"""Normalised Elo for a mean score that is one standard deviation of a game beyond one half."""

ALPHA = BETA = 0.05
"""How often a decision for ``elo1``, and for ``elo0``, may be wrong."""

_LEAST_COUNT = 1e-3  # of an outcome that was never seen, so that no likelihood is zero
_ROUNDS = 100
_STEPS = 200
_CLOSE = 1e-12


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of two hypotheses, in normalised Elo."""

    elo0: float
    elo1: float
    alpha: float = ALPHA
    beta: float = BETA

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise NotationError(f"{self.elo0:g} is not less than {self.elo1:g}: write elo0,elo1")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise NotationError("alpha and beta are between 0 and 0.5")

    @property
    def lower(self) -> float:
        """At this log-likelihood ratio, or below, ``elo0`` is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this log-likelihood ratio, or above, ``elo1`` is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio after so many of each outcome, the worst first.

        Three are the outcomes of games, five those of pairs; their scores are evenly spaced.
        """
        return log_likelihood_ratio(counts, self.elo0, self.elo1)

    def decision(self, counts: Sequence[int]) -> str | None:
        """Return ``elo1`` or ``elo0``, whichever is accepted, None if it is too early."""
        ratio = self.ratio(counts)
        return "elo1" if ratio >= self.upper else "elo0" if ratio <= self.lower else None


def read_sprt(text: str, alpha: float = ALPHA, beta: float = BETA) -> Sprt:
    """Return the test that is written ``elo0,elo1``, or raise ``NotationError``."""
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise NotationError(f"{quote(text)} is not elo0,elo1 such as 0,5") from None
    if not (math.isfinite(elo0) and math.isfinite(elo1)):
        raise NotationError(f"{quote(text)} is not elo0,elo1 such as 0,5")
    return Sprt(elo0, elo1, alpha, beta)


def log_likelihood_ratio(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Return how much likelier the outcomes are by ``elo1`` than by ``elo0``, as a logarithm."""
    if not any(counts):
        return 0.0
    regular = [max(float(count), _LEAST_COUNT) for count in counts]
    total = sum(regular)
    shares = [count / total for count in regular]
    scores = [number / (len(counts) - 1) for number in range(len(counts))]
    games = (len(counts) - 1) / 2  # of an outcome: a pair has two
    likely0, likely1 = (
        _likeliest(scores, shares, elo / NORMALISED * math.sqrt(games)) for elo in (elo0, elo1)
    )
    return total * sum(
        share * math.log(one / zero)
        for share, zero, one in zip(shares, likely0, likely1, strict=True)
    )


def _likeliest(scores: list[float], shares: list[float], strength: float) -> list[float]:
    """Return the likeliest distribution whose mean is ``strength`` deviations beyond one half.

    The condition is made linear around a distribution, and that one improved, again and again.
    """
    likely = [1 / len(scores)] * len(scores)
    for _ in range(_ROUNDS):
        mean = sum(p * score for p, score in zip(likely, scores, strict=True))
        deviation = math.sqrt(
            sum(p * (score - mean) ** 2 for p, score in zip(likely, scores, strict=True))
        )
        slopes = [
            score - 0.5 - strength * deviation * (1 + ((score - mean) / deviation) ** 2) / 2
            for score in scores
        ]
        weight = _root(slopes, shares)
        better = [p / (1 + weight * slope) for p, slope in zip(shares, slopes, strict=True)]
        change = max(abs(new - old) for new, old in zip(better, likely, strict=True))
        likely = better
        if change < _CLOSE:
            break
    return likely


def _root(slopes: list[float], shares: list[float]) -> float:
    """Return the weight at which the condition holds: where a falling function is zero."""
    low, high = -1 / max(slopes), -1 / min(slopes)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        value = sum(
            p * slope / (1 + middle * slope) for p, slope in zip(shares, slopes, strict=True)
        )
        low, high = (middle, high) if value > 0 else (low, middle)
    return (low + high) / 2
