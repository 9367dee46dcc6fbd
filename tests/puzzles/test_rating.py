from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlock.puzzles.rating import Rating

ratings = st.builds(Rating, st.floats(400, 2900), st.floats(45, 350), st.floats(0.04, 0.08))


def test_the_published_example() -> None:
    rating = Rating(1500, 200, 0.06).after(
        (Rating(1400, 30), True), (Rating(1550, 100), False), (Rating(1700, 300), False)
    )
    assert rating.rating == pytest.approx(1464.06, abs=0.01)
    assert rating.deviation == pytest.approx(151.52, abs=0.01)
    assert rating.volatility == pytest.approx(0.05999, abs=0.00001)


@given(ratings, ratings)
def test_a_win_raises_and_a_loss_lowers_a_rating(one: Rating, other: Rating) -> None:
    won, lost = (one.after((other, is_won)) for is_won in (True, False))
    assert lost.rating < one.rating < won.rating
    assert 45 <= won.deviation <= 350


@given(ratings)
def test_a_win_against_somebody_stronger_is_worth_more(one: Rating) -> None:
    gains = [one.after((Rating(one.rating + points, 60), True)).rating for points in (-300, 0, 300)]
    assert gains == sorted(gains)


def test_a_rating_gets_surer_with_results_and_loses_its_question_mark() -> None:
    rating = Rating()
    assert str(rating) == "1500?"
    for number in range(20):
        rating = rating.after((Rating(1500, 60), number % 2 == 0))
    assert not rating.is_provisional
    assert str(rating) == f"{rating.rating:.0f}"
