"""People at browsers: what they see and do on the page, in words that a test can be read in."""

from __future__ import annotations

import contextlib
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from tests.conftest import variants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import ViewportSize


WIDE, NARROW, LOW = (1400, 900), (360, 740), (740, 360)
"""Windows: of a computer, of a phone, of a phone on its side."""

in_every_window = pytest.mark.parametrize(
    "size", variants(NARROW, LOW, WIDE), ids=["narrow", "low", "wide"]
)
"""Tries a test in windows of all sizes, one by one."""

LEGAL = re.compile(r"\blegal\b")
"""The class of a cell that is offered."""

TAKEN = re.compile(r"\b(one|two|blocked)\b")
"""The classes of a cell that something stands on."""

# The first is the same engine without windows, which cost as much as the pages in them.
_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")
_ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip
_PATIENCE = 45_000  # milliseconds
_AXE = Axe().axe_script
_SETTLE = """() => document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
    .forEach((animation) => animation.finish())"""
"""Lets everything that is on its way arrive: a colour halfway is nobody's choice."""
_COLOUR_RULES = ["color-contrast", "link-in-text-block"]  # of axe-core, all that read a colour


_open = contextlib.ExitStack()
_browsers: list[Browser] = []


def launch() -> Browser:
    """Return the system's Chromium, started unless it runs, or skip the test without one."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        pytest.skip("Chromium is not installed: apt-get install chromium-headless-shell")
    if not _browsers:
        expect.set_options(timeout=_PATIENCE)
        playwright = _open.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=program, args=_ARGUMENTS)
        _browsers.append(_open.enter_context(browser))
    return _browsers[0]


def close() -> None:
    """Close the browser if it is open."""
    _browsers.clear()
    _open.close()


class Person:
    """Somebody with a browser of their own; whatever goes wrong in it is noted."""

    def __init__(
        self, browser: Browser, url: str, size: tuple[int, int] = WIDE, **options: Any
    ) -> None:
        self.url = url
        self.troubles: list[str] = []
        self.hosts: set[str] = set()
        self._window: ViewportSize = {"width": size[0], "height": size[1]}
        self.context: BrowserContext = browser.new_context(viewport=self._window, **options)
        self.context.set_default_timeout(_PATIENCE)
        self.page = self.new_tab()

    def new_tab(self) -> Page:
        """Open another tab, and look there from now on."""
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))
        return self.page

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(message.text)

    def go(self, path: str) -> None:
        self.page.goto(path if "://" in path else self.url + path)

    def close(self) -> None:
        self.context.close()

    def leave(self) -> None:
        """Leave a browser to the next one, who need not start another, and nothing else."""
        self.page, *others = self.context.pages
        for tab in others:
            tab.close()
        self.context.set_offline(False)
        self.page.unroute_all(behavior="ignoreErrors")
        self.go("/healthz")  # where no script runs that would keep anything
        self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
        self.context.clear_cookies()
        self.page.set_viewport_size(self._window)
        self.page.mouse.move(0, 0)

    # The first page

    def begin(self, game: str, opponent: str, **choices: str) -> str:
        """Make a room from the first page, and return its id."""
        self.go("/")
        self.page.get_by_role("radio", name=game.capitalize()).check()
        self.page.get_by_label(opponent, exact=True).check()
        for label, value in choices.items():
            self.page.get_by_label(label).first.fill(value)
        self.page.locator("#setup button[type=submit]").click()
        self.page.wait_for_url("**/room/*")
        return self.room

    @property
    def room(self) -> str:
        return self.page.url.split("/room/")[1].partition("#")[0]

    # A room

    @property
    def legal(self) -> Locator:
        """The cells that are offered."""
        return self.page.locator("grid-board#board .cell.legal")

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    @property
    def banner(self) -> Locator:
        """What is wrong with the connection."""
        return self.page.locator("#banner")

    @property
    def verdict(self) -> Locator:
        """What the end of the game means to this person."""
        return self.page.locator("#verdict")

    @property
    def offer(self) -> Locator:
        """What the other player asks for."""
        return self.page.get_by_role("group", name="Offer")

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'grid-board#board [data-cell="{name}"]')

    def take(self, name: str) -> None:
        """Take a cell as soon as it is offered: another move may still be under way."""
        expect(self.page.locator("grid-board#board .cell.pending")).to_have_count(0)
        expect(self.cell(name)).to_have_class(LEGAL)
        self.cell(name).click()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def moves(self) -> list[str]:
        """Return the list of moves as it is shown, a turn a text."""
        return self.page.locator("move-list li").all_inner_texts()

    def marks(self) -> list[str]:
        """Return what stands on every cell of the board; which are closed depends on who looks."""
        cells = self.page.locator("grid-board#board [role=gridcell]")
        labels = cells.evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
        words = [str(label).split(",")[2].strip() for label in labels]
        return ["" if word in ("free", "closed") else word for word in words]


def meet(ann: Person, bob: Person, game: str, **choices: str) -> str:
    """Let Ann invite Bob, and Bob take the seat."""
    room = ann.begin(game, "Friend by link", **{"Your name": "Ann"} | choices)
    bob.go(ann.page.get_by_label("Invitation").input_value())
    bob.page.get_by_label("Your name").fill("Bob")
    bob.press("Take the seat")
    expect(ann.legal.first).to_be_visible()
    expect(bob.page.locator("player-bar").get_by_text("you", exact=True)).to_be_visible()
    return room


def play_out(*people: Person) -> None:
    """Let whoever is to move take the first cell that is offered, until the game is over."""
    while True:
        for person in people:
            if person.status.get_attribute("class") == "status over":
                return
            if person.legal.count():
                cell = person.legal.first
                name = cell.get_attribute("data-cell")
                cell.click()
                expect(person.cell(str(name))).to_have_class(TAKEN)


def in_both_schemes(page: Page) -> Iterator[str]:
    """Show a page in light colours and then in dark ones, and say in which; both without motion."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        yield scheme
    page.emulate_media(color_scheme="null", reduced_motion="null")


def serious(page: Page, *, colours_only: bool = False) -> list[str]:
    """Return what axe-core finds that would keep somebody out.

    ``colours_only`` is for a page that has been looked at in the other scheme: nothing but colours
    depends on it, which a test of the style sheets pins.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    page.evaluate(_SETTLE)
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if colours_only:
        options["runOnly"] = _COLOUR_RULES
    found = page.evaluate("(options) => axe.run(options).then((all) => all.violations)", options)
    return [
        f"{fault['id']}: {fault['nodes'][0]['html']}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]
