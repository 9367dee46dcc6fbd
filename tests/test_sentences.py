from __future__ import annotations

import pytest

from gridlock import Player
from gridlock.sentences import (
    as_sentence,
    describe_player,
    place_in_series,
    seated,
    series_result,
    verdict,
)


@pytest.mark.parametrize(
    ("players", "winner", "said"),
    [
        (("human", "computer:3"), Player.ONE, "You win!"),
        (("human", "random"), Player.TWO, "You lose."),
        (("computer", "human"), Player.TWO, "You win!"),
        (("human", "human"), Player.ONE, None),
        (("Ann", "human"), Player.ONE, None),
        (("Ann", "computer:3"), Player.ONE, "You win!"),
        (("computer", "random"), Player.ONE, None),
    ],
)
def test_one_person_against_a_program_is_told_who_won(
    players: tuple[str, str], winner: Player, said: str | None
) -> None:
    assert verdict(players, winner) == said


def test_players_are_told_in_words() -> None:
    assert seated(("human", "computer:3"), Player.ONE) == "you"
    assert seated(("human", "computer:3"), Player.TWO) == "computer, level 3"
    assert seated(("Ann", "human"), Player.ONE) == "Ann"
    assert seated(("Ann", "human"), Player.TWO) == "a person"
    assert describe_player("computer:auto") == "computer, your level"


def test_an_error_becomes_a_sentence() -> None:
    assert as_sentence(ValueError("'1,9' is outside the board")) == "'1,9' is outside the board."
    assert as_sentence("the game is over") == "The game is over."


def test_a_game_of_a_series_has_its_number_and_how_long_the_series_is() -> None:
    assert place_in_series(2, 3, None) == "game 2 of 3"
    assert place_in_series(4, None, 5) == "game 4 (played to 5 points)"


@pytest.mark.parametrize(
    ("tally", "result"),
    [
        ((2, 1), "A wins the series, 2 to 1"),
        ((0, 3), "B wins the series, 3 to 0"),
        ((1, 1), "The series is a tie, 1 to 1"),
    ],
)
def test_the_result_of_a_series_is_said(tally: tuple[int, int], result: str) -> None:
    assert series_result(tally, _symbol) == result


def test_the_points_of_a_series_that_was_cut_short_stand() -> None:
    end = "The series ends here"
    assert series_result((0, 1), _symbol, is_decided=False) == f"{end}: B leads, 1 to 0"
    assert series_result((1, 1), _symbol, is_decided=False) == f"{end}: it is level, 1 to 1"


def _symbol(player: Player) -> str:
    return "AB"[player - 1]
