from __future__ import annotations

import pytest

from gridlock import Player
from gridlock.phrases import as_sentence, place_in_series, verdict


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
