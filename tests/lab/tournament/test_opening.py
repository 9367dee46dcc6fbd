from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock.errors import GridlockError, NotationError
from gridlock.lab.tournament.opening import Openings
from tests.oracle import solver as oracle

if TYPE_CHECKING:
    from pathlib import Path

DUEL = gridlock.game("duel", "4x4")


def test_the_start_is_an_opening() -> None:
    assert Openings(DUEL, "start", 1).position(5) == DUEL.start()


@pytest.mark.parametrize("game", gridlock.RULEBOOKS)
def test_random_openings_are_after_so_many_actions_and_always_the_same(game: str) -> None:
    board = gridlock.game(game)
    openings = Openings(board, "random:3", 1)
    found = [openings.position(number) for number in range(8)]
    assert found == [Openings(board, "random:3", 1).position(number) for number in range(8)]
    assert found != [Openings(board, "random:3", 2).position(number) for number in range(8)]
    assert len(set(found)) > 4
    assert all(position.winner is None for position in found)
    if game != "race":
        assert {position.marks(gridlock.Player.ONE).bit_count() for position in found} == {2}


def test_no_opening_is_over() -> None:
    openings = Openings(gridlock.game("duel", "2x3"), "random:2", 1)
    assert {openings.position(number).winner for number in range(20)} == {None}
    with pytest.raises(NotationError, match="after 9 actions no game goes on: take fewer"):
        Openings(gridlock.game("duel", "2x3"), "random:9", 1).position(0)


@pytest.mark.parametrize("game", ["duel", "claim", "race"])
def test_fair_openings_are_won_by_both_players_by_turns(game: str) -> None:
    board = gridlock.game(game, "3x3")
    openings = Openings(board, "fair:2", 1)
    for number in range(6):
        position = openings.position(number)
        is_won = oracle.solve(position)[0]
        winner = position.mover if is_won else position.mover.opponent
        assert winner == 1 + number % 2


def test_where_nothing_is_fair_it_is_said() -> None:
    with pytest.raises(NotationError, match="no fair openings after 0 actions: none is won by"):
        Openings(gridlock.game("duel", "3x3"), "fair:0", 1).position(1)


def test_a_file_has_positions_and_moves(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("; two openings\n\n1,1 3,3\n..../.1../..../.... 2 -\n")
    openings = Openings(DUEL, str(file), 1)
    assert str(openings.position(0)) == "1.../..../..2./.... 1 -"
    assert str(openings.position(1)) == "..../.1../..../.... 2 -"
    assert openings.position(2) == openings.position(0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no opening in"),
        ("1,1\n9,9", "line 2: move 1: '9,9' is outside the board"),
        ("..../.... 2 -", "line 1: the position has 2 rows where 4x4 has 4"),
        ("1,1 1,3 1,2", "line 1: move 3 is illegal"),
    ],
)
def test_a_file_that_makes_no_sense_is_named_with_its_line(
    text: str, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "openings.txt"
    file.write_text(text)
    with pytest.raises(GridlockError, match=reason):
        Openings(DUEL, str(file), 1)


@pytest.mark.parametrize("text", ["random:x", "random:-1", "start:3", "fair:1e3"])
def test_a_number_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="openings cannot be"):
        Openings(DUEL, text, 1)


def test_a_finished_game_is_no_opening(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("1,1")
    with pytest.raises(GridlockError, match="line 1: the game is over there"):
        Openings(gridlock.game("duel", "1x1"), str(file), 1)
