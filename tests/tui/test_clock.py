"""Games by the clock, as the app plays them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock.players import ComputerPlayer
from gridlock.tui.play import PlayScreen
from tests.conftest import run_in_process

if TYPE_CHECKING:
    from gridlock import Position
    from gridlock.clock import Clock
    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver


class Watch:
    """The time of day, which passes only when somebody says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000_000_000
        for module in ("engine", "timing", "cli.session", "tui.play"):
            monkeypatch.setattr(f"gridlock.{module}.milliseconds", lambda: self.now)

    async def wait(self, driver: Driver, seconds: float) -> None:
        """Let time pass, and the app see it."""
        self.now += round(seconds * 1000)
        for screen in driver.app.screen_stack:
            if isinstance(screen, PlayScreen):
                screen._tick()
        await driver.idle()


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


def kept(store: Store) -> gridlock.Record:
    return gridlock.read_record(store.files()[0][1].read_text())


async def choose(driver: Driver, cell: str) -> None:
    await driver.type(cell)
    await driver.press("enter")


def test_a_clock_is_chosen_on_the_first_page_and_runs_for_the_mover(
    drive: Drive, watch: Watch, store: Store
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press(*["down"] * 5, "2")
        assert "Clock        ◂ 2 min + 2 s a turn ▸" in driver.screen_text
        await driver.press("enter")
        assert driver.text("#players") == "▸ A a person 2:00 B a person 2:00"
        await watch.wait(driver, 30)  # nobody has begun yet
        assert driver.text("#players") == "▸ A a person 2:00 B a person 2:00"
        await choose(driver, "3,3")
        await watch.wait(driver, 30)
        assert driver.text("#players") == "A a person 2:02 ▸ B a person 1:30"
        await choose(driver, "1,1")
        await watch.wait(driver, 1)
        assert driver.text("#players") == "▸ A a person 2:01 B a person 1:32"
        await driver.press("escape")
        assert "p: again occupation, a person, 2 min + 2 s" in driver.text("#message")

    drive(scenario, opponent="human")
    assert dict(kept(store).tags) == {"TimeControl": "120+2", "Times": "122.0 92.0 121.0"}


def test_a_low_time_stands_out_without_colours_and_is_heard_once(
    drive: Drive, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        rung: list[object] = []
        monkeypatch.setattr(driver.app, "bell", lambda: rung.append(1))
        await driver.press("p")
        await choose(driver, "3,3")
        await watch.wait(driver, 49)
        assert driver.text("#players").endswith("B a person 0:11")
        await watch.wait(driver, 2.1)
        assert driver.text("#players").endswith("B a person ! 8.9")
        await watch.wait(driver, 1)
        assert len(rung) == 1

    drive(scenario, opponent="human", clock="60+0")


def test_whoever_has_no_time_left_loses_and_nothing_takes_it_back(
    drive: Drive, watch: Watch, store: Store
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await choose(driver, "3,3")
        await driver.press("a")  # time passes on other pages, too
        await watch.wait(driver, 60)
        await driver.press("escape")
        assert driver.text("#status").startswith("B has no time left: A wins!")
        assert "B a person ! 0.0" in driver.text("#players")
        await driver.press("u")
        assert driver.text("#message") == "A game that was lost on time is over."
        await driver.press("n")
        assert driver.text("#players").endswith("A a person 1:00 B a person 1:00")

    drive(scenario, opponent="human", clock="60+0")
    record = gridlock.read_record(store.files()[0][1].read_text())
    assert (record.result, record.termination) == (gridlock.Player.ONE, "clock")


def test_a_move_that_comes_too_late_is_not_played(drive: Drive, watch: Watch, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await choose(driver, "3,3")
        watch.now += 60_000
        await choose(driver, "1,1")
        assert "B has no time left" in driver.text("#status")
        assert driver.moves == "1 3,3"

    drive(scenario, opponent="human", clock="60+0")


def test_a_turn_taken_back_gives_its_time_back(drive: Drive, watch: Watch) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await choose(driver, "3,3")
        await watch.wait(driver, 20)
        await choose(driver, "1,1")
        await watch.wait(driver, 5)
        assert driver.text("#players") == "▸ A a person 0:55 B a person 0:40"
        await driver.press("u")
        assert driver.text("#players") == "A a person 1:00 ▸ B a person 1:00"

    drive(scenario, opponent="human", clock="60+0")


def test_the_clock_stands_while_a_game_is_left_and_goes_on_with_it(
    drive: Drive, watch: Watch
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await choose(driver, "3,3")
        await watch.wait(driver, 20)
        await driver.press("escape")
        watch.now += 999_000
        result = run_in_process("resume", typed="1,1\n")
        assert "Time left: Player A 1:00, Player B 0:40." in result.out
        await driver.press("o", "enter")
        assert driver.text("#players") == "▸ A a person 1:00 B a person 0:40"
        await watch.wait(driver, 3)
        assert driver.text("#players") == "▸ A a person 0:57 B a person 0:40"

    drive(scenario, opponent="human", clock="60+0")


def test_a_game_from_a_position_has_the_clock_that_is_chosen(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "o", "down", "2")
        assert "Clock        ◂ 2 min + 2 s a turn ▸" in driver.screen_text
        await driver.press("enter")
        assert driver.text("#players") == "▸ A a person 2:00 B a person 2:00"
        await choose(driver, "3,3")
        await driver.press("escape")

    drive(scenario, opponent="human")
    assert dict(kept(store).tags)["TimeControl"] == "120+2"


def test_the_computer_plays_by_the_clock_and_loses_by_it(
    drive: Drive, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_answer = threading.Event(), threading.Event()
    clocks: list[Clock | None] = []

    def think(self: ComputerPlayer, position: Position, clock: Clock | None = None) -> int:
        clocks.append(clock)
        asked.set()
        assert may_answer.wait(60)
        return position.legal_cells()[0]

    monkeypatch.setattr(ComputerPlayer, "choose", think)

    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await driver.type("3,3")
        await driver.pilot.press("enter")
        await driver.until(asked.is_set)
        watch.now += 60_000
        await driver.until(lambda: "B has no time left" in driver.text("#status"))
        may_answer.set()
        await driver.idle()
        assert driver.text("#status").startswith("You win! B has no time left: A wins!")
        assert driver.moves == "1 3,3"

    drive(scenario, clock="60+0")
    assert [clock is not None for clock in clocks] == [True]
