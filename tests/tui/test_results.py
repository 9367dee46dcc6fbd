from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import gridlock
from gridlock import Player, Record
from tests.tui.conftest import LARGE

if TYPE_CHECKING:
    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver


def keep(store: Store, results: str) -> None:
    """Keep games of duel against the computer: ``3W`` was won at level 3, and so on."""
    for day, result in enumerate(results.split(), start=1):
        record = Record(
            gridlock.game("duel"), players=("human", f"computer:{result[0]}"),
            result=Player.ONE if result[1] == "W" else Player.TWO, termination="resignation",
        )  # fmt: skip
        with store.create("duel", datetime(2026, 11, day)) as kept:
            kept.write(str(record))
            kept.finish()


def test_nothing_to_show_is_said(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("s")
        assert driver.text("#message").startswith("Play a game against the computer to its end")
        await driver.press("escape")
        assert driver.app.screen.query("#form")

    drive(scenario)


def test_a_folder_that_cannot_be_read_is_said(drive: Drive, store: Store) -> None:
    store.folder.mkdir(parents=True, exist_ok=True)
    store.finished_folder.write_text("not a folder")

    async def scenario(driver: Driver) -> None:
        await driver.press("s")
        assert driver.text("#message").startswith("Cannot read ")

    drive(scenario)


def test_results_are_shown_over_time_with_a_proposal(drive: Drive, store: Store) -> None:
    keep(store, "2L 3W 3W 3W")

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "s")
        assert "duel 5x5: 4 games, 3 won" in driver.screen_text
        assert "level 3 │  ●●●" in driver.screen_text
        assert "      2 │ ○" in driver.screen_text
        text = driver.text("#message")
        assert "You won 3 of 3 at level 3, 0 of 1 at level 2." in text
        assert "You won 3 of the last 3 games at level 3: try level 4." in text
        await driver.press("z")
        assert "level 3 |  ###" in driver.screen_text
        await driver.resize(*LARGE)
        assert "level 3 |  ###" in driver.screen_text

    drive(scenario)


def test_long_results_scroll(drive: Drive, store: Store) -> None:
    keep(store, "1W 2W 3W 4W 5W 6W 7W 8W")
    for size in ("4x4", "3x3"):
        record = Record(
            gridlock.game("duel", size), players=("computer:1", "human"), result=Player.ONE,
            termination="resignation",
        )  # fmt: skip
        with store.create("duel", datetime(2026, 11, 20)) as kept:
            kept.write(str(record))

    async def scenario(driver: Driver) -> None:
        await driver.press("s")
        assert "duel 3x3: 1 game, 0 won" in driver.screen_text
        await driver.press("j", "down", "j")
        assert "duel 3x3: 1 game, 0 won" not in driver.screen_text
        await driver.press("k", "up", "k")
        assert "duel 3x3: 1 game, 0 won" in driver.screen_text

    drive(scenario)
