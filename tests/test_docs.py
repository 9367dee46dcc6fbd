"""The documentation tells the truth: its sessions run, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock.bridges import conformance
from gridlock.lab.tournament.plan import Plan, build, read_keys, shipped
from tests.web.services import Server

if TYPE_CHECKING:
    from tests.conftest import Run

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
SESSIONS = [
    block
    for page in PAGES
    for block in re.findall(r"^```console\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
]
PROMPT = re.compile(r"(?:\(row,column\)|\(1-1\)): (.+)$", re.MULTILINE)


def test_there_are_sessions() -> None:
    assert len(SESSIONS) >= 2


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_runs_as_it_is_shown(session: str, run: Run) -> None:
    command, shown = session.split("\n", 1)
    arguments = shlex.split(command.rpartition("gridlock ")[2])
    typed = "".join(f"{line}\n" for line in PROMPT.findall(shown))
    assert run(*arguments, typed=typed).out == shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        assert (page.parent / target.partition("#")[0]).exists(), target


def test_every_long_test_is_named_with_its_reason() -> None:
    marked = re.compile(r"^@pytest\.mark\.long\n(?:[^d].*\n)*?def (\w+)\(", re.MULTILINE)
    code = "".join(file.read_text() for file in sorted(ROOT.glob("tests/**/*.py")))
    page = (ROOT / "CONTRIBUTING.md").read_text()
    told = re.findall(r"^\| `(test_\w+)` \| \S", page, re.MULTILINE)
    assert sorted(told) == sorted(marked.findall(code))
    assert len(told) < 40


def test_the_pages_install_our_distribution_and_not_somebody_elses() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["name"] == "gridlock-games"
    text = "".join(page.read_text() for page in PAGES if page.name != "CHANGELOG.md")
    installed = re.findall(r"pip install '?(gridlock[\w-]*)(?:\[(\w+)\])?", text)
    assert installed
    for name, extra in installed:
        assert name == project["name"]
        assert not extra or extra in project["optional-dependencies"]


def test_the_bot_of_the_docs_plays_a_whole_game(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "bots.md").read_text()
    (text,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    program = tmp_path / "bot.py"
    program.write_text(text)
    with Server(tmp_path / "log", "--database", str(tmp_path / "web.db")) as server:
        played = subprocess.run(
            [sys.executable, program, server.url], capture_output=True, text=True, check=True
        )
    assert played.stdout in ("B cannot move: A wins!\n", "A cannot move: B wins!\n")


def test_the_list_of_games_is_complete() -> None:
    readme = (ROOT / "README.md").read_text()
    for rulebook in gridlock.RULEBOOKS.values():
        assert f"| `{rulebook.id}` | {rulebook.size} | {rulebook.about} |" in readme


def test_the_rule_file_of_the_docs_is_a_game(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "own-games.md").read_text()
    (text,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    file = tmp_path / "knights.toml"
    file.write_text(text)
    assert str(gridlock.load(file)) == "<Game knights 6x6>"
    file.write_text(text.replace("# follow", "follow"))
    assert gridlock.load(file) != gridlock.placement(**tomllib.loads(text), id="knights")


def test_the_changelog_has_this_version() -> None:
    assert f"\n## {gridlock.__version__}\n" in (ROOT / "CHANGELOG.md").read_text()


def test_every_public_name_is_documented() -> None:
    pages = "".join(page.read_text() for page in PAGES)
    for name in gridlock.__all__:
        assert name in pages, name


def test_the_way_to_a_rated_bot_can_be_gone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "programs.md").read_text()
    steps = re.findall(r"^ *```sh\n(.*?)^ *```$", page, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for step in steps for line in step.splitlines()]
    copy, *commands = lines
    assert copy == "cp examples/random_bot.py my_bot.py"
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copy(tmp_path / "examples" / "random_bot.py", tmp_path / "my_bot.py")
    monkeypatch.chdir(tmp_path)
    for name, value in {"SOON": 60.0, "_GRACE": 60.0, "_CLOCK": 10_000}.items():
        monkeypatch.setattr(conformance, name, value)  # the machine may be busy
    for command in commands:
        assert command.startswith("gridlock ")
        brief = re.sub(r"--rounds \d+", "--rounds 1", command.removeprefix("gridlock "))
        result = run(*shlex.split(brief), typed="quit\n")
        assert (result.code, result.err.count("\n")) in ((0, 0), (0, 1)), result
    assert {"first", "second"} <= {path.name for path in tmp_path.iterdir()}


def test_the_options_of_a_tournament_are_documented() -> None:
    page = (ROOT / "docs" / "programs.md").read_text()
    for field in fields(Plan):
        assert f"`{field.name}`" in page, field.name


def test_the_table_of_the_ladder_has_all_its_players() -> None:
    page = (ROOT / "docs" / "programs.md").read_text().rpartition("## The ladder")[2]
    file = shipped("ladder")
    assert file
    for player in build(read_keys(file)).players:
        assert re.search(rf"^ *\d {player} ", page, re.MULTILINE), player


def test_the_tournament_of_the_docs_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "programs.md").read_text()
    (text,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    file = tmp_path / "cup.toml"
    file.write_text(text)
    assert build(read_keys(file)).entrants()[0].label == "mine"
