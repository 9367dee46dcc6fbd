from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta
from importlib.resources import files

import pytest

from gridlock import RULEBOOKS
from gridlock.errors import PuzzleError
from gridlock.puzzles.collection import (
    THEMES,
    daily_puzzle,
    find_puzzle,
    next_puzzle,
    puzzles_of,
    read_puzzle,
    write_puzzle,
)

LEAST = {"occupation": 100, "duel": 100, "claim": 100, "race": 100, "trail": 30}


@pytest.mark.parametrize("game_id", RULEBOOKS)
def test_there_are_many_of_every_rulebook_spread_over_ratings_and_sizes(game_id: str) -> None:
    found = puzzles_of(game_id)
    ratings = [puzzle.rating for puzzle in found]
    assert len(found) >= LEAST[game_id]
    assert [puzzle.id for puzzle in found] == [f"{game_id}-{n}" for n in range(1, len(found) + 1)]
    assert ratings == sorted(ratings)
    assert ratings[-1] - ratings[0] >= 500
    sizes = Counter(puzzle.position.game.grid for puzzle in found)
    assert min(sizes.values()) >= 10
    assert len(sizes) >= 3
    assert len({str(puzzle.position) for puzzle in found}) == len(found)
    assert {theme for puzzle in found for theme in puzzle.themes} <= set(THEMES)


def test_every_theme_has_puzzles() -> None:
    found = [puzzle for game_id in RULEBOOKS for puzzle in puzzles_of(game_id)]
    assert {theme for puzzle in found for theme in puzzle.themes} == set(THEMES)


def test_the_files_are_small() -> None:
    folder = files("gridlock.puzzles") / "data"
    assert sum(len(file.read_bytes()) for file in folder.iterdir()) < 1_000_000


def test_a_puzzle_is_read_as_it_was_written() -> None:
    for puzzle in puzzles_of("race"):
        assert read_puzzle(write_puzzle(puzzle)) == puzzle


@pytest.mark.parametrize("wrong", ["duel-0", "duel-99999", "duel", "chess-1", "", "duel-x", "é-1"])
def test_there_is_no_other_puzzle(wrong: str) -> None:
    with pytest.raises(PuzzleError, match="there is no puzzle"):
        find_puzzle(wrong)
    assert find_puzzle("duel-3").id == "duel-3"


def test_the_puzzle_of_a_day_is_the_same_for_all_and_another_every_day() -> None:
    today = date(2026, 11, 18)
    days = [today + timedelta(n) for n in range(100)]
    found = [daily_puzzle(day).id for day in days]
    assert found == [daily_puzzle(day).id for day in days]
    assert len(set(found)) == len(found)
    assert len({puzzle_id.partition("-")[0] for puzzle_id in found[:5]}) == 5


def test_the_next_one_suits_the_rating_and_is_new() -> None:
    rng = random.Random(1)
    seen: set[str] = set()
    for _ in range(20):
        puzzle = next_puzzle(1500, rng, game_id="occupation", seen=seen)
        assert puzzle.id.startswith("occupation")
        assert abs(puzzle.rating - 1500) <= 150
        assert puzzle.id not in seen
        seen.add(puzzle.id)


def test_somebody_beyond_all_puzzles_gets_the_nearest() -> None:
    hardest = puzzles_of("duel")[-1].rating
    assert next_puzzle(9000, random.Random(1), game_id="duel").rating == hardest


def test_when_all_were_seen_they_come_again() -> None:
    seen = {puzzle.id for puzzle in puzzles_of("claim")}
    assert next_puzzle(1500, random.Random(1), game_id="claim", seen=seen).id in seen


def test_a_theme_is_kept_to() -> None:
    assert "split" in next_puzzle(1500, random.Random(1), theme="split").themes
    with pytest.raises(PuzzleError, match="there are no puzzles of duel about 'dash for"):
        next_puzzle(1500, random.Random(1), game_id="duel", theme="dash")
    with pytest.raises(PuzzleError, match="there are no puzzles of knights"):
        next_puzzle(1500, random.Random(1), game_id="knights")
