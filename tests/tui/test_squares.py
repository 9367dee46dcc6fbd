from __future__ import annotations

import pytest
from hypothesis import given

import gridlock
from gridlock import Position
from gridlock.search.analysis import Action, Analysis, Value, analyse
from gridlock.sentences import why_refused
from gridlock.tui.drawing import Look
from gridlock.tui.glyphs import ASCII, UNICODE
from gridlock.tui.squares import squares_of
from tests.strategies import positions


def after(name: str, *moves: str, size: str | None = None) -> Position:
    game = gridlock.game(name, size)
    position: Position = game.start()
    for move in moves:
        position = position.play(game.cell(move))
    return position


def rows(position: Position, **shown: object) -> list[list[str]]:
    squares = squares_of(position, ASCII, **shown)  # type: ignore[arg-type]
    columns = position.game.grid.columns
    texts = [square.text or square.fill for square in squares]
    texts = [f"({text})" if s.is_last else text for s, text in zip(squares, texts, strict=True)]
    return [texts[at : at + columns] for at in range(0, len(texts), columns)]


def test_legal_closed_and_taken_cells_look_different() -> None:
    position = after("occupation", "1,1", size="3x3")
    assert rows(position) == [["A", ":", "."], [":", ":", "."], [".", ".", "."]]


def test_the_last_action_stands_in_brackets() -> None:
    position = after("trail", "1,1", "1,2", size="2x3")
    assert rows(position, last=1) == [["X", "(O)", "."], [" ", ".", " "]]
    position = after("race", "0,1", "1,0", size="2x3")
    assert rows(position, last=3)[1][0] == "(#)"


def test_steps_of_race_are_arrows_and_the_goal_has_a_flag() -> None:
    assert rows(after("race", size="2x3")) == [["P1", ">", " "], ["v", " ", "P2"]]
    position = after("race", "0,1", "1,0", "0,2", "1,2", size="2x3")
    assert rows(position) == [["<", "P1", "P2"], ["#", "v", "#"]]
    position = after("race", "0,1", "1,0", "0,3", "0,2", size="2x4")
    assert rows(position) == [["<", "P1", "#", "P2"], ["#", "v", " ", "G"]]


def test_steps_on_a_board_of_one_column_go_up_and_down() -> None:
    position = after("race", "1,0", "0,0", size="4x1")
    assert [row[0] for row in rows(position)] == ["#", "P1", "^", "P2"]


def test_values_are_written_and_coloured() -> None:
    position = after("duel", "1,1", size="1x4")
    squares = squares_of(position, ASCII, analysis=analyse(position))
    assert [(square.text, square.look) for square in squares[2:]] == [
        ("W1", Look.WIN),
        ("W1", Look.WIN),
    ]


def test_the_best_of_each_value_stands_out() -> None:
    position = after("duel", "3,3", "1,1")
    analysis = analyse(position)
    squares = squares_of(position, ASCII, analysis=analysis)
    for action in analysis.actions:
        look = squares[action.cell].look
        if action.value == "win":
            assert look is (Look.WIN if action.distance == 9 else Look.SLOW_WIN)
        else:
            assert action.distance == 8  # all losses are alike here
            assert look is Look.LOSS


def test_estimates_look_like_no_value() -> None:
    position = after("duel", size="1x6")
    worth = [
        (0, Value.WIN, 3, None), (2, Value.UNKNOWN, None, 0.634), (4, Value.UNKNOWN, None, 0.63),
        (3, Value.UNKNOWN, None, 0.07), (5, Value.UNKNOWN, None, None), (1, Value.LOSS, 2, None),
    ]  # fmt: skip
    actions = tuple(Action(cell, value, far, (cell,), chance) for cell, value, far, chance in worth)
    analysis = Analysis(position, Value.WIN, None, actions)
    squares = squares_of(position, ASCII, analysis=analysis)
    assert [(square.text, square.short, square.look) for square in squares] == [
        ("W3", "", Look.WIN),
        ("L2", "", Look.LOSS),
        ("~63", "6", Look.LIKELIEST),
        ("~7", "0", Look.ESTIMATE),
        ("~63", "6", Look.LIKELIEST),
        ("?", "", Look.UNKNOWN),
    ]


def test_a_hint_has_a_sign_of_its_own() -> None:
    position = after("duel", size="1x3")
    assert [square.text for square in squares_of(position, UNICODE, hinted=[1])] == ["·", "★", "·"]


@given(positions)
def test_exactly_the_legal_cells_look_open(position: Position) -> None:
    squares = squares_of(position, UNICODE)
    for cell, square in enumerate(squares):
        assert (square.look is Look.OPEN) == position.is_legal(cell)
        if square.look is Look.CLOSED and position.winner is None:
            assert why_refused(position, cell).startswith(f"{position.game.name(cell)} is closed")


@pytest.mark.parametrize(
    ("position", "cell", "reason"),
    [
        (after("occupation", "1,1"), "2,2", "2,2 is closed: next to A's 1,1"),
        (after("claim", "0,0", "4,4"), "1,0", "1,0 is closed: next to X's own 0,0"),
        (after("duel", "3,3"), "3,3", "3,3 is taken"),
        (after("trail", "2,2"), "4,4", "4,4 is not beside 2,2"),
        (after("race", "0,1", "1,0"), "1,0", "1,0 is blocked"),
        (after("race", "0,1"), "3,2", "3,2 is not beside 0,1"),
        (after("duel", "1,1", size="1x1"), "1,1", "the game is over"),
        (after("duel", "3,3"), "1,1", ""),
    ],
)
def test_a_refusal_names_who_is_to_blame(position: Position, cell: str, reason: str) -> None:
    assert why_refused(position, position.game.cell(cell)) == reason


def test_a_reach_that_is_far_away_is_not_said_to_be_next_to() -> None:
    game = gridlock.placement(opponent="knight")
    position = game.start().play(game.cell("1,1"))
    assert why_refused(position, game.cell("2,3")) == "2,3 is closed: in reach of X's 1,1"
