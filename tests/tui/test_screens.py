"""What every screen looks like: pictures, themes, characters, and terminals of any size."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from syrupy.extensions.image import SVGImageSnapshotExtension

from gridlock.preferences import Preferences
from gridlock.setup import Setup
from gridlock.tui.app import THEMES
from gridlock.tui.board import Board
from gridlock.tui.pages import TooSmall, own_keys
from tests.conftest import load_preferences, save_preferences
from tests.tui.conftest import LARGE, SMALL
from tests.tui.picture import picture

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from syrupy.assertion import SnapshotAssertion

    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver

    Scenario = Callable[[Driver], Awaitable[None]]

RECORD = """\
[Game "{game}"]
[Size "{size}"]
[First "1"]
[Player1 "human"]
[Player2 "computer:4"]
[Date "2026.11.15"]
[Result "{result}"]

{moves}
"""

LONG_AGO = 10**9 + 36_000
"""When all games were played, in seconds: at noon, so that it is the same day everywhere."""

GAMES = {
    "occupation": ("5x5", "3,3 1,1 5,2 2,5"),
    "duel": ("5x5", "3,3 1,1 4,1 2,4"),
    "claim": ("5x5", "2,2 0,0 4,1 1,3"),
    "trail": ("4x4", "2,2 2,3 1,3 1,2"),
    "race": ("4x4", "0,1/1,1 3,2/2,2 0,2"),
}
"""A game of each rulebook in which something has happened, and a person is to move."""


def keep(store: Store, game: str, *, result: str = "*") -> None:
    folder = store.unfinished_folder if result == "*" else store.finished_folder
    folder.mkdir(parents=True, exist_ok=True)
    size, moves = GAMES[game]
    text = RECORD.format(game=game, size=size, moves=moves, result=result)
    if result != "*":
        text = text.replace("\n\n", '\n[Termination "resignation"]\n\n', 1)
    file = folder / f"{game}-20261115-120000.txt"
    file.write_text(text)
    os.utime(file, (LONG_AGO, LONG_AGO))


async def home(driver: Driver) -> None:
    await driver.press("right", "down")


async def play(driver: Driver) -> None:
    await driver.press("o", "enter")


async def analyse(driver: Driver) -> None:
    await driver.press("o", "enter", "a")


async def review(driver: Driver) -> None:
    await driver.press("o", "enter")
    await driver.press("v")


async def games(driver: Driver) -> None:
    await driver.press("o")


async def results(driver: Driver) -> None:
    await driver.press("s")


async def from_here(driver: Driver) -> None:
    await driver.press("o", "enter", "a", "o")


async def names(driver: Driver) -> None:
    await driver.press("n")


async def rules(driver: Driver) -> None:
    await driver.press("i")


async def keys(driver: Driver) -> None:
    await driver.press("o", "enter", "question_mark")


async def editor(driver: Driver) -> None:
    await driver.press("o", "enter", "a", "e")


async def copy(driver: Driver) -> None:
    await driver.press("o", "enter", "y")


async def learn(driver: Driver) -> None:
    await driver.press("t")


async def question(driver: Driver) -> None:
    await driver.press("p")
    await driver.press("g")  # when the screen under the question is complete


async def puzzles(driver: Driver) -> None:
    await driver.press("u")


async def puzzle(driver: Driver) -> None:
    """Try a wrong cell of the puzzle of duel."""
    await driver.press("u", "right", "right", "enter")
    await driver.type("5,4")
    await driver.press("enter")


async def solution(driver: Driver) -> None:
    await driver.press("u", "right", "right", "enter", "s")


MAIN: list[Scenario] = [
    home, play, analyse, review, games, results, from_here, learn, puzzles, puzzle,
]  # fmt: skip
SCREENS: list[Scenario] = [*MAIN, rules, keys, editor, copy, question, names, solution]


pytestmark = pytest.mark.usefixtures("puzzles")


@pytest.fixture
def pictures(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(SVGImageSnapshotExtension)


@pytest.mark.parametrize("terminal", [SMALL, LARGE], ids=["80x24", "140x45"])
@pytest.mark.parametrize("scenario", MAIN, ids=lambda scenario: scenario.__name__)
def test_the_main_screens_look_as_they_did(
    scenario: Scenario,
    terminal: tuple[int, int],
    drive: Drive,
    store: Store,
    pictures: SnapshotAssertion,
) -> None:
    keep(store, "duel")
    keep(store, "claim", result="2")
    save_preferences(store, Preferences(setup=Setup(opponent="human"), has_played=True))
    seen = {}

    async def look(driver: Driver) -> None:
        await scenario(driver)
        for theme in ("dark", "light"):
            driver.app.theme = theme
            await driver.idle()
            seen[theme] = picture(driver.app)

    drive(look, terminal=terminal)
    for theme, drawn in seen.items():
        assert drawn == pictures(name=theme)


@pytest.mark.parametrize("name", [*GAMES, "choose", "analysis", "review", "puzzle"])
def test_the_documents_show_the_app_as_it_is(
    name: str, drive: Drive, store: Store, request: pytest.FixtureRequest
) -> None:
    file = Path(__file__).parents[2] / "docs" / "pictures" / f"{name}.svg"
    keep(store, name if name in GAMES else "duel")
    scenarios = {"choose": home, "analysis": analyse, "review": review, "puzzle": puzzle}
    scenario = scenarios.get(name, play)
    seen = []

    async def look(driver: Driver) -> None:
        await scenario(driver)
        seen.append(picture(driver.app))

    drive(look)
    if request.config.getoption("--snapshot-update"):
        file.write_text(seen[0])
    assert seen[0] == file.read_text()


@pytest.mark.parametrize(
    ("scenario", "game"),
    [*((scenario, "race") for scenario in SCREENS), *((play, game) for game in GAMES)],
)
def test_ascii_mode_shows_ascii_and_nothing_else(
    scenario: Scenario, game: str, drive: Drive, store: Store
) -> None:
    keep(store, game)
    save_preferences(
        store, Preferences(is_ascii=True, setup=Setup(game, opponent="human"), has_played=True)
    )

    async def look(driver: Driver) -> None:
        await scenario(driver)
        assert driver.screen_text.isascii(), driver.screen_text
        await driver.pilot.resize_terminal(90, 26)
        await driver.pilot.pause()
        assert driver.screen_text.isascii(), driver.screen_text

    drive(look)


def test_a_terminal_that_is_said_to_be_ascii_gets_ascii(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(driver: Driver) -> None:
        await driver.press("p", "z")
        assert driver.screen_text.isascii()

    monkeypatch.setenv("LC_ALL", "C")
    drive(look, opponent="human")


def test_one_key_turns_to_ascii_and_back_and_it_is_remembered(drive: Drive, store: Store) -> None:
    async def look(driver: Driver) -> None:
        await driver.press("p", "z")
        assert driver.screen_text.isascii()
        assert load_preferences(store).is_ascii
        await driver.press("z")
        assert "┼" in driver.screen_text

    drive(look, opponent="human")


def test_one_key_turns_through_the_themes_and_the_last_is_remembered(
    drive: Drive, store: Store
) -> None:
    async def look(driver: Driver) -> None:
        seen = [driver.app.theme]
        for _ in THEMES:
            await driver.press("c")
            seen.append(driver.app.theme)
            assert load_preferences(store).theme == driver.app.theme
        assert seen == ["dark", "light", "contrast", "dark"]

    drive(look)


def test_what_cannot_be_remembered_holds_all_the_same(drive: Drive, store: Store) -> None:
    store.folder.touch()  # where the folder should be

    async def look(driver: Driver) -> None:
        await driver.press("c", "z")
        assert driver.app.theme == "light"
        assert driver.screen_text.isascii()

    drive(look)


def test_without_colours_there_are_none(
    drive: Drive, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(store, "duel")

    async def look(driver: Driver) -> None:
        await driver.press("o", "enter")
        filters = driver.app._filters
        for strip in driver.app.screen._compositor.render_strips():
            for segment in strip.apply_filter(filters[-1], driver.app.screen.background_colors[1]):
                style = segment.style
                assert style is None or (
                    (style.color is None or style.color.is_default)
                    and (style.bgcolor is None or style.bgcolor.is_default)
                )

    monkeypatch.setenv("NO_COLOR", "1")
    drive(look)


@pytest.mark.parametrize("scenario", SCREENS, ids=lambda scenario: scenario.__name__)
def test_the_smallest_terminal_shows_every_key_and_a_smaller_one_a_message_until_it_grows(
    scenario: Scenario, drive: Drive, store: Store
) -> None:
    keep(store, "duel")

    async def look(driver: Driver) -> None:
        await scenario(driver)
        before = driver.screen_text
        footer = before.splitlines()[-1]
        assert not footer or footer.endswith("? Keys")
        await driver.resize(60, 15)
        assert isinstance(driver.app.screen, TooSmall)
        text = " ".join(driver.screen_text.split())
        assert text == "GridLock needs 80x24 characters; this terminal has 60x15."
        await driver.resize(30, 8)
        assert "30x8" in driver.screen_text
        await driver.resize(*SMALL)
        assert driver.screen_text == before

    drive(look, opponent="human")


def test_every_key_of_the_page_of_keys_has_words(drive: Drive, store: Store) -> None:
    keep(store, "duel")

    async def look(driver: Driver) -> None:
        await driver.press("o", "enter")
        keys = own_keys(driver.app.screen)  # type: ignore[arg-type]
        assert keys["Undo"] == ["u"]
        assert keys["Keys"] == ["question_mark"]
        assert keys["Left"] == ["left", "h"]
        assert all(keys)
        used = [key for names in keys.values() for key in names]
        assert len(used) == len(set(used))

    drive(look)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_the_game_at_hand_are_shown_whole(game: str, drive: Drive) -> None:
    async def look(driver: Driver) -> None:
        await driver.press("p", "i")
        rulebook = driver.app.screen_stack[1].query_one(Board).game.rulebook
        assert rulebook.title in driver.screen_text
        for line in rulebook.rules.splitlines()[:8]:
            assert line in driver.screen_text
        await driver.press("escape")
        assert driver.board is not None

    drive(look, rulebook=game, opponent="human")


def test_a_key_can_be_clicked_on_the_page_of_keys(drive: Drive) -> None:
    async def look(driver: Driver) -> None:
        await driver.press("p", "3", "comma", "3", "enter", "question_mark")
        lines = driver.screen_text.splitlines()
        row = next(at for at, line in enumerate(lines) if "Undo" in line)
        await driver.pilot.click(offset=(lines[row].index("Undo"), row))
        await driver.idle()
        assert driver.moves == ""

    drive(look, opponent="human")


def test_a_click_closes_a_page(drive: Drive) -> None:
    async def look(driver: Driver) -> None:
        await driver.press("i")
        await driver.pilot.click(offset=(10, 10))
        await driver.idle()
        assert driver.app.screen.query("#form")

    drive(look)
