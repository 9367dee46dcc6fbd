from __future__ import annotations

import random
from collections import Counter

import pytest

import gridlock
from gridlock import NotationError
from gridlock.players import check_kind, seat


def test_a_random_player_chooses_every_legal_cell_alike() -> None:
    game = gridlock.game("duel", "2x3")
    position = game.start().play(0)
    player = seat("random", random.Random(1))
    assert player is not None
    chosen = Counter(player.choose(position) for _ in range(300))
    assert set(chosen) == set(position.legal_cells())
    assert min(chosen.values()) > 50


def test_every_other_seat_is_a_persons() -> None:
    assert seat("human", random.Random()) is None
    assert seat("Ann", random.Random()) is None


def test_an_unknown_kind_of_player_is_refused() -> None:
    assert check_kind("human") == "human"
    with pytest.raises(NotationError, match="no player 'robot': choose human, computer,"):
        check_kind("robot")
