"""The app itself: its themes, what it remembers, and its first screen."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual._context import active_message_pump
from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode, NoScreen
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.theme import Theme

from gridlock.errors import DEBUG_VARIABLE, GridlockError, StoreError, blame_ourselves
from gridlock.log import log_failure
from gridlock.preferences import default_preferences
from gridlock.sentences import as_sentence
from gridlock.store import Store, default_store
from gridlock.tui.glyphs import ASCII_CLASS, has_unicode
from gridlock.tui.pages import LEAST_SIZE, FailurePage, TooSmall
from gridlock.tui.resilience import Resilient
from gridlock.tui.screen import GridlockScreen

if TYPE_CHECKING:
    from textual.screen import Screen

THEMES = {
    "dark": Theme(
        name="dark", primary="#7aa2f7", secondary="#3d59a1", accent="#e0af68",
        background="#14161d", surface="#1b1e28", panel="#252936", foreground="#d5d9e8",
        success="#7dcf9a", error="#f7768e", warning="#e0af68",
        variables={
            "one": "#4fc3f7", "two": "#ffb454", "quiet": "#7b8198", "line": "#4a5068",
            "shade": "#4b5168", "open": "#232838", "win": "#8fdc8a", "win-back": "#1f3d2a",
            "loss": "#ff8f9c", "loss-back": "#45232c", "on-mark": "#101218",
            "guess": "#c3a6ff", "guess-back": "#35294f",
        },
    ),
    "light": Theme(
        name="light", primary="#2456b8", secondary="#5b7fcc", accent="#9a5b00", dark=False,
        background="#f6f5f0", surface="#ffffff", panel="#e9e7df", foreground="#22252e",
        success="#1d6b34", error="#a8182f", warning="#9a5b00",
        variables={
            "one": "#0b5fa5", "two": "#a84a00", "quiet": "#656a78", "line": "#9a9da8",
            "shade": "#b4b6bf", "open": "#ffffff", "win": "#14592a", "win-back": "#d3efd8",
            "loss": "#941328", "loss-back": "#f8d9dd", "on-mark": "#ffffff",
            "guess": "#5b2f96", "guess-back": "#e8dcf7",
        },
    ),
    "contrast": Theme(
        name="contrast", primary="#ffffff", secondary="#ffffff", accent="#ffff00",
        background="#000000", surface="#000000", panel="#000000", foreground="#ffffff",
        success="#00ff00", error="#ff6060", warning="#ffff00",
        variables={
            "one": "#00ffff", "two": "#ffff00", "quiet": "#ffffff", "line": "#ffffff",
            "shade": "#a0a0a0", "open": "#000000", "win": "#00ff00", "win-back": "#000000",
            "loss": "#ff8080", "loss-back": "#000000", "on-mark": "#000000",
            "guess": "#ff90ff", "guess-back": "#400040",
        },
    ),
}  # fmt: skip
"""The themes by name, in the order in which a key turns through them: ``THEME_NAMES``."""


_FAILURE_SECONDS = 30.0  # that a failure is shown


class _PlainBar(ScrollBarRender):
    """A scroll bar of whole characters, which every terminal can show."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


ScrollBar.renderer = _PlainBar


