"""The sentences are true: each position here is small enough to be judged by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import gridlock
from gridlock.search import sentences
from gridlock.search.analysis import Value, analyse
from gridlock.search.review import review
from tests.search.test_analysis import IgnorantSolver

if TYPE_CHECKING:
    from gridlock.search.analysis import Analysis
    from gridlock.search.review import Review


def hint_of(analysis: Analysis) -> str:
    best = sentences.explicable(analysis)
    return f"{analysis.position.game.name(best.cell)} {sentences.reason(analysis, best)}"


def name(player: gridlock.Player) -> str:
    return f"Player {player}"


@pytest.mark.parametrize(
    ("game", "size", "text", "hint"),
    [
        ("duel", "1x1", ". 1 -", "1,1 wins at once: the opponent cannot move"),
        ("race", "2x2", "#1/2. 1 move", "1,1 wins at once by reaching the goal"),
        ("duel", "1x4", ".... 1 -", "1,1 loses in 2; no cell wins"),
        ("trail", "1x3", "1.. 2 1,1", "1,2 loses in 2, but is the only cell left"),
        (
            "duel", "1x5", "..... 1 -",
            "1,3 wins: after 1,3 every answer can be mirrored through the centre",
        ),
        (
            "duel", "3x2", "../../.. 1 -",
            "2,1 wins: after 2,1 every answer can be mirrored from top to bottom",
        ),
        (
            "duel", "2x2", "../.. 1 -",
            "1,1 loses in 2, as every cell can be answered by its mirror image",
        ),
        (
            "trail", "1x5", "..... 1 -",
            "1,3 wins in 3: the cells left can be paired so that every answer has its partner",
        ),
        ("race", "2x3", "1../..2 1 move", "0,1 wins in 6, and is the only cell that wins"),
        ("race", "1x3", "1.2 1 move", "0,1 wins in 2"),
        (
            "occupation", "1x7", ".1.#... 2 -",
            "1,6 wins: after 1,6 every answer can be mirrored through the centre",
        ),
        ("duel", "1x6", "...... 1 -", "1,1 wins in 3, whatever the answer"),
    ],
)  # fmt: skip
def test_a_hint_names_the_best_cell_and_why(game: str, size: str, text: str, hint: str) -> None:
    assert hint_of(analyse(gridlock.game(game, size).position(text))) == hint


@pytest.mark.parametrize(
    ("text", "hint"),
    [  # three cells that do not touch: the one named is taken, the others are images of each other
        (".#./###/#.# 1 -", "3,2 wins: after 3,2 every answer can be mirrored from left to right"),
        (".##/##./.## 1 -", "2,3 wins: after 2,3 every answer can be mirrored from top to bottom"),
        ("#.#/.##/##. 1 -", "3,3 wins: after 3,3 every answer can be mirrored across a diagonal"),
        ("#.#/##./.## 1 -", "3,1 wins: after 3,1 every answer can be mirrored across a diagonal"),
        (
            "#.##/###./##.# 1 -",
            "2,4 wins: after 2,4 every answer can be mirrored through the centre",
        ),
    ],
)
def test_a_mirror_is_named_by_where_it_stands(text: str, hint: str) -> None:
    size = f"3x{text.index('/')}"
    assert hint_of(analyse(gridlock.game("duel", size).position(text))) == hint


def test_a_mirror_across_a_diagonal_is_called_so() -> None:
    game = gridlock.placement(own=[(1, 1), (-1, -1)], opponent=[(1, 1), (-1, -1)], size="2x2")
    position = game.position("#./.# 1 -")
    assert sentences.sentence(analyse(position), name) == (
        "Player 1 loses in 2: every cell can be answered by its mirror image."
    )
    three = gridlock.placement(own="diagonal", opponent="diagonal", size="3x3")
    after = three.position("##./#1#/.## 2 -")
    assert after.winner is gridlock.Player.ONE
    corner = three.position("##./###/.## 1 -")
    assert "mirror" in hint_of(analyse(corner))
    found = sentences._mirror(three, next(s for s in three.grid.symmetries() if s[:3] == (0, 3, 6)))
    assert found == "across a diagonal"


def test_what_could_not_be_solved_is_said_and_the_most_room_is_named() -> None:
    start = gridlock.game("occupation", "9x9").start()
    plain = gridlock.placement(own="king", opponent=(1, 0), size="9x9").start()
    assert "mirrored through the centre" in hint_of(analyse(start))
    analysis = analyse(plain)
    why = "could not be worked out: more than 64 cells are open"
    assert hint_of(analysis).endswith(f" looks best, but who wins {why}")
    assert sentences.sentence(analysis, name) == f"Who wins {why}."
    assert sentences.unsolved(analysis) == ""
    assert sentences.unsolved(analyse(start)) == f"The other cells {why}."
    assert sentences.unsolved(analyse(start.play(40))) == f"Some distances {why}."


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        (None, "is not known yet"),
        ("not solved within 0.5 s", "could not be worked out within 0.5 s"),
        ("stopped", "could not be worked out before the search was stopped"),
    ],
)
def test_what_is_not_known_is_said_with_its_reason(limit: str | None, why: str) -> None:
    start = gridlock.game("claim", "9x9").start()
    analysis = replace(analyse(start), limit=limit)
    assert sentences.sentence(analysis, name) == f"Who wins {why}."
    assert hint_of(analysis).endswith(f" looks best, but who wins {why}")


def test_an_outcome_without_its_distance() -> None:
    assert sentences.outcome(Value.WIN, None) == "wins"
    assert sentences.outcome(Value.LOSS, 4) == "loses in 4"
    assert sentences.outcome(Value.UNKNOWN, None) == "unknown"
    analysis = analyse(gridlock.game("trail", "9x9").start())
    assert hint_of(analysis) == (
        "1,1 wins: the cells left can be paired so that every answer has its partner"
    )
    lost = analyse(gridlock.game("trail", "10x9").start())
    assert hint_of(lost) == "1,1 loses; no cell wins"
    assert sentences.sentence(lost, name) == "Player 1 loses: no cell wins."


def test_reasons_of_other_actions_than_the_best() -> None:
    analysis = analyse(gridlock.game("duel", "1x5").start())
    worst = analysis.actions[-1]
    assert sentences.reason(analysis, worst) == "loses in 2"


def test_a_sentence_says_only_when_every_other_cell_is_known_to_lose() -> None:
    start = gridlock.game("duel", "1x5").start()
    assert sentences.sentence(analyse(start), name).startswith("Player 1 wins in 3: only 1,3 wins;")
    found = analyse(start, solver=IgnorantSolver(start, values=["1,2"]))
    assert sentences.sentence(found, name).startswith("Player 1 wins: 1,3 is known to win;")
    start = gridlock.game("duel", "1x6").start()
    found = analyse(start, solver=IgnorantSolver(start, values=["1,2"]))
    assert sentences.sentence(found, name).startswith(
        "Player 1 wins: 1,1, 1,3, 1,4 and 1,6 are known"
    )


def test_a_hint_names_no_only_winner_while_another_cell_is_unknown() -> None:
    position = gridlock.game("race", "2x3").position("1../..2 1 move")
    solver = IgnorantSolver(position, values=["1,0"])
    assert hint_of(analyse(position, solver=solver)) == "0,1 wins in 6"


# Two rows of three, not each other's images on the board. Whoever takes a middle ends its row, and
# the answer is the other middle. An end leaves a cell of its row: the answer is an end of the other
# row, and two lone cells are left.
TWO_ROWS = "...#...# 1 -"


def test_the_longest_loss_is_said_to_hold_out_longest() -> None:
    analysis = analyse(gridlock.game("duel", "1x8").position(TWO_ROWS))
    end = "holds out longest, but loses in 4; no cell wins"
    assert hint_of(analysis) == f"1,1 {end}"
    assert {sentences.reason(analysis, analysis.action(cell)) for cell in (0, 2, 4, 6)} == {end}


def test_a_shorter_loss_is_not_said_to_hold_out_longest() -> None:
    analysis = analyse(gridlock.game("duel", "1x8").position(TWO_ROWS))
    for middle in (1, 5):
        reason = sentences.reason(analysis, analysis.action(middle))
        assert reason == "loses in 2; no cell wins"


def test_where_all_losses_are_as_long_none_is_said_to_hold_out_longest() -> None:
    analysis = analyse(gridlock.game("duel", "1x4").start())
    reasons = {sentences.reason(analysis, action) for action in analysis.actions}
    assert reasons == {"loses in 2; no cell wins"}


def test_no_loss_holds_out_longest_while_another_ones_length_is_unknown() -> None:
    position = gridlock.game("duel", "1x8").position(TWO_ROWS)
    analysis = analyse(position, solver=IgnorantSolver(position, distances=["1,2"]))
    assert hint_of(analysis) == "1,1 loses in 4; no cell wins"


def _reviewed(game: str, moves: str, **options: Any) -> Review:
    size, _, written = moves.partition(" ")
    tags = f'[Game "{game}"] [Size "{size}"] [First "1"] [Result "*"]'
    return review(gridlock.read_record(f"{tags}\n\n{written}"), **options)


@pytest.mark.parametrize(
    ("game", "moves", "fault", "better"),
    [
        ("duel", "1x5 1,2", "Move 1: Player 1 gave the win away with 1,2", "1,3"),
        ("duel", "1x6 1,2", "Move 1: Player 1 gave the win away with 1,2", "1,1, 1,3, 1,4 or 1,6"),
        ("race", "2x3 1,0", "Move 1: Player 1 gave the win away by moving to 1,0", "0,1"),
        ("race", "2x3 0,1/1,0", "Move 1: Player 1 gave the win away by blocking 1,0", "1,1"),
    ],
)
def test_a_mistake_is_told_with_and_without_what_would_have_won(
    game: str, moves: str, fault: str, better: str
) -> None:
    (mistake,) = _reviewed(game, moves).mistakes()
    assert sentences.fault(mistake, name) == f"{fault}."
    assert sentences.mistake(mistake, name) == f"{fault}: {better} would have won."
    unexplained = replace(mistake, better=(), punishment=None)
    assert sentences.mistake(unexplained, name) == (
        f"{fault}; which cells would have won is not known."
    )


def test_many_cells_that_would_have_won_are_counted() -> None:
    (mistake,) = _reviewed("duel", "1x5 1,2").mistakes()
    many = replace(mistake, better=(0, 1, 2, 3, 4, 0, 1))
    assert sentences.mistake(many, name).endswith(
        ": 1,1, 1,2, 1,3, 1,4, 1,5 or 2 more would have won."
    )


@pytest.mark.parametrize(
    ("game", "moves", "one", "two"),
    [
        (
            "race", "2x3 0,1/1,0 0,2/1,1",
            "1 move, in a won position once, gave it away once",
            "1 move, in a won position once, never gave it away",
        ),
        ("claim", "1x2 0,0", "1 move, never in a won position", "0 moves, never in a won position"),
    ],
)  # fmt: skip
def test_a_summary_counts_turns(game: str, moves: str, one: str, two: str) -> None:
    found = _reviewed(game, moves)
    assert sentences.summary(found, gridlock.Player.ONE, name) == f"Player 1: {one}."
    assert sentences.summary(found, gridlock.Player.TWO, name) == f"Player 2: {two}."


def test_a_summary_says_how_many_moves_could_not_be_judged() -> None:
    found = _reviewed("claim", "7x9 0,0 3,3 6,6", seconds=0)
    assert sentences.summary(found, gridlock.Player.ONE, name) == (
        "Player 1: 2 moves, never in a position known to be won; 2 moves could not be judged."
    )
