from __future__ import annotations

import pytest

from gridlock import Player
from gridlock.sentences import as_sentence, place_in_series, series_result, verdict


@pytest.mark.parametrize(
    ("players", "winner", "said"),
    [
        (("human", "computer:3"), Player.ONE, "You win!"),
        (("human", "random"), Player.TWO, "You lose."),
        (("computer", "human"), Player.TWO, "You win!"),
        (("human", "human"), Player.ONE, None),
        (("computer", "random"), Player.ONE, None),
    ],
)
def test_one_person_against_a_program_is_told_who_won(
    players: tuple[str, str], winner: Player, said: str | None
) -> None:
    assert verdict(players, winner) == said


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
    assert series_result(tally, lambda player: "AB"[player - 1]) == result