class GridlockApp(Resilient, App[None]):
    """Five games in a terminal."""

    TITLE = "GridLock"
    CSS_PATH = "gridlock.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "next_theme", "Colours", show=False),
        Binding("z", "toggle_ascii", "ASCII only", show=False),
        Binding("i", "screen.rules", "Rules"),
        Binding("question_mark", "screen.keys", "Keys", key_display="?"),
        Binding("ctrl+q,ctrl+c", "quit", "Quit at once", show=False, priority=True),
    ]

    def __init__(self, store: Store | None = None, *, pace: float = 0.5) -> None:
        """Keep games in ``store``; a computer's move is shown ``pace`` seconds after it is due."""
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.store = store or default_store()
        self.pace = pace
        self._failed: Screen[Any] | None = None
        self._failure = ""
        self._preferences_file = default_preferences()
        self.preferences = self._preferences_file.read()
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = self.preferences.theme

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return what the colours are called that only our own themes have."""
        return THEMES["dark"].variables

    def get_default_screen(self) -> Screen[Any]:
        """Return the screen to begin with."""
        from gridlock.tui.home import HomeScreen

        return HomeScreen()

    def remember(self, **changes: Any) -> None:
        """Change some preferences, and keep them if the disk lets us: no game depends on them."""
        try:
            self.preferences = self._preferences_file.update(**changes)
        except StoreError:
            self.preferences = replace(self.preferences, **changes)

    def on_load(self) -> None:
        """Find out which characters may be shown, before anything is."""
        self._use_glyphs()

    def _use_glyphs(self) -> None:
        self.set_class(self.preferences.is_ascii or not has_unicode(), ASCII_CLASS)

    @property
    def has_motion(self) -> bool:
        """Whether something may move on the screen: with all characters and colours alone.

        ``TEXTUAL_ANIMATIONS=none`` is how a person tells Textual's apps to keep still.
        """
        is_plain = self.has_class(ASCII_CLASS) or bool(os.environ.get("NO_COLOR"))
        return self.animation_level == "full" and not is_plain

    def on_resize(self, event: events.Resize) -> None:
        """Cover everything with a message while the terminal is too small."""
        is_small = event.size.width < LEAST_SIZE.width or event.size.height < LEAST_SIZE.height
        if is_small != isinstance(self.screen, TooSmall):
            if is_small:
                self.push_screen(TooSmall())
            else:
                self.pop_screen()

    async def on_event(self, event: events.Event) -> None:
        """Take what a person does for a new beginning after a failure."""
        if isinstance(event, (events.Key, events.MouseDown)) and not event.is_forwarded:
            self._failed = None
        await super().on_event(event)

    def _handle_exception(self, error: Exception) -> None:
        """Say what has failed, write it down, and go on.

        Textual calls this internal with whatever nobody has caught; its own ends the app.  A screen
        that fails before it is complete, or twice before a person does anything, is left.
        """
        if os.environ.get(DEBUG_VARIABLE):
            super()._handle_exception(error)
            return
        log = log_failure(error)
        what = str(error) if isinstance(error, GridlockError) else blame_ourselves(error, log)
        if not self.is_running:  # there is no screen yet, or none any more
            self.exit(return_code=1, message=f"gridlock: {what}")
            return
        screen = self._failing_screen()
        can_stay = screen.is_mounted and self._failed is not screen
        if self._failed is None:
            self._failure = as_sentence(what)
            self.clear_notifications()
            self.notify(self._failure, severity="error", timeout=_FAILURE_SECONDS, markup=False)
        self._failed = screen
        self.call_later(self._redraw if can_stay else self._leave, screen)

    def _failing_screen(self) -> Screen[Any]:
        """Return the screen of whoever handles a message now."""
        pump = active_message_pump.get(self)
        try:
            return pump.screen if isinstance(pump, DOMNode) else self.screen
        except NoScreen:  # it has just been removed
            return self.screen

    def _redraw(self, screen: Screen[Any]) -> None:
        """Draw a screen anew: where that cannot be done, it fails a second time."""
        screen.refresh(layout=True)

    def _leave(self, screen: Screen[Any]) -> None:
        """Go back from a screen that cannot be used to the one before."""
        if screen is not self.screen:
            return
        if isinstance(screen, FailurePage):
            self.exit(return_code=1, message=f"gridlock: {self._failure}")
        elif len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.push_screen(FailurePage(self._failure))

    def action_next_theme(self) -> None:
        """Turn to the next theme."""
        names = list(THEMES)
        self.theme = names[(names.index(self.theme) + 1) % len(names)]
        self.remember(theme=self.theme)

    def action_toggle_ascii(self) -> None:
        """Draw with ASCII characters only, or with all that the terminal shows."""
        if not has_unicode():
            self.bell()
            return
        self.remember(is_ascii=not self.preferences.is_ascii)
        self._use_glyphs()
        for screen in self.screen_stack:
            if isinstance(screen, GridlockScreen):
                screen.refresh_view()


def run() -> int:
    """Open the app, and return the exit code."""
    app = GridlockApp()
    app.run()
    return app.return_code or 0
