"""The screen on which a game that begins at any position is set up."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from gridlock.errors import GridlockError
from gridlock.model import Player
from gridlock.players import HUMAN
from gridlock.setup import CLOCKS, Setup, describe_clock, describe_opponent
from gridlock.tui.copying import position_excerpt
from gridlock.tui.dial import Dial
from gridlock.tui.glyphs import glyphs_for
from gridlock.tui.pages import NamesPage
from gridlock.tui.play import open_series
from gridlock.tui.screen import COLOURS, BoardScreen
from gridlock.tui.squares import squares_of

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from gridlock.model import Position
    from gridlock.tui.copying import Excerpt


class FromHereScreen(BoardScreen):
    """A position, and who plays it; Enter starts the game."""

    AUTO_FOCUS = "Dial"
    can_type = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Play", key_display="Enter"),
        Binding("n", "names", "Names"),
        Binding("down,j", "app.focus_next", "Next row", show=False, priority=True),
        Binding("up,k", "app.focus_previous", "Row before", show=False, priority=True),
    ]

    def __init__(self, position: Position) -> None:
        super().__init__(position.game)
        self._position = position
        self._names = ("", "")

    def compose_panel(self) -> ComposeResult:
        """Lay the panel out, with what was played last chosen."""
        setup = self.gridlock.preferences.setup
        self._names = setup.names
        yield Static(id="status")
        yield Dial(
            "Opponent", self._opponents(), self._choices.index(setup.opponent), self.refresh_view
        )
        seats = [self.game.rulebook.symbol(player) for player in Player]
        yield Dial("You", seats, self._position.mover - 1, self.refresh_view)
        clocks = [describe_clock(control) for control in CLOCKS]
        yield Dial("Clock", clocks, CLOCKS.index(setup.time_control), self.refresh_view)
        yield Static(id="message")

    def open(self) -> None:
        """Let the rows be reached by the keys, and not the board."""
        self.board.can_focus = False
        self.refresh_view()

    def choose(self, cell: int) -> None:
        """Ignore a click: the position is chosen elsewhere."""

    def why_not(self, cell: int) -> str:
        """Return '': nothing is chosen on the board."""
        return ""

    def excerpts(self) -> list[Excerpt]:
        """Return the position."""
        return [position_excerpt(self._position)]

    @property
    def _choices(self) -> tuple[str, ...]:
        return self.gridlock.preferences.opponents

    def _opponents(self) -> list[str]:
        return [describe_opponent(who, self._names) for who in self._choices]

    @property
    def _opponent(self) -> str:
        return self._choices[self.query_one("#opponent", Dial).chosen]

    def refresh_view(self) -> None:
        """Draw the board, and what is chosen."""
        position = self._position
        self.heading("play from here")
        self.board.show(squares_of(position, glyphs_for(self)))
        symbol = self.game.rulebook.symbol(position.mover)
        self.query_one("#status", Static).update(
            Content.styled(
                f"{symbol} to {position.upcoming.noun}", f"bold {COLOURS[position.mover]}"
            )
        )
        self.query_one("#you", Dial).display = self._opponent != HUMAN
        self.message = "Enter plays, Esc leaves. The game is kept, and its record has the position."
        self.say(self.message)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Ask for names only where two people play."""
        if action == "names":
            return bool(self.query(Dial)) and self._opponent == HUMAN
        return super().check_action(action, parameters)

    def action_names(self) -> None:
        """Ask what two people at one keyboard are called."""

        def chosen(names: tuple[str, str] | None) -> None:
            if names is not None:
                self._names = names
                self.query_one("#opponent", Dial).set(self._choices.index(HUMAN), self._opponents())

        self.app.push_screen(NamesPage(self.game, self._names), chosen)

    def action_start(self) -> None:
        """Play; leaving the game leads back to where the position was looked at."""
        control = CLOCKS[self.query_one("#clock", Dial).chosen]
        try:
            screen = open_series(
                self.gridlock.store, self.game, self._players(), None, None, self._position,
                control,
            )  # fmt: skip
        except GridlockError as error:
            self.complain(error)
            return
        self.app.switch_screen(screen)

    def _players(self) -> tuple[str, str]:
        one, two = Setup(opponent=self._opponent, names=self._names).players
        is_second = self._opponent != HUMAN and self.query_one("#you", Dial).chosen == 1
        return self.gridlock.preferences.sign((two, one) if is_second else (one, two))
