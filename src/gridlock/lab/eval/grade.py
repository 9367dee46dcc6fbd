"""Grades: what was chosen, held against the exact truth of the position."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from gridlock.engine import Engine
from gridlock.players import LEVELS
from gridlock.search.analysis import Value
from gridlock.search.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gridlock.model import Game, Position
    from gridlock.search.analysis import Analysis

DISTANCES = (("1 to 2", 2), ("3 to 4", 4), ("5 to 8", 8), ("9 to 12", 12), ("13 and more", None))
"""Distances to the end by which mistakes are grouped, each with its last."""

_DEVIATIONS = NormalDist().inv_cdf(0.975)  # 95 % lie within so many of them
_MEMORY = 1 << 27  # bytes for the searches of each game


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many; where it is not a sample but computed, it ``is_exact``."""

    hits: float
    total: int
    is_exact: bool = False

    @property
    def value(self) -> float | None:
        """The share, None of nothing."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval, which holds the true share with 95 % confidence."""
        if not self.total:
            return 0.0, 1.0
        share, z = self.hits / self.total, _DEVIATIONS
        if self.is_exact:
            return share, share
        scale = 1 + z * z / self.total
        middle = share + z * z / (2 * self.total)
        spread = z * math.sqrt(share * (1 - share) / self.total + z * z / (4 * self.total**2))
        # At the ends rounding must not leave the share outside.
        return (
            max(0.0, min(share, (middle - spread) / scale)),
            min(1.0, max(share, (middle + spread) / scale)),
        )

    def differs_from(self, other: Share) -> bool:
        """Tell whether two shares differ, by Newcombe's interval of 95 % for the difference."""
        if not self.total or not other.total:
            return False
        high, low = sorted((self, other), key=lambda one: -(one.value or 0.0))
        above, below = high.value or 0.0, low.value or 0.0
        spread = math.hypot(above - high.interval[0], low.interval[1] - below)
        return above - below > spread

    def write(self) -> dict[str, Any]:
        """Return the share as an object of JSON."""
        low, high = self.interval
        return {
            "hits": round(self.hits, 6),
            "total": self.total,
            "share": None if self.value is None else round(self.value, 6),
            "low": round(low, 6),
            "high": round(high, 6),
        }


@dataclass(frozen=True, slots=True)
class Faced:
    """A position that a model faced, what it chose there, and the truth about it."""

    task: str
    analysis: Analysis
    cell: int
    difficulty: str | None = None
    """Of a position of the suite."""

    @property
    def position(self) -> Position:
        """The position."""
        return self.analysis.position

    @property
    def is_known(self) -> bool:
        """Whether every value is known, and every distance where the position is lost."""
        unknown = any(action.value is Value.UNKNOWN for action in self.analysis.actions)
        return not unknown and (self.is_won or self.analysis.distance is not None)

    @property
    def is_won(self) -> bool:
        """Whether the mover can win."""
        return self.analysis.value is Value.WIN

    @property
    def is_telling(self) -> bool:
        """Whether it matters what is chosen: to the result, or when lost to how soon it ends."""
        if self.is_won:
            return any(action.value is Value.LOSS for action in self.analysis.actions)
        return len({action.distance for action in self.analysis.actions}) > 1

    def is_good(self, cell: int) -> bool:
        """Tell whether a choice keeps the win, or resists longest when lost."""
        action = self.analysis.action(cell)
        if self.is_won:
            return action.value is Value.WIN
        return action.distance == self.analysis.distance

    def chance(self) -> float:
        """Return how likely a random choice is good."""
        cells = self.position.legal_cells()
        return sum(map(self.is_good, cells)) / len(cells)


class Examiner:
    """Knows the truth about positions, and what our own players choose in them."""

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = seconds
        self._engines: dict[Game, Engine] = {}
        self._analyses: dict[Position, Analysis] = {}

    def analyse(self, position: Position) -> Analysis:
        """Return what every action is worth; the same position is searched once."""
        if position not in self._analyses:
            self._analyses[position] = self._engine(position.game).hint(position).analysis
        return self._analyses[position]

    def choices(self, level: int, faced: Sequence[Faced]) -> list[int]:
        """Return what a level chooses; where every choice is as good, nobody asks it."""
        chosen = []
        for number, one in enumerate(faced):
            if one.is_telling:
                rng = random.Random(f"{level} {number} {one.position}")
                engine = self._engine(one.position.game)
                chosen.append(engine.choose(one.position, level, rng=rng))
            else:
                chosen.append(one.cell)
        return chosen

    def _engine(self, game: Game) -> Engine:
        if game not in self._engines:
            self._engines[game] = Engine(game, Settings(self._seconds, _MEMORY))
        return self._engines[game]


