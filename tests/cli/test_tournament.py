"""``gridlock tournament``: options, files, resuming after the worst."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gridlock.cli import tournament as command
from gridlock.lab.tournament.ledger import GAMES, Ledger
from gridlock.lab.tournament.plan import build
from gridlock.lab.tournament.runner import Runner

if TYPE_CHECKING:
    from tests.conftest import Run

FAULTY = Path(__file__).parent.parent / "bridges" / "faulty.py"
TWO = ("-p", "a=random", "-p", "b=random", "--size", "3x3")


def test_a_tournament_is_played_judged_and_shown(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    result = run("tournament", *TWO, "--rounds", "3", "--folder", str(folder))
    assert (result.code, result.err) == (0, "")
    heading, *rows, last = result.out.splitlines()
    assert heading.split()[:4] == ["player", "Elo", "95", "%"]
    assert [row.split()[0] for row in rows[:2]] == ["1", "2"]
    assert rows[0].split()[-1] == "100%"  # judged
    assert last == f"The table and all games are in '{folder}'."
    assert {path.name for path in folder.iterdir()} >= {
        "plan.json", "games.jsonl", "quality.jsonl", "games.txt", "table.csv", "table.json",
        "table.svg",
    }  # fmt: skip
    again = run("tournament", "--resume", str(folder))
    assert again.out == result.out


def test_a_file_has_the_plan_and_options_count_more(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('players = ["x=random", "y=random"]\nsize = "3x3"\nrounds = 50\nclock = "10"\n')
    folder = str(tmp_path / "cup")
    arguments = ("tournament", str(file), "--rounds", "2", "--nodes", "5", "--folder", folder)
    result = run(*arguments, "--json")
    assert result.code == 0
    data = json.loads(result.out)
    assert (data["games"], data["plan"]["rounds"], data["plan"]["clock"]) == (4, 2, "")
    assert {row["player"] for row in data["players"]} == {"x", "y"}


def test_a_test_is_told(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "cup")
    result = run("tournament", *TWO, "--sprt", "0,10", "--quality", "0", "--folder", folder)
    assert "SPRT of 0 against 10 (normalised Elo): LLR " in result.out
    assert "(-2.94, 2.94): not decided yet." in result.out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("-p", "random"), "a tournament needs two players at least"),
        ((*TWO, "--rounds", "0"), "rounds is from 1 to 100,000, not 0"),
        ((*TWO, "--format", "swis"), "Did you mean swiss?"),
        ((*TWO, "--resume", "x"), "--resume goes alone: the folder has the plan"),
        ((*TWO, "--openings", "random:x"), "openings cannot be 'random:x'"),
    ],
)
def test_wrong_use_is_one_line(
    arguments: tuple[str, ...], text: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("tournament", *arguments)
    assert (result.code, result.out) == (2, "")
    assert text in result.err
    assert not (tmp_path / "tournament").exists()


def test_what_cannot_be_is_a_failure_in_one_line(run: Run, tmp_path: Path) -> None:
    result = run("tournament", "--resume", str(tmp_path))
    assert (result.code, result.out) == (1, "")
    assert result.error_lines == [f"gridlock: there is no tournament in '{tmp_path}'"]
    result = run("tournament", str(tmp_path / "nowhere.toml"))
    assert (result.code, len(result.error_lines)) == (1, 1)


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start a tournament; what may be killed cannot be measured, so that is left out."""
    environment = {key: value for key, value in os.environ.items() if "COVERAGE" not in key}
    return subprocess.Popen(
        [sys.executable, "-m", "gridlock", "tournament", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip


def lines_in(folder: Path) -> list[str]:
    try:
        return (folder / GAMES).read_text().splitlines(keepends=True)
    except FileNotFoundError:
        return []


def kill_again_and_again(folder: Path, times: int) -> None:
    """Kill a tournament at random moments until it is finished, and look at what it has lost."""
    rng = random.Random(times)
    games = 4000
    arguments = [
        *TWO, "--rounds", str(games // 2), "--quality", "0", "--folder", str(folder),
        "--concurrency", "2",
    ]  # fmt: skip
    kept: list[str] = []
    for _ in range(times):
        process = start(*arguments)
        wanted = len(kept) + rng.randint(1, games // times // 2)
        while len(lines_in(folder)) < wanted and process.poll() is None:
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        found = lines_in(folder)
        assert found[: len(kept)] == kept
        kept = [line for line in found if line.endswith("\n")]
        arguments = ["--resume", str(folder)]
    process = start(*arguments)
    process.communicate()
    assert process.returncode == 0
    found = lines_in(folder)
    assert found[: len(kept)] == kept
    assert sorted(json.loads(line)["number"] for line in found) == list(range(games))


def test_a_tournament_that_is_killed_goes_on_with_nothing_lost(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "cup", 2)


@pytest.mark.long
def test_a_tournament_that_is_killed_ten_times_loses_nothing(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "cup", 10)


def test_on_a_full_disk_it_stops_in_one_line_and_can_go_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, room = os.write, 2000

    def write_what_fits(file: int, content: bytes) -> int:
        left = room - os.fstat(file).st_size
        if left <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, content[:left])

    folder = tmp_path / "cup"
    with monkeypatch.context() as full:
        full.setattr(os, "write", write_what_fits)
        result = run("tournament", *TWO, "--rounds", "20", "--folder", str(folder))
    assert (result.code, result.out) == (1, "")
    place = folder / GAMES
    assert result.error_lines == [f"gridlock: cannot write '{place}': No space left on device"]
    kept = lines_in(folder)
    assert kept
    assert all(line.endswith("\n") for line in kept)
    assert run("tournament", "--resume", str(folder)).code == 0
    assert lines_in(folder)[: len(kept)] == kept
    assert sorted(json.loads(line)["number"] for line in lines_in(folder)) == list(range(40))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_table_is_shown_while_games_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridlock.cli.tournament._LIVE_SECONDS", 0)
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    plan = build({"players": ["a=random", "b=random"], "size": "3x3", "rounds": 2})
    with Ledger(tmp_path, plan) as ledger, command._live(ledger) as show:
        show()
        assert "games" not in terminal.getvalue()
        Runner(ledger, show).run()
        command._judge(ledger, show)
        assert "4 games, 4 judged; Ctrl-C stops, and --resume goes on" in terminal.getvalue()
        assert "resists" in terminal.getvalue()


def test_faults_are_told_below_the_table(run: Run, tmp_path: Path) -> None:
    bot = f"c=engine:{sys.executable} {FAULTY} crash"
    folder = str(tmp_path / "cup")
    result = run("tournament", "-p", "random", "-p", bot, "--size", "3x3", "--folder", folder)
    assert result.code == 0
    assert "\nc: lost by crash 2\n" in result.out
    assert "Somebody has won or lost everything: each player is rated with a drawn" in result.out


def test_an_interrupted_tournament_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    process = start(*TWO, "--rounds", "50000", "--quality", "0", "--folder", str(folder))
    while not lines_in(folder):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err == f"The tournament is kept. To go on: gridlock tournament --resume {folder}\n"
