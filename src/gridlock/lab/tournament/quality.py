"""How well games were played, judged by the solver: a mistake is a fact, not an opinion.

What is judged is every action of which it is proved who wins before and after it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gridlock.model import Player
from gridlock.record import read_record
from gridlock.search.analysis import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlock.engine import Engine
    from gridlock.lab.tournament.ledger import Result


@dataclass(slots=True)
class Quality:
    """How well a player has played."""

    actions: int = 0
    judged: int = 0
    won: int = 0
    """The won positions that the player has had to move in."""
    mistakes: list[int] = field(default_factory=list)
    """The turns, from 1, in which a won position was given away."""
    resistances: list[int] = field(default_factory=list)
    """In each game that was lost by the rules: the player's actions from when it was lost."""

    @property
    def mistakes_per_100(self) -> float | None:
        """How many of 100 won positions are given away, None where there was none."""
        return 100 * len(self.mistakes) / self.won if self.won else None

    @property
    def mean_turn(self) -> float | None:
        """In which turn a mistake comes, on average."""
        return sum(self.mistakes) / len(self.mistakes) if self.mistakes else None

    @property
    def resistance(self) -> float | None:
        """For how many actions the player resists when lost, on average."""
        return sum(self.resistances) / len(self.resistances) if self.resistances else None

    @property
    def part_judged(self) -> float | None:
        """The part of all actions that could be judged."""
        return self.judged / self.actions if self.actions else None


def judge(engine: Engine, result: Result) -> dict[str, Any]:
    """Return how well both seats have played a game, for ``summarise``."""
    record = read_record(result.record)
    review = engine.review(record)
    seats = []
    for seat in Player:
        own = [action for action in review.actions if action.player is seat]
        judged = [
            action for action in own if Value.UNKNOWN not in (action.before, action.after)
        ]  # fmt: skip
        won = [action for action in judged if action.before is Value.WIN]
        seats.append(
            {
                "actions": len(own),
                "judged": len(judged),
                "won": len(won),
                "mistakes": [action.turn for action in won if action.is_mistake],
                "resistance": None,
            }
        )
        if record.result is seat.opponent and record.termination is None:
            lost = 0
            for action in reversed(own):
                if action.before is not Value.LOSS:
                    break
                lost += 1
            if len(judged) == len(own):
                seats[-1]["resistance"] = lost
    return {"number": result.number, "seats": seats}


def summarise(
    count: int, results: Iterable[Result], judged: dict[int, dict[str, Any]]
) -> list[Quality]:
    """Return how well each of so many players has played in the games that were judged."""
    found = [Quality() for _ in range(count)]
    for result in results:
        line = judged.get(result.number)
        if line is None:
            continue
        for player, seat in zip(result.players, line["seats"], strict=True):
            quality = found[player]
            quality.actions += seat["actions"]
            quality.judged += seat["judged"]
            quality.won += seat["won"]
            quality.mistakes += seat["mistakes"]
            if seat["resistance"] is not None:
                quality.resistances.append(seat["resistance"])
    return found
