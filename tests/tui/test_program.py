"""Other programs as opponents in the app."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock.errors import NotationError
from gridlock.preferences import Preferences
from gridlock.record import Record, read_record
from gridlock.tui.games import open_file
from tests.conftest import save_preferences

if TYPE_CHECKING:
    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver

FAULTY = Path(__file__).parent.parent / "bridges" / "faulty.py"


def engine(mode: str) -> str:
    return f"engine:{sys.executable} {FAULTY} {mode}"


def test_a_person_plays_another_program(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        assert "faulty.py good" in driver.text("#players")
        await driver.click_cell("1,1")
        assert "You win!" in driver.text("#status")
        await driver.press("escape")

    drive(scenario, rulebook="duel", size="1x2", opponent=engine("good"))
    (file,) = store.finished_folder.iterdir()
    assert read_record(file.read_text()).players == ("human", engine("good"))


def test_a_program_that_crashes_loses_and_it_is_said_why(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await driver.click_cell("1,1")
        assert "You win! B's program has crashed: A wins!" in driver.text("#status")
        assert "it has ended with exit code 3." in driver.text("#message")
        await driver.press("escape")

    drive(scenario, rulebook="duel", size="3x3", opponent=engine("crash"))
    (file,) = store.finished_folder.iterdir()
    assert read_record(file.read_text()).termination == "crash"


def test_the_preferred_program_can_be_chosen(drive: Drive, store: Store) -> None:
    save_preferences(store, Preferences(opponent=engine("good"), is_welcomed=True))

    async def scenario(driver: Driver) -> None:
        assert "computer, level 3" in driver.screen_text
        await driver.press("tab", *["right"] * 7)
        assert "faulty.py good" in driver.screen_text
        await driver.press("enter")
        await driver.until(lambda: bool(driver.app.screen.query("#players")))
        assert "faulty.py good" in driver.text("#players")

    drive(scenario)


def test_a_program_that_is_gone_is_said_to_be(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        assert "There is no program 'nowhere'." in driver.screen_text

    drive(scenario, rulebook="duel", size="3x3", opponent="engine:nowhere")


def test_a_file_from_elsewhere_starts_no_program(store: Store, tmp_path: Path) -> None:
    record = Record(gridlock.game("duel"), players=("human", engine("good")), moves=(0,))
    file = tmp_path / "game.txt"
    file.write_text(str(record))
    with pytest.raises(NotationError, match="a file cannot start a program"):
        open_file(store, file)
    assert store.unfinished() == []
