"""Rulebooks of a third kind, each declared in one module, work in every face.

See ``toy`` and ``toy_tokens``.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import Detail, Engine, Game, Grid, Player, Record, Value, read_record
from gridlock.match import Match, Score, play_match, scores_of
from gridlock.players import LEVELS, Seat, make
from gridlock.rulebooks.catalogue import RULEBOOKS
from tests.oracle import solver as oracle
from tests.toy import DOMINO
from tests.toy_tokens import HUNT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

SMALL = Game(DOMINO, Grid(2, 4))
TOKENS = Game(HUNT, Grid(3, 3))


@pytest.fixture(autouse=True)
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declare them, as one line of the catalogue would."""
    for rulebook in (DOMINO, HUNT):
        monkeypatch.setitem(RULEBOOKS, rulebook.id, rulebook)


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


@pytest.mark.parametrize("game", [SMALL, TOKENS], ids=repr)
def test_it_is_analysed_exactly(game: Game) -> None:
    analysis = Engine(game).analyse(game.start())
    won, distance = oracle.solve(game.start())
    assert (analysis.value is Value.WIN, analysis.distance) == (won, distance)
    for action in analysis.actions:
        expected = oracle.solve_action(game.start(), action.cell)
        assert (action.value is Value.WIN, action.distance) == expected
        assert len(action.line) == action.distance


@pytest.mark.parametrize("game", [SMALL, TOKENS], ids=repr)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_it(level: int, game: Game) -> None:
    engine = Engine(game)
    bots = make(f"computer:{level}", Seat(random.Random(level), engine)), make("random")
    match = Match(Record(game), lambda _: None)
    assert play_match(match, bots) is match.position.winner


def test_the_text_of_a_position_may_say_more_than_a_phase_or_a_cell() -> None:
    texts = [str(each) for each in TOKENS.start().replay(gridlock.read_moves(TOKENS, "0,0/1,0"))]
    assert [text.split()[2] for text in texts] == ["from", "to@0,0", "burn@1,0"]
    assert [str(TOKENS.position(text)) for text in texts] == texts


def test_a_rulebook_refuses_and_wins_in_its_own_words(run: Run) -> None:
    typed = "1,1\n0,0\n1,2\n1,1\n1,0\n0,0\n2,0\n2,1\n2,2\n1,0\nhint\n2,0\n"
    out = run("play", "hunt", typed=typed).out
    assert "Invalid move. The cell is not a token of yours." in out
    assert "Invalid move. The cell is blocked." in out
    assert "Invalid move. The cell is not in line with the token." in out
    assert "Hint: 2,0 wins at once: Fox has crossed the board." in out
    assert out.endswith("Player 1 (Fox) has crossed the board.\nPlayer 1 (Fox) wins!\n")


def test_only_marks_are_counted() -> None:
    assert scores_of(HUNT) == (Score.WINS,)
    assert scores_of(DOMINO) == (Score.WINS, Score.CELLS)


def test_long_symbols_and_the_numbers_above_them_stay_in_line(run: Run) -> None:
    out = run("play", "hunt", "--size", "3x3", typed="").out
    rows = [
        "   0       1       2",
        "0 [  Fox] [     ] [  Fox]",
        "1 [     ] [    #] [     ]",
        "2 [Geese] [     ] [Geese]",
    ]
    assert "\n".join(rows) in out


def test_it_is_played_and_kept_at_the_command_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    typed = "1,1\n2,2\n1,2\nhint\nmoves\n1,3\n2,3\n1,4\n2,4\n2,1\n2,2\n"
    result = run("play", "domino", "--size", "2x4", "--record", str(file), typed=typed)
    assert result.code == 0
    assert "Player 1 (X), take a cell beside a free one (row,column): 1,1\n" in result.out
    assert "Player 1 (X), take a cell beside it (row,column): 2,2\n" in result.out
    assert "Invalid move. The cell is out of reach of 1,1." in result.out
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