@dataclass(frozen=True, slots=True)
class Grades:
    """How well somebody chose in some positions."""

    kept_wins: Share
    """Of the won positions, those in which the win was kept."""
    telling_wins: Share
    """Of the won positions that some action would have given away, likewise."""
    resisted: Share
    """Of the lost positions in which it matters, those with the longest resistance."""
    by_distance: dict[str, Share]
    """Like ``telling_wins``, by the distance to the end."""
    suite: dict[str, Share]
    """Of the positions of the suite, those answered right, by difficulty."""

    def write(self) -> dict[str, Any]:
        """Return the grades as an object of JSON."""
        return {
            "kept_wins": self.kept_wins.write(),
            "telling_wins": self.telling_wins.write(),
            "resisted": self.resisted.write(),
            "by_distance": {name: share.write() for name, share in self.by_distance.items()},
            "suite": {name: share.write() for name, share in self.suite.items()},
        }


def grade(faced: Sequence[Faced], choices: Sequence[int]) -> Grades:
    """Return the grades of somebody who made these choices in these positions."""
    good = [one.is_good(cell) for one, cell in zip(faced, choices, strict=True)]
    return _grades(faced, good)


def grade_random(faced: Sequence[Faced]) -> Grades:
    """Return the grades that random play has on average in these positions: no dice needed."""
    return _grades(faced, [one.chance() for one in faced], is_exact=True)


def _grades(faced: Sequence[Faced], good: Sequence[float], *, is_exact: bool = False) -> Grades:
    pairs = [(one, worth) for one, worth in zip(faced, good, strict=True) if one.is_known]
    games = [(one, worth) for one, worth in pairs if one.difficulty is None]

    def share(among: Iterable[tuple[Faced, float]], is_meant: Callable[[Faced], bool]) -> Share:
        found = [worth for one, worth in among if is_meant(one)]
        return Share(sum(found), len(found), is_exact)

    difficulties = dict.fromkeys(one.difficulty for one, _ in pairs if one.difficulty)
    buckets = {
        name: share(games, lambda one, name=name: _bucket(one) == name)  # type: ignore[misc]
        for name, _ in DISTANCES
    }
    return Grades(
        kept_wins=share(games, lambda one: one.is_won),
        telling_wins=share(games, lambda one: one.is_won and one.is_telling),
        resisted=share(games, lambda one: not one.is_won and one.is_telling),
        by_distance={name: found for name, found in buckets.items() if found.total},
        suite={
            name: share(pairs, lambda one, name=name: one.difficulty == name)  # type: ignore[misc]
            for name in difficulties
        },
    )


def _bucket(one: Faced) -> str | None:
    """Return the distances to which a won position that could be given away belongs."""
    distance = one.analysis.distance
    if not (one.is_won and one.is_telling) or distance is None:
        return None
    return next(name for name, last in DISTANCES if last is None or distance <= last)


@dataclass(frozen=True, slots=True)
class Likeness:
    """The level whose share of kept wins is nearest, and all that do not differ from it."""

    nearest: int
    alike: tuple[int, ...]
    """Levels, with 0 for random play."""

    def __str__(self) -> str:
        name = f"level {self.nearest}" if self.nearest else "random play"
        others = [str(level) if level else "random" for level in self.alike]
        if others in ([], [str(self.nearest)]):
            return f"plays like {name}"
        return f"plays like {name} (95 %: {others[0]} to {others[-1]})"


def find_likeness(mine: Share, levels: dict[int, Share]) -> Likeness | None:
    """Return which level a share of kept wins is like, None where nothing can be said.

    ``levels`` has the shares of all levels on the same positions, and of random play as level 0.
    """
    if mine.value is None or not levels:
        return None
    share = mine.value
    nearest = min(levels, key=lambda level: abs((levels[level].value or 0.0) - share))
    alike = tuple(level for level in sorted(levels) if not mine.differs_from(levels[level]))
    return Likeness(nearest, alike)


ALL_LEVELS = tuple(LEVELS)
