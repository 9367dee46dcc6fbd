"""What can be copied of a board, and the page that asks which of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from gridlock.record import write_line
from gridlock.tui.pages import Modal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

    from gridlock.model import Position
    from gridlock.record import Record

_LONGEST = 60  # characters of what was copied that are shown


class Excerpt(NamedTuple):
    """Something that can be copied: its name, the key that copies it, and the text itself."""

    name: str
    key: str
    text: str

    def confirmation(self) -> str:
        """Return that it was copied, with the text where that is short."""
        is_short = len(self.text) <= _LONGEST and "\n" not in self.text
        return f"Copied the {self.name}: {self.text}" if is_short else f"Copied the {self.name}."


def position_excerpt(position: Position) -> Excerpt:
    """Return a position as an excerpt."""
    return Excerpt("position", "p", str(position))


def excerpts(record: Record, at: Position, moves: Sequence[int]) -> list[Excerpt]:
    """Return what can be copied of a game that is looked at after some moves."""
    written = write_line(record.start(), moves)
    return [
        position_excerpt(at),
        *([Excerpt("moves", "m", written)] if written else []),
        Excerpt("record", "r", str(record)),
    ]


class CopyPage(Modal[Excerpt]):
    """Asks what to copy; Enter copies the first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Cancel", show=False),
        Binding("enter", "choose(0)", "The first", show=False),
    ]

    def __init__(self, offered: Sequence[Excerpt]) -> None:
        super().__init__()
        self._offered = offered

    def compose(self) -> ComposeResult:
        """Lay the question out."""
        rows = [
            Content.styled(f" {one.key}  {one.name} ", f"bold @click=screen.choose({number})")
            for number, one in enumerate(self._offered)
        ]
        rows.append(Content.styled(" Esc  cancel ", "bold @click=screen.close"))
        with Vertical(classes="page question copy"):
            yield Static("Copy what?")
            yield Static(Content("  ").join(rows))

    def on_key(self, event: events.Key) -> None:
        """Copy what the key stands for."""
        for number, one in enumerate(self._offered):
            if event.key == one.key:
                event.stop()
                self.action_choose(number)

    def action_choose(self, number: int) -> None:
        """Take one of what is offered."""
        self.close(self._offered[number])

    def action_close(self) -> None:
        """Copy nothing."""
        self.close()
