"""Ratings of all players by their results, with how far they may be off.

The Bradley-Terry model: a player who is rated d Elo higher wins with the odds 10^(d/400).  The
ratings are those under which the results are likeliest, and their mean is 0.  Where somebody, or
some group, has won or lost all games against the rest, no rating is likeliest; then every player
has one drawn game more, against a player of rating 0 who is not in the table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ELO = 400 / math.log(10)
"""Elo for a unit of the logarithm of odds."""

_SURE = 1.959964  # standard deviations on either side that hold 95 % of a normal distribution
_STEPS = 100
_CLOSE = 1e-10


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of players, in their order, in Elo."""

    elo: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    is_regularised: bool
    """Whether a drawn game each was needed for all ratings to be finite."""

    def error(self, player: int) -> float:
        """Return half the length of the interval that holds the true rating in 95 % of cases."""
        return _SURE * math.sqrt(max(0.0, self.covariance[player][player]))

    def superiority(self, one: int, two: int) -> float:
        """Return how likely one player is stronger than another one."""
        c = self.covariance
        deviation = math.sqrt(max(0.0, c[one][one] + c[two][two] - 2 * c[one][two]))
        difference = self.elo[one] - self.elo[two]
        if not deviation:
            return 0.5
        return (1 + math.erf(difference / deviation / math.sqrt(2))) / 2


def rate(wins: Sequence[Sequence[float]]) -> Ratings:
    """Return the ratings of players of whom ``wins[i][j]`` says how often i has beaten j."""
    count = len(wins)
    is_regularised = not _is_connected(wins)
    virtual = 1.0 if is_regularised else 0.0
    rates = [0.0] * count
    for _ in range(_STEPS):
        slope = _slope(wins, rates, virtual)
        step = _solve(_curvature(wins, rates, virtual), slope)
        size = 1.0
        before = _likelihood(wins, rates, virtual)
        while size > _CLOSE:
            further = [rate + size * change for rate, change in zip(rates, step, strict=True)]
            if _likelihood(wins, further, virtual) >= before:
                break
            size /= 2
        rates = further
        if max(map(abs, step)) < _CLOSE:
            break
    mean = sum(rates) / count
    inverse = _inverse(_curvature(wins, rates, virtual))
    share = 0.0 if is_regularised else 1 / count**2  # what ``_curvature`` has added
    covariance = tuple(
        tuple((value - share) * ELO**2 for value in row) for row in inverse
    )  # fmt: skip
    return Ratings(tuple((rate - mean) * ELO for rate in rates), covariance, is_regularised)


def _is_connected(wins: Sequence[Sequence[float]]) -> bool:
    """Tell whether each player has beaten each other one, directly or through others."""
    everybody = range(len(wins))

    def reaches_all(beats: list[list[int]]) -> bool:
        seen, waiting = {0}, [0]
        while waiting:
            for other in beats[waiting.pop()]:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return len(seen) == len(wins)

    beaten = [[j for j in everybody if wins[i][j]] for i in everybody]
    beaters = [[j for j in everybody if wins[j][i]] for i in everybody]
    return reaches_all(beaten) and reaches_all(beaters)


def _chance(difference: float) -> float:
    return 1 / (1 + math.exp(-difference)) if difference > -700 else 0.0


def _likelihood(wins: Sequence[Sequence[float]], rates: list[float], virtual: float) -> float:
    """Return the logarithm of how likely the results are."""

    def log_chance(difference: float) -> float:
        if difference > 0:
            return -math.log1p(math.exp(-difference))
        return difference - math.log1p(math.exp(difference))

    found = sum(
        number * log_chance(rates[i] - rates[j])
        for i, row in enumerate(wins)
        for j, number in enumerate(row)
        if number
    )
    return found + virtual / 2 * sum(log_chance(rate) + log_chance(-rate) for rate in rates)


def _slope(wins: Sequence[Sequence[float]], rates: list[float], virtual: float) -> list[float]:
    """Return how fast the likelihood grows with each rating."""
    found = []
    for i, rate in enumerate(rates):
        value = virtual * (0.5 - _chance(rate))
        for j, other in enumerate(rates):
            games = wins[i][j] + wins[j][i]
            if games:
                value += wins[i][j] - games * _chance(rate - other)
        found.append(value)
    return found


def _curvature(
    wins: Sequence[Sequence[float]], rates: list[float], virtual: float
) -> list[list[float]]:
    """Return the Fisher information of the ratings.

    Adding the same to all of them changes nothing, so that it would have no inverse; without the
    virtual games one more term has the mean stay as it is.
    """
    count = len(rates)
    mean = 0.0 if virtual else 1.0
    found = [[mean] * count for _ in range(count)]
    for i, rate in enumerate(rates):
        chance = _chance(rate)
        found[i][i] += virtual * chance * (1 - chance)
        for j, other in enumerate(rates):
            games = wins[i][j] + wins[j][i]
            if games and i != j:
                chance = _chance(rate - other)
                found[i][i] += games * chance * (1 - chance)
                found[i][j] -= games * chance * (1 - chance)
    return found


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    inverse = _inverse(matrix)
    return [sum(a * b for a, b in zip(row, right, strict=True)) for row in inverse]


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix, by elimination."""
    count = len(matrix)
    rows = [
        [*row, *(float(i == j) for j in range(count))] for i, row in enumerate(matrix)
    ]  # fmt: skip
    for column in range(count):
        pivot = max(range(column, count), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [value / scale for value in rows[column]]
        for row in range(count):
            factor = rows[row][column]
            if row != column and factor:
                rows[row] = [
                    value - factor * above
                    for value, above in zip(rows[row], rows[column], strict=True)
                ]
    return [row[count:] for row in rows]
