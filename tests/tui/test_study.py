from __future__ import annotations

import re
import threading
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, cast

import pytest

import gridlock
from gridlock import RULEBOOKS
from gridlock.puzzles.progress import ProgressFile
from gridlock.record import Record, read_moves
from gridlock.search.analysis import Action, Analysis, Value
from gridlock.search.review import Review, review, unreviewed
from gridlock.tui.pages import own_keys
from gridlock.tui.timeline import Timeline
from tests.tui.conftest import LARGE

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock import Position
    from gridlock.search.solver import Solver
    from gridlock.store import Store
    from gridlock.tui.editor import EditorScreen
    from tests.tui.conftest import Drive, Driver

UNKNOWN = Value.UNKNOWN
LOST = "3,3 1,1 4,1 2,4"
"""Moves of duel: the centre wins, and later moves give that away."""


def duel(moves: str) -> Record:
    game = gridlock.game("duel")
    return Record(game, moves=tuple(game.cell(name) for name in moves.split()))


async def play(driver: Driver, moves: str) -> None:
    await driver.press("p")
    for name in moves.split():
        await driver.type(name)
        await driver.press("enter")


def test_every_legal_cell_carries_its_value_and_distance(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a")
        assert "W15" in driver.screen_text
        assert "L" in driver.screen_text
        assert driver.text("#message") == (
            "A wins in 15: only 3,3 wins; after 3,3 every answer can be mirrored through the"
            " centre."
        )
        assert driver.text("#line").startswith("Best: 3,3 ")
        await driver.press("v")
        assert "W15" not in driver.screen_text
        assert driver.text("#message") == "A wins in 15 with the best play."
        assert driver.text("#line") == ""

    drive(scenario)


def test_the_best_line_is_played_step_by_step_to_its_end(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a")
        for _ in range(13):
            assert driver.text("#status") != "A has won."
            await driver.press("b")
        assert driver.text("#status") == "A has won."
        await driver.press("b")
        assert driver.text("#message") == "The game is over here."

    drive(scenario, rulebook="duel")


def test_side_lines_leave_the_game_and_come_back(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await play(driver, "3,3 1,1")
        await driver.press("a")
        assert "analysis, move 2 of 2" in driver.text("#top")
        await driver.press("left_square_bracket")
        await driver.click_cell("5,5")
        assert "side line, move 2 of 2" in driver.text("#top")
        assert driver.moves == "1 3,3 2 5,5"
        await driver.press("x")
        assert "analysis, move 1 of 2" in driver.text("#top")
        await driver.press("right_square_bracket")
        assert driver.moves == "1 3,3 2 1,1"
        await driver.press("home")
        assert driver.moves == ""
        await driver.press("end")
        assert driver.moves == "1 3,3 2 1,1"
        await driver.press("escape")
        assert driver.text("#status") == "A: take a cell."
        assert driver.moves == "1 3,3 2 1,1"

    drive(scenario, rulebook="duel", opponent="human")


def test_a_review_marks_the_mistakes_and_jumps_to_them(drive: Drive) -> None:
    found = review(duel(LOST))
    numbers = [action.number for action in found.mistakes()]
    assert len(numbers) >= 2

    async def scenario(driver: Driver) -> None:
        await play(driver, LOST)
        await driver.press("v")
        assert f"move {numbers[0]} of 4" in driver.text("#top")
        assert "gave the win away" in driver.text("#message")
        marks = str(driver.app.screen.query_one(Timeline).content).splitlines()
        assert [at - 4 for at, mark in enumerate(marks[1]) if mark == "✗"] == numbers
        winners = [
            "AB"[(action.after == "loss") == (action.player == 1)] for action in found.actions
        ]
        assert marks[0] == f"wins {''.join(winners)}"
        assert marks[2].index("▲") == 4 + numbers[0]
        await driver.press("m")
        assert f"move {numbers[1]} of 4" in driver.text("#top")
        await driver.press("M")
        assert f"move {numbers[0]} of 4" in driver.text("#top")
        await driver.pilot.click(Timeline, offset=(5 + 3, 0))
        await driver.idle()
        assert "move 4 of 4" in driver.text("#top")

    drive(scenario, rulebook="duel", opponent="human")


def test_in_a_review_one_tries_the_better_cell(drive: Drive) -> None:
    found = review(duel(LOST))
    mistake = found.mistakes()[0]
    better = found.record.game.name(mistake.better[0])
    loser = RULEBOOKS["duel"].symbol(mistake.player.opponent)

    async def scenario(driver: Driver) -> None:
        await play(driver, LOST)
        await driver.press("v", "left_square_bracket")
        assert "with the best play" in driver.text("#message")
        assert "W" not in driver.screen_text.replace("W ", "")  # the values are out of sight
        await driver.click_cell(better)
        assert "side line" in driver.text("#top")
        assert driver.text("#message").startswith(f"{loser} loses in ")
        await driver.press("x")
        assert "review" in driver.text("#top")

    drive(scenario, rulebook="duel", opponent="human")


def test_a_game_without_mistakes_says_so(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await play(driver, "3,3")
        await driver.press("v", "m")
        assert driver.text("#message") == "No won position was given away."

    drive(scenario, rulebook="duel", opponent="human")


def test_a_review_of_no_moves_is_an_analysis(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p", "v")
        assert driver.text("#status") == "A to move"

    drive(scenario, opponent="human")


def test_a_position_is_set_up_by_hand(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e")
        await driver.press("1", "left", "2", "up", "number_sign", "right", "1", "0")
        await driver.click_cell("1,1")
        await driver.click_cell("1,1")
        await driver.press("m", "d")
        assert driver.text("#status").startswith("B to move")
        assert driver.board.drawing.squares[0].text == "B"
        await driver.press("e", "w", "d")
        assert driver.text("#status") == "B to move"
        assert "A" not in [square.text for square in driver.board.drawing.squares]

    drive(scenario)


def test_a_position_that_makes_no_sense_is_refused_with_the_reason(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e", "home")
        driver.board.move_to(0)
        await driver.press("0", "d")
        assert "one token P1 and one token P2" in driver.text("#message")
        await driver.press("1")
        driver.board.move_to(5)
        await driver.press("1", "t", "d")  # the token is moved, and blocks next
        assert driver.text("#status").startswith("P1 to block")

    drive(scenario, rulebook="race")


def test_the_last_cell_of_a_trail_is_marked_and_refused_in_the_symbols_of_the_game(
    drive: Drive,
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e")
        driver.board.move_to(0)
        await driver.press("t")
        driver.board.move_to(9)
        await driver.press("d")
        assert driver.text("#message") == (
            "The last cell 1,1 does not hold a mark of O, who moved last."
        )
        marked = [at for at, square in enumerate(driver.board.drawing.squares) if square.is_last]
        assert (marked, driver.board.cursor) == ([0], 0)
        await driver.press("2", "d")
        assert driver.text("#status").startswith("X to move")

    drive(scenario, rulebook="trail")


def test_the_turns_after_a_position_in_the_middle_of_one_are_counted_as_turns(
    drive: Drive,
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e", "t", "d")
        for name in ("0,1", "3,2", "2,2"):
            await driver.click_cell(name)
        assert driver.moves == "1 0,1 2 3,2/2,2"
        assert "set up, move 2 of 2" in driver.text("#top")
        await driver.press("left_square_bracket")
        assert "set up, move 2 of 2" in driver.text("#top")
        await driver.press("left_square_bracket")
        assert "set up, move 1 of 2" in driver.text("#top")

    drive(scenario, rulebook="race")


def test_the_last_cell_of_a_trail_is_set_up_too(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e")
        driver.board.move_to(0)
        await driver.press("2", "t")
        assert "the last cell taken is 1,1" in driver.text("#status")
        await driver.press("d")
        legal = [
            at
            for at, square in enumerate(driver.board.drawing.squares)
            if square.text[:1] in "WL" and square.text
        ]
        assert legal == [1, 4]

    drive(scenario, rulebook="trail")


def test_a_board_that_cannot_be_solved_says_so_and_stays_usable(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridlock.engine.ANALYSIS_SECONDS", 0.6)

    async def scenario(driver: Driver) -> None:
        await driver.press("a")
        assert re.fullmatch(
            r"Who wins could not be worked out: more than 64 cells are open; "
            r"an estimate gives P1 about \d+%, best with \d,\d\.",
            driver.text("#message"),
        )
        label = max(re.findall(r"~\d+", driver.screen_text))
        assert driver.text("#line") == (
            f"{label} is an estimate, not a fact: a chance of about {label[1:]}%."
        )
        await driver.press("v")
        assert re.search(r"; an estimate gives P1 about \d+%\.$", driver.text("#message"))
        assert driver.text("#line") == ""
        assert "~" not in driver.screen_text
        await driver.press("b")
        assert "side line, move 1 of 1" in driver.text("#top")

    drive(scenario, rulebook="race", size="9x9")


def test_where_cells_are_small_an_estimate_is_a_digit_and_that_is_said(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridlock.engine.ANALYSIS_SECONDS", 0.6)

    async def scenario(driver: Driver) -> None:
        await driver.press("a")
        assert driver.text("#line") == (
            "A digit is an estimate, not a fact: 6 stands for 60 to 69%."
        )
        await driver.resize(*LARGE)
        await driver.press("v", "v")
        assert "is an estimate, not a fact: a chance of about" in driver.text("#line")

    drive(scenario, rulebook="claim", size="15x15")


def test_estimates_grow_while_one_looks(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on, may_answer = threading.Event(), threading.Event()

    def slow_analyse(
        position: Position, seconds: float, *, solver: Solver, on_progress: Any
    ) -> Analysis:
        def guess(chance: float, limit: str | None = None) -> Analysis:
            actions = tuple(
                Action(cell, UNKNOWN, None, (cell,), chance) for cell in position.legal_cells()
            )
            return Analysis(position, UNKNOWN, None, actions, limit)

        on_progress(guess(0.4))
        assert may_go_on.wait(60)
        on_progress(guess(0.55))
        assert may_answer.wait(60)
        return guess(0.7, "not solved within 10 s")

    monkeypatch.setattr("gridlock.search.analysis.analyse", slow_analyse)

    async def scenario(driver: Driver) -> None:
        def label() -> str:
            return driver.board.drawing.squares[0].text

        await driver.pilot.press("a")
        await driver.until(lambda: label() == "~40")
        assert driver.text("#message") == (
            "Who wins is not known yet; an estimate gives A about 40%, best with 1,1. Thinking..."
        )
        may_go_on.set()
        await driver.until(lambda: label() == "~55")
        may_answer.set()
        await driver.until(lambda: label() == "~70")
        assert driver.text("#message") == (
            "Who wins could not be worked out within 10 s; an estimate gives A about 70%, "
            "best with 1,1."
        )

    drive(scenario)


def test_a_review_marks_what_was_probably_a_mistake_apart(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = duel("3,3 1,1 4,1 2,4")
    first, second, third, fourth = review(record).actions
    unknown: dict[str, Any] = {"before": UNKNOWN, "after": UNKNOWN}
    actions = (
        replace(first, **unknown, estimate_before=0.7, estimate_after=0.3),
        replace(second, **unknown, estimate_before=0.7, estimate_after=0.7),
        replace(third, **unknown),
        replace(fourth, before=Value.WIN, after=Value.LOSS),
    )
    found = Review(record, actions, Value.WIN, "not solved within 60 s")
    monkeypatch.setattr("gridlock.search.review.review", lambda *_: found)

    async def scenario(driver: Driver) -> None:
        def timeline() -> list[str]:
            return str(driver.app.screen.query_one(Timeline).content).splitlines()

        await play(driver, LOST)
        await driver.press("v")
        assert timeline()[:2] == ["wins ~~?A", "     ?──✗"]
        assert "move 4 of 4" in driver.text("#top")  # a fact comes before a doubt
        await driver.press("m")
        assert "move 1 of 4" in driver.text("#top")
        assert driver.text("#message") == (
            "Move 1: A probably went wrong with 3,3 (about 70% before, 30% after). "
            "Press [ and look for a better cell."
        )
        await driver.press("m")
        assert "move 4 of 4" in driver.text("#top")
        assert "gave the win away" in driver.text("#message")

    drive(scenario, rulebook="duel", opponent="human")


def test_a_review_says_how_much_is_estimated_so_far(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_answer = threading.Event()
    found = unreviewed(duel("3,3 1,1"))
    one, two = found.actions
    so_far = replace(found, actions=(one, replace(two, estimate_before=0.7, estimate_after=0.3)))

    def slow_review(*arguments: Any) -> Review:
        arguments[-1](so_far)
        assert may_answer.wait(60)
        return so_far

    monkeypatch.setattr("gridlock.search.review.review", slow_review)

    async def scenario(driver: Driver) -> None:
        await play(driver, "3,3 1,1")
        await driver.pilot.press("v")
        await driver.until(lambda: "1 estimated" in driver.text("#message"))
        assert driver.text("#message") == (
            "Reviewing the game... 0 of 2 positions are solved, 1 estimated, 0 mistakes so far."
        )
        may_answer.set()
        await driver.until(lambda: "probably went wrong with 1,1" in driver.text("#message"))

    drive(scenario, rulebook="duel", opponent="human")


def test_a_review_shows_what_is_known_so_far_while_one_looks_around(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_answer = threading.Event()
    found = review(duel(LOST))
    known = [*(replace(a, before=UNKNOWN, after=UNKNOWN) for a in found.actions[:3])]
    so_far = replace(found, actions=(*known, found.actions[3]))

    def slow_review(*arguments: Any) -> Review:
        arguments[-1](so_far)
        assert may_answer.wait(60)
        return found

    monkeypatch.setattr("gridlock.search.review.review", slow_review)

    async def scenario(driver: Driver) -> None:
        def timeline() -> list[str]:
            return str(driver.app.screen.query_one(Timeline).content).splitlines()

        await play(driver, LOST)
        await driver.pilot.press("v")
        await driver.until(lambda: timeline() != [])
        assert timeline()[0] == "wins ???A"
        assert driver.text("#message") == (
            "Reviewing the game... 1 of 4 positions are solved, 1 mistake so far."
        )
        assert "review, move 4 of 4" in driver.text("#top")
        await driver.pilot.press("left_square_bracket", "left_square_bracket")
        await driver.until(lambda: "review, move 2 of 4" in driver.text("#top"))
        may_answer.set()
        await driver.until(lambda: "?" not in timeline()[0])
        assert "review, move 2 of 4" in driver.text("#top")  # one is left where one is

    drive(scenario, rulebook="duel", opponent="human")


def test_values_are_shown_as_they_are_found(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    may_answer = threading.Event()
    centre = 12

    def slow_analyse(
        position: Position, seconds: float, *, solver: Solver, on_progress: Any
    ) -> Analysis:
        unknown = [
            Action(cell, UNKNOWN, None, (cell,))
            for cell in position.legal_cells()
            if cell != centre
        ]
        lost = Action(centre, Value.LOSS, None, (centre,))
        on_progress(Analysis(position, UNKNOWN, None, (*unknown, lost)))
        assert may_answer.wait(60)
        won = Action(centre, Value.WIN, 15, (centre,))
        return Analysis(position, Value.WIN, 15, (won, *unknown))

    monkeypatch.setattr("gridlock.search.analysis.analyse", slow_analyse)

    async def scenario(driver: Driver) -> None:
        def label() -> str:
            return driver.board.drawing.squares[centre].text

        await driver.pilot.press("a")
        await driver.until(lambda: label() == "L")
        assert driver.text("#message") == "Thinking... 1 of 25 cells are solved."
        await driver.pilot.press("4")
        await driver.until(lambda: driver.text("#message") == "Cell: 4_")
        may_answer.set()
        await driver.until(lambda: label() == "W15")
        assert driver.text("#message") == "Cell: 4_"  # what is typed is not disturbed

    drive(scenario)


def test_a_review_that_is_not_complete_praises_nobody(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = review(duel("3,3 1,1"))
    unknown = [replace(action, before=UNKNOWN, after=UNKNOWN) for action in found.actions]
    partly = replace(found, actions=tuple(unknown), limit="not solved within 60 s")
    monkeypatch.setattr("gridlock.search.review.review", lambda *_: partly)

    async def scenario(driver: Driver) -> None:
        await play(driver, "3,3 1,1")
        await driver.press("v", "m")
        assert "1 move could not be judged" in driver.text("#message")

    drive(scenario, rulebook="duel", opponent="human")


def test_moves_are_numbered_turn_by_turn_in_every_place(drive: Drive, tmp_path: Path) -> None:
    game = gridlock.game("race")
    moves = read_moves(game, "0,1/1,1 3,2/2,2 0,2/0,1 3,1/3,2")
    (tmp_path / "game.txt").write_text(str(Record(game, moves=moves, players=("human", "Ben"))))
    mistakes = review(Record(game, moves=moves)).mistakes()

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "f")
        await driver.type("game.txt")
        await driver.press("enter")
        await driver.press("v")
        assert mistakes
        assert driver.text("#message").startswith(f"Move {mistakes[0].turn}: ")
        assert f"review, move {mistakes[0].turn} of 4" in driver.text("#top")
        await driver.press("end")
        assert driver.moves == "1 0,1/1,1 2 3,2/2,2 3 0,2/0,1 4 3,1/3,2"
        await driver.press("left_square_bracket")
        assert "review, move 4 of 4" in driver.text("#top")
        assert driver.moves.endswith("4 3,1")
        await driver.press("v")
        assert "/" in driver.text("#line")

    drive(scenario)


def test_one_comes_back_to_the_game_from_a_position_that_was_set_up(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await play(driver, "3,3 1,1")
        await driver.press("a", "e", "w", "d")
        assert "set up, move 0 of 0" in driver.text("#top")
        await driver.press("m")
        assert driver.text("#message") == "There is no game here to be reviewed."
        await driver.press("b", "x")
        assert "analysis, move 2 of 2" in driver.text("#top")
        assert driver.moves == "1 3,3 2 1,1"
        await driver.press("x")
        assert driver.text("#message") == "This is the game itself."

    drive(scenario, rulebook="duel", opponent="human")


def test_the_ends_of_a_line_are_said(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "left_square_bracket")
        assert driver.text("#message") == "This is the beginning."
        await driver.press("right_square_bracket")
        assert driver.text("#message") == "This is the end."
        await driver.press("g")
        assert driver.text("#message") == "This is a single game."

    drive(scenario)


def test_every_game_of_a_series_is_reviewed(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        for cell in ("1,1", "1,2"):
            await driver.type(cell)
            await driver.press("enter")
            await driver.press("n")
        await driver.press("v")
        assert "game 3 of 3, move 0 of 0" in driver.text("#top")
        await driver.press("g")
        assert "game 1 of 3, move 1 of 1" in driver.text("#top")
        await driver.press("g")
        assert driver.moves == "1 1,2"

    drive(scenario, rulebook="duel", size="1x2", opponent="human", rounds=3)


def test_who_gives_up_a_won_position_is_told_so(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await play(driver, "3,3 1,1")
        await driver.press("g", "y", "v", "end")
        assert "A: 1 move, in a won position once, never gave it away, and resigned in a won" in (
            driver.text("#message")
        )

    drive(scenario, rulebook="duel", opponent="human")


def test_a_long_timeline_says_which_part_it_shows(drive: Drive, tmp_path: Path) -> None:
    game = gridlock.game("trail", "6x6")
    snake = [row * 6 + (at if row % 2 == 0 else 5 - at) for row in range(6) for at in range(6)]
    record = Record(game, moves=tuple(snake[:34]), players=("human", "Ben"))
    (tmp_path / "game.txt").write_text(str(record))

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "f")
        await driver.type("game.txt")
        await driver.press("enter")
        await driver.press("v")
        await driver.press("end")
        lines = str(driver.app.screen.query_one(Timeline).content).splitlines()
        assert max(map(len, lines)) <= 32
        assert lines[3].strip() == "moves 9 to 34 of 34"
        assert lines[2].rstrip().endswith("▲")

    drive(scenario)


def test_a_long_timeline_of_a_race_counts_turn_by_turn(
    drive: Drive, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = gridlock.game("race", "6x6")
    moves = read_moves(
        game,
        "1,0/2,0 5,4/4,5 1,1/0,1 5,3/4,2 1,2/2,3 5,4/5,3 1,1/2,2 4,4/3,3 "
        "1,2/1,1 4,3/3,4 1,3/0,2 4,4/5,4 0,3/1,2 4,3/4,4 1,3",
    )
    record = Record(game, moves=moves, players=("human", "Ben"))
    (tmp_path / "game.txt").write_text(str(record))
    monkeypatch.setattr("gridlock.search.review.review", lambda *_: unreviewed(record))

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "f")
        await driver.type("game.txt")
        await driver.press("enter")
        await driver.press("v")
        lines = str(driver.app.screen.query_one(Timeline).content).splitlines()
        assert lines[3].strip() == "moves 2 to 15 of 15"

    drive(scenario)


def test_what_could_not_be_solved_is_not_tried_again(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gridlock.search import analysis

    asked = []

    def analyse(
        position: Position, seconds: float, *, solver: Solver, on_progress: object
    ) -> Analysis:
        asked.append(seconds)
        actions = tuple(
            Action(cell, Value.UNKNOWN, None, (cell,)) for cell in position.legal_cells()
        )
        return Analysis(position, Value.UNKNOWN, None, actions, f"not solved within {seconds:g} s")

    monkeypatch.setattr(analysis, "analyse", analyse)

    async def scenario(driver: Driver) -> None:
        await driver.press("a")
        assert asked == [10.0]
        assert driver.text("#message") == "Who wins could not be worked out within 10 s."
        assert driver.text("#line") == ""
        await driver.press("enter", "left_square_bracket")
        assert asked == [10.0, 10.0]

    drive(scenario)


@pytest.mark.parametrize(("rulebook", "name"), [("trail", "Last cell"), ("race", "Phase")])
def test_the_last_cell_and_the_phase_are_set_up_where_there_are_any(
    rulebook: str, name: str, drive: Drive
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e")
        assert name in driver.screen_text.splitlines()[-1]
        keys = own_keys(cast("EditorScreen", driver.app.screen))
        assert [name for name in keys if name in ("Last cell", "Phase")] == [name]
        before = cast("EditorScreen", driver.app.screen).text
        await driver.press("t")
        assert cast("EditorScreen", driver.app.screen).text != before

    drive(scenario, rulebook=rulebook)


def test_other_games_are_offered_neither_a_last_cell_nor_a_phase(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e")
        before = driver.screen_text
        await driver.press("t")
        assert driver.screen_text == before
        assert not {"t"} & {
            key
            for keys in own_keys(cast("EditorScreen", driver.app.screen)).values()
            for key in keys
        }

    drive(scenario, rulebook="claim")


def test_the_page_to_set_up_a_position_speaks_in_the_symbols_of_the_game(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e")
        assert driver.text("#moves").startswith("1 P1 2 P2 # blocked 0 empty")
        assert driver.text("#status").startswith("m: P1 moves next")
        await driver.press("question_mark")
        assert "Put P1" in driver.screen_text
        assert "layer" not in driver.screen_text

    drive(scenario, rulebook="race")


def test_a_position_that_no_game_reaches_is_marked_and_analysed_all_the_same(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e", "1", "right", "2")
        assert driver.text("#message") == (
            "No game reaches this position: A's 3,3 and B's 3,4 each close the other's cell."
            " It can be analysed."
        )
        await driver.press("right")
        assert driver.text("#message").startswith("No game reaches this position")
        await driver.press("d")
        assert driver.text("#status") == "A to move No game reaches this position."
        assert "wins" in driver.text("#message")
        await driver.click_cell("1,1")
        assert driver.text("#status") == "B to move No game reaches this position."
        await driver.press("x")
        assert driver.text("#status") == "A to move"
        await driver.press("e", "0")
        driver.board.move_to(0)
        await driver.press("w")
        assert driver.text("#message") == ""

    drive(scenario)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_board_with_holes_is_said_to_be_one_where_no_game_begins_so(
    game: str, drive: Drive
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e", "number_sign")
        said = driver.text("#message")
        if game == "race":  # where cells are blocked in every game
            assert "holes" not in said
        else:
            assert said.startswith("This board has holes: no game begins with these blocked cells")
        await driver.press("0")
        assert driver.text("#message") == ""

    drive(scenario, rulebook=game)


def test_a_cell_that_is_closed_is_not_tried(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await play(driver, "3,3")
        await driver.press("a")
        await driver.click_cell("3,4")
        assert driver.text("#message") == "3,4 is closed: next to A's 3,3."
        assert "move 1 of 1" in driver.text("#top")

    drive(scenario, rulebook="duel", opponent="human")


def test_a_persons_mistakes_come_back_as_puzzles(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await play(driver, LOST)
        await driver.press("v")
        assert driver.app.screen.query_one("#kept").display
        assert "Your mistakes come back as" in driver.screen_text
        found = ProgressFile(store.folder).read()
        assert {mistake.game for mistake in found.due(date.today())} == {"duel"}
        await driver.press("escape", "escape")
        count = len(found.mistakes)
        assert f"u: {count} mistake" in driver.text("#message")

    drive(scenario, rulebook="duel", opponent="human")


def test_nothing_comes_back_of_a_game_without_mistakes(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await play(driver, "3,3")
        await driver.press("v")
        assert not driver.app.screen.query_one("#kept").display
        assert not ProgressFile(store.folder).path.exists()

    drive(scenario, rulebook="duel", opponent="human")


def test_mistakes_that_cannot_be_kept_are_said_once_and_the_review_is_shown(
    drive: Drive, store: Store
) -> None:
    async def scenario(driver: Driver) -> None:
        await play(driver, LOST)
        ProgressFile(store.folder).path.with_suffix(".lock").mkdir()  # where a lock should be
        await driver.press("v")
        (notification,) = driver.app._notifications
        assert "puzzles" in notification.message
        assert not driver.app.screen.query_one("#kept").display
        assert "gave the win away" in driver.text("#message")

    drive(scenario, rulebook="duel", opponent="human")
