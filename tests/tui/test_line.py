from __future__ import annotations

import pytest

import gridlock
from gridlock import IllegalMoveError
from gridlock.tui.line import Line

GAME = gridlock.game("duel")
MAIN = [GAME.cell(name) for name in ("3,3", "1,1", "5,5")]
OTHER = GAME.cell("1,5")


def test_a_line_begins_at_the_end_of_the_game() -> None:
    line = Line(GAME.start(), MAIN)
    assert (line.at, line.last, line.next) == (3, MAIN[2], None)
    assert str(line.position) == "2..../...../..1../...../....1 2 -"


def test_one_steps_back_and_on_but_never_beyond_the_ends() -> None:
    line = Line(GAME.start(), MAIN)
    line.go(-5)
    assert (line.at, line.last, line.next) == (0, None, MAIN[0])
    assert line.position == GAME.start()
    line.go(99)
    assert line.at == 3


def test_the_next_action_of_the_game_is_no_side_line() -> None:
    line = Line(GAME.start(), MAIN)
    line.go(1)
    line.play(MAIN[1])
    assert (line.at, line.is_side) == (2, False)
    assert line.moves == tuple(MAIN)


def test_a_side_line_leaves_the_game_and_comes_back_to_where_it_left() -> None:
    line = Line(GAME.start(), MAIN)
    line.go(1)
    line.play(OTHER)
    line.play(MAIN[2])
    assert line.is_side
    assert line.moves == (MAIN[0], OTHER, MAIN[2])
    line.go(1)
    assert not line.is_side
    line.go(3)
    line.come_back()
    assert (line.at, line.is_side) == (1, False)
    assert line.moves == tuple(MAIN)


def test_an_illegal_cell_changes_nothing() -> None:
    line = Line(GAME.start(), MAIN)
    with pytest.raises(IllegalMoveError):
        line.play(MAIN[0])
    assert (line.at, line.moves) == (3, tuple(MAIN))


def test_one_goes_to_a_position_of_the_game_from_any_side_line() -> None:
    line = Line(GAME.start(), MAIN)
    line.go(0)
    line.play(OTHER)
    line.go_in_game(2)
    assert (line.at, line.is_side, line.last) == (2, False, MAIN[1])
