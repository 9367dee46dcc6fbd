"""Searches are shared out fairly by address, bounded, and stopped when nobody waits for them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, cast

import pytest

from gridlock.clock import Clock
from gridlock.engine import Engine
from gridlock.errors import LimitError
from gridlock.rulebooks import catalogue
from gridlock.web import searches as searches_module
from gridlock.web.config import SearchLimits
from gridlock.web.searches import BusyError, Searches, TooManyError
from tests.web.services import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gridlock.model import Position
    from gridlock.web.searches import EngineFor

GAME = catalogue.game("duel", "3x3")
HARD = catalogue.game("claim", "8x8").start().play(0)


class Work:
    """Searches that take as long as the test wants, and in which order they began."""

    def __init__(self, searches: Searches) -> None:
        self.begun: list[str] = []
        self._searches = searches
        self._ends: dict[str, threading.Event] = {}
        self._tasks: dict[str, asyncio.Task[str]] = {}

    def ask(self, *names: str) -> None:
        """Ask questions; the first letter of a name is the address."""
        for name in names:
            asked = self._searches.ask(name[0], partial(self._search, name))
            self._tasks[name] = asyncio.create_task(asked)

    def choose(self, name: str) -> None:
        """Let a computer choose."""
        turn = self._searches.choose(GAME.start(), name, name[0])  # type: ignore[arg-type]
        self._tasks[name] = asyncio.create_task(turn)  # type: ignore[arg-type]

    def play(self, name: str) -> str:
        """Stand in for the choice of a computer."""
        return self._search(name)

    async def end(self, *names: str) -> None:
        """Let searches end."""
        for name in names:
            self._end_of(name).set()
            assert await self._tasks.pop(name) == name

    async def cancel(self, name: str) -> None:
        """Wait for an answer no more."""
        task = self._tasks.pop(name)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    async def have_begun(self, *names: str) -> None:
        """Wait until exactly these have begun, in any order."""
        await until(lambda: len(self.begun) >= len(names))
        await asyncio.sleep(0)
        assert sorted(self.begun) == sorted(names)

    def end_all(self) -> None:
        for name in self._tasks:
            self._end_of(name).set()

    def _search(self, name: str, _: EngineFor | None = None) -> str:
        self.begun.append(name)
        assert self._end_of(name).wait(PATIENCE)
        return name

    def _end_of(self, name: str) -> threading.Event:
        return self._ends.setdefault(name, threading.Event())


@contextlib.contextmanager
def working(**limits: int) -> Iterator[Work]:
    searches = Searches(SearchLimits(**limits))
    work = Work(searches)
    try:
        yield work
    finally:
        work.end_all()
        searches.close()


def test_somebody_new_need_not_wait_for_the_searches_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> None:
        with working(threads=4) as work:
            monkeypatch.setattr(Engine, "choose", lambda *args, **_: work.play(args[2]))
            work.ask("a1", "a2", "a3", "a4", "a5")
            work.choose("a6")
            await work.have_begun("a1", "a2")
            work.ask("b1")
            await work.have_begun("a1", "a2", "b1")
            work.choose("c1")
            await work.have_begun("a1", "a2", "b1", "c1")

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("asked", "order"),
    [
        (["a1", "a2", "a3", "b1", "c1", "b2"], ["a1", "b1", "c1", "a2", "b2", "a3"]),
        (["a1", "b1", "b2", "b3", "c1"], ["a1", "b1", "c1", "b2", "b3"]),
    ],
)
def test_those_who_wait_take_turns(asked: Sequence[str], order: Sequence[str]) -> None:
    async def scenario() -> None:
        with working(threads=1) as work:
            work.ask(*asked)
            for number, name in enumerate(order, start=1):
                await work.have_begun(*order[:number])
                await work.end(name)
            assert work.begun == order

    asyncio.run(scenario())


def test_a_turn_of_a_live_game_goes_before_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        with working(threads=1) as work:
            monkeypatch.setattr(Engine, "choose", lambda *args, **_: work.play(args[2]))
            work.ask("a1", "b1", "c1")
            await work.have_begun("a1")
            work.choose("d1")
            work.choose("c2")
            order = ["a1", "d1", "c2", "b1", "c1"]
            for number, name in enumerate(order, start=1):
                await work.have_begun(*order[:number])
                await work.end(name)
            assert work.begun == order

    asyncio.run(scenario())


def test_turns_of_others_do_not_put_a_question_off_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> None:
        with working(threads=1) as work:
            monkeypatch.setattr(Engine, "choose", lambda *args, **_: work.play(args[2]))
            work.choose("a1")
            await work.have_begun("a1")
            work.ask("s1")
            order: list[str] = []
            for name in ("b1", "a2", "b2", "a3", "b3"):
                work.choose(name)
            await asyncio.sleep(0)
            for name in ["a1", "b1", "a2", "s1", "b2", "a3", "b3"]:
                await until(lambda: len(work.begun) > len(order))
                order.append(name)
                assert work.begun == order
                await work.end(name)

    asyncio.run(scenario())


def test_the_last_thread_is_for_somebody_new(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        with working(threads=4) as work:
            monkeypatch.setattr(Engine, "choose", lambda *args, **_: work.play(args[2]))
            for name in ("a1", "b1", "c1", "d1", "a2", "b2"):
                work.choose(name)
            await work.have_begun("a1", "b1", "c1", "d1")
            await work.end("a1")
            work.ask("s1")
            await work.have_begun("a1", "b1", "c1", "d1", "s1")
            await work.end("b1", "c1")
            await work.have_begun("a1", "b1", "c1", "d1", "s1", "a2")
            await work.end("d1", "s1", "a2", "b2")

    asyncio.run(scenario())


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priorities of their own")
def test_searches_give_way_to_the_event_loop() -> None:
    async def scenario() -> tuple[int, int]:
        searches = Searches(SearchLimits(threads=1))

        def nice(_: object = None) -> int:
            return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

        try:
            return nice(), await searches.ask("a", nice)
        finally:
            searches.close()

    here, there = asyncio.run(scenario())
    assert there == min(here + searches_module._NICENESS, 19) > here


def test_an_address_can_ask_only_so_much_but_its_computers_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> None:
        with working(threads=2, asked=2, waiting=2) as work:
            monkeypatch.setattr(Engine, "choose", lambda *args, **_: work.play(args[2]))
            work.ask("a1", "a2")
            await work.have_begun("a1")
            with pytest.raises(TooManyError):
                await work._searches.ask("a", lambda _: None)
            work.choose("a3")
            work.ask("b1", "b2")
            await work.have_begun("a1", "b1")
            with pytest.raises(BusyError, match="busy"):
                await work._searches.ask("c", lambda _: None)
            await work.end("a1")
            await work.have_begun("a1", "b1", "a3")
            await work.end("a3", "b1", "a2", "b2")
            await work._searches.ask("a", lambda _: None)

    asyncio.run(scenario())


def test_what_waits_and_is_awaited_no_more_never_begins() -> None:
    async def scenario() -> None:
        with working(threads=1) as work:
            work.ask("a1", "a2", "b1")
            await work.have_begun("a1")
            await work.cancel("b1")
            await work.end("a1", "a2")
            assert work.begun == ["a1", "a2"]

    asyncio.run(scenario())


def endless(position: Position, begun: threading.Event) -> Callable[[EngineFor], None]:
    """Return a search that only the engine's closing can end."""

    def work(engine_for: EngineFor) -> None:
        engine = engine_for(position.game)
        begun.set()
        while True:
            engine.analyse(position)

    return work


