"""A row of a form: a name, and one of several values that the arrow keys turn through."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widget import Widget

from gridlock.tui.glyphs import glyphs_for
from gridlock.tui.resilience import Resilient

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

_NAME_WIDTH = 12
_PAUSE = 1.5  # seconds after which a digit begins another number


class Dial(Resilient, Widget, can_focus=True):
    """One of several values; a number that is typed turns to the value with it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "turn(-1)", "Value before", show=False, priority=True),
        Binding("right,l", "turn(1)", "Next value", show=False, priority=True),
    ]

    def __init__(
        self, name: str, values: Sequence[str], chosen: int, turned: Callable[[], None]
    ) -> None:
        """Hold some values; ``turned`` is called when another one was chosen, before any key."""
        super().__init__(id=name.lower())
        self._turned = turned
        self._label = name
        self._values = values
        self._typed = ""
        self._typed_at = monotonic()
        self.chosen = chosen

    def set(self, chosen: int, values: Sequence[str] | None = None) -> None:
        """Show another value, or other values, without telling so."""
        self._values = values or self._values
        self.chosen = chosen
        self.forget()
        self.refresh()

    def forget(self) -> None:
        """Let the next digit begin a number."""
        self._typed = ""

    def render(self) -> Text:
        """Return the row."""
        value = self._values[self.chosen]
        glyphs = glyphs_for(self)
        arrows = f"{glyphs.left} {value} {glyphs.right}"
        style = "bold reverse" if self.has_focus else "bold"
        return Text.assemble(f"{self._label:<{_NAME_WIDTH}}", (f" {arrows} ", style))

    def action_turn(self, step: int) -> None:
        """Turn to the next value, or to the one before."""
        self._turn_to((self.chosen + step) % len(self._values))
        self.forget()

    def on_click(self, event: events.Click) -> None:
        """Turn back where the first arrow is clicked, on anywhere else in the value."""
        if event.x >= _NAME_WIDTH:
            self.action_turn(-1 if event.x <= _NAME_WIDTH + 1 else 1)

    def on_key(self, event: events.Key) -> None:
        """Turn to a value by typing a number in it."""
        if event.character is None or not event.character.isdigit():
            return
        event.stop()
        if monotonic() - self._typed_at > _PAUSE:
            self.forget()
        self._typed_at = monotonic()
        for typed in (self._typed + event.character, event.character):
            found = [n for n, value in enumerate(self._values) if typed in value.split()]
            if found:
                self._turn_to(found[0])
                self._typed = typed
                return

    def on_blur(self) -> None:
        """Forget what was typed."""
        self.forget()

    def _turn_to(self, chosen: int) -> None:
        self.chosen = chosen
        self.refresh()
        self._turned()
