from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest

from gridlock import StoreError
from gridlock.errors import BusyError
from gridlock.store import FOLDER_VARIABLE, Store, default_store

NOW = datetime(2026, 11, 15, 20, 30)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games")


def test_a_game_is_kept_with_its_first_text(store: Store) -> None:
    with store.create("duel", NOW) as kept:
        assert store.unfinished() == []
        kept.write("text")
        assert store.unfinished() == ["duel-20261115-203000"]
    assert store.path("duel-20261115-203000").read_text() == "text"


def test_nothing_is_left_of_a_game_without_a_move(store: Store) -> None:
    with store.create("duel", NOW):
        pass
    assert list(store.unfinished_folder.iterdir()) == []


def test_a_finished_game_moves(store: Store) -> None:
    with store.create("duel", NOW) as kept:
        kept.write("text")
        place = kept.finish()
    assert place.read_text() == "text"
    assert place.parent == store.finished_folder
    assert list(store.unfinished_folder.iterdir()) == []


def test_games_begun_in_the_same_second_do_not_meet(store: Store) -> None:
    with store.create("duel", NOW) as one, store.create("duel", NOW) as two:
        one.write("one")
        two.write("two")
        two.finish()
    with store.create("duel", NOW) as three:
        three.write("three")
    texts = {path.read_text() for path in store.folder.rglob("*.txt")}
    assert texts == {"one", "two", "three"}


def test_the_game_played_last_comes_first(store: Store) -> None:
    for game, time in (("duel", 200), ("claim", 300), ("race", 100)):
        with store.create(game, NOW) as kept:
            kept.write("text")
        os.utime(kept.path, (time, time))
    assert [name.split("-")[0] for name in store.unfinished()] == ["claim", "duel", "race"]


def test_only_files_are_games_and_one_that_vanishes_hides_no_other(store: Store) -> None:
    with store.create("duel", NOW) as kept:
        kept.write("text")
    (store.unfinished_folder / "gone.txt").symlink_to("nowhere")
    (store.unfinished_folder / "folder.txt").mkdir()
    os.mkfifo(store.unfinished_folder / "pipe.txt")
    assert store.unfinished() == [kept.name]


def test_drafts_of_a_killed_process_are_cleared_away(store: Store) -> None:
    with store.create("duel", NOW) as kept:
        kept.write("text")
    draft = store.unfinished_folder / f".{kept.path.name}.12345678.tmp"
    draft.write_text("half")
    with store.open(kept.name):
        assert not draft.exists()


def test_nobody_else_plays_a_game_meanwhile(store: Store) -> None:
    with store.create("duel", NOW) as kept:
        kept.write("text")
        with pytest.raises(BusyError, match="duel-20261115-203000 is being played elsewhere"):
            store.open(kept.name)
    with store.open(kept.name) as again:
        assert again.path == kept.path


def test_a_game_that_was_finished_a_moment_ago_cannot_be_opened(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "unfinished", lambda: ["gone"])
    with pytest.raises(StoreError, match="there is no unfinished game 'gone'"):
        store.open("gone")
    assert list(store.unfinished_folder.iterdir()) == []


@pytest.mark.parametrize("name", ["none", "../x", ""])
def test_a_game_that_is_not_there_cannot_be_opened(store: Store, name: str) -> None:
    with pytest.raises(StoreError, match="there is no unfinished game"):
        store.open(name)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(StoreError, match="cannot keep games in .* Not a directory; set GRIDLOCK"):
        Store(file / "games").create("duel", NOW)
    with pytest.raises(StoreError, match="cannot read .* Not a directory"):
        Store(file / "games").unfinished()


def test_a_game_that_cannot_be_moved_stays(store: Store) -> None:
    with store.create("duel", NOW) as kept:
        kept.write("text")
        store.finished_folder.rmdir()
        with pytest.raises(StoreError, match="cannot move"):
            kept.finish()
    assert store.unfinished() == [kept.name]


def test_the_folder_may_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert default_store().folder == tmp_path
    monkeypatch.delenv(FOLDER_VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_store().folder == tmp_path / "gridlock"


def test_an_unfinished_game_is_known_by_its_file_however_it_is_written(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.create("duel", NOW) as kept:
        kept.write("text")
        monkeypatch.chdir(store.folder)
        assert store.name_of(kept.path) == kept.name
        assert store.name_of(f"unfinished/../unfinished/{kept.path.name}") == kept.name
        assert store.name_of("elsewhere.txt") is None


def test_games_finished_or_not_are_listed_with_the_one_played_last_first(store: Store) -> None:
    places = []
    for number in range(3):
        with store.create("duel", NOW) as kept:
            kept.write("text")
            places.append(kept.path if number == 1 else kept.finish())
        os.utime(places[-1], (number, number))
    assert [path for _, path in store.files()] == places[::-1]


@pytest.mark.parametrize("folder", ["/proc/games", "/dev/null/games", "/dev/null"])
def test_a_folder_that_cannot_be_written_is_known_even_by_root(folder: str) -> None:
    assert not Store(Path(folder)).can_be_written()


@pytest.mark.parametrize("part", ["unfinished", "finished"])
def test_a_store_in_which_a_file_stands_in_the_way_cannot_be_written(
    store: Store, part: str
) -> None:
    store.folder.mkdir()
    (store.folder / part).touch()
    assert not store.can_be_written()


def test_to_ask_whether_it_can_be_written_leaves_nothing_behind(
    store: Store, tmp_path: Path
) -> None:
    assert Store(store.folder / "deep" / "down").can_be_written()
    assert list(tmp_path.iterdir()) == []
    store.unfinished_folder.mkdir(parents=True)
    assert store.can_be_written()
    assert list(store.unfinished_folder.iterdir()) == []


def test_a_folder_behind_a_dead_link_cannot_be_written(store: Store, tmp_path: Path) -> None:
    store.folder.symlink_to(tmp_path / "gone")
    assert not store.can_be_written()


def test_games_are_found_and_deleted_whether_finished_or_not(store: Store) -> None:
    with store.create("duel", NOW) as kept:
        kept.write("text")
    with store.create("trail", NOW) as kept:
        kept.write("text")
        kept.finish()
    for name in ("duel-20261115-203000", "trail-20261115-203000"):
        path = store.find(name)
        assert path is not None
        store.delete(path)
        store.delete(path)  # somebody else was quicker
        assert store.find(name) is None
    assert store.files() == []
    assert list(store.unfinished_folder.iterdir()) == []


def test_a_game_that_cannot_be_deleted_says_why(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(StoreError, match="cannot delete '.*duel.txt': Permission denied"):
        store.delete(store.finished_folder / "duel.txt")