def test_a_search_that_nobody_waits_for_any_more_is_stopped() -> None:
    async def scenario() -> None:
        searches = Searches(SearchLimits(threads=1))
        begun = threading.Event()
        asked = asyncio.create_task(searches.ask("a", endless(HARD, begun)))
        await until(begun.is_set)
        asked.cancel()
        assert await searches.ask("b", lambda _: "the thread is free again")
        searches.close()

    asyncio.run(scenario())


def test_what_a_search_raises_is_raised_to_whoever_waits() -> None:
    def fail(_: EngineFor) -> None:
        raise LimitError("stopped")

    async def scenario() -> None:
        searches = Searches(SearchLimits(threads=1))
        with pytest.raises(LimitError, match="stopped"):
            await searches.ask("a", fail)
        searches.close()

    asyncio.run(scenario())


def test_when_the_server_closes_all_searches_end_and_those_who_wait_are_told() -> None:
    async def scenario() -> None:
        searches = Searches(SearchLimits(threads=1))
        begun = threading.Event()
        running, waiting = (
            asyncio.create_task(searches.ask("a", endless(HARD, begun))) for _ in range(2)
        )
        await until(begun.is_set)
        turn = asyncio.create_task(searches.choose(HARD, 8, "b"))
        await asyncio.sleep(0)
        searches.close()
        for task in (running, waiting, turn):
            with pytest.raises(BusyError, match="closing"):
                await task
        with pytest.raises(BusyError, match="closing"):
            await searches.choose(HARD, 8, "b")

    asyncio.run(scenario())


def test_the_end_is_not_disturbed_by_somebody_who_has_just_left() -> None:
    async def scenario() -> None:
        searches = Searches(SearchLimits(threads=1))
        begun = threading.Event()
        running, leaving = (
            asyncio.create_task(searches.ask("a", endless(HARD, begun))) for _ in range(2)
        )
        await until(begun.is_set)
        leaving.cancel()
        await asyncio.sleep(0)
        searches.close()
        with pytest.raises(BusyError, match="closing"):
            await running

    asyncio.run(scenario())


def test_turns_of_one_address_that_are_too_many_ask_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(searches_module, "_MOST_TURNS", 2)

    async def scenario() -> None:
        with working(threads=1) as work:
            monkeypatch.setattr(Engine, "choose", lambda *args, **_: work.play(args[2]))
            for name in ("a1", "a2", "a3"):
                work.choose(name)
            await work.have_begun("a1")
            with pytest.raises(BusyError, match="too many turns"):
                await work._searches.choose(GAME.start(), 1, "a")
            work.choose("b1")
            await work.end("a1")
            await work.have_begun("a1", "b1")

    asyncio.run(scenario())


def test_a_turn_takes_what_is_usual_or_a_share_of_the_clock_but_no_longer_than_an_analysis(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[float | None] = []

    def choose(*arguments: object) -> int:
        taken.append(cast("float | None", arguments[4]))
        return 0

    async def scenario() -> None:
        searches = Searches(SearchLimits(1, analysis_seconds=5))
        try:
            for clock in (None, Clock(60), Clock(3600)):
                await searches.choose(GAME.start(), 8, "a", clock)
        finally:
            searches.close()

    monkeypatch.setattr("gridlock.search.levels.choose", choose)
    asyncio.run(scenario())
    assert taken == [None, 60 / 30, 5]
