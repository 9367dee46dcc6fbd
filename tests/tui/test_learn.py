"""Guided first games in the app, and how newcomers find them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gridlock import RULEBOOKS
from gridlock.lesson import lesson_of
from gridlock.setup import Setup
from gridlock.tui.home import HomeScreen
from gridlock.tui.learn import LearnScreen
from gridlock.tui.play import PlayScreen
from tests.conftest import load_preferences
from tests.toy import DOMINO
from tests.tui.conftest import LARGE

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver


async def choose(driver: Driver, cell: str) -> None:
    await driver.type(cell)
    await driver.press("enter")


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_lesson_is_finished_with_the_keyboard_alone(game: str, drive: Drive) -> None:
    lesson = lesson_of(RULEBOOKS[game])
    assert lesson

    async def scenario(driver: Driver) -> None:
        await driver.press("t")
        for number, step in enumerate(lesson.steps, start=1):
            assert driver.text("#status") == f"Step {number} of {len(lesson.steps)} {step.text}"
            assert step.task in driver.text("#task")
            if step.cell is not None:
                await choose(driver, lesson.game.name(step.cell))
            elif number < len(lesson.steps):
                assert driver.text("#task") == "Enter go on"
                await driver.press("enter")
        assert driver.text("#task") == "p play it yourself Esc leave"
        await driver.press("enter")
        assert isinstance(driver.app.screen, LearnScreen)
        await driver.press("escape")
        assert isinstance(driver.app.screen, HomeScreen)

    drive(scenario, rulebook=game)


def test_a_lesson_is_finished_with_the_mouse_alone(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.pilot.click("#welcome", offset=(12, 0))
        await driver.idle()
        for cell in ("1,1", "2,2", "1,3"):
            await driver.click_cell(cell)
            if cell != "1,3":
                await driver.pilot.click("#task", offset=(2, 0))
                await driver.idle()
        assert "you win!" in driver.text("#status")
        await driver.pilot.click("#task", offset=(2, 0))
        await driver.idle()
        assert isinstance(driver.app.screen, PlayScreen)

    drive(scenario, rulebook="trail")


def test_wrong_cells_are_answered_and_nothing_else_happens(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("t")
        await choose(driver, "3,3")
        assert driver.text("#message").startswith("You could begin there")
        assert "Step 1" in driver.text("#status")
        await choose(driver, "1,2")
        assert driver.text("#message") == ""
        await driver.press("enter")
        await choose(driver, "3,3")
        assert driver.text("#message") == "3,3 is closed: next to B's 3,2."
        await driver.point_at("3,2")
        assert driver.text("#message") == "3,2 is taken."
        await driver.point_at("1,1")  # what is right is not given away
        assert driver.text("#message") == "3,3 is closed: next to B's 3,2."
        assert "Step 3" in driver.text("#status")
        assert "★" not in driver.screen_text
        await choose(driver, "2,2")
        assert driver.screen_text.count("★") == 1  # whoever is stuck sees the cell
        await choose(driver, "1,1")
        assert "★" not in driver.screen_text

    drive(scenario, terminal=LARGE)


@pytest.mark.parametrize("rulebook", ["duel", "race"])
def test_the_first_step_that_asks_for_a_cell_says_how_to_choose_it(
    drive: Drive, rulebook: str
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("t")
        if rulebook == "race":  # which begins with something to read
            assert "arrow keys" not in driver.text("#task")
            await driver.press("enter")
        assert "arrow keys" in driver.text("#task")

    drive(scenario, rulebook=rulebook, terminal=LARGE)


def test_one_can_step_back(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("t", "b")
        await choose(driver, "1,2")
        assert "Step 2" in driver.text("#status")
        await driver.point_at("1,1")
        assert driver.text("#message") == ""
        await driver.press("b")
        assert "Step 1" in driver.text("#status")

    drive(scenario)


def test_after_the_lesson_the_game_is_played_and_remembered(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("t", "p")
        assert isinstance(driver.app.screen, LearnScreen)  # there is more to learn
        for cell in ("1,1", "", "2,2", "", "1,3"):
            await choose(driver, cell)
        await driver.press("p")
        assert "trail 4x4" in driver.text("#top")
        assert "computer, level 1" in driver.text("#players")
        await driver.press("escape")
        assert isinstance(driver.app.screen, HomeScreen)

    drive(scenario, rulebook="trail", opponent="human")
    assert load_preferences(store).setup == Setup("trail", opponent="computer:1")


def test_a_game_that_cannot_be_kept_is_not_begun(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("t")
        for cell in ("1,1", "", "2,2", "", "1,3"):
            await choose(driver, cell)
        (store.folder / "unfinished").write_text("in the way")
        await driver.press("p")
        assert isinstance(driver.app.screen, LearnScreen)
        assert "Cannot" in driver.text("#message")

    drive(scenario, rulebook="trail")


def test_newcomers_are_led_to_lessons_until_they_have_begun_one(drive: Drive, store: Store) -> None:
    async def first(driver: Driver) -> None:
        assert "New here?" in driver.screen_text
        await driver.press("enter", "escape")
        assert "New here?" in driver.screen_text
        await driver.press("t", "escape")
        assert "New here?" not in driver.screen_text

    async def second(driver: Driver) -> None:
        assert "New here?" not in driver.screen_text

    drive(first)
    drive(second)
    assert load_preferences(store).is_welcomed


def test_who_does_not_want_lessons_says_so_once(drive: Drive, store: Store) -> None:
    async def first(driver: Driver) -> None:
        await driver.press("question_mark")
        assert "Hide the welcome" in driver.screen_text
        await driver.press("escape", "d")
        assert "New here?" not in driver.screen_text
        await driver.press("question_mark")
        assert "Hide the welcome" not in driver.screen_text

    drive(first)
    assert load_preferences(store).is_welcomed


def test_a_game_without_a_lesson_says_so(
    drive: Drive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULEBOOKS, DOMINO.id, DOMINO)

    async def scenario(driver: Driver) -> None:
        await driver.press("t")
        assert driver.text("#message") == "There is no lesson for domino: press i for its rules."
        assert "New here?" in driver.screen_text
        await driver.press("right", "t")
        assert isinstance(driver.app.screen, LearnScreen)

    drive(scenario, rulebook="domino")


def test_the_end_is_celebrated_where_things_may_move(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("t")
        for cell in ("1,1", "", "2,2", ""):
            await choose(driver, cell)
        driver.app.animation_level = "full"
        await driver.type("1,3")
        await driver.pilot.press("enter")
        shown = set()

        def is_over() -> bool:
            shown.add(str([square.look for square in driver.board.drawing.squares]))
            return len(shown) > 2

        await driver.until(is_over)

    drive(scenario, rulebook="trail")
