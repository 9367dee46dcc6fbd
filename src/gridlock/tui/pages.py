"""Pages that lie over a screen for a moment: rules, keys, questions, and a terminal too small."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from gridlock.errors import NotationError
from gridlock.players import LONGEST_NAME, check_person
from gridlock.sentences import as_sentence
from gridlock.tui.resilience import Resilient

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from gridlock.model import Game
    from gridlock.tui.screen import GridlockScreen

_Result = TypeVar("_Result")


class Modal(Resilient, ModalScreen[_Result]):
    """A page that goes away once, however often it is told to."""

    def close(self, result: _Result | None = None) -> None:
        """Go away with a result."""
        if self.is_current:
            self.dismiss(result)


class Page(Modal[None]):
    """A text to be read; almost any key, or a click, closes it."""

    has_clicks: ClassVar[bool] = False
    """Whether parts of the text can be clicked."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,i,question_mark", "close", "Close", show=False),
        Binding("down,j", "scroll(1)", "Down", show=False),
        Binding("up,k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, title: str, text: Content) -> None:
        super().__init__()
        self._heading = title
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        with Vertical(classes="page"):
            yield Static(Content.styled(self._heading, "bold"), classes="title")
            with VerticalScroll():
                yield Static(self._text)
            end = "Esc closes; a key can be clicked" if self.has_clicks else "Esc or a click closes"
            yield Static(Content.styled(end, "$quiet"), classes="end")

    def on_click(self) -> None:
        """Close the page, unless a click means something else there."""
        if not self.has_clicks:
            self.close()

    def action_close(self) -> None:
        """Close the page."""
        self.close()

    def action_scroll(self, lines: int) -> None:
        """Scroll the text."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


class RulesPage(Page):
    """The rules of a game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.rulebook.title, Content(game.rulebook.rules.rstrip()))


_KEY_NAMES = {
    "question_mark": "?", "left_square_bracket": "[", "right_square_bracket": "]",
    "number_sign": "#", "full_stop": ".", "comma": ",", "escape": "Esc", "enter": "Enter",
    "space": "Space", "ctrl+q": "Ctrl-Q", "ctrl+c": "Ctrl-C",
}  # fmt: skip
_KEYS_WIDTH, _WORDS_WIDTH = 12, 24


class KeysPage(Page):
    """All keys of a screen, in two columns; a click does what a key does."""

    has_clicks = True

    def __init__(self, screen: GridlockScreen) -> None:
        rows = []
        for words, keys in own_keys(screen).items():
            names = " ".join(_KEY_NAMES.get(key, key) for key in keys)
            row = Content(f"{names:>{_KEYS_WIDTH}}  {words:<{_WORDS_WIDTH}}")
            rows.append(row.stylize(f"@click=screen.press('{keys[0]}')"))
        half = (len(rows) + 1) // 2
        lines = [
            rows[at] + (rows[at + half] if at + half < len(rows) else "") for at in range(half)
        ]
        super().__init__("Keys", Content("\n").join(lines))

    def action_press(self, key: str) -> None:
        """Close the page, and do what a key does."""
        self.close()
        self.app.call_later(self.app.simulate_key, key)


def own_keys(screen: GridlockScreen) -> dict[str, list[str]]:
    """Return what the keys of a screen do, and those keys; not what any program can do."""
    keys: dict[str, list[str]] = {}
    widgets = [type(widget) for widget in screen.focus_chain]
    for kind in dict.fromkeys((*widgets, *type(screen).__mro__, type(screen.app))):
        bindings = vars(kind).get("BINDINGS", ()) if kind.__module__.startswith("gridlock") else ()
        for binding in bindings:
            if not screen.check_action(binding.action, ()):
                continue
            known = keys.setdefault(screen.describe_key(binding), [])
            known += [key for key in binding.key.split(",") if key not in known]
    return keys


class Question(Modal[bool]):
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
        self.close(answer)


class FilePage(Modal[str]):
    """Asks for the name of a file."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Cancel", show=False, priority=True)
    ]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._heading = title

    def compose(self) -> ComposeResult:
        """Lay the question out."""
        with Vertical(classes="page question"):
            yield Static(Content.styled(self._heading, "bold"))
            yield Input(compact=True, placeholder="name of a file")
            yield Static(
                Content.from_markup(
                    "[bold @click=screen.accept] Enter  open it [/]   "
                    "[bold @click=screen.close] Esc  cancel [/]"
                )
            )

    def on_input_submitted(self) -> None:
        """Take what was typed."""
        self.action_accept()

    def action_accept(self) -> None:
        """Take what was typed."""
        self.close(self.query_one(Input).value.strip())

    def action_close(self) -> None:
        """Ask no more."""
        self.close()


class NamesPage(Modal[tuple[str, str]]):
    """Asks what two people are called; no name at all is fine, too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Cancel", show=False, priority=True),
        Binding("down", "app.focus_next", "Next name", show=False),
        Binding("up", "app.focus_previous", "Name before", show=False),
    ]

    def __init__(self, game: Game, names: tuple[str, str]) -> None:
        super().__init__()
        self._symbols = game.rulebook.symbols
        self._names = names

    def compose(self) -> ComposeResult:
        """Lay the question out."""
        with Vertical(classes="page question names"):
            yield Static(Content.styled("Who plays?", "bold"))
            for symbol, name in zip(self._symbols, self._names, strict=True):
                with Horizontal():
                    yield Static(symbol, classes="symbol")
                    yield Input(name, compact=True, placeholder="a name", max_length=LONGEST_NAME)
            yield Static(id="message")
            yield Static(
                Content.from_markup(
                    "[bold @click=screen.accept] Enter  take these names [/]   "
                    "[bold @click=screen.close] Esc  cancel [/]"
                )
            )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go on to the second name, or take both."""
        first, second = self.query(Input)
        if event.input is first:
            second.focus()
        else:
            self.action_accept()

    def action_accept(self) -> None:
        """Take what was typed, or say what is wrong with it."""
        try:
            one, two = (check_person(name.value) for name in self.query(Input))
        except NotationError as error:
            self.query_one("#message", Static).update(Content.styled(as_sentence(error), "$error"))
        else:
            self.close((one, two))

    def action_close(self) -> None:
        """Leave the names as they are."""
        self.close()


class FailurePage(Resilient, Screen[None]):
    """Stands in for the first screen, which nothing lies under, when it cannot be drawn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "app.pop_screen", "Try again", show=False),
        Binding("q", "app.quit", "Quit", show=False),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Show nothing but texts."""
        yield Static(Content(self._text), classes="failure")
        yield Static(Content("Enter  try again   q  quit"), classes="failure")


LEAST_SIZE = Size(80, 24)
"""The characters across and down that a terminal must have."""


class TooSmall(Resilient, ModalScreen[None]):
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
