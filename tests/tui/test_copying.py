"""Positions, moves and records that are copied from the app, and positions pasted into it."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from textual import events

import gridlock
from gridlock.tui.copying import Excerpt
from gridlock.tui.editor import EditorScreen
from tests.conftest import run_in_process

if TYPE_CHECKING:
    from tests.tui.conftest import Drive, Driver


async def choose(driver: Driver, cell: str) -> None:
    await driver.type(cell)
    await driver.press("enter")


async def paste(driver: Driver, text: str) -> None:
    driver.app.post_message(events.Paste(text))
    await driver.idle()


def test_a_game_in_play_is_copied_as_position_moves_and_record(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await choose(driver, "0,1")
        await driver.press("y")
        assert "p  position    m  moves    r  record    Esc  cancel" in driver.screen_text
        written: list[str] = []
        assert driver.app._driver is not None
        monkeypatch.setattr(driver.app._driver, "write", written.append)
        await driver.press("p")
        text = ".1../..../..../...2 1 block"
        assert driver.text("#message") == f"Copied the position: {text}"
        assert f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\a" in written
        await choose(driver, "1,0")
        await driver.press("y", "m")
        assert driver.app.clipboard == "0,1/1,0"
        await driver.press("y", "r")
        assert driver.text("#message") == "Copied the record."
        record = gridlock.read_record(driver.app.clipboard)
        assert record.players == ("human", "human")
        assert record.positions()[-1] == record.game.position(".1../#.../..../...2 2 move")

    drive(scenario, rulebook="race", opponent="human")


def test_one_may_think_better_of_it_or_click(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p", "y", "escape")
        assert driver.app.clipboard == ""
        await driver.press("y")
        assert "moves" not in driver.screen_text  # there are none yet
        lines = driver.screen_text.splitlines()
        row = next(at for at, line in enumerate(lines) if "r  record" in line)
        await driver.pilot.click(offset=(lines[row].index("record"), row))
        await driver.idle()
        assert driver.app.clipboard.startswith('[Game "duel"]')
        await driver.press("y", "enter")
        assert driver.app.clipboard == "...../...../...../...../..... 1 -"

    drive(scenario, rulebook="duel", opponent="human")


def test_what_is_looked_at_is_copied_and_a_side_line_is_a_record_of_its_own(drive: Drive) -> None:
    run_in_process("play", "duel", "--size", "1x7", typed="1,1\n1,3\n1,5\n1,7\n")

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "r", "right_square_bracket", "y", "m")
        assert driver.app.clipboard == "1,1"
        await driver.press("y", "p")
        assert driver.app.clipboard == "1...... 2 -"
        await driver.press("y", "r")
        assert gridlock.read_record(driver.app.clipboard).moves == (0, 2, 4, 6)
        await choose(driver, "1,4")
        await driver.press("y", "r")
        record = gridlock.read_record(driver.app.clipboard)
        assert (record.moves, record.setup, record.result) == ((0, 3), None, None)

    drive(scenario)


def test_a_position_that_is_set_up_is_copied_at_once_if_it_makes_sense(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e", "1", "y")
        assert driver.app.clipboard == ".1 1 -"
        await driver.press("o", "y")
        assert driver.app.clipboard == ".1 1 -"

    drive(scenario, size="1x2")

    async def senseless(driver: Driver) -> None:
        await driver.press("a", "e", "left", "0", "y")
        assert driver.app.clipboard == ""
        assert "token" in driver.text("#message")

    drive(senseless, rulebook="race", size="1x2")


def test_a_lesson_has_nothing_to_copy(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("t", "y")
        assert driver.app.clipboard == ""

    drive(scenario)


def test_a_long_text_is_copied_and_not_shown() -> None:
    assert Excerpt("position", "p", "." * 61).confirmation() == "Copied the position."
    assert Excerpt("moves", "m", "1,1 2,2").confirmation() == "Copied the moves: 1,1 2,2"


def test_a_pasted_position_is_analysed(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a")
        await paste(driver, " 1../.../... 2 -\n")
        assert "set up, move 0 of 0" in driver.text("#top")
        assert driver.text("#status") == "B to move"
        await driver.press("x")
        assert "analysis" in driver.text("#top")
        await paste(driver, "1.../.... 2 -")  # a board of another size
        assert "duel 2x4" in driver.text("#top")
        assert driver.text("#status") == "B to move"
        await driver.press("escape")
        assert "duel 3x3" in driver.text("#top")

    drive(scenario, rulebook="duel", size="3x3")


def test_a_pasted_record_is_replayed(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a")
        await paste(driver, '[Game "race"]\n[Size "3x3"]\n\n0,1/1,0 2,1/2,0\n')
        assert "race 3x3 replay, move 0 of 2" in driver.text("#top")
        await driver.press("end")
        assert driver.moves == "1 0,1/1,0 2 2,1/2,0"
        await paste(driver, '[Game "race"]\n\n9,9')
        assert driver.text("#message").startswith("Move 1: '9,9' is outside the board")

    drive(scenario, rulebook="duel", size="3x3")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", "The position 'hello' is not rows, mover and a last field, for example "),
        ("", "The position '' is not rows, mover and a last field, for example "),
        ("1x./.../... 2 -", "Row 1 of the position has 'x', which is none of "),
        (".../.../... 3 -", "The mover of the position is '3', not 1 or 2."),
    ],
)
@pytest.mark.parametrize("keys", [("a",), ("a", "e")], ids=["analysis", "editor"])
def test_what_is_no_position_is_answered_by_one_line(
    drive: Drive, text: str, said: str, keys: tuple[str, ...]
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press(*keys)
        before = driver.text("#top")
        await paste(driver, text)
        assert driver.text("#message").startswith(said)
        assert driver.text("#top") == before

    drive(scenario, rulebook="duel", size="3x3")


def test_a_pasted_position_is_set_up(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e")
        await paste(driver, "1../.2./... 1 2,2")
        screen = driver.app.screen
        assert isinstance(screen, EditorScreen)
        assert screen.text == "1../.2./... 1 2,2"
        await paste(driver, "1.../.... 2 -")
        assert driver.text("#message") == "The position has 2 rows where 3x3 has 3."
        assert screen.text == "1../.2./... 1 2,2"

    drive(scenario, rulebook="trail", size="3x3")
