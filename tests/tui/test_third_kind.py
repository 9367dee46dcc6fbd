"""The app plays, analyses, reviews and sets up rulebooks of a third kind.

See ``toy`` and ``toy_tokens``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from gridlock.record import read_record
from gridlock.rulebooks.catalogue import RULEBOOKS
from tests.toy import DOMINO
from tests.toy_tokens import HUNT

if TYPE_CHECKING:
    from gridlock.store import Store
    from gridlock.tui.editor import EditorScreen
    from tests.tui.conftest import Drive, Driver


@pytest.fixture(autouse=True)
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declare them, as one line of the catalogue would."""
    for rulebook in (DOMINO, HUNT):
        monkeypatch.setitem(RULEBOOKS, rulebook.id, rulebook)


async def choose(driver: Driver, cell: str) -> None:
    await driver.type(cell)
    await driver.press("enter")


def test_a_whole_game_is_played_hinted_kept_and_reviewed(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        assert "domino" in driver.screen_text
        await driver.press("p")
        assert "1 FIRST" in driver.text("#status")
        assert "X: take a cell beside a free one." in driver.text("#status")
        await choose(driver, "1,1")
        assert "2 SECOND" in driver.text("#status")
        await choose(driver, "2,3")
        assert driver.text("#message") == "2,3 is not beside 1,1."
        await driver.press("t")
        assert driver.text("#message").startswith("Hint: ")
        for cell in ("1,2", "1,3", "2,3", "1,4", "2,4", "2,1", "2,2"):
            await choose(driver, cell)
        assert "O wins!" in driver.text("#status")
        assert "1,1/1,2" in driver.moves
        await driver.press("v")
        assert driver.text("#message") == "No won position was given away."
        await driver.press("escape", "escape")

    drive(scenario, rulebook="domino", size="2x4", opponent="human")
    (file,) = store.finished_folder.iterdir()
    assert read_record(file.read_text()).turn_count == 4


def test_a_computer_plays_it(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        for _ in range(2):
            await driver.press("t", "enter")
        await driver.idle()
        assert driver.moves.count("/") == 2

    drive(scenario, rulebook="domino", size="2x4", opponent="computer:5")


def test_a_position_in_the_middle_of_a_turn_is_set_up(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e")
        driver.board.put_cursor(0)
        await driver.press("1", "t", "d")
        assert "X to second half" in driver.text("#status")
        assert driver.board.drawing.squares[1].text[0] in "WL"

    async def other(driver: Driver) -> None:
        await driver.press("a", "e")
        editor = cast("EditorScreen", driver.app.screen)
        driver.board.put_cursor(5)
        await driver.press("2", "t", "d")  # a half of O's, though X is to move
        assert driver.text("#message") == "'2,2' holds no mark of X."
        assert editor.text.endswith("1 2,2")

    drive(scenario, rulebook="domino", size="2x4")
    drive(other, rulebook="domino", size="2x4")


def test_one_of_several_tokens_is_chosen_and_wins(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        squares = driver.board.drawing.squares
        assert [squares[cell].text for cell in (0, 1, 8)] == ["·Fox", "", "Geese"]
        await choose(driver, "0,1")
        assert driver.text("#message") == "0,1 is not a token of yours."
        for cell in ("0,0", "1,0", "0,0", "2,0", "2,1", "2,2", "1,0", "2,0"):
            await choose(driver, cell)
        assert "Fox has crossed the board and wins!" in driver.text("#status")

    drive(scenario, rulebook="hunt", size="3x4", opponent="human")


def test_the_board_that_a_game_begins_with_is_set_up_without_a_doubt(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("a", "e")
        assert driver.text("#message") == ""
        assert "The last field is from" in driver.text("#status")
        await driver.press("t")  # there is nothing to choose
        driver.board.put_cursor(1)
        await driver.press("number_sign", "d")
        assert driver.text("#top").endswith("set up, move 0 of 0")

    drive(scenario, rulebook="hunt", size="3x4")
