from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import Player, Record
from gridlock.results import (
    ASCII,
    UNICODE,
    Result,
    fitting_level,
    latest_results,
    picture,
    propose,
    read_results,
    seat_levels,
    standings,
)
from gridlock.store import Store
from tests.test_history import DUEL, keep

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 11, 18, 12, 0)


def played(text: str) -> list[tuple[int, bool]]:
    """Return results such as ``4W 4L``, which has the oldest first."""
    return [(int(word[0]), word[1] == "W") for word in reversed(text.split())]


@pytest.mark.parametrize(
    ("results", "level"),
    [
        ("", None),
        ("4W 4W", None),
        ("4W 4W 4W", 5),
        ("4L 4L 4L", 3),
        ("4W 4W 4L", None),
        ("4W 4L 4W 4W", 5),
        ("4L 4W 4L 4L", 3),
        ("4W 4W 4L 4W 4L", None),
        ("4W 4W 4W 4W 4W 4W 4W 4L 4L 4L", 5),
        ("4W 4W 4W 4W 4W 4W 4L 4L 4L 4L", None),
        ("4W 4W 4W 4L 4L 4L 4L 4L 4L 4L", 3),
        ("4W 4W 4W 4W 4L 4L 4L 4L 4L 4L", None),
        ("8W 8W 8W", None),
        ("1L 1L 1L", None),
        ("7W 7W 7W", 8),
        ("2L 2L 2L", 1),
    ],
)
def test_a_level_is_proposed_by_the_latest_results(results: str, level: int | None) -> None:
    proposal = propose(played(results))
    assert (proposal.level if proposal else None) == level


def test_only_the_last_ten_games_count() -> None:
    assert propose(played("4W " * 20 + "4L " * 7)) is not None
    assert propose(played("4W " * 20 + "4L 4W " * 5)) is None


def test_games_before_the_level_was_changed_do_not_count() -> None:
    assert propose(played("4W 4W 4W 5L")) is None
    assert propose(played("4W 4W 4W 5L 5L 4W")) is None


def test_a_proposal_says_why() -> None:
    won = "4L 4W 4W 4L 4W 4W 4W 4L 4W 4W"
    assert str(propose(played(won))) == "You won 7 of the last 10 games at level 4: try level 5."


@pytest.mark.parametrize(
    ("results", "level"), [("", 3), ("6W", 6), ("6W 6W 6W", 7), ("6L 6L 6L", 5), ("8W 8W 8W", 8)]
)
def test_the_fitting_level_follows_the_proposals(results: str, level: int) -> None:
    assert fitting_level(played(results)) == level


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games")


def test_what_counts_is_a_person_against_the_computer_from_the_start(store: Store) -> None:
    keep(store)
    keep(store, ("computer:2", "Ann"), age=1)
    keep(store, winner=None, age=2)
    for age, players in enumerate((("human", "human"), ("computer:3", "random"), ("human", "?"))):
        keep(store, players, age=3 + age)
    keep(store, ("human", "random"), age=6)
    keep(store, text='[Game "duel"]\n[Player2 "computer:4"]\n[Result "1"]\n[Position "x"]\n', age=7)
    assert [(result.level, result.is_won) for result in read_results(store)] == [
        (2, False), (4, True),
    ]  # fmt: skip


def test_every_game_of_a_series_counts_and_the_last_is_the_latest(store: Store) -> None:
    games = [
        Record(
            DUEL, players=("human", "computer:4"), result=Player(result),
            termination="resignation", tags=(("Round", str(number)), ("Rounds", "2")),
        )
        for number, result in enumerate((1, 2), start=1)
    ]  # fmt: skip
    keep(store, text=gridlock.write_records(games), winner=None)
    assert latest_results(store, DUEL) == [(4, False), (4, True)]


def test_the_latest_results_are_those_of_the_same_game_and_board(store: Store) -> None:
    for age in range(12):
        keep(store, age=age)
    keep(store, game=gridlock.game("duel"), winner=2)
    keep(store, game=gridlock.game("trail"), winner=2)
    assert latest_results(store, DUEL) == [(4, True)] * 10
    assert latest_results(store, gridlock.game("duel")) == [(4, False)]
    assert latest_results(store, gridlock.game("race")) == []


def test_the_computer_sits_down_at_the_fitting_level(store: Store) -> None:
    assert seat_levels(store, DUEL, ("human", "computer:auto")) == ("human", "computer:3")
    for age in range(3):
        keep(store, age=age)
    assert seat_levels(store, DUEL, ("computer:auto", "human")) == ("computer:5", "human")
    assert seat_levels(store, DUEL, ("human", "computer:1")) == ("human", "computer:1")


def results(text: str, rulebook: str = "duel", days: int = 1) -> list[Result]:
    """Return results such as ``4W 4L``, one every so many days, the last one now."""
    words = text.split()
    return [
        Result(
            NOW - timedelta(days=days * (len(words) - 1 - number)),
            rulebook, "5x5", int(word[0]), word[1] == "W",
        )
        for number, word in enumerate(words)
    ]  # fmt: skip


def test_standings_have_each_game_the_one_played_last_first() -> None:
    duel, trail = standings([*results("3W 3L", "trail", days=2)[:1], *results("3W 4L 3L")])
    assert (str(duel), str(trail)) == (
        "duel 5x5: 3 games, 1 won", "trail 5x5: 1 game, 1 won",
    )  # fmt: skip
    assert {level: len(played) for level, played in duel.levels().items()} == {4: 1, 3: 2}
    assert duel.proposal is None
    assert standings([]) == []


def test_a_picture_has_a_column_a_game_and_a_row_a_level() -> None:
    (standing,) = standings(results("3W 3L 3W 3W 3W 5L 5W" + " 5L" * 20))
    assert picture(standing, 80, ASCII) == [
        "level 5 |      .#....................",
        "      4 |",
        "      3 | #.###",
        "        +----------------------------",
        "          23 Oct 2026     18 Nov 2026",
    ]


def test_a_picture_of_few_games_has_its_dates_too() -> None:
    (few,) = standings(results("3W 3L"))
    assert picture(few, 80, UNICODE) == [
        "level 3 │ ●○",
        "        └───────────────────────────",
        "          17 Nov 2026 to 18 Nov 2026",
    ]
    (one,) = standings(results("3W"))
    assert picture(one, 80, ASCII)[-1].strip() == "18 Nov 2026"


def test_a_picture_that_does_not_fit_has_the_latest_games() -> None:
    (standing,) = standings(results("1W " * 50 + "2L " * 50))
    assert picture(standing, 40, ASCII)[0] == f"level 2 | {'.' * 30}"
