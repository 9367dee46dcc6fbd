"""Counts of action sequences and of complete games, made by another program."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import gridlock
from gridlock import RULEBOOKS
from tests.conftest import DATA

if TYPE_CHECKING:
    from gridlock import Position

PERFT: dict[str, Any] = json.loads((DATA / "perft.json").read_text())


def test_every_rulebook_has_counts() -> None:
    assert set(RULEBOOKS) <= set(PERFT)


def count_sequences(position: Position, depth: int) -> Counter[int]:
    """Return how many sequences of each length there are."""
    counts: Counter[int] = Counter()
    if depth:
        for cell in position.legal_cells():
            counts[1] += 1
            for length, count in count_sequences(position.play(cell), depth - 1).items():
                counts[length + 1] += count
    return counts


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_action_sequences(rulebook: str) -> None:
    expected = PERFT[rulebook]["sequences_by_length"]
    start = gridlock.game(rulebook, PERFT[rulebook]["size"]).start()
    counts = count_sequences(start, len(expected))
    per_action = {
        start.game.name(cell): count_sequences(start.play(cell), len(expected) - 1)[
            len(expected) - 1
        ]
        for cell in start.legal_cells()
    }
    assert [counts[length + 1] for length in range(len(expected))] == expected, per_action


def complete_games(position: Position, length: int = 0) -> list[tuple[int, int]]:
    """Return the winner and the length of every complete game."""
    if position.winner is not None:
        return [(position.winner, length)]
    return [
        game
        for cell in position.legal_cells()
        for game in complete_games(position.play(cell), length + 1)
    ]


@pytest.mark.parametrize(
    ("rulebook", "size"), [(name, size) for name in RULEBOOKS for size in PERFT[name]["all_games"]]
)
def test_complete_games(rulebook: str, size: str) -> None:
    games = complete_games(gridlock.game(rulebook, size).start())
    assert PERFT[rulebook]["all_games"][size] == {
        "complete_games": len(games),
        "won_by_player_1": sum(winner == 1 for winner, _ in games),
        "shortest": min(length for _, length in games),
        "longest": max(length for _, length in games),
    }
