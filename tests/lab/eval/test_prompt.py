from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import NotationError, StoreError
from gridlock.lab.eval.prompt import SHIPPED, Outcome, Template, again, read_answer, read_template
from gridlock.lab.eval.view import Disguise, View

if TYPE_CHECKING:
    from pathlib import Path

GAME = gridlock.game("duel")
START = GAME.start()


@pytest.mark.parametrize(
    "text",
    [
        "3,4",
        " 3 , 4 ",
        "(3,4)",
        "[3, 4]",
        "3 4",
        "**3,4**",
        "`3,4`.",
        "$\\boxed{3,4}$",
        "Move: 3,4",
        "My move is (3, 4).",
        "Final answer: **3,4**!",
        "move 3 4",
        "I play 3,4",
        "Let me see: 1,1 is bad, 2,2 too.\n\n3,4",
        "3,4\nBecause 1,1 loses and 2,2 too.",
        "<think>1,1? or 2,2?</think>3,4",
        "<thinking>\n1,1\n</thinking>\nI choose 3,4, since it locks most.",
        "The best cell is clearly 3,4 (yes, 3,4).",
        "1,1 loses.\nAnd 2,2 loses.\nSo I choose cell 3,4 now.",
        "03,04",
        "> 3,4",
    ],
)
def test_the_move_is_found_in_what_a_model_says(text: str) -> None:
    assert read_answer(View(GAME), START, text) == (Outcome.LEGAL, GAME.cell("3,4"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "no idea",
        "1,1 or 2,2",
        "<html><body><h1>502 Bad Gateway</h1></body></html>",
        "3",
        "3.4",
        "3,4,5",
        "1.3,4",
        "<think>3,4",
        "row three, column four",
        "c4",
        "2026-11-18",
        "it costs 1,000 or 2,500",
        "\x00",
        "３,４",
    ],
)
def test_what_names_no_single_cell_is_unreadable(text: str) -> None:
    assert read_answer(View(GAME), START, text) == (Outcome.UNREADABLE, None)


@pytest.mark.parametrize(
    ("text", "cell"), [("6,1", None), ("0,0", None), ("-1,3", None), ("9999,1", None), ("1,1", 0)]
)
def test_a_cell_that_may_not_be_chosen_is_illegal(text: str, cell: int | None) -> None:
    position = START.play(GAME.cell("1,1"))
    assert read_answer(View(GAME), position, text) == (Outcome.ILLEGAL, cell)


@pytest.mark.parametrize("text", ["c4", "C4", "**c4**", "choice: c4", "I say c4, not more.", "c 4"])
def test_the_choice_in_disguise_is_found(text: str) -> None:
    view = Disguise(GAME, 1)
    outcome, cell = read_answer(view, START, text)
    assert outcome is Outcome.LEGAL
    assert cell is not None
    assert view.label(cell) == "c4"


def test_in_disguise_other_words_are_no_place() -> None:
    view = Disguise(GAME, 1)
    assert read_answer(view, START, "3,4")[0] is Outcome.UNREADABLE
    assert read_answer(view, START, "a1 or b2")[0] is Outcome.UNREADABLE
    assert read_answer(view, START, "z9") == (Outcome.ILLEGAL, None)


def test_an_answer_of_a_huge_size_is_read_at_once() -> None:
    text = "my move is " * 20_000 + "1,1 and 2,2 " * 20_000
    assert read_answer(View(GAME), START, text)[0] is Outcome.UNREADABLE


def test_the_listed_prompt_says_all_there_is() -> None:
    moves = [GAME.cell("3,3"), GAME.cell("1,1")]
    position = START.replay(moves)[-1]
    text = read_template("listed").fill(View(GAME), position, moves)
    assert GAME.rulebook.rules.strip() in text
    assert "the board has 5 rows and 5 columns" in text
    assert "\n  1 2 3 4 5\n1 B . . . .\n2 . . . . .\n3 . . A . .\n" in text
    assert "Moves so far: 3,3 1,1\nYou play A. Take a cell.\nYour legal moves: 1,3 1,4 1,5 " in text
    assert "A move is the row and the column of a cell, for example 3,3." in text


def test_the_unlisted_prompt_does_not_say_what_is_legal() -> None:
    text = read_template("unlisted").fill(View(GAME), START, [])
    assert "legal moves" not in text
    assert "1,2 1,3" not in text
    assert "Moves so far: none" in text


def test_trail_says_where_the_next_step_begins() -> None:
    game = gridlock.game("trail")
    position = game.start().play(game.cell("2,3"))
    assert View(game).task(game.start()) == "Take a cell."
    assert View(game).task(position) == "Take a cell. The cell taken last is 2,3."


def test_a_prompt_of_ones_own_has_fields_in_either_spelling(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("<BoardState>|$board|${mover}|$$5|<LegalMoves>|<MoveDescription>|<Other>")
    game = gridlock.game("duel", "1x2")
    text = read_template(str(file)).fill(View(game), game.start(), [])
    board = "  1 2\n1 . ."
    told = "A move is the row and the column of a cell, for example 1,2."
    assert text == f"{board}|{board}|A|$5|1,1 1,2|{told}|<Other>"


def test_what_is_filled_in_is_not_filled_in_again() -> None:
    game = gridlock.placement(symbols=["$", "<"], size="1x2", id="odd")
    text = Template("own", "$mover $board").fill(View(game), game.start(), [])
    assert text == "$   1 2\n1 . ."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$bord", "the prompt has no field '\\$bord': did you mean \\$board\\?"),
        ("$board $qqqqqq", "no field '\\$qqqqqq': choose rules, size"),
        ("Move!", "the prompt shows no position: it needs \\$board or \\$history"),
    ],
)
def test_a_template_that_makes_no_sense_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Template("own", text)


def test_a_mistyped_prompt_is_guessed() -> None:
    with pytest.raises(NotationError, match="no prompt 'lsted': did you mean listed"):
        read_template("lsted")
    with pytest.raises(StoreError, match="cannot read '/nowhere/x.txt'"):
        read_template("/nowhere/x.txt")


def test_every_prompt_that_comes_along_is_read() -> None:
    for name in SHIPPED:
        assert "$board" in read_template(name).text


def test_a_model_is_told_what_was_wrong() -> None:
    view = View(GAME)
    told = [
        again(view, outcome, cell)
        for outcome, cell in (
            (Outcome.UNREADABLE, None),
            (Outcome.REFUSED, None),
            (Outcome.ILLEGAL, None),
            (Outcome.ILLEGAL, 0),
        )
    ]
    assert [text.split(" Answer")[0] for text in told] == [
        "No single cell can be read from this.",
        "A cell is needed.",
        "There is no such cell.",
        "1,1 is not allowed now.",
    ]
