from __future__ import annotations

import os
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import Player, Record, StoreError
from gridlock.history import Choice, Entry, find_game, read_history, write_time
from gridlock.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock.errors import GridlockError

NOW = datetime(2026, 11, 18, 12, 0)
DUEL = gridlock.game("duel", "1x3")
WON_BY_ONE = (1,)
"""The only move of a game of duel on a board of three cells."""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games")


def keep(
    store: Store,
    players: tuple[str, str] = ("human", "computer:4"),
    *,
    game: gridlock.Game = DUEL,
    winner: int | None = 1,
    age: int = 0,
    text: str | None = None,
) -> str:
    """Keep a game that was played some days ago, and return its name."""
    played = NOW - timedelta(days=age)
    if winner == 1 and game == DUEL:
        record = Record(game, moves=WON_BY_ONE, players=players, result=Player.ONE)
    else:
        result = Player(winner) if winner else None
        how = "resignation" if winner else None
        record = Record(game, players=players, result=result, termination=how)
    with store.create(game.rulebook.id, played) as kept:
        kept.write(str(record) if text is None else text)
        path = kept.finish() if winner else kept.path
    os.utime(path, (played.timestamp(), played.timestamp()))
    return path.stem


def listed(store: Store, **choice: object) -> list[str]:
    return [entry.name for entry in read_history(store, Choice(**choice))]  # type: ignore[arg-type]


def only(store: Store) -> Entry:
    (entry,) = read_history(store, Choice(has_programs=True))
    return entry


def test_games_come_newest_first_whether_finished_or_not(store: Store) -> None:
    names = [keep(store, age=age, winner=None if age % 2 else 1) for age in range(4)]
    assert listed(store) == names
    assert [entry.played for entry in read_history(store)] == [
        NOW - timedelta(days=age) for age in range(4)
    ]


def test_each_choice_leaves_out_what_is_not_meant(store: Store) -> None:
    won = keep(store)
    lost = keep(store, winner=2, age=1)
    going_on = keep(store, winner=None, age=2)
    swapped = keep(store, ("random", "human"), age=3)
    trail = keep(store, ("Ann", "Bob"), game=gridlock.game("trail"), winner=2, age=4)
    programs = keep(store, ("random", "computer"), age=5)
    assert listed(store) == [won, lost, going_on, swapped, trail]
    assert listed(store, has_programs=True) == [won, lost, going_on, swapped, trail, programs]
    assert listed(store, outcome="won") == [won]
    assert listed(store, outcome="lost") == [lost, swapped]
    assert listed(store, is_over=False) == [going_on]
    assert listed(store, is_over=True, rulebook="duel") == [won, lost, swapped]
    assert listed(store, size="4x4") == [trail]
    assert listed(store, opponent="computer") == [won, lost, going_on]
    assert listed(store, opponent="Computer:4") == [won, lost, going_on]
    assert listed(store, opponent="computer:3") == []
    assert listed(store, opponent="ann") == [trail]
    assert listed(store, since=date(2026, 11, 17)) == [won, lost]


def test_human_is_the_opponent_only_where_two_people_play(store: Store) -> None:
    keep(store)
    both = keep(store, ("human", "human"), age=1)
    assert listed(store, opponent="human") == [both]


@pytest.mark.parametrize(
    ("players", "winner", "opponent", "result"),
    [
        (("human", "computer:4"), 1, "computer:4", "you won"),
        (("human", "computer:4"), 2, "computer:4", "you lost"),
        (("computer:4", "Ann"), 1, "computer:4", "you lost"),
        (("human", "human"), 1, "human", "A won"),
        (("Ann", "Bob"), 2, "Ann and Bob", "Bob won"),
        (("random", "computer"), 1, "random and computer", "random won"),
        (("random", "random"), 2, "random and random", "B won"),
        (("human", "human"), None, "human", "unfinished"),
    ],
)
def test_a_game_is_told_in_a_few_words(
    players: tuple[str, str], winner: int | None, opponent: str, result: str, store: Store
) -> None:
    keep(store, players, winner=winner)
    assert (only(store).describe_opponent(), only(store).describe_result()) == (opponent, result)


