from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import Player, Record, StoreError
from gridlock.saving import Copy, Keeper, are_same_games
from gridlock.store import Store

if TYPE_CHECKING:
    from pathlib import Path

GAME = gridlock.game("duel", "1x3")
ONE = Record(GAME, moves=(1,), result=Player.ONE)
TWO = Record(GAME, Player.TWO, moves=(0, 2), result=Player.ONE)
BEGUN = replace(TWO, moves=(0,), result=None)
TIMES = (("Times", "9.0 8.0"),)


@pytest.mark.parametrize(
    ("some", "others", "same"),
    [
        ([ONE], [ONE], True),
        ([ONE], [ONE, TWO], True),
        ([ONE, BEGUN], [ONE, TWO], True),
        ([BEGUN], [replace(BEGUN, result=Player.ONE, termination="resignation")], True),
        ([TWO], [ONE, TWO], False),
        ([TWO, TWO], [ONE, TWO], False),
        ([BEGUN], [ONE], False),
        ([replace(TWO, moves=(2,), result=None)], [TWO], False),
        ([replace(BEGUN, players=("Ann", "Bob"))], [TWO], False),
        ([], [ONE], False),
        ([replace(BEGUN, tags=(("Times", "9.0"),))], [replace(TWO, tags=TIMES)], True),
        ([BEGUN], [replace(TWO, tags=(("TimeControl", "60+0"),))], False),
    ],
)
def test_games_are_the_same_where_one_goes_on_from_the_other(
    some: list[Record], others: list[Record], same: bool
) -> None:
    assert are_same_games(some, others) == same
    assert are_same_games(others, some) == same


def test_a_copy_follows_its_games_through_undo_and_all(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    copy = Copy(file)
    for records in ([BEGUN], [TWO], [replace(TWO, moves=(), result=None)], [ONE]):
        copy.write(records)
        assert file.read_text() == gridlock.write_records(records)


def test_a_copy_goes_on_in_another_process(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    Copy(file).write([BEGUN])
    Copy(file).write([TWO])
    with pytest.raises(StoreError, match="exists already; choose another name"):
        Copy(file).write([ONE])


def test_a_copy_that_somebody_changed_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    copy = Copy(file)
    copy.write([BEGUN])
    file.write_text("theirs")
    with pytest.raises(StoreError, match="exists already"):
        copy.write([TWO])
    assert file.read_text() == "theirs"


def test_only_a_file_can_be_a_copy(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("pipe", "link", ""):
        with pytest.raises(StoreError, match="exists already"):
            Copy(tmp_path / name).check([])


def test_the_store_comes_first(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    with Store(tmp_path / "games").create("duel", datetime(2026, 11, 15)) as kept:
        keep = Keeper(kept, Copy(file))
        keep([BEGUN])
        assert kept.path.read_text() == file.read_text()
        file.write_text("theirs")
        with pytest.raises(StoreError, match="exists already; .*; the game itself is kept"):
            keep([TWO])
        assert kept.path.read_text() == gridlock.write_records([TWO])


def test_what_the_store_cannot_hold_is_not_carried_out(tmp_path: Path) -> None:
    store = Store(tmp_path / "games")
    with store.create("duel", datetime(2026, 11, 15)) as kept:
        kept.path = tmp_path / "nowhere" / "a.txt"
        with pytest.raises(StoreError, match="; this was not carried out, all before it is kept$"):
            Keeper(kept, Copy(tmp_path / "a.txt"))([BEGUN])
    assert not (tmp_path / "a.txt").exists()
