from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from gridlock import RULEBOOKS, __version__
from gridlock.cli import lookup
from gridlock.log import log_path

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
    assert games[1]["file"] is None


@pytest.mark.parametrize("name", RULEBOOKS)
def test_rules_explains_a_game(run: Run, name: str) -> None:
    assert run("rules", name).out == f"{RULEBOOKS[name].title}\n\n{RULEBOOKS[name].rules}"


def test_rules_explains_a_rule_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('title = "Mine"\nown = "king"')
    assert run("rules", str(file)).out.startswith("Mine\n\nThe players take turns")


@pytest.fixture
def own_file(games_folder: Path) -> Path:
    file = games_folder / "rules" / "knights.toml"
    file.parent.mkdir(parents=True)
    file.write_text('title = "Knights"\nabout = "Jump"\nopponent = "knight"\nsize = "6x7"')
    return file


def test_games_and_rules_know_ones_own_rule_files(
    run: Run, own_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    (here / "kings.toml").write_text('title = "Kings"\nown = "king"')
    (here / "knights.toml").write_text('title = "Other knights"\nown = "knight"')
    games = json.loads(run("games", "--json").out)[len(RULEBOOKS) :]
    assert [(game["id"], game["title"], game["board"], game["file"]) for game in games] == [
        ("knights", "Knights", "6x7", str(own_file)),
        ("kings", "Kings", "5x5", str(here / "kings.toml")),
        ("knights", "Other knights", "5x5", str(here / "knights.toml")),
    ]
    lines = run("games").out.splitlines()
    assert lines[0].split() == ["id", "title", "board", "about", "file"]
    assert lines[-3].split() == ["knights", "Knights", "6x7", "Jump", str(own_file)]
    assert run("rules", "knights").out.startswith("Knights\n")
    assert run("rules", "Kings").out.startswith("Kings\n")
    (here / "file.toml").write_text('id = "emperors"\ntitle = "Emperors"\nown = "line"')
    assert run("rules", "emperors").out.startswith("Emperors\n")
    (here / "file.toml").unlink()
    assert "No valid" not in run("play", "kings", typed="1,1\nmoves\n").err
    assert "there is no game 'nights': did you mean knights?" in run("rules", "nights").err
    assert ", race, knights, kings, or a rule file such as" in run("rules", "chess").err


def test_games_names_a_rule_file_that_is_wrong_and_lists_the_others(
    run: Run, own_file: Path
) -> None:
    wrong = own_file.with_name("wrong.toml")
    wrong.write_text('own = "queen"')
    result = run("games")
    assert result.code == 0
    assert result.err.startswith(f"gridlock: {wrong}: own: 'queen' is not a reach")
    assert "Knights" in result.out


@pytest.mark.parametrize(
    ("text", "wrong"),
    [('own = "queen"', ": own: 'queen' is not a reach"), ('own = "king', " is not TOML: ")],
)
def test_a_broken_rule_file_that_is_named_as_a_game_says_what_is_wrong_in_it(
    run: Run, own_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, wrong: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in (own_file.with_name("Bad one.toml"), tmp_path / "worse.toml"):
        file.write_text(text)
        for command in ("rules", "play", "solve"):
            result = run(command, file.stem.lower().replace(" ", "-"))
            assert (result.code, result.out) == (1, "")
            assert result.err.startswith(f"gridlock: {file}{wrong}")
            assert len(result.error_lines) == 1


def test_help_and_version_are_commands_too(run: Run) -> None:
    assert run("help") == run("--help")
    assert run("help", "play") == run("play", "--help")
    assert run("help", "db", "prune") == run("db", "prune", "--help")
    assert run("version") == run("--version")
    result = run("help", "pley")
    assert result.code == 2
    assert result.err.startswith("gridlock: No such command 'pley'. Did you mean play?")


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
    assert f"log:               {log_path()}\n" in out


@pytest.mark.parametrize(("folder", "unfinished"), [("/dev/null/games", None), ("/proc/games", 0)])
def test_doctor_says_what_to_do_about_a_folder_that_cannot_be_written(
    run: Run, monkeypatch: pytest.MonkeyPatch, folder: str, unfinished: int | None
) -> None:
    monkeypatch.setenv("GRIDLOCK_DATA", folder)
    assert "cannot keep games in" in run("play", "duel").err
    facts = json.loads(run("doctor", "--json").out)
    assert (facts["can_be_written"], facts["unfinished_games"]) == (False, unfinished)
    out = run("doctor").out
    assert "can be written:    no; set GRIDLOCK_DATA to another folder\n" in out
    assert f"unfinished games:  {'unknown' if unfinished is None else unfinished}\n" in out
