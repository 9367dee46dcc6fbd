"""A rulebook of a third kind, declared in one module, works in every face: see ``toy``."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from gridlock import Detail, Engine, Game, Grid, Player, Record, Value, read_record
from gridlock.match import Match, play_match
from gridlock.players import LEVELS, Seat, make
from gridlock.rulebooks.catalogue import RULEBOOKS
from tests.oracle import solver as oracle
from tests.toy import DOMINO

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

SMALL = Game(DOMINO, Grid(2, 4))


@pytest.fixture(autouse=True)
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declare it, as one line of the catalogue would."""
    monkeypatch.setitem(RULEBOOKS, DOMINO.id, DOMINO)


def test_a_rulebook_needs_a_sample() -> None:
    words = {"id": "d", "title": "", "about": "", "rules": "", "symbols": ("X", "O")}
    with pytest.raises(TypeError, match="sample"):
        type(DOMINO)(size=Grid(2, 2), counting=1, **words)  # type: ignore[arg-type]
    assert DOMINO.sample_position().winner is None


def test_it_says_what_faces_need_to_know() -> None:
    start = SMALL.start()
    second = start.play(0)
    assert (start.phase, start.actions_made, start.detail) == ("first", 0, "-")
    assert (second.phase, second.actions_made, second.detail) == ("second", 1, "1,1")
    assert second.upcoming.task == "take a cell beside it"
    assert DOMINO.detail is Detail.OWN_CELL
    assert SMALL.position(str(second)) == second


def test_it_is_analysed_exactly() -> None:
    analysis = Engine(SMALL).analyse(SMALL.start())
    won, distance = oracle.solve(SMALL.start())
    assert (analysis.value is Value.WIN, analysis.distance) == (won, distance)
    for action in analysis.actions:
        expected = oracle.solve_action(SMALL.start(), action.cell)
        assert (action.value is Value.WIN, action.distance) == expected
        assert len(action.line) == action.distance


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_it(level: int) -> None:
    engine = Engine(SMALL)
    bots = make(f"computer:{level}", Seat(random.Random(level), engine)), make("random")
    match = Match(Record(SMALL), lambda _: None)
    assert play_match(match, bots) is match.position.winner


def test_it_is_played_and_kept_at_the_command_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    typed = "1,1\n2,2\n1,2\nhint\nmoves\n1,3\n2,3\n1,4\n2,4\n2,1\n2,2\n"
    result = run("play", "domino", "--size", "2x4", "--record", str(file), typed=typed)
    assert result.code == 0
    assert "Player 1 (X), take a cell beside a free one (row,column): 1,1\n" in result.out
    assert "Player 1 (X), take a cell beside it (row,column): 2,2\n" in result.out
    assert "Invalid move. The cell is out of reach of the last one, 1,1." in result.out
    assert "Hint: " in result.out
    assert "Moves: 1,1/1,2\n" in result.out
    assert result.out.endswith("Player 1 (X) has no cell left.\nPlayer 2 (O) wins!\n")
    record = read_record(file.read_text())
    assert (record.result, record.turn_count) == (Player.TWO, 4)
    assert "1,1/1,2 1,3/2,3 1,4/2,4 2,1/2,2" in file.read_text()
    assert "Move 4 of 4: Player 2 (O) 2,1/2,2" in run("replay", str(file)).out
    review = run("review", str(file)).out
    assert "Player 1 (X): 2 moves" in review


def test_it_is_analysed_solved_and_listed_at_the_command_line(run: Run) -> None:
    out = run("analyse", "domino", "--size", "2x4", "--position", "1.../.... 1 1,1").out
    assert "Player 1 (X)" in out
    solved = run("solve", "domino", "--size", "2x4").out
    assert solved.startswith("domino 2x4: Player 2 (O), who moves second, wins.")
    assert "domino" in run("games").out
    assert "Whoever cannot loses." in run("rules", "domino").out
    assert "Grundy" not in solved
    assert run("solve", "domino", "--misere").code == 2