def test_a_series_is_one_entry_with_its_games(store: Store) -> None:
    games = []
    for number, result in enumerate((1, 2, 2), start=1):
        tags = (("Round", str(number)), ("Rounds", "3"))
        games.append(
            Record(
                DUEL, players=("human", "random"), result=Player(result),
                termination="resignation", tags=tags,
            )
        )  # fmt: skip
    keep(store, text=gridlock.write_records(games))
    assert only(store).describe_result() == "1 to 2"
    assert only(store).outcome == "lost"


def test_a_series_between_two_games_is_not_over(store: Store) -> None:
    tags = (("Round", "1"), ("Rounds", "3"))
    record = Record(DUEL, result=Player.ONE, termination="resignation", tags=tags)
    keep(store, text=str(record), winner=None)
    assert (only(store).is_over, only(store).describe_result()) == (False, "1 to 0 so far")


def test_a_game_that_ended_as_its_process_did_is_over(store: Store) -> None:
    record = Record(DUEL, moves=WON_BY_ONE, result=Player.ONE)
    keep(store, text=str(record), winner=None)
    assert only(store).is_over


def test_games_that_nobody_won_and_of_unknown_rules_are_told(store: Store) -> None:
    keep(store, text='[Game "duel"]\n[Termination "aborted"]\n')
    keep(store, text='[Game "mine"]\n[Result "2"]\n', age=1)
    keep(store, text='[Game "mine"]\n', age=2)
    entries = list(read_history(store))
    results = [entry.describe_result() for entry in entries]
    assert results == ["aborted", "player 2 won", "nobody won"]
    assert [entry.last.size for entry in entries] == ["5x5", "?", "?"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no record in it"),
        ("rubbish", "line 1 is not a record's: 'rubbish'"),
        ('[Size "4x4"]', "the tag Game is missing"),
    ],
)
def test_damaged_files_are_named_and_the_others_listed(
    text: str, reason: str, store: Store
) -> None:
    good = keep(store)
    bad = store.finished_folder / f"{keep(store, text=text, age=1)}.txt"
    (store.finished_folder / "binary.txt").write_bytes(b"\xff")
    errors: list[GridlockError] = []
    assert [entry.name for entry in read_history(store, complain=errors.append)] == [good]
    assert sorted(map(str, errors)) == [
        f"'{bad}' is damaged: {reason}; it is left as it is",
        f"cannot read '{store.finished_folder / 'binary.txt'}': it is not a text in UTF-8",
    ]


def test_a_file_that_goes_away_meanwhile_is_no_damaged_one(store: Store) -> None:
    keep(store)
    gone = keep(store, age=1)
    errors: list[GridlockError] = []
    entries = read_history(store, complain=errors.append)
    next(entries)
    (store.finished_folder / f"{gone}.txt").unlink()
    assert (list(entries), errors) == ([], [])


def test_only_the_files_that_are_asked_for_are_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [keep(store, age=age) for age in range(5)]
    read: list[str] = []
    original = gridlock.history.read_text  # type: ignore[attr-defined]

    def count(path: Path) -> str:
        read.append(path.stem)
        return str(original(path))

    monkeypatch.setattr("gridlock.history.read_text", count)
    assert next(read_history(store)).name == names[0]
    assert read == names[:1]


def test_a_game_is_found_by_its_name_or_as_the_last(store: Store) -> None:
    keep(store, ("random", "random"))
    name = keep(store, age=1)
    going_on = keep(store, winner=None, age=2)
    assert find_game(store, name) == store.finished_folder / f"{name}.txt"
    assert find_game(store, going_on) == store.path(going_on)
    assert find_game(store, "last") == store.finished_folder / f"{name}.txt"


def test_a_name_that_no_game_has_is_refused_with_what_would_be_right(store: Store) -> None:
    with pytest.raises(StoreError, match="there is no last game: nothing has been played yet"):
        find_game(store, "last")
    for name in ("", "..", "no/where", "\0", "nothing"):
        with pytest.raises(StoreError, match="there is no game .*: gridlock history lists the"):
            find_game(store, name)
    name = keep(store)
    with pytest.raises(StoreError, match=f"'{name[:-1]}': did you mean {name}?"):
        find_game(store, name[:-1])


@pytest.mark.parametrize(
    ("played", "written"),
    [
        (NOW, "today 12:00"),
        (NOW - timedelta(days=1), "17 Nov 12:00"),
        (NOW - timedelta(days=400), "2025-10-14"),
    ],
)
def test_times_are_written_shortly(played: datetime, written: str) -> None:
    assert write_time(played, NOW) == written
