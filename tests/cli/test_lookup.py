from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from gridlock import RULEBOOKS, __version__
from gridlock.cli import lookup

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run


def test_games_lists_every_rulebook(run: Run) -> None:
    heading, *lines = run("games").out.splitlines()
    assert heading.split() == ["id", "title", "board", "about"]
    assert [line.split()[0] for line in lines] == list(RULEBOOKS)
    for line, rulebook in zip(lines, RULEBOOKS.values(), strict=True):
        assert rulebook.title in line
        assert rulebook.about in line
        assert f" {rulebook.size} " in line


def test_games_as_json(run: Run) -> None:
    games = json.loads(run("games", "--json").out)
    assert [game["id"] for game in games] == list(RULEBOOKS)
    assert games[1]["board"] == "5x5"


@pytest.mark.parametrize("name", RULEBOOKS)
def test_rules_explains_a_game(run: Run, name: str) -> None:
    assert run("rules", name).out == f"{RULEBOOKS[name].title}\n\n{RULEBOOKS[name].rules}"


def test_rules_explains_a_rule_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('title = "Mine"\nown = "king"')
    assert run("rules", str(file)).out.startswith("Mine\n\nThe players take turns")


def test_doctor_tells_versions_and_where_games_are(
    run: Run, games_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = json.loads(run("doctor", "--json").out)
    assert facts["gridlock"] == __version__
    assert facts["data_folder"] == str(games_folder)
    assert facts["can_be_written"] is True
    assert facts["litestar"] == version("litestar")
    monkeypatch.setattr(lookup, "_WEB_LIBRARIES", ("no-such-library",))
    assert json.loads(run("doctor", "--json").out)["no-such-library"] == "not installed"
    run("play", "duel", typed="3,3\n")
    out = run("doctor").out
    assert f"data folder:       {games_folder}\n" in out
    assert "unfinished games:  1\n" in out


def test_doctor_says_what_to_do_about_a_folder_that_cannot_be_written(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDLOCK_DATA", "/dev/null/games")
    facts = json.loads(run("doctor", "--json").out)
    assert (facts["can_be_written"], facts["unfinished_games"]) == (False, None)
    out = run("doctor").out
    assert "can be written:    no; set GRIDLOCK_DATA to another folder\n" in out
    assert "unfinished games:  unknown\n" in out
