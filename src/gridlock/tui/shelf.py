"""The games side by side, each with a small picture, and one of them chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.containers import HorizontalScroll
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from gridlock.tui.drawing import Look
from gridlock.tui.glyphs import glyphs_for
from gridlock.tui.miniature import miniature
from gridlock.tui.resilience import Resilient

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from gridlock.model import Game

_CARD_WIDTH = 14


class Card(Resilient, Widget):
    """A game to choose: its name and a small picture."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"board--{look}" for look in Look}

    class Clicked(Message):
        """Somebody has clicked a card."""

        def __init__(self, card: Card) -> None:
            super().__init__()
            self.card = card

    def __init__(self, rulebook: str, game: Game) -> None:
        super().__init__()
        self.rulebook = rulebook
        self.game = game

    def render_line(self, y: int) -> Strip:
        """Return a line of the picture, or the name below it."""
        lines = miniature(self.game, glyphs_for(self))
        if y < len(lines):
            segments = [
                Segment(text, self.get_component_rich_style(f"board--{look}"))
                for text, look, _ in lines[y]
            ]
        else:
            name = self.game.rulebook.id if y == len(lines) else ""
            segments = [Segment(name[:_CARD_WIDTH].center(self.size.width), self.rich_style)]
        width = sum(segment.cell_length for segment in segments)
        left = Segment(" " * ((self.size.width - width) // 2), self.rich_style)
        return Strip([left, *segments]).adjust_cell_length(self.size.width, self.rich_style)

    def on_click(self) -> None:
        """Tell that this one is meant."""
        self.post_message(self.Clicked(self))


class Shelf(Resilient, HorizontalScroll, can_focus=True):
    """The games side by side, one of them chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "turn(-1)", "Value before", show=False, priority=True),
        Binding("right,l", "turn(1)", "Next value", show=False, priority=True),
    ]

    def __init__(self, cards: list[Card], chosen: int, turned: Callable[[], None]) -> None:
        """Hold some cards; ``turned`` is called when another one was chosen, before any key."""
        super().__init__()
        self.cards = cards
        self.chosen = chosen
        self._turned = turned

    @property
    def card(self) -> Card:
        """The chosen card."""
        return self.cards[self.chosen]

    def compose(self) -> ComposeResult:
        """Show the cards."""
        yield from self.cards

    def on_mount(self) -> None:
        """Show which one is chosen."""
        self.card.add_class("-chosen")

    def action_turn(self, step: int) -> None:
        """Choose the next game, or the one before."""
        self.choose((self.chosen + step) % len(self.cards))

    def choose(self, chosen: int) -> None:
        """Choose a game."""
        self.card.remove_class("-chosen")
        self.chosen = chosen
        self.card.add_class("-chosen")
        self.call_after_refresh(self.scroll_to_widget, self.card, animate=False)
        self._turned()

    def on_card_clicked(self, event: Card.Clicked) -> None:
        """Choose the game that was clicked."""
        self.focus()
        self.choose(self.cards.index(event.card))
