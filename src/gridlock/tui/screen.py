"""What all screens with a board have in common."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from gridlock.errors import GridlockError, NotationError
from gridlock.grid import cells_of
from gridlock.model import Player
from gridlock.record import write_line
from gridlock.sentences import as_sentence
from gridlock.tui.board import Board, BoardFrame
from gridlock.tui.celebration import STEP_SECONDS, ripple
from gridlock.tui.copying import CopyPage
from gridlock.tui.footer import KeyFooter
from gridlock.tui.glyphs import ASCII_CLASS
from gridlock.tui.pages import KeysPage, RulesPage
from gridlock.tui.resilience import Resilient
from gridlock.tui.thinking import Answered, Thinker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.app import ComposeResult

    from gridlock.engine import Engine
    from gridlock.model import Game, Position
    from gridlock.tui.app import GridlockApp
    from gridlock.tui.copying import Excerpt
    from gridlock.tui.drawing import Square

MOST_LINES = 8
"""How many of the last lines of moves are shown."""

_TURN_WIDTH = 15  # characters of a turn and its number

UNREACHABLE = "No game reaches this position"

COLOURS = {Player.ONE: "$one", Player.TWO: "$two"}

_TYPED = frozenset("0123456789,()")
_AS_ASCII = str.maketrans("·✓✗", "-vx")


class GridlockScreen(Resilient, Screen[None]):
    """A screen that knows its app, its rules and its keys."""

    @property
    def gridlock(self) -> GridlockApp:
        """The app."""
        return cast("GridlockApp", self.app)

    def say(self, text: str | Content) -> None:
        """Show a message."""
        shown = Content(text) if isinstance(text, str) else text
        self.query_one("#message", Static).update(shown)

    def refresh_view(self) -> None:
        """Draw everything anew."""

    def chosen_game(self) -> Game | None:
        """Return the game whose rules a person wants to read."""
        return None

    def describe_key(self, binding: Binding) -> str:
        """Return what a key does."""
        return binding.description

    def action_rules(self) -> None:
        """Show the rules of the game at hand."""
        if game := self.chosen_game():
            self.app.push_screen(RulesPage(game))

    def action_keys(self) -> None:
        """Show all keys."""
        self.app.push_screen(KeysPage(self))


class BoardScreen(GridlockScreen):
    """A board beside a panel of texts; cells can be pointed at, chosen and typed."""

    AUTO_FOCUS = "Board"
    can_type: ClassVar[bool] = True
    """Whether digits name cells."""
    can_copy: ClassVar[bool] = True
    """Whether there is something to copy."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", key_display="Esc"),
        Binding("y", "copy", "Copy", show=False),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.thinker = Thinker(self, self.search_failed)
        self.message = ""
        self._engine: Engine | None = None
        self._typed = ""

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one(Board)

    def choose(self, cell: int) -> None:
        """Do what a person wants to do with a cell."""
        raise NotImplementedError

    def why_not(self, cell: int) -> str:
        """Return why a cell that is pointed at cannot be chosen, '' if it can."""
        raise NotImplementedError

    def excerpts(self) -> list[Excerpt]:
        """Return what can be copied, or raise ``GridlockError`` where it makes no sense."""
        raise NotImplementedError

    def open(self) -> None:
        """Begin, once everything is in its place."""
        self.refresh_view()

    def close(self) -> None:
        """End, when the screen goes away."""
        self.thinker.drop()
        self._engine = None

    def chosen_game(self) -> Game:
        """Return the game whose rules a person wants to read."""
        return self.game

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(id="top")
        with Horizontal(id="middle"):
            yield BoardFrame(Board(self.game))
            with Vertical(id="panel"):
                yield from self.compose_panel()
        yield KeyFooter()

    def compose_panel(self) -> ComposeResult:
        """Lay the panel out."""
        yield Static(id="players")
        yield Static(id="status")
        yield Static(id="message")
        yield Static(id="moves")

    def on_mount(self) -> None:
        """Begin."""
        self.open()

    def on_unmount(self) -> None:
        """End."""
        self.close()

    def on_answered(self, event: Answered) -> None:
        """Tell what was found out, or why it was not."""
        event.tell()

    def search_failed(self, error: Exception) -> None:
        """Show what there is without an answer, and say why there is none."""
        self.refresh_view()
        self.say(self.message)
        if not isinstance(error, GridlockError):
            raise error  # the app says so, and writes it down
        self.complain(error)

    def complain(self, error: GridlockError) -> None:
        """Show what went wrong."""
        self.say(Content.styled(as_sentence(error), "$error"))

    def engine(self) -> Engine:
        """Return the engine that the thinker's questions are put to."""
        from gridlock.engine import Engine

        if self._engine is None:
            self._engine = Engine(self.game)
        return self._engine

    @property
    def is_typing(self) -> bool:
        """Whether a person is typing a cell."""
        return bool(self._typed)

    def heading(self, *more: str | Content) -> None:
        """Show the game, and more, in the line at the top."""
        name = f" GridLock: {self.game.rulebook.id} {self.game.grid}   "
        self.query_one("#top", Static).update(Content.assemble(Content.styled(name, "bold"), *more))

    def coloured(self, player: Player) -> Content:
        """Return the symbol of a player in their colour."""
        return Content.styled(self.game.rulebook.symbol(player), f"bold {COLOURS[player]}")

    def put_cursor_on_token(self, position: Position) -> None:
        """Put the cursor where the mover's token is, if there is one: beside every step."""
        if self.game.rulebook.has_tokens:
            (token,) = cells_of(position.marks(position.mover))
            self.board.put_cursor(token)

    def celebrate(
        self, squares: Sequence[Square], cell: int, is_wanted: Callable[[], bool]
    ) -> None:
        """Let a ripple run over the board from a cell, where it may and while it is wanted."""
        pictures = ripple(self.game.grid, squares, cell) if self.gridlock.has_motion else []

        def show_next() -> None:
            if pictures and is_wanted():
                self.board.show(pictures.pop(0))
                self.set_timer(STEP_SECONDS, show_next)
            else:
                self.refresh_view()

        show_next()

    def written(self, start: Position, moves: Sequence[int]) -> Content:
        """Return the moves as people write them down: a line for a turn of each player."""
        turns = [
            f"{number:>3} {turn}"
            for number, turn in enumerate(write_line(start, moves).split(), start=1)
        ]
        if not turns:
            return Content("")
        players = (start.mover, start.mover.opponent)
        symbols = (self.game.rulebook.symbol(player) for player in players)
        rows = [
            [f"    {symbol}" for symbol in symbols],
            *(turns[at : at + 2] for at in range(0, len(turns), 2)),
        ]
        lines = ["".join(f"{turn:<{_TURN_WIDTH}}" for turn in row).rstrip() for row in rows]
        return Content("\n".join([lines[0], *lines[1:][-MOST_LINES:]]))

    def on_board_chosen(self, event: Board.Chosen) -> None:
        """Choose a cell."""
        self._typed = ""
        self.choose(event.cell)

    def on_screen_suspend(self) -> None:
        """Forget what was typed when another screen comes."""
        self._typed = ""

    def on_board_pointed(self, event: Board.Pointed) -> None:
        """Say why a cell that is pointed at cannot be chosen, unless one is being typed."""
        if self._typed:
            return
        reason = "" if event.cell is None else self.why_not(event.cell)
        self.say(as_sentence(reason) if reason else self.message)

    def on_key(self, event: events.Key) -> None:
        """Let a cell be typed: the cursor goes where it is, and Enter chooses it."""
        key, character = event.key, event.character or ""
        if self.can_type and character and character in _TYPED:
            self._typed += character
        elif not self._typed:
            return
        elif key == "space":
            self._typed += " "
        elif key == "backspace":
            self._typed = self._typed[:-1]
        elif key == "escape":
            self._typed = ""
        elif key == "enter":
            event.stop()
            self._choose_typed()
            return
        else:
            self._typed = ""
            return
        event.stop()
        if self._typed:
            with contextlib.suppress(NotationError):
                self.board.move_to(self.game.cell(self._typed))
        self.say(f"Cell: {self._typed}_" if self._typed else self.message)

    def _choose_typed(self) -> None:
        typed, self._typed = self._typed, ""
        try:
            cell = self.game.cell(typed)
        except NotationError as error:
            self.say(as_sentence(error))
        else:
            self.choose(cell)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to copy only where there is something."""
        return self.can_copy if action == "copy" else super().check_action(action, parameters)

    def action_copy(self) -> None:
        """Ask what to copy, if there are several things, and copy it."""
        try:
            offered = self.excerpts()
        except GridlockError as error:
            self.complain(error)
            return
        if len(offered) == 1:
            self._copy(offered[0])
        else:
            self.app.push_screen(CopyPage(offered), self._copy)

    def _copy(self, chosen: Excerpt | None) -> None:
        """Copy a text, where the terminal lets programs do that, and say so."""
        if chosen:
            self.app.copy_to_clipboard(chosen.text)
            said = chosen.confirmation()
            self.say(said.translate(_AS_ASCII) if self.app.has_class(ASCII_CLASS) else said)

    def action_leave(self) -> None:
        """Go back to the screen before."""
        self.app.pop_screen()
