"""Questions that nobody waits for any more end, on every kind of search."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

import pytest

import gridlock
from gridlock import Engine, Game, Grid, Settings
from gridlock.tui.thinking import Answered, Thinker
from tests.toy import DOMINO

if TYPE_CHECKING:
    from gridlock import Progress

PATIENCE = 60  # seconds


class Screen:
    """Hears what is told, in the thread that tells it."""

    def __init__(self) -> None:
        self.heard: list[Answered] = []
        self.has_heard = threading.Event()

    def post_message(self, message: Answered) -> None:
        self.heard.append(message)
        self.has_heard.set()


def thinker_of(screen: Screen) -> Thinker:
    def fail(error: Exception) -> None:
        raise error

    return Thinker(cast("Any", screen), fail)


@pytest.mark.parametrize(
    "game",
    [gridlock.game("claim", "7x9"), gridlock.game("race", "6x7"), Game(DOMINO, Grid(6, 6))],
    ids=str,
)
def test_a_question_that_is_dropped_ends_its_search(game: Game) -> None:
    screen = Screen()
    thinker = thinker_of(screen)
    engine = Engine(game, Settings(seconds=600))
    begun, ended = threading.Event(), threading.Event()

    def watch(progress: Progress) -> None:
        if progress.nodes:
            begun.set()
        thinker.watch(progress)

    def ask() -> object:
        try:
            return engine.analyse(game.start(), on_progress=watch)
        finally:
            ended.set()

    thinker.ask(engine, ask, lambda _: None)
    assert begun.wait(PATIENCE)
    thinker.drop()
    assert ended.wait(PATIENCE)
    assert not thinker.is_busy


def test_a_question_that_is_hurried_is_answered_with_what_is_known() -> None:
    screen = Screen()
    thinker = thinker_of(screen)
    engine = Engine(gridlock.game("claim", "9x9"), Settings(seconds=600))
    start = engine.game.start()
    begun = threading.Event()
    told: list[int] = []

    def watch(progress: Progress) -> None:
        begun.set()
        thinker.watch(progress)

    thinker.ask(engine, lambda: engine.choose(start, on_progress=watch), told.append)
    assert begun.wait(PATIENCE)
    thinker.hurry()
    assert screen.has_heard.wait(PATIENCE)
    for message in screen.heard:
        message.tell()
    assert not thinker.is_busy
    assert start.is_legal(told[0])


def test_hurrying_ends_no_later_question() -> None:
    screen = Screen()
    thinker = thinker_of(screen)
    engine = Engine(gridlock.game("duel"))
    thinker.hurry()
    stopped: list[str] = []
    engine.stop = lambda: stopped.append("stopped")  # type: ignore[method-assign]
    start = engine.game.start()
    thinker.ask(engine, lambda: engine.choose(start, on_progress=thinker.watch), lambda _: None)
    assert screen.has_heard.wait(PATIENCE)
    assert stopped == []


def test_a_question_that_is_dropped_before_it_is_asked_is_never_asked() -> None:
    screen = Screen()
    thinker = thinker_of(screen)
    engine = Engine(gridlock.game("duel"))
    told: list[str] = []
    may_go, asked = threading.Event(), threading.Event()

    def slow() -> str:
        asked.set()
        assert may_go.wait(PATIENCE)
        return "first"

    def never() -> str:
        raise AssertionError("it was dropped")

    thinker.ask(engine, slow, told.append)
    assert asked.wait(PATIENCE)
    thinker.ask(engine, never, told.append)
    thinker.ask(engine, lambda: "last", told.append)
    may_go.set()
    assert screen.has_heard.wait(PATIENCE)
    with thinker._lock:  # whoever had it before has answered
        pass
    while not told:
        for message in tuple(screen.heard):
            message.tell()
    assert told == ["last"]
