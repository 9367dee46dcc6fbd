"""Drives the app without a terminal: keys, clicks, and what is on the screen."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

import pytest
from textual.css.stylesheet import Stylesheet
from textual.widgets import Static

from gridlock.log import log_path
from gridlock.preferences import Preferences
from gridlock.puzzles import collection
from gridlock.puzzles.collection import read_puzzle
from gridlock.setup import Setup
from gridlock.store import Store
from gridlock.tui.app import GridlockApp
from gridlock.tui.board import Board
from gridlock.tui.thinking import Thinker
from tests.conftest import save_preferences

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable
    from pathlib import Path

    from textual.css.model import RuleSet
    from textual.pilot import Pilot

    from gridlock.puzzles.puzzle import Puzzle

SMALL = (80, 24)
LARGE = (140, 45)

_parsed: dict[Hashable, list[RuleSet]] = {}


PUZZLES = {
    "occupation": (
        '{"id": "occupation-1", "position": ".2.../...../1...2/.1.../....1 2 -",'
        ' "line": "2,4 3,2 3,4", "rating": 1114, "themes": ["split"]}'
    ),
    "duel": (
        '{"id": "duel-1", "position": "..2.../....1./..1.../....2./.....1 2 -",'
        ' "line": "4,1 1,6 3,6", "rating": 1418, "themes": ["mirror"]}'
    ),
    "claim": (
        '{"id": "claim-1", "position": "2...1/...../2..../...../1.2.1 1 -",'
        ' "line": "0,2 2,2 2,4", "rating": 1253, "themes": []}'
    ),
    "trail": (
        '{"id": "trail-1", "position": "....../....../12..../2....1/12.212/.121.. 1 3,2",'
        ' "line": "4,2 4,3 5,3", "rating": 1095, "themes": ["trap"]}'
    ),
    "race": (
        '{"id": "race-1", "position": "#.../#.../1.../.2.# 2 block",'
        ' "line": "2,1 3,0 2,0 3,2 3,1", "rating": 765, "themes": ["trap"]}'
    ),
}
"""A puzzle of each rulebook, so that no test depends on those that come with the program."""


class Driver:
    """An app that is running, and a person at it."""

    def __init__(self, app: GridlockApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def board(self) -> Board:
        return self.app.screen.query_one(Board)

    @property
    def screen_text(self) -> str:
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)

    def text(self, selector: str) -> str:
        """Return what a part of the screen says, on one line."""
        return " ".join(str(self.app.screen.query_one(selector, Static).content).split())

    @property
    def moves(self) -> str:
        """The moves that are shown, without their heading."""
        return " ".join(self.text("#moves").split()[2:])

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.idle()

    async def type(self, text: str) -> None:
        names = {",": "comma", "/": "slash", ".": "full_stop", "_": "underscore", "-": "minus"}
        await self.press(*(names.get(character, character) for character in text))

    async def idle(self) -> None:
        """Wait until nothing is being thought about and everything is drawn."""
        await self.pilot.pause()
        while any(thinker.is_busy for thinker in self._thinkers()):
            await asyncio.sleep(0.002)
            await self.pilot.pause()
        await self.pilot.pause()  # an answer may have come at the very end of the pause before

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something has come about."""
        async with asyncio.timeout(60):
            while not is_so():
                await self.pilot.pause(0.002)

    async def resize(self, width: int, height: int) -> None:
        """Give the terminal another size, and wait until the screen shows it."""
        await self.pilot.resize_terminal(width, height)
        while self.app.screen.size != (width, height):
            await self.pilot.pause()
        await self.idle()

    def _thinkers(self) -> list[Thinker]:
        parts = [part for screen in self.app.screen_stack for part in vars(screen).values()]
        return [part for part in parts if isinstance(part, Thinker)]

    async def click_cell(self, name: str) -> None:
        drawing = self.board.drawing
        x, y = drawing.place(self.board.game.cell(name))
        gap = 1 if drawing.scale.has_lines else 0
        offset = (x + gap + drawing.scale.width // 2, y + gap + drawing.scale.height // 2)
        await self.pilot.click(Board, offset=offset)
        await self.idle()

    async def point_at(self, name: str) -> None:
        drawing = self.board.drawing
        x, y = drawing.place(self.board.game.cell(name))
        await self.pilot.hover(Board, offset=(x + 2, y + 1))
        await self.pilot.pause()


class Drive(Protocol):
    def __call__(
        self,
        scenario: Callable[[Driver], Awaitable[None]],
        *,
        terminal: tuple[int, int] = SMALL,
        may_fail: bool = False,
        **setup: object,
    ) -> None: ...


@pytest.fixture
def store(games_folder: Path) -> Store:
    return Store(games_folder)


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look more often whether the app has come to rest: twice for every key that is pressed."""
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 0.005)


@pytest.fixture(autouse=True)
def parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parse each style sheet once for all apps with the same colours: nothing changes the rules."""
    parse = Stylesheet._parse_rules

    def recall(self: Stylesheet, *source: Hashable, **options: Hashable) -> list[RuleSet]:
        key = (frozenset(self._variables.items()), source, *options.items())
        if key not in _parsed:
            _parsed[key] = parse(self, *source, **options)  # type: ignore[arg-type]
        return _parsed[key]

    monkeypatch.setattr(Stylesheet, "_parse_rules", recall)


@pytest.fixture(autouse=True)
def quick_fingers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no time pass between two digits, however slow the machine is."""
    monkeypatch.setattr("gridlock.tui.dial.monotonic", lambda: 0)


@pytest.fixture
def puzzles(monkeypatch: pytest.MonkeyPatch) -> dict[str, Puzzle]:
    """The only puzzles that there are, one of each rulebook."""
    found = {game_id: read_puzzle(line) for game_id, line in PUZZLES.items()}
    monkeypatch.setattr(collection, "_read", lambda game_id: (found[game_id],))
    return found


@pytest.fixture
def drive(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Drive:
    """Run a scenario in the app; ``setup`` is what was played last.

    Nothing may fail in it, unless that is what it is about.
    """
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)

    def run(
        scenario: Callable[[Driver], Awaitable[None]],
        *,
        terminal: tuple[int, int] = SMALL,
        may_fail: bool = False,
        **setup: object,
    ) -> None:
        if setup:
            preferences = Preferences(setup=Setup(**setup), has_played=True)  # type: ignore[arg-type]
            save_preferences(store, preferences)

        async def main() -> None:
            app = GridlockApp(store, pace=0)
            async with app.run_test(size=terminal, notifications=True) as pilot:
                driver = Driver(app, pilot)
                await driver.idle()
                await scenario(driver)

        asyncio.run(main())
        assert may_fail or not log_path().exists(), log_path().read_text()

    return run
