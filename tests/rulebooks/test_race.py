from __future__ import annotations

import pytest

import gridlock
from gridlock import NotationError, Player, Position


def play(position: Position, moves: str) -> Position:
    for cell in gridlock.read_moves(position.game, moves):
        position = position.play(cell)
    return position


def test_a_turn_is_a_step_and_a_block() -> None:
    start = gridlock.game("race").start()
    stepped = start.play(start.game.cell("0,1"))
    blocked = stepped.play(start.game.cell("1,0"))
    assert (start.phase, stepped.phase, blocked.phase) == ("move", "block", "move")
    assert (start.mover, stepped.mover, blocked.mover) == (1, 1, 2)


def test_a_step_onto_the_goal_wins_at_once_without_a_block() -> None:
    start = gridlock.game("race", "3x3").position("##./..1/.2. 1 move")
    end = start.play(start.game.cell("2,2"))
    assert end.winner is Player.ONE
    assert end.mover is Player.TWO
    assert end.legal_cells() == ()
    assert start.game.position(str(end)) == end


def test_player_2_wins_in_the_top_left_corner() -> None:
    game = gridlock.game("race", "3x3")
    assert game.position(".21/.../... 2 move").play(0).winner is Player.TWO


def test_a_player_may_come_back_to_the_own_corner() -> None:
    position = play(gridlock.game("race").start(), "0,1/1,1 3,2/2,2 0,0/0,1")
    assert position.winner is None


def test_an_empty_starting_cell_may_be_blocked_and_then_not_be_reached() -> None:
    position = play(gridlock.game("race").start(), "0,1/0,0")
    assert position.blocked == 1
    assert position.winner is None


def test_the_example_of_the_rulebook_breaks_its_rules_on_turn_7() -> None:
    position = play(
        gridlock.game("race").start(),
        "0,1/1,0 3,2/2,3 0,2/1,1 2,2/2,1 1,2/0,2 3,2/3,1 1,3",
    )
    game = position.game
    assert position.refusal(game.cell("2,3")) is not None  # blocked already
    assert position.refusal(game.cell("3,3")) is not None  # not next to the token
    assert position.play(game.cell("0,3")).is_legal(game.cell("2,2"))  # so player 2 goes on


def test_a_block_with_nothing_to_block_is_skipped() -> None:
    game = gridlock.game("race", "2x3")
    position = game.position("1#./##2 1 block")
    assert (position.mover, position.phase) == (2, "move")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1../..1 1 move", "one token P1 and one token P2"),
        (".../..2 1 move", "one token P1 and one token P2"),
        ("1../..2 1 -", "is move or block, not '-'"),
        ("2../..1 1 move", "both players have reached the goal, though the first one wins"),
        (".2./..1 1 move", "P1 has reached the goal, so the game is over: the mover is P2"),
        ("2../.1. 1 block", "P2 has reached the goal, so .* is P1, and the phase is move"),
    ],
)
def test_a_set_up_that_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        gridlock.game("race", "2x3").position(text)
