"""Pages that lie over a screen for a moment: rules, keys, questions, and a terminal too small."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from gridlock.model import Game


class Page(ModalScreen[None]):
    """A text to be read; almost any key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,i,question_mark", "dismiss", "Close", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
    ]

    def __init__(self, title: str, text: str | Content) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        with Vertical(classes="page"):
            yield Static(Content.styled(self._title, "bold"), classes="title")
            with VerticalScroll():
                yield Static(self._text if isinstance(self._text, Content) else Content(self._text))
            yield Static(Content.styled("Esc closes", "$quiet"), classes="end")

    def on_click(self, event: events.Click) -> None:
        """Close the page where anything beside it is clicked."""
        if event.widget is self:
            self.dismiss()

    def action_scroll(self, lines: int) -> None:
        """Scroll the text."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


class RulesPage(Page):
    """The rules of a game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.rulebook.title, game.rulebook.rules.rstrip())


_KEY_NAMES = {
    "question_mark": "?", "left_square_bracket": "[", "right_square_bracket": "]",
    "number_sign": "#", "full_stop": ".", "comma": ",", "escape": "Esc", "enter": "Enter",
    "ctrl+q": "Ctrl-Q", "ctrl+c": "Ctrl-C",
}  # fmt: skip
_KEYS_WIDTH, _WORDS_WIDTH = 14, 22


class KeysPage(Page):
    """All keys of a screen, in two columns."""

    def __init__(self, screen: Screen[None]) -> None:
        rows = [
            f"{', '.join(keys):>{_KEYS_WIDTH}}  {words:<{_WORDS_WIDTH}}"
            for words, keys in own_keys(screen).items()
        ]
        half = (len(rows) + 1) // 2
        columns = zip_longest(rows[:half], rows[half:], fillvalue="")
        super().__init__("Keys", "\n".join(left + right for left, right in columns))


def own_keys(screen: Screen[None]) -> dict[str, list[str]]:
    """Return what the keys of a screen do, and those keys; not what any program can do."""
    keys: dict[str, list[str]] = {}
    widgets = [type(widget) for widget in screen.focus_chain]
    for kind in dict.fromkeys((*widgets, *type(screen).__mro__, type(screen.app))):
        bindings = vars(kind).get("BINDINGS", ()) if kind.__module__.startswith("gridlock") else ()
        for binding in bindings:
            names = [_KEY_NAMES.get(key, key) for key in binding.key.split(",")]
            keys.setdefault(binding.description, []).extend(names)
    return keys


class Question(ModalScreen[bool]):
    """A question that is answered by yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "Yes", show=False),
        Binding("n,escape,q", "answer(False)", "No", show=False),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay the question out."""
        with Vertical(classes="page question"):
            yield Static(Content(self._text))
            yield Static(
                Content.from_markup(
                    "[bold @click=screen.answer(True)] y  yes [/]   "
                    "[bold @click=screen.answer(False)] n  no [/]"
                )
            )

    def action_answer(self, answer: bool) -> None:
        """Give the answer."""
        self.dismiss(answer)


class FilePage(ModalScreen[str | None]):
    """Asks for the name of a file."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel", show=False, priority=True)
    ]

    def __init__(self, title: str, typed: str = "") -> None:
        super().__init__()
        self._title = title
        self._before = typed

    def compose(self) -> ComposeResult:
        """Lay the question out."""
        with Vertical(classes="page question"):
            yield Static(Content.styled(self._title, "bold"))
            yield Input(self._before, compact=True, placeholder="name of a file")
            yield Static(Content.styled("Enter accepts, Esc cancels", "$quiet"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take what was typed."""
        self.dismiss(event.value.strip() or None)

    def action_cancel(self) -> None:
        """Ask no more."""
        self.dismiss(None)


LEAST_SIZE = Size(70, 22)
"""The characters across and down that a terminal must have."""


class TooSmall(ModalScreen[None]):
    """Covers everything while the terminal is too small."""

    def compose(self) -> ComposeResult:
        """Show nothing but a text."""
        yield Static(id="too-small")

    def on_resize(self, event: events.Resize) -> None:
        """Say how large the terminal is, and how large it must be."""
        least, now = LEAST_SIZE, event.size
        self.query_one("#too-small", Static).update(
            f"GridLock needs {least.width}x{least.height} characters;\n"
            f"this terminal has {now.width}x{now.height}."
        )
