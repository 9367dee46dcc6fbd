"""Whatever fails in the app is said and written down, and the app goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from gridlock.errors import StoreError
from gridlock.log import log_path
from gridlock.preferences import Preferences
from gridlock.search import analysis, levels, review, sentences
from gridlock.tui.app import GridlockApp
from gridlock.tui.board import Board
from gridlock.tui.dial import Dial
from gridlock.tui.editor import EditorScreen
from gridlock.tui.games import GamesScreen
from gridlock.tui.home import HomeScreen
from gridlock.tui.pages import FailurePage, KeysPage, RulesPage
from gridlock.tui.play import PlayScreen
from gridlock.tui.shelf import Card
from gridlock.tui.study import StudyScreen
from tests.conftest import save_preferences

if TYPE_CHECKING:
    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver


class OopsError(Exception):
    """A failure that nobody has foreseen."""


def fail(*_: object, **__: object) -> None:
    raise OopsError("[oh] no")


def said(driver: Driver) -> str:
    """Return what is shown as a failure, on one line."""
    return " ".join(notification.message for notification in driver.app._notifications)


def expected() -> str:
    return f"A bug in gridlock: OopsError: [oh] no (see {log_path()})."


def logged() -> int:
    """Return how many failures are in the log."""
    return log_path().read_text().count("OopsError: [oh] no")


async def is_alive(driver: Driver) -> None:
    """See that the app still answers keys: it shows the rules of a game that is played anew."""
    while not isinstance(driver.app.screen, HomeScreen):
        await driver.press("escape")
    await driver.press("p", "i")
    assert isinstance(driver.app.screen, RulesPage)
    await driver.press("escape", "escape")
    assert isinstance(driver.app.screen, HomeScreen)


def test_a_search_that_fails_is_said_and_the_app_goes_on(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(analysis, "analyse", fail)
            await driver.press("a")
            assert said(driver) == expected()
            assert driver.text("#message") == "This position could not be analysed."
            assert logged() == 1
        await driver.press("home")  # looks again
        assert driver.text("#message").startswith("A wins in 15")
        await is_alive(driver)

    drive(scenario, may_fail=True, opponent="human")


def test_a_review_that_fails_is_said_and_the_app_goes_on(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review, "review", fail)

    async def scenario(driver: Driver) -> None:
        await driver.press("p", "3", "comma", "3", "enter", "v")
        assert said(driver) == expected()
        assert isinstance(driver.app.screen, StudyScreen)
        assert driver.text("#message") == "The game could not be reviewed."
        await driver.press("left_square_bracket")
        await is_alive(driver)
        assert logged() == 1

    drive(scenario, may_fail=True, opponent="human")


@pytest.mark.parametrize("end", [SystemExit, KeyboardInterrupt])
def test_a_search_that_is_ended_does_not_end_the_app(
    end: type[BaseException], drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: object) -> None:
        raise end

    monkeypatch.setattr(review, "review", give_up)

    async def scenario(driver: Driver) -> None:
        await driver.press("p", "3", "comma", "3", "enter")
        await driver.pilot.press("v")
        await driver.until(lambda: driver.text("#message") == "The game could not be reviewed.")
        await driver.until(lambda: f"a search was ended by {end.__name__}" in said(driver))
        assert f"{end.__name__}\n" in log_path().read_text()
        await is_alive(driver)

    drive(scenario, may_fail=True, opponent="human")


def test_sentences_that_fail_on_a_review_do_not_end_the_app(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentences, "fault", fail)

    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        for cell in ("3,3", "1,1", "4,1", "2,4"):
            await driver.type(cell)
            await driver.press("enter")
        await driver.press("v")
        assert said(driver) == expected()
        await is_alive(driver)

    drive(scenario, may_fail=True, rulebook="duel", opponent="human")


def test_a_computer_that_fails_can_be_asked_again(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(levels, "choose", fail)
            await driver.press("p", "3", "comma", "3", "enter")
            assert said(driver) == expected()
            assert driver.text("#status") == "B has not moved. Enter: try again"
        await driver.press("enter")
        await driver.until(lambda: driver.text("#status") == "A: take a cell.")
        await is_alive(driver)

    drive(scenario, may_fail=True, opponent="computer:1")


@pytest.mark.parametrize(
    ("kind", "handler", "keys"),
    [
        (PlayScreen, "on_key", ("p", "7")),
        (PlayScreen, "on_board_chosen", ("p", "enter")),
        (PlayScreen, "action_undo", ("p", "u")),
        (Dial, "on_key", ("tab", "7")),
        (Board, "action_move", ("p", "up")),
        (GridlockApp, "action_next_theme", ("c",)),
        (GamesScreen, "on_option_list_option_selected", ("o", "enter")),
        (StudyScreen, "__init__", ("a",)),
    ],
)
def test_a_handler_that_fails_leaves_everything_where_it_was(
    kind: type, handler: str, keys: tuple[str, ...], drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        if "o" in keys:  # there must be a game to choose
            await driver.press("p", "enter", "escape")
        await driver.press(*keys[:-1])
        before = driver.app.screen
        with monkeypatch.context() as broken:
            broken.setattr(kind, handler, fail)
            await driver.press(keys[-1])
            assert said(driver) == expected()
            await driver.press(keys[-1])
            assert said(driver) == expected()  # once, not twice
        assert driver.app.screen is before
        await is_alive(driver)

    drive(scenario, may_fail=True, opponent="human")


@pytest.mark.parametrize("part", ["compose", "on_mount", "refresh_view", "compose_panel"])
def test_a_page_that_cannot_be_opened_gives_way_to_the_one_before(
    part: str, drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(PlayScreen, part, fail)
            await driver.press("p")
            await driver.until(lambda: isinstance(driver.app.screen, HomeScreen))
            assert said(driver) == expected()
        await is_alive(driver)

    drive(scenario, may_fail=True, opponent="human")


@pytest.mark.parametrize(
    ("kind", "keys"), [(KeysPage, ("question_mark",)), (EditorScreen, ("a", "e"))]
)
def test_pages_over_pages_give_way_one_at_a_time(
    kind: type, keys: tuple[str, ...], drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press(*keys[:-1])
        before = driver.app.screen
        with monkeypatch.context() as broken:
            broken.setattr(kind, "compose", fail)
            await driver.press(keys[-1])
            await driver.until(lambda: driver.app.screen is before)
            assert said(driver) == expected()
        await is_alive(driver)

    drive(scenario, may_fail=True, opponent="human")


async def come_home(driver: Driver) -> None:
    """Wait for the first page, without a pause of the pilot: that would draw in the test itself."""
    async with asyncio.timeout(60):
        while not isinstance(driver.app.screen, HomeScreen):
            await asyncio.sleep(0.01)


def test_a_page_that_cannot_be_drawn_gives_way_to_the_one_before(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(Board, "render_line", fail)
            await driver.press("p")
            await driver.until(lambda: isinstance(driver.app.screen, HomeScreen))
            await driver.until(lambda: "OopsError" in driver.screen_text)
        await is_alive(driver)

    drive(scenario, may_fail=True, opponent="human")


def test_a_page_that_can_be_drawn_no_more_gives_way_too(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        with monkeypatch.context() as broken:
            broken.setattr(Board, "render_line", fail)
            driver.app.simulate_key("right")
            await come_home(driver)
        await is_alive(driver)

    drive(scenario, may_fail=True, opponent="human")


def test_a_first_screen_that_cannot_be_drawn_is_tried_again_with_a_key(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        async def press(key: str) -> None:
            """Press a key that leads to a new page; meanwhile the pilot must not draw."""
            before = driver.app.screen
            await driver.pilot.press(key)
            async with asyncio.timeout(60):
                while driver.app.screen is before or not isinstance(driver.app.screen, FailurePage):
                    await asyncio.sleep(0.002)

        await driver.press("down")
        with monkeypatch.context() as broken:
            broken.setattr(Card, "render_line", fail)
            await press("z")  # draws everything anew
            told = "".join(expected().split())
            await driver.until(lambda: told in "".join(driver.screen_text.split()))
            await press("enter")
        await driver.press("enter")
        await is_alive(driver)

    drive(scenario, may_fail=True, opponent="human")


def test_a_timer_that_fails_does_not_end_the_app(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        driver.app.screen.set_timer(0.001, fail)
        await driver.until(lambda: bool(said(driver)))
        assert isinstance(driver.app.screen, PlayScreen)
        driver.app.screen.call_after_refresh(fail)
        driver.app.call_later(fail)
        await driver.until(lambda: logged() == 3)
        await driver.idle()
        assert said(driver) == expected()
        await is_alive(driver)

    drive(scenario, may_fail=True, opponent="human")


def test_a_failure_is_shown_in_ascii_where_all_else_is(
    drive: Drive, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_preferences(store, Preferences(is_ascii=True))
    monkeypatch.setattr(HomeScreen, "action_again", fail)

    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await driver.until(lambda: "OopsError" in driver.screen_text)
        assert driver.screen_text.isascii()

    drive(scenario, may_fail=True)


def test_an_error_that_a_person_can_mend_is_said_in_its_own_words(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(HomeScreen, "action_again", refuse)

    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        assert said(driver) == "The disk is full."
        assert "StoreError: the disk is full" in log_path().read_text()

    drive(scenario, may_fail=True, opponent="human")


def test_where_not_even_a_failure_can_be_shown_the_app_ends_with_a_line(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in (HomeScreen, FailurePage):
        monkeypatch.setattr(kind, "compose", fail)

    async def main() -> GridlockApp:
        app = GridlockApp(store, pace=0)
        async with app.run_test() as pilot:
            async with asyncio.timeout(60):
                while app.is_running:
                    await pilot.pause()
        return app

    app = asyncio.run(main())
    assert app.return_code == 1


def test_the_debug_variable_lets_a_failure_through(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDLOCK_DEBUG", "1")
    monkeypatch.setattr(HomeScreen, "action_again", fail)

    async def main() -> None:
        async with GridlockApp(store, pace=0).run_test() as pilot:
            await pilot.press("p")

    with pytest.raises(OopsError):
        asyncio.run(main())
