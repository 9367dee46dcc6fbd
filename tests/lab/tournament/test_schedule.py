from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import combinations

import pytest

from gridlock.errors import NotationError
from gridlock.lab.tournament.schedule import Pairing, Standing, bye_of, rounds, swiss_pairs


def nobody(_: int) -> Standing:
    raise AssertionError("only Swiss pairing asks how things stand")


def all_games(format_: str, players: int, count: int) -> list[Pairing]:
    (games,) = rounds(format_, players, count, nobody)
    return games


def test_in_a_round_robin_everybody_meets_everybody_from_both_sides() -> None:
    games = all_games("round-robin", 4, 3)
    assert [game.number for game in games] == list(range(36))
    met = Counter(game.players for game in games)
    assert met == {(i, j): 3 for i in range(4) for j in range(4) if i != j}


def test_both_games_of_a_meeting_have_the_same_round() -> None:
    for one, two in zip(*[iter(all_games("round-robin", 3, 2))] * 2, strict=True):
        assert (one.meeting, one.round) == (two.meeting, two.round)
        assert one.players == two.players[::-1]


def test_in_a_gauntlet_the_first_player_meets_all_others() -> None:
    games = all_games("gauntlet", 4, 2)
    assert len(games) == 12
    assert all(0 in game.players for game in games)


def test_a_match_is_as_many_meetings() -> None:
    assert [game.players for game in all_games("match", 2, 2)] == [(0, 1), (1, 0), (0, 1), (1, 0)]


@pytest.mark.parametrize("players", [4, 5, 8, 9])
def test_swiss_pairs_those_with_like_points_who_have_not_met(players: int) -> None:
    rng = random.Random(players)
    points = [0.0] * players
    met: set[frozenset[int]] = set()
    byes: set[int] = set()
    for _ in range(3):
        pairs = swiss_pairs(Standing(points, frozenset(met), frozenset(byes)))
        assert sorted(p for pair in pairs for p in pair) == [
            player for player in range(players) if player != bye_of(players, pairs)
        ]
        cost = sum((points[one] - points[two]) ** 2 for one, two in pairs)
        for others in all_pairings([player for pair in pairs for player in pair]):
            if not any(frozenset(pair) in met for pair in others):
                assert cost <= sum((points[a] - points[b]) ** 2 for a, b in others)
        assert not any(frozenset(pair) in met for pair in pairs)
        met |= {frozenset(pair) for pair in pairs}
        bye = bye_of(players, pairs)
        if bye is not None:
            assert bye not in byes
            byes.add(bye)
            points[bye] += 2
        for one, two in pairs:
            won = rng.randint(0, 2)
            points[one] += won
            points[two] += 2 - won


def all_pairings(players: list[int]) -> list[list[tuple[int, int]]]:
    if not players:
        return [[]]
    first, *rest = players
    return [
        [(first, other), *further]
        for other in rest
        for further in all_pairings([player for player in rest if player != other])
    ]


def test_who_has_met_everybody_meets_somebody_again() -> None:
    met = frozenset(frozenset(pair) for pair in combinations(range(4), 2))
    assert len(swiss_pairs(Standing([0.0] * 4, met, frozenset()))) == 2


def test_swiss_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(NotationError, match=r"needs networkx: pip install 'gridlock-games\["):
        swiss_pairs(Standing([0.0, 0.0], frozenset(), frozenset()))
