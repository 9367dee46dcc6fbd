"""Ratings by Glicko-2, as in Mark Glickman's "Example of the Glicko-2 system"."""

from __future__ import annotations

import math
from dataclasses import dataclass

_SCALE = 173.7178  # points of a rating to a step of the inner scale
_CENTRE = 1500.0
_TAU = 0.5  # how much a volatility may change
_EXACT = 1e-6
_LEAST_DEVIATION = 45.0  # so that somebody who gets better is followed
_MOST_DEVIATION = 350.0
_FARTHEST = 5000.0  # points from the centre, where nobody comes to


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody, or how hard a puzzle, is thought to be, and how surely."""

    rating: float = _CENTRE
    deviation: float = _MOST_DEVIATION
    volatility: float = 0.06

    def __str__(self) -> str:
        return f"{self.rating:.0f}{'?' if self.is_provisional else ''}"

    @property
    def is_provisional(self) -> bool:
        """Whether it rests on too few results to be trusted."""
        return self.deviation > 110

    @property
    def is_plausible(self) -> bool:
        """Whether results can have led here, and further ones can be reckoned with."""
        return (
            abs(self.rating - _CENTRE) <= _FARTHEST
            and 0 < self.deviation <= _MOST_DEVIATION
            and 0 < self.volatility < 1
        )

    def after(self, *results: tuple[Rating, bool]) -> Rating:
        """Return the rating after some results: whom they were against, and whether they won."""
        inner = (self.rating - _CENTRE) / _SCALE
        deviation = self.deviation / _SCALE
        precision = gain = 0.0
        for opponent, is_won in results:
            weight = _weight(opponent.deviation / _SCALE)
            ahead = inner - (opponent.rating - _CENTRE) / _SCALE
            expected = 1 / (1 + math.exp(-weight * ahead))
            precision += weight**2 * expected * (1 - expected)
            gain += weight * (is_won - expected)
        variance = 1 / precision
        volatility = _volatility(self.volatility, deviation, variance, variance * gain)
        deviation = 1 / math.sqrt(1 / (deviation**2 + volatility**2) + precision)
        return Rating(
            _CENTRE + _SCALE * (inner + deviation**2 * gain),
            min(_MOST_DEVIATION, max(_LEAST_DEVIATION, _SCALE * deviation)),
            volatility,
        )


def _weight(deviation: float) -> float:
    """Return how much a result against somebody counts, whose rating is known so well."""
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _volatility(volatility: float, deviation: float, variance: float, change: float) -> float:
    """Return the new volatility: the root of an equation, found by the Illinois algorithm."""
    start = math.log(volatility**2)

    def f(x: float) -> float:
        square = math.exp(x)
        total = deviation**2 + variance + square
        return square * (change**2 - total) / (2 * total**2) - (x - start) / _TAU**2

    low = start
    if change**2 > deviation**2 + variance:
        high = math.log(change**2 - deviation**2 - variance)
    else:
        steps = 1
        while f(start - steps * _TAU) < 0:
            steps += 1
        high = start - steps * _TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _EXACT:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
