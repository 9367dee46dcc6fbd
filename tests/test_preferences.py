from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import pytest

from gridlock.errors import NotationError, StoreError
from gridlock.preferences import PREFERENCES, Preferences, PreferencesFile, default_preferences
from gridlock.setup import Setup

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> PreferencesFile:
    return PreferencesFile(tmp_path / "folder" / "preferences.json", tmp_path / "old.json")


def write(file: PreferencesFile, text: str) -> None:
    file.path.parent.mkdir(exist_ok=True)
    file.path.write_text(text)


def test_preferences_are_remembered(file: PreferencesFile) -> None:
    assert file.read() == Preferences()
    setup = Setup("claim", "5x6", "computer:7", "toss", None, 10, "cells", clock="300+3")
    preferences = Preferences("light", True, setup, True, True, "Anna", "computer:5")
    assert preferences == file.update(
        theme="light", is_ascii=True, setup=setup, has_played=True, is_welcomed=True,
        name="Anna", opponent="computer:5",
    )  # fmt: skip
    assert file.read() == preferences


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "{", '"x"', '{"setup": 3}', '{"setup": {"opponent": "god"}}',
        '{"setup": {"size": "0x0"}}', '{"setup": {"size": 5}}', '{"setup": {"rulebook": "chess"}}',
        '{"setup": {"first": 1}}', '{"setup": {"rounds": "many"}}', '{"setup": {"score": "luck"}}',
        '{"setup": {"rulebook": ["duel"]}}', '{"setup": {"clock": "1+1"}}', "[" * 100_000,
        '{"name": "computer"}', '{"name": 5}', '{"opponent": "god"}', '{"is_ascii": 1}',
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_as_at_the_beginning(file: PreferencesFile, text: str) -> None:
    write(file, text)
    assert file.read() == Preferences()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"theme": "light", "setup": {"rulebook": "/gone.toml"}}', Preferences("light")),
        ('{"theme": [], "is_ascii": true}', Preferences(is_ascii=True)),
        ('{"is_ascii": "maybe", "setup": {"rounds": 3.0}}', Preferences()),
        ('{"is_welcomed": true, "name": "Anna"}', Preferences(is_welcomed=True, name="Anna")),
    ],
)
def test_each_part_is_read_by_itself(
    file: PreferencesFile, text: str, expected: Preferences
) -> None:
    write(file, text)
    assert file.read() == expected


def test_what_a_later_version_knows_stays(file: PreferencesFile) -> None:
    write(file, '{"theme": "light", "sound": true, "setup": {"rulebook": "duel", "speed": 3}}')
    assert file.read() == Preferences("light", setup=Setup("duel"))
    file.update(is_ascii=True)
    assert json.loads(file.path.read_text()) == {
        "theme": "light", "sound": True, "setup": {"rulebook": "duel", "speed": 3},
        "is_ascii": True,
    }  # fmt: skip


def test_a_damaged_file_is_put_aside_and_never_written_over(file: PreferencesFile) -> None:
    for number, text in enumerate(("{", "[]"), start=1):
        write(file, text)
        assert file.update(theme="light") == Preferences("light")
        assert file.path.with_name(f"preferences.damaged-{number}.json").read_text() == text


def test_two_programs_at_once_lose_nothing(file: PreferencesFile) -> None:
    other = PreferencesFile(file.path)
    changes = [
        threading.Thread(target=lambda name=name, one=one: one.update(**{f"x{name}": name}))
        for name in range(8)
        for one in (file, other)
    ]
    for change in changes:
        change.start()
    for change in changes:
        change.join()
    assert json.loads(file.path.read_text()) == {f"x{name}": name for name in range(8)}


def test_old_preferences_are_carried_over_once_and_whole(
    file: PreferencesFile, tmp_path: Path
) -> None:
    old = tmp_path / "old.json"
    old.write_text('{"theme": "light", "is_ascii": true, "sound": 3}')
    assert file.read() == Preferences("light", True)
    assert not file.path.exists()  # whoever only looks changes nothing
    assert file.update(theme="contrast") == Preferences("contrast", True)
    assert json.loads(file.path.read_text()) == {"theme": "contrast", "is_ascii": True, "sound": 3}
    assert not old.exists()
    old.write_text('{"theme": "dark"}')
    assert file.read() == Preferences("contrast", True)


def test_old_preferences_that_are_damaged_are_left_as_they_are(
    file: PreferencesFile, tmp_path: Path
) -> None:
    old = tmp_path / "old.json"
    old.write_text("{")
    assert file.update(theme="light") == Preferences("light")
    assert old.read_text() == "{"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write '.*preferences.json'"):
        PreferencesFile(tmp_path / "file" / "preferences.json").update(theme="light")


@pytest.mark.parametrize("folder", ["file/below", "x" * 300])
def test_a_folder_that_cannot_be_looked_into_holds_no_preferences(
    tmp_path: Path, folder: str
) -> None:
    (tmp_path / "file").write_text("")
    assert PreferencesFile(tmp_path / folder / "preferences.json").read() == Preferences()


def test_the_file_is_in_the_folder_of_the_system_or_beside_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDLOCK_DATA", str(tmp_path / "games"))
    assert default_preferences().path == tmp_path / "games" / "preferences.json"
    monkeypatch.delenv("GRIDLOCK_DATA")
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path / "data")
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: tmp_path / "config")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "preferences.json").write_text('{"theme": "light"}')
    file = default_preferences()
    assert file.path == tmp_path / "config" / "preferences.json"
    assert file.update(name="Anna") == Preferences("light", name="Anna")


@pytest.mark.parametrize(
    ("players", "signed"),
    [
        (("human", "computer:3"), ("Anna", "computer:3")),
        (("computer:auto", "human"), ("computer:auto", "Anna")),
        (("human", "human"), ("human", "human")),
        (("random", "computer:3"), ("random", "computer:3")),
        (("Ben", "random"), ("Ben", "random")),
    ],
)
def test_a_person_goes_by_their_name_against_a_program(
    players: tuple[str, str], signed: tuple[str, str]
) -> None:
    assert Preferences(name="Anna").sign(players) == signed
    assert Preferences().sign(players) == players


def test_every_preference_reads_what_it_writes() -> None:
    usual = Preferences()
    for name, preference in PREFERENCES.items():
        value = getattr(usual, preference.field)
        if name == "last":
            with pytest.raises(NotationError, match="only be reset"):
                preference.read(preference.write(value))
        else:
            assert preference.read(preference.write(value)) == value
