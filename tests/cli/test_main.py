"""Errors in one line, exit codes, and a quick start."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest

from gridlock import __version__
from gridlock.cli import main as main_module
from gridlock.cli.main import cli

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Run

COMMANDS = cli.list_commands(click.Context(cli))


def test_without_a_terminal_gridlock_alone_prints_help(run: Run) -> None:
    result = run()
    assert (result.code, result.err) == (0, "")
    assert result.out == run("--help").out
    for command in COMMANDS:
        assert f"\n  {command} " in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    out = run(command, "--help").out
    assert f"Example: gridlock {command}" in out
    assert run(command, "-h").out == out
    assert max(map(len, out.splitlines())) <= 80


def test_a_group_alone_prints_its_help(run: Run) -> None:
    assert run("db") == run("db", "--help")


def test_every_command_is_found_in_the_groups_commands() -> None:
    """Where click-man and other tools look for them, and nowhere else."""

    def walk(name: str, command: click.Command) -> Iterator[str]:
        yield name
        for child, inner in getattr(command, "commands", {}).items():
            yield from walk(f"{name}-{child}", inner)

    keeping = ("backup", "current", "downgrade", "forget", "prune", "restore", "upgrade")
    assert set(walk("gridlock", cli)) == {
        "gridlock",
        *(f"gridlock-db-{name}" for name in keeping),
        "gridlock-eval-report",
        *(f"gridlock-{name}" for name in COMMANDS),
    }
    assert len(cli.commands) == len(COMMANDS)


def test_the_version(run: Run) -> None:
    assert run("--version").out == f"gridlock {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play",), "Missing argument 'GAME'"),
        (("play", "chess"), "Invalid value for 'GAME': there is no game 'chess': choose"),
        (("play", "ch\x1bss"), "Invalid value for 'GAME': there is no game 'ch\\x1bss': choose"),
        (("rules", ""), "Invalid value for 'GAME': there is no game '': choose"),
        (("play", "duel", "--size", "0x5"), "Invalid value for '--size': the size '0x5' i"),
        (("play", "duel", "--size", "5"), "Invalid value for '--size': the size '5' is "),
        (("play", "duel", "--size", "5x"), "Invalid value for '--size': the size '5x' is"),
        (("play", "duel", "--size", "101x5"), "Invalid value for '--size': the size '101x5'"),
        (("play", "race", "--size", "1x1"), "Invalid value for '--size': race needs a board of at"),
        (("play", "duel", "--first", "3"), "Invalid value for '--first': '3' is not one o"),
        (("play", "duel", "--p1", "computer:9"), "Invalid value for '--p1': there is no play"),
        (("play", "duel", "--rounds", "0"), "Invalid value for '--rounds': '0' is not a number"),
        (("play", "duel", "--rounds", "1001"), "Invalid value for '--rounds': '1001' is not"),
        (("play", "duel", "--target", "x"), "Invalid value for '--target': 'x' is not a number"),
        (("play", "duel", "--rounds", "1", "--target", "1"), "--rounds and --target cannot"),
        (("play", "duel", "--score", "cells"), "--score and --no-alternate need a series"),
        (("play", "duel", "--no-alternate"), "--score and --no-alternate need a series"),
        (("play", "duel", "--seed", "x"), "Invalid value for '--seed': 'x' is not a val"),
        (("play", "duel", "extra"), "Got unexpected extra argument (extra)"),
        (("plya",), "No such command 'plya'. Did you mean play? (see"),
        (("xyz",), "No such command 'xyz' (see"),
        (("play", "dule"), "Invalid value for 'GAME': there is no game 'dule': did you mean duel?"),
        (("play", "duel", "--sise", "5x5"), "No such option '--sise'. Did you mean --size? (see"),
        (("play", "duel", "--p2", "compter"), "Invalid value for '--p2': there is no player 'compt"
         "er': did you mean computer?"),
        (("play", "duel", "--first", "tos"), "Invalid value for '--first': 'tos' is not one of '1',"
         " '2', 'toss'. Did you mean toss?"),
        (("play", "duel", "--size", "99999999999x5"), "Invalid value for '--size': the size "
         "'99999999999x5' is not possible: rows and columns go from 1 to 100"),
        (("play", "duel", "--size", "5 x 5"), "Invalid value for '--size': the size '5 x 5' is"),
        (("play", "duel", "--size", "7" * 500 + "x5"), "Invalid value for '--size': the size '77"),
        (("play", "--duel"), "No such option '--duel' (see"),
        (("games", "--jsn"), "No such option '--jsn'. Did you mean --json? (see"),
        (("completion", "bsh"), "Invalid value for 'SHELL': 'bsh' is not one of"),
        (("--bogus",), "No such option"),
    ],
)  # fmt: skip
def test_wrong_use_gets_one_line_and_exit_2(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    result = run(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"gridlock: {message}")
    assert result.err.endswith(" --help)\n")
    assert len(result.error_lines) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('opponent = "kin"', "opponent: 'kin' is not a reach"),
        ("opponent = 5", "opponent: '5' is neither a reach nor an offset"),
        ("rules = 5", "rules: there is no such key"),
        ("=", " is not TOML: "),
    ],
)
def test_a_bad_rule_file_is_a_failure_that_names_the_key(
    run: Run, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    for command in ("play", "rules"):
        result = run(command, str(file))
        assert (result.code, result.out) == (1, "")
        assert str(file) in result.err
        assert message in result.err
        assert len(result.error_lines) == 1


def test_a_missing_rule_file_is_a_failure(run: Run) -> None:
    result = run("play", "./none.toml")
    assert result.code == 1
    assert result.err == "gridlock: cannot read 'none.toml': No such file or directory\n"


def test_a_bug_is_one_line_too_and_leaves_its_traceback_in_the_log(
    run: Run, games_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(_: object) -> None:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr(main_module.cli, "invoke", break_down)
    result = run("games")
    assert result.code == 1
    assert result.err == (
        "gridlock: a bug in gridlock: ZeroDivisionError: oh no "
        f"(see {games_folder / 'gridlock.log'})\n"
    )
    assert "in break_down" in (games_folder / "gridlock.log").read_text()
    monkeypatch.setenv("GRIDLOCK_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main_module._invoke(["games"])


def test_a_quick_start_needs_nothing_heavy() -> None:
    """The version and every prompt of a game come without what only tables and files need."""
    code = (
        "import sys; sys.argv[1:] = ['--version']\n"
        "from gridlock.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: print(*sys.modules)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={}
    ).stdout
    modules = set(out.split())
    assert "gridlock.model" in modules
    assert not modules & {"rich", "filelock", "platformdirs", "asyncio", "tomllib", "random"}
