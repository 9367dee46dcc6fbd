from __future__ import annotations

from gridlock import Player
from gridlock.clock import TimeControl
from gridlock.match import Score, Terms
from gridlock.setup import Setup, sized


def test_a_setup_says_what_is_played() -> None:
    setup = Setup("claim", "6x7", "computer:2", "2", target=5, score="cells")
    assert str(setup.game().grid) == "6x7"
    assert setup.terms == Terms(target=5, score=Score.CELLS)
    assert setup.first_player is Player.TWO
    assert setup.describe() == "claim 6x7, computer, level 2, to 5 points"
    assert Setup(first="toss").first_player is None
    assert Setup(opponent="human").describe() == "occupation, a person"
    timed = Setup(opponent="human", clock="300+3")
    assert timed.time_control == TimeControl(300, 3)
    assert timed.describe() == "occupation, a person, 5 min + 3 s"


def test_the_rulebooks_own_size_is_not_written_down() -> None:
    game = Setup("race").game()
    assert sized(game, 4, 4) is None
    assert sized(game, 4, 5) == "4x5"
