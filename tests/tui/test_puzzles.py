from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from gridlock.puzzles.collection import THEMES, daily_puzzle, puzzles_of
from gridlock.puzzles.exercise import DailyExercise
from gridlock.puzzles.progress import Mistake, ProgressFile
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.tui.home import HomeScreen
from gridlock.tui.pages import RulesPage
from gridlock.tui.puzzle import PuzzleScreen
from gridlock.tui.puzzles import PuzzlesScreen
from tests.toy import DOMINO
from tests.tui.conftest import SMALL

if TYPE_CHECKING:
    from gridlock.puzzles.puzzle import Puzzle
    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver

TODAY = date.today()
POSITION = "...../...../..1../...../..... 2 -"


@pytest.fixture
def file(store: Store) -> ProgressFile:
    return ProgressFile(store.folder)


def owe(file: ProgressFile, *due: date) -> None:
    """Let mistakes come back on some days."""
    games = list(RULEBOOKS)
    mistakes = [
        Mistake(game, POSITION, "1,1", day.isoformat())
        for game, day in zip(games, due, strict=False)
    ]
    file.update(lambda now: now.with_mistakes(mistakes))


def test_a_puzzle_is_set_from_the_first_screen_on(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("u")
        assert isinstance(driver.app.screen, PuzzlesScreen)
        await driver.press("enter")
        assert isinstance(driver.app.screen, PuzzleScreen)
        title = driver.text("#top")
        assert "rated" in title
        await driver.press("n")
        assert isinstance(driver.app.screen, PuzzleScreen)
        assert driver.text("#top") != title
        await driver.press("escape")
        assert isinstance(driver.app.screen, PuzzlesScreen)
        await driver.press("escape")
        assert isinstance(driver.app.screen, HomeScreen)

    drive(scenario)


def test_one_game_and_one_theme_can_be_chosen(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("u")
        await driver.press(*["right"] * (list(RULEBOOKS).index("race") + 1))
        found = puzzles_of("race")
        assert f"{len(found)} puzzles, 0 of them tried." in driver.text("#message")
        themes = {theme for puzzle in found for theme in puzzle.themes}
        first = next(theme for theme in THEMES if theme in themes)
        await driver.press("down", "right")
        assert THEMES[first] in driver.screen_text
        count = sum(first in puzzle.themes for puzzle in found)
        assert driver.text("#message").startswith(f"{count} puzzle")
        await driver.press("enter")
        assert "Puzzle race-" in driver.text("#top")
        await driver.press("t")
        assert THEMES[first] in driver.text("#message")
        await driver.press("n", "t")
        assert "Puzzle race-" in driver.text("#top")
        assert THEMES[first] in driver.text("#message")

    drive(scenario)


def test_only_themes_of_the_chosen_game_are_offered(
    drive: Drive, puzzles: dict[str, Puzzle]
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("u", "right", "right", "down")  # duel, with one theme
        seen = []
        for _ in range(2):
            await driver.press("right")
            seen.append(driver.screen_text)
        assert THEMES["mirror"] in seen[0]
        assert "◂ any ▸" in seen[1]
        await driver.press("up", "right", "enter")  # claim, with none
        assert "Puzzle claim-1" in driver.text("#top")

    drive(scenario)


def test_the_rules_of_the_chosen_game_are_shown(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("u", "i")
        assert isinstance(driver.app.screen, PuzzlesScreen)  # of all of them none is meant
        await driver.press("right", "i")
        assert isinstance(driver.app.screen, RulesPage)

    drive(scenario)


def test_how_one_gets_on_is_shown_and_is_new_after_a_puzzle(
    drive: Drive, file: ProgressFile
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("u")
        assert "Puzzle rating 1500? Solved at first sight 0 of 0" in driver.text("#report")
        await driver.press("enter", "s", "escape")
        assert f"Puzzle rating {file.read().rating} " in driver.text("#report")
        assert "Solved at first sight 0 of 1" in driver.text("#report")
        assert ", 1 of them tried." in driver.text("#message")

    drive(scenario)


def test_the_puzzle_of_the_day_waits_until_it_is_tried(drive: Drive, file: ProgressFile) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("u")
        assert "d: today's puzzle" in driver.text("#message")
        await driver.press("d")
        assert daily_puzzle(TODAY).id in driver.text("#top")
        await driver.press("s", "escape")
        assert file.read().days == {TODAY.isoformat(): False}
        assert "today's puzzle" not in driver.text("#message")
        await driver.press("d")
        assert "it does not count again" in driver.text("#message")

    drive(scenario)


def test_what_waits_can_be_clicked(drive: Drive, file: ProgressFile) -> None:
    owe(file, TODAY)

    async def click(driver: Driver, text: str) -> None:
        lines = driver.screen_text.splitlines()
        row = next(at for at, line in enumerate(lines) if text in line)
        await driver.pilot.click(offset=(lines[row].index(text) + 2, row))
        await driver.idle()

    async def scenario(driver: Driver) -> None:
        footer = driver.screen_text.splitlines()[-1]
        await driver.pilot.click(offset=(footer.index("Puzzles"), SMALL[1] - 1))
        await driver.idle()
        await click(driver, "d: today's puzzle")
        assert f"Daily {TODAY}" in driver.text("#top")
        await driver.press("escape")
        await click(driver, "m: 1 mistake")
        assert "A mistake of yours" in driver.text("#top")

    drive(scenario)


def test_mistakes_that_are_due_are_counted_on_both_screens(
    drive: Drive, file: ProgressFile
) -> None:
    owe(file, TODAY, TODAY, TODAY + timedelta(1))

    async def scenario(driver: Driver) -> None:
        assert "u: 2 mistakes of yours to solve" in driver.text("#message")
        await driver.press("u")
        assert "m: 2 mistakes of yours to solve" in driver.text("#message")
        assert "Mistakes learnt 0 of 3" in driver.text("#report")
        await driver.press("m", "s", "escape")
        assert "m: 1 mistake of yours to solve" in driver.text("#message")
        await driver.press("m", "s", "escape", "m")
        assert driver.text("#message").startswith("No mistake of yours is due")
        await driver.press("escape")
        assert "mistake" not in driver.text("#message")

    drive(scenario)


def test_a_damaged_file_is_no_obstacle(drive: Drive, file: ProgressFile) -> None:
    file.path.parent.mkdir(parents=True)
    file.path.write_text("{")

    async def scenario(driver: Driver) -> None:
        await driver.press("u", "enter", "s")
        assert len(file.read().seen) == 1

    drive(scenario)


def test_a_rulebook_without_puzzles_is_not_offered(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULEBOOKS, DOMINO.id, DOMINO)

    async def scenario(driver: Driver) -> None:
        await driver.press("u", "left")
        assert DOMINO.id not in driver.screen_text
        await driver.press("d")
        assert DailyExercise(TODAY).title in driver.text("#top")

    drive(scenario)
