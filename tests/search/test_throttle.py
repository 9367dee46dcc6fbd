from __future__ import annotations

import pytest

from gridlock.search.throttle import Throttle


class Clock:
    """Stands still unless it is told to go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr("gridlock.search.throttle.time.monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_news_are_told_at_once_and_what_comes_soon_after_is_told_later(clock: Clock) -> None:
    told: list[int] = []
    throttled = Throttle(told.append)
    throttled.tell(lambda: 1)
    throttled.tell(lambda: 2)
    assert told == [1]
    clock.now += 0.05
    throttled.catch_up(lambda: 3)
    assert told == [1]
    clock.now += 0.05
    throttled.catch_up(lambda: 4)
    assert told == [1, 4]
    clock.now += 1
    throttled.catch_up(lambda: 5)
    assert told == [1, 4]
    throttled.tell(lambda: 6)
    assert told == [1, 4, 6]


def test_telling_takes_a_tenth_of_the_time_at_most(clock: Clock) -> None:
    told: list[float] = []

    def listen(news: float) -> None:
        told.append(news)
        clock.now += 1.0

    throttled = Throttle(listen)
    for _ in range(300):
        throttled.tell(lambda: clock.now)
        clock.now += 0.1
    assert len(told) == 3


def test_nothing_is_made_where_nobody_listens() -> None:
    throttled: Throttle[int] = Throttle(None)

    def make() -> int:
        raise AssertionError

    throttled.tell(make)
