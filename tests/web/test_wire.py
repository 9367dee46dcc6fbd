"""What a board tells those who draw it."""

from __future__ import annotations

import gridlock
from gridlock.web.wire import show_board


def test_a_board_says_to_whom_each_free_cell_is_closed() -> None:
    start = gridlock.game("occupation", "3x5").start()
    board = show_board(start.play(0).play(14))
    rows = (board.closed_to[:5], board.closed_to[5:10], board.closed_to[10:])
    assert rows == (".2...", "22.11", "...1.")
    assert board.closed == ("2,4", "2,5", "3,4")


def test_what_is_closed_to_both_has_a_sign_of_its_own() -> None:
    assert show_board(gridlock.game("duel", "1x3").start().play(0)).closed_to == ".*."


def test_in_a_race_nothing_is_closed_for_good() -> None:
    assert show_board(gridlock.game("race").start()).closed_to == "." * 16
