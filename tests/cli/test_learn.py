"""A guided first game at the console."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gridlock import RULEBOOKS
from gridlock.lesson import lesson_of
from tests.toy import DOMINO

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

OCCUPATION = "1,2\n\n1,1\n\n2,4\n"


def answers(game: str) -> str:
    """Return what a learner types who makes no mistake: a cell, or Enter."""
    lesson = lesson_of(RULEBOOKS[game])
    assert lesson
    cells = [step.cell for step in lesson.steps[:-1]]
    return "".join(f"{'' if cell is None else lesson.game.name(cell)}\n" for cell in cells)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_whole_lesson_is_read_and_won(run: Run, game: str) -> None:
    result = run("learn", game, typed=answers(game))
    assert (result.code, result.err) == (0, "")
    lesson = lesson_of(RULEBOOKS[game])
    assert lesson
    said = " ".join(result.out.split())
    for number, step in enumerate(lesson.steps, start=1):
        assert f"\nStep {number} of {len(lesson.steps)}\n" in result.out
        assert step.text in said
        assert step.task in said
    assert result.out.endswith(f"Now play it: gridlock play {game} --p2 computer:1\n")
    assert max(map(len, result.out.splitlines())) <= 80


def test_the_board_shows_marks_numbers_and_what_may_be_chosen(run: Run) -> None:
    out = run("learn", "occupation", typed=OCCUPATION).out
    assert "\n   1   2   3   4\n1 [ ] [A] [ ] [*]\n2 [ ] [ ] [ ] [*]\n3 [*] [*] [*] [*]\n" in out


def test_wide_symbols_and_blocked_cells_are_drawn_as_in_the_game(run: Run) -> None:
    out = run("learn", "race", typed="\nmove 0 1\nblock 1 1\n").out
    assert "\n    0    1    2    3\n0 [ .] [P1] [ .] [ .]\n1 [ .] [ X] [ .] [ .]\n" in out


def test_wrong_cells_are_answered_with_the_reason_and_asked_for_again(run: Run) -> None:
    out = run("learn", "occupation", typed=f"3,3\n9,9\nx\n1,2\n1,4\n\n3,3\n{OCCUPATION[5:]}").out
    assert "Cell: 3,3\nYou could begin there, but this game begins with 1,2" in out
    assert "Cell: 9,9\n'9,9' is outside the board" in out
    assert "Cell: x\n'x' is not a cell" in out
    assert "Enter goes on: 1,4\nThere is nothing to choose here" in out
    assert "Cell: 3,3\n3,3 is closed: next to B's 3,2.\nCell: 1,1\n" in out
    assert "Now play it" in out


def test_whoever_is_stuck_is_told_the_cell(run: Run) -> None:
    out = run("learn", "duel", typed="1,1\n3,3\n2,2\n").out
    assert out.count("Type 2,2.\n") == 1
    assert "Step 2 of 6" in out


def test_one_can_go_back_read_the_rules_and_ask_for_help(run: Run) -> None:
    out = run("learn", "duel", typed="back\nhelp\nrules\n2,2\nBACK\n\n").out
    assert "You can also type\n  help " in out
    assert "Type a cell as its row and column: 1,1." in out
    assert RULEBOOKS["duel"].rules.splitlines()[0] in out
    # the first step five times: at first, after each of three words, and after BACK
    assert (out.count("\nStep 1 of 6\n"), out.count("\nStep 2 of 6\n")) == (5, 1)


def test_enter_alone_where_a_cell_is_asked_for_is_told_what_to_type(run: Run) -> None:
    assert (
        "Cell: \nType the cell, for example 0,0, and press Enter.\nCell: "
        in run("learn", "claim", typed="\n").out
    )


@pytest.mark.parametrize("typed", ["", "1,2\n", "1,2\nquit\n", "QUIT\n"])
def test_one_can_leave_at_any_time(run: Run, typed: str) -> None:
    result = run("learn", "occupation", typed=typed)
    assert (result.code, result.err) == (0, "To begin again: gridlock learn occupation\n")
    assert "Now play it" not in result.out


def test_without_a_game_the_lessons_are_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULEBOOKS, DOMINO.id, DOMINO)
    result = run("learn")
    assert result.code == 0
    for rulebook in RULEBOOKS.values():
        assert (rulebook.about in result.out) == (rulebook is not DOMINO)
    assert result.out.endswith("Begin with one: gridlock learn occupation\n")


def test_a_game_without_a_lesson_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "knights.toml"
    file.write_text('own = "knight"\n')
    result = run("learn", str(file))
    assert result.code == 2
    assert "there is no lesson for knights: gridlock rules explains it" in result.err
    result = run("learn", "ocupation")
    assert result.code == 2
    assert "did you mean occupation?" in result.err


def test_newcomers_are_led_here_by_the_help(run: Run) -> None:
    assert "New here? Begin with gridlock learn occupation" in run().out


def test_no_line_is_wider_than_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.cli.console.Console.width", 40)
    out = run("learn", "race", typed=answers("race")).out
    assert max(map(len, out.splitlines())) <= 40
