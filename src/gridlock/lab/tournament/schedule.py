"""Who meets whom in a tournament, and from which side."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from gridlock.errors import NotationError
from gridlock.lab.tournament.plan import Format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MEETING = 2
"""The games of a meeting: one from each side."""

_REPEATED = 1e6  # what it costs to meet again: more than any difference of points


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game: its number, its round, and the players of seats 1 and 2 by their places."""

    number: int
    round: int
    players: tuple[int, int]

    @property
    def meeting(self) -> int:
        """Which meeting it belongs to: two games on one opening, from both sides."""
        return self.number // MEETING


@dataclass(frozen=True, slots=True)
class Standing:
    """What Swiss pairing has to know: the points of all, who has met, and who had a bye."""

    points: Sequence[float]
    met: frozenset[frozenset[int]]
    byes: frozenset[int]


def rounds(
    format_: str, players: int, count: int, standing: Callable[[int], Standing]
) -> Iterator[list[Pairing]]:
    """Return the games of a tournament, in parts that can be played at once.

    ``standing`` is asked before each round of a Swiss tournament, when those before it are over.
    """
    if format_ == Format.SWISS:
        number = 0
        for round_ in range(count):
            pairs = swiss_pairs(standing(round_))
            yield _games(number, [(round_, pair) for pair in pairs])
            number += MEETING * len(pairs)
        return
    pairs = list(combinations(range(players), 2))
    if format_ == Format.GAUNTLET:
        pairs = [(0, other) for other in range(1, players)]
    yield _games(0, [(round_, pair) for round_ in range(count) for pair in pairs])


def _games(first: int, meetings: list[tuple[int, tuple[int, int]]]) -> list[Pairing]:
    return [
        Pairing(first + MEETING * number + side, round_, pair if side == 0 else pair[::-1])
        for number, (round_, pair) in enumerate(meetings)
        for side in range(MEETING)
    ]


def swiss_pairs(standing: Standing) -> list[tuple[int, int]]:
    """Return who meets whom in a Swiss round: people with like points who have not met.

    Of an odd number the last in the table who has had no bye sits out.
    """
    players = sorted(range(len(standing.points)), key=lambda one: (-standing.points[one], one))
    if len(players) % 2:
        without = [player for player in players if player not in standing.byes] or players
        players.remove(without[-1])
    try:
        import networkx as nx
    except ImportError:
        raise NotationError(
            "a Swiss tournament needs networkx: pip install 'gridlock-games[tournament]'"
        ) from None
    graph = nx.Graph()
    for (place, one), (other_place, two) in combinations(enumerate(players), 2):
        cost = (standing.points[one] - standing.points[two]) ** 2
        cost += 1e-3 * abs(abs(place - other_place) - len(players) / 2)  # top half against bottom
        cost += _REPEATED if frozenset((one, two)) in standing.met else 0
        graph.add_edge(one, two, weight=-cost)
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    pairs = [(min(pair), max(pair)) for pair in matching]
    return sorted(pairs, key=lambda pair: min(players.index(player) for player in pair))


def bye_of(players: int, pairs: Sequence[tuple[int, int]]) -> int | None:
    """Return who sits out in a Swiss round, None if nobody does."""
    paired = {player for pair in pairs for player in pair}
    return next((player for player in range(players) if player not in paired), None)
