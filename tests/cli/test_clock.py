"""Games by the clock, as the command line plays them."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock.cli.console import Console
from gridlock.players import RandomPlayer
from gridlock.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock import Position
    from gridlock.clock import Clock
    from tests.conftest import Run


class Watch:
    """The time of day, of which so many seconds pass before each line is typed."""

    def __init__(self) -> None:
        self.now = 1_000_000_000
        self.pauses: list[float] = []

    def spend(self, seconds: float) -> None:
        self.now += round(seconds * 1000)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    for module in ("engine", "timing", "cli.session"):
        monkeypatch.setattr(f"gridlock.{module}.milliseconds", lambda: watch.now)
    read = Console._read

    def read_slowly(console: Console, prompt: str) -> str:
        line = read(console, prompt)
        watch.spend(watch.pauses.pop(0) if watch.pauses else 0)
        return line

    monkeypatch.setattr(Console, "_read", read_slowly)
    return watch


def kept(folder: Path) -> gridlock.Record:
    """Return the game that was played last, as it is on disk."""
    return gridlock.read_record(Store(folder).files()[0][1].read_text())


def test_the_time_left_is_shown_kept_and_goes_on_after_a_pause(
    run: Run, watch: Watch, games_folder: Path
) -> None:
    watch.pauses = [50, 20, 1.5]
    out = run("play", "duel", "--clock", "60+2", typed="3,3\n1,1\nquit\n").out
    assert out.count("Time left: Player A 1:02, Player B 1:00.\nEnter the row") == 1
    assert "Time left: Player A 1:02, Player B 0:42.\nEnter the row" in out
    tags = {"TimeControl": "60+2", "Times": "62.0 42.0 60.5"}
    assert dict(kept(games_folder).tags) == tags
    watch.spend(999)
    watch.pauses = [10]
    out = run("resume", typed="help\n").out
    assert "Time left: Player A 1:01, Player B 0:42." in out
    assert "Time left: Player A 0:51, Player B 0:42." in out


def test_each_move_is_on_disk_with_its_time(
    run: Run, watch: Watch, games_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.pauses = [0, 20]

    def die(*_: object) -> None:
        raise SystemExit(9)

    monkeypatch.setattr("gridlock.timing.TimedMatch.stop_clock", die)
    assert run("play", "duel", "--clock", "60", typed="3,3\n1,1\n").code == 9
    assert dict(kept(games_folder).tags) == {"TimeControl": "60+0", "Times": "60.0 40.0"}


def test_a_line_that_comes_too_late_loses(run: Run, watch: Watch, games_folder: Path) -> None:
    watch.pauses = [0, 60]
    result = run("play", "duel", "--clock", "60", typed="3,3\n1,1\n1,2\n")
    assert result.out.endswith("1,1\n\nPlayer B has no time left.\nPlayer A wins the game!\n")
    record = kept(games_folder)
    assert (record.result, record.termination) == (gridlock.Player.ONE, "clock")
    assert [record.game.name(cell) for cell in record.moves] == ["3,3"]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="nobody can be interrupted here")
def test_somebody_who_types_nothing_is_interrupted(
    run: Run, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Console._read

    def wait(console: Console, prompt: str) -> str:
        if "Player A, " in prompt:
            return read(console, prompt)
        signal.pause()
        raise AssertionError

    monkeypatch.setattr(Console, "_read", wait)
    monkeypatch.setattr("gridlock.cli.session.MILLISECONDS", 10**7)  # a minute takes 6 ms
    out = run("play", "occupation", "--clock", "60", typed="3,3\n").out
    assert out.endswith("Player B has no time left.\nPlayer A wins the game!\n")


def test_a_program_has_the_same_clock(
    run: Run, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks: list[Clock | None] = []

    def choose(_: RandomPlayer, position: Position, clock: Clock | None = None) -> int:
        clocks.append(clock)
        watch.spend(60)
        return position.legal_cells()[0]

    monkeypatch.setattr(RandomPlayer, "choose", choose)
    out = run("play", "claim", "--clock", "60", "--p2", "random", typed="2 2\n").out
    assert [clock is not None for clock in clocks] == [True]
    assert "Player 2 (O) has no time left.\nPlayer 1 (X) wins the game!" in out
    assert out.endswith("You win!\n")


@pytest.mark.parametrize("text", ["5m", "0+3", "300+", "-5"])
def test_what_is_no_clock_is_refused(run: Run, text: str) -> None:
    result = run("play", "duel", f"--clock={text}")
    assert (result.code, len(result.error_lines)) == (2, 1)
    assert f"{text!r} is not a clock such as 300+3" in result.err
