from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock.preferences import PREFERENCES
from gridlock.puzzles.progress import ProgressFile
from gridlock.setup import Setup
from gridlock.store import Store
from tests.conftest import load_preferences, save_preferences

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run


def test_the_file_and_every_preference_are_shown(run: Run, games_folder: Path) -> None:
    out = run("config").out
    assert out.startswith(f"Kept in {games_folder / 'preferences.json'}\n\nname ")
    for name, preference in PREFERENCES.items():
        assert any(
            line.startswith(f"{name} ") and line.endswith(preference.about)
            for line in out.splitlines()
        )
    found = json.loads(run("config", "--json").out)
    assert found["file"] == str(games_folder / "preferences.json")
    assert list(found["preferences"]) == list(PREFERENCES)
    assert found["preferences"]["opponent"] == {
        "value": "human", "default": "human", "about": PREFERENCES["opponent"].about,
    }  # fmt: skip
    assert not games_folder.exists()


@pytest.mark.parametrize(
    ("name", "typed", "value", "usual"),
    [
        ("name", " Anna  Bell ", "Anna Bell", ""),
        ("opponent", "Computer:5", "computer:5", "human"),
        ("theme", "Light", "light", "dark"),
        ("ascii", "YES", "yes", "no"),
        ("welcome", "no", "no", "yes"),
    ],
)
def test_a_preference_is_set_shown_and_reset(
    run: Run, name: str, typed: str, value: str, usual: str
) -> None:
    assert run("config", name, typed).out == f"{name}: {value}\n"
    assert run("config", name).out == f"{name}: {value}\n"
    shown = json.loads(run("config", name, "--json").out)
    assert (shown["value"], shown["default"]) == (value, usual)
    assert run("config", "--reset", name).out == f"{name}: {usual}\n"
    assert json.loads(run("config", "--json").out)["preferences"][name]["value"] == usual


def test_what_the_app_offers_first_can_be_forgotten(run: Run, games_folder: Path) -> None:
    from gridlock.preferences import Preferences

    store = Store(games_folder)
    save_preferences(store, Preferences(setup=Setup("duel", clock="300+3"), has_played=True))
    assert run("config", "last").out == "last: duel, computer, level 3, 5 min + 3 s\n"
    assert run("config", "--reset", "last").out == "last: occupation, computer, level 3\n"
    assert load_preferences(store) == Preferences()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("them",), "Invalid value for 'NAME': there is no preference 'them': did you mean the"),
        (("x", "y"), "Invalid value for 'NAME': there is no preference 'x': choose name, op"),
        (("theme", "blue"), "Invalid value for 'theme': 'blue' is not dark, light or contrast"),
        (("ascii", "perhaps"), "Invalid value for 'ascii': 'perhaps' is not yes or no"),
        (("opponent", "god"), "Invalid value for 'opponent': there is no player 'god': choose"),
        (("name", "random"), "Invalid value for 'name': 'random' is what a program is called"),
        (("last", "duel"), "Invalid value for 'last': playing in the app sets it; here it can on"),
        (("--reset",), "--reset goes with a NAME and no VALUE"),
        (("--reset", "theme", "dark"), "--reset goes with a NAME and no VALUE"),
        (("theme", "dark", "--json"), "--json shows preferences: it goes with no VALUE"),
    ],
)
def test_wrong_use_is_one_line(run: Run, arguments: tuple[str, ...], error: str) -> None:
    result = run("config", *arguments)
    assert (result.code, result.out) == (2, "")
    (line,) = result.error_lines
    assert line.startswith(f"gridlock: {error}")


def test_a_file_that_cannot_be_written_is_one_line(run: Run, games_folder: Path) -> None:
    games_folder.write_text("")
    result = run("config", "theme", "light")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("gridlock: cannot write '")
    assert len(result.error_lines) == 1


def newest(folder: Path) -> gridlock.Record:
    return gridlock.read_record(Store(folder).files()[0][1].read_text())


def test_the_preferred_opponent_plays_unless_somebody_is_named(
    run: Run, games_folder: Path
) -> None:
    run("config", "opponent", "random")
    run("play", "duel", typed="3,3\n")
    assert newest(games_folder).players == ("human", "random")
    for seat in ("--p1", "--p2"):
        run("play", "claim", seat, "human", typed="2,2\n")
        assert newest(games_folder).players == ("human", "human")


def test_a_person_who_has_a_name_plays_and_learns_by_it(run: Run, games_folder: Path) -> None:
    run("config", "name", "Anna")
    run("play", "occupation", "--p2", "random", "--seed", "1", typed="1,1\nresign\n")
    record = newest(games_folder)
    assert record.players == ("Anna", "random")
    run("review", "last")
    assert ProgressFile(games_folder).read().mistakes
    run("play", "occupation", typed="1,1\n")
    assert newest(games_folder).players == ("human", "human")
