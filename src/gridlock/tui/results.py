"""The screen of results: how a person did against the computer, by game and level, over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Footer, Static

from gridlock.errors import GridlockError
from gridlock.results import ASCII, UNICODE, picture, read_results, standings
from gridlock.sentences import as_sentence
from gridlock.tui.glyphs import ASCII_CLASS
from gridlock.tui.screen import GridlockScreen

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from gridlock.results import Signs, Standing

_MARGINS = 6  # characters beside a picture, with the scroll bar
_NOTHING = "Play a game against the computer to its end: it will be counted here."


class ResultsScreen(GridlockScreen):
    """All games that were played against the computer, the one played last first."""

    AUTO_FOCUS = "VerticalScroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll(1)", "Down", show=False),
        Binding("up,k", "scroll(-1)", "Up", show=False),
        Binding("escape,q", "app.pop_screen", "Leave", key_display="Esc"),
    ]

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(id="top")
        with VerticalScroll():
            yield Static(id="message")
        yield Footer(compact=True, show_command_palette=False)

    def on_resize(self) -> None:
        """Draw the pictures as wide as there is room."""
        self.refresh_view()

    def refresh_view(self) -> None:
        """Draw everything anew."""
        signs = ASCII if self.app.has_class(ASCII_CLASS) else UNICODE
        self.query_one("#top", Static).update(
            Content.assemble(
                Content.styled(" Your results against the computer", "bold"),
                Content.styled(f"   {signs.legend}", "$quiet"),
            )
        )
        try:
            found = standings(read_results(self.gridlock.store))
        except GridlockError as error:
            self.say(Content.styled(as_sentence(error), "$error"))
            return
        parts = [self._show(standing, signs) for standing in found]
        self.say(Content("\n\n").join(parts) if parts else _NOTHING)

    def _show(self, standing: Standing, signs: Signs) -> Content:
        """Return the picture of a game, how many were won at each level, and what to try."""
        lines = [Content.styled(str(standing), "bold")]
        width = self.size.width - _MARGINS
        lines += [_coloured(line, signs) for line in picture(standing, width, signs)]
        shares = [
            f"{sum(result.is_won for result in results)} of {len(results)} at level {level}"
            for level, results in standing.levels().items()
        ]
        lines.append(Content(f"You won {', '.join(shares)}."))
        if proposal := standing.proposal:
            lines.append(Content.styled(str(proposal), "$success"))
        return Content("\n").join(lines)

    def action_scroll(self, lines: int) -> None:
        """Scroll the results."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


def _coloured(line: str, signs: Signs) -> Content:
    """Return a line of a picture with wins and losses in their colours, besides their signs."""
    colours = {signs.won: "$win", signs.lost: "$loss"}
    return Content.assemble(
        *(Content.styled(character, colours.get(character, "")) for character in line)
    )
