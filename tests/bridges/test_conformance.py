"""The conformance test: ours passes, and each broken program fails at the right step."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock.bridges import conformance
from gridlock.bridges.conformance import check

if TYPE_CHECKING:
    from tests.conftest import Run

ROOT = Path(__file__).parents[2]
FAULTY = Path(__file__).parent / "faulty.py"
DUEL = gridlock.game("duel", "3x3")
OURS = f"{sys.executable} -m gridlock ugi"


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing fail only because the machine is busy."""
    monkeypatch.setattr(conformance, "SOON", 60.0)
    monkeypatch.setattr(conformance, "_GRACE", 60.0)
    monkeypatch.setattr(conformance, "_CLOCK", 10_000)
    monkeypatch.setattr(conformance, "_GAMES", 2)


def failed(command: str, game: gridlock.Game = DUEL) -> list[tuple[str, str]]:
    """Return the steps that a program fails, of those that it has to pass, and why."""
    steps = check(command, game, patience=60)
    return [(step.name, step.reason) for step in steps if not step.holds and not step.is_optional]


def test_the_bot_of_the_starter_kit_passes(patient: None) -> None:
    """The other one does so in the docs' own test."""
    assert failed(f"{sys.executable} {ROOT / 'examples' / 'search_bot.py'}") == []


def test_our_own_engine_passes(patient: None) -> None:
    only = ("handshake", "bad input", "position texts", "stop within a second", "end of input")
    steps = check(OURS, gridlock.game("race", "3x3"), only=only)
    assert [(step.name, step.reason) for step in steps] == [(name, "") for name in only]


@pytest.mark.long
@pytest.mark.parametrize("game", gridlock.RULEBOOKS)
def test_our_own_engine_passes_every_step_in_every_game(game: str, patient: None) -> None:
    steps = check(OURS, gridlock.game(game))
    assert [(step.name, step.reason) for step in steps if not step.holds] == []


BROKEN = [
    ("eager", "handshake", "the first line is 'readyok', not id name NAME"),
    ("no-author", "handshake", "there is no id author before ugiok"),
    ("mute", "handshake", "no ugiok within 2 s: it does not answer"),
    ("unready", "ready", "no readyok within 2 s: it does not answer"),
    ("option-crash", "options", "it has ended with exit code 1"),
    ("frail", "bad input", "it has ended with exit code 1"),
    ("illegal", "start position", "'bestmove 99,99': '99,99' is outside the board"),
    ("garbage", "start position", "'bestmove over there' is not bestmove and one move"),
    ("crash", "start position", "it has ended with exit code 3"),
    ("wrong-turn", "lists of moves", "query p1turn: 'response true' where it is response false"),
    ("wrong-result", "lists of moves", "query result: 'response none' where it is response p"),
    ("no-text", "position texts", "query p1turn: 'response true' where it is response false"),
    ("taken", "position texts", "'bestmove 1,1' is illegal in .1./"),
    ("no-nodes", "depth, nodes and time", "go nodes 100: no bestmove within 2 s"),
    ("slow", "clocks kept", "go p1time 1000 p2time 1000 p1inc 0 p2inc 0 took "),
    ("deaf-while-searching", "stop within a second", "no bestmove and no readyok in 1 s: it does"),
    ("wrong-result", "several games in a row", "query result: 'response none' where it is "),
    ("ignores-quit", "quit", "it has not ended a second after quit"),
    ("deaf-while-searching", "quit during a search", "it has not ended a second after quit during"),
    ("ignores-end", "end of input", "it has not ended a second after the end of its input"),
]
"""Each way to be broken, the step at which it shows, and what is said of it."""


@pytest.mark.parametrize(("mode", "name", "reason"), BROKEN)
def test_a_broken_program_fails_at_the_right_step(mode: str, name: str, reason: str) -> None:
    patience = 2.0 if "within 2 s" in reason else 60.0
    (step,) = check(f"{sys.executable} {FAULTY} {mode}", DUEL, patience=patience, only=[name])
    assert reason in step.reason, step.reason
    assert step.transcript[0] == "> ugi"


def test_every_duty_has_a_program_that_fails_it() -> None:
    assert {name for _, name, _ in BROKEN} == {*conformance.STEPS} - {*conformance.OPTIONAL}


def test_without_a_handshake_nothing_else_is_tried() -> None:
    first, *others = check(f"{sys.executable} {FAULTY} no-author", DUEL)
    assert not first.holds
    assert not any(step.is_tried or step.holds for step in others)


def test_the_command_shows_what_does_not_hold_and_what_was_said(run: Run) -> None:
    result = run("ugi", "duel", "--size", "3x3", "--check", f"{sys.executable} {FAULTY} no-author")
    assert result.code == 1
    lines = result.out.splitlines()
    assert lines[0] == "FAIL handshake: there is no id author before ugiok"
    assert lines[1] == "--   ready: not tried, as there is no handshake"
    assert "  > ugi" in lines
    assert "  < id name Nobody" in lines


def test_the_command_has_json(run: Run) -> None:
    command = f"{sys.executable} {FAULTY} no-author"
    result = run("ugi", "duel", "--size", "3x3", "--check", command, "--json")
    assert result.code == 1
    first, *others = json.loads(result.out)
    assert first["step"] == "handshake"
    assert first["transcript"][0] == "> ugi"
    assert (first["holds"], first["tried"], first["optional"]) == (False, True, False)
    assert first["reason"] == "there is no id author before ugiok"
    assert [step["step"] for step in others] == [*conformance.STEPS][1:]
    assert not any(step["tried"] for step in others)


def test_a_command_that_cannot_be_run_is_wrong_use(run: Run) -> None:
    result = run("ugi", "--check", "no-such-program")
    assert (result.code, result.out) == (2, "")
    assert "'--check': there is no program 'no-such-program'" in result.err
