from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gridlock import Player
from gridlock.match import Score, Terms
from gridlock.tui.setup import (
    Preferences,
    Setup,
    load_preferences,
    save_preferences,
    sized,
)

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock.store import Store


def test_preferences_are_remembered(store: Store) -> None:
    assert load_preferences(store) == Preferences()
    preferences = Preferences(
        "light", True, Setup("claim", "5x6", "computer:7", "toss", None, 10, "cells"), True, True
    )
    save_preferences(store, preferences)
    assert load_preferences(store) == preferences


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "{", '"x"', '{"setup": 3}', '{"setup": {"opponent": "god"}}',
        '{"setup": {"size": "0x0"}}', '{"setup": {"size": 5}}', '{"setup": {"rulebook": "chess"}}',
        '{"setup": {"first": 1}}', '{"setup": {"rounds": "many"}}', '{"setup": {"score": "luck"}}',
        '{"setup": {"rulebook": ["duel"]}}',
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_as_at_the_beginning(store: Store, text: str) -> None:
    store.folder.mkdir()
    (store.folder / "preferences.json").write_text(text)
    assert load_preferences(store) == Preferences()


def test_names_that_a_later_version_has_are_passed_over(store: Store) -> None:
    store.folder.mkdir()
    content = {"theme": "light", "sound": True, "setup": {"rulebook": "duel", "speed": 3}}
    (store.folder / "preferences.json").write_text(json.dumps(content))
    assert load_preferences(store) == Preferences(theme="light", setup=Setup("duel"))


def test_a_disk_that_cannot_be_written_forgets_without_a_word(tmp_path: Path) -> None:
    from gridlock.store import Store

    (tmp_path / "file").write_text("")
    save_preferences(Store(tmp_path / "file" / "below"), Preferences())


def test_a_setup_says_what_is_played() -> None:
    setup = Setup("claim", "6x7", "computer:2", "2", target=5, score="cells")
    assert str(setup.game().grid) == "6x7"
    assert setup.terms == Terms(target=5, score=Score.CELLS)
    assert setup.first_player is Player.TWO
    assert setup.describe() == "claim 6x7, computer, level 2, to 5 points"
    assert Setup(first="toss").first_player is None
    assert Setup(opponent="human").describe() == "occupation, a person"


def test_the_rulebooks_own_size_is_not_written_down() -> None:
    game = Setup("race").game()
    assert sized(game, 4, 4) is None
    assert sized(game, 4, 5) == "4x5"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"theme": "light", "setup": {"rulebook": "/gone.toml"}}', Preferences("light")),
        ('{"theme": [], "is_ascii": true}', Preferences(is_ascii=True)),
        ('{"is_ascii": "maybe", "setup": {"rounds": 3.0}}', Preferences()),
        ("[" * 100_000, Preferences()),
    ],
)
def test_each_part_of_the_preferences_is_read_by_itself(
    store: Store, text: str, expected: Preferences
) -> None:
    store.folder.mkdir()
    (store.folder / "preferences.json").write_text(text)
    assert load_preferences(store) == expected
