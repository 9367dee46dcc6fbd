from __future__ import annotations

from typing import TYPE_CHECKING

import gridlock
from gridlock import StoreError
from gridlock.tui.from_here import FromHereScreen
from tests.conftest import run_in_process

if TYPE_CHECKING:
    import pytest

    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver


def newest(store: Store) -> gridlock.Record:
    return gridlock.read_record(store.files()[0][1].read_text())


def test_a_game_is_played_on_from_a_position_that_is_looked_at(drive: Drive, store: Store) -> None:
    run_in_process("play", "duel", "--size", "1x5", typed="1,1\n1,3\n1,5\n")

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "r", "right_square_bracket", "o")
        assert "duel 1x5 play from here" in driver.text("#top")
        assert driver.text("#status") == "B to move"
        await driver.press("3", "enter")
        assert driver.text("#players") == "A computer, level 3 ▸ B you"
        await driver.type("1,4")
        await driver.press("enter")
        assert "You win!" in driver.text("#status")
        await driver.press("n")
        assert driver.text("#status") == "B: take a cell."
        await driver.press("escape")
        assert "replay, move 1 of 3" in driver.text("#top")

    drive(scenario)
    record = newest(store)
    assert str(record.setup) == "1.... 2 -"
    assert (record.players, record.result) == (("computer:3", "human"), gridlock.Player.TWO)


def test_the_other_seat_can_be_taken_and_people_be_named(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "o", "down", "right", "enter")
        assert driver.text("#players").endswith("B you")
        await driver.press("escape", "o", "left", "left", "left", "n")
        await driver.type("Anna")
        await driver.press("enter", "enter")
        assert "Anna against a person" in driver.screen_text
        assert "You" not in driver.screen_text
        await driver.press("enter")
        assert driver.text("#players").endswith("A Anna B a person")

    drive(scenario)


def test_a_position_that_was_set_up_is_played(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e", "1", "m", "o")
        assert "play from here" in driver.text("#top")
        await driver.click_cell("1,1")  # which does nothing here
        await driver.point_at("3,3")
        await driver.press("left", "left", "left", "n", "escape", "enter")
        await driver.type("1,1")
        await driver.press("enter", "escape")
        assert "set up a position" in driver.text("#top")

    drive(scenario)
    assert str(newest(store).setup) == "...../...../..1../...../..... 2 -"


def test_nothing_is_played_where_the_game_is_over_or_the_position_makes_no_sense(
    drive: Drive,
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a")
        await driver.type("0,0")
        await driver.press("enter", "o")
        assert driver.text("#message") == "The game is over here."
        await driver.press("e", "o")
        assert driver.text("#message") == "The game is over here."

    drive(scenario, rulebook="claim", size="1x1")

    async def senseless(driver: Driver) -> None:
        await driver.press("a", "e", "0")
        await driver.press("o")
        assert not isinstance(driver.app.screen, FromHereScreen)

    drive(senseless, rulebook="race", size="1x2")


def test_a_game_that_cannot_be_kept_says_why(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "o")

        def fail(*_: object) -> None:
            raise StoreError("the disk is full")

        monkeypatch.setattr("gridlock.store.Store.create", fail)
        await driver.press("enter")
        assert driver.text("#message") == "The disk is full."

    drive(scenario)
