"""The screen on which a position is set up by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from gridlock.errors import NotationError
from gridlock.grid import mask_of
from gridlock.model import Detail, Effect
from gridlock.tui.copying import position_excerpt
from gridlock.tui.drawing import Look, Square
from gridlock.tui.glyphs import glyphs_for
from gridlock.tui.screen import COLOURS, UNREACHABLE, BoardScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

    from gridlock.model import Position
    from gridlock.tui.copying import Excerpt

_EMPTY, _ONE, _TWO, _BLOCKED = _SQUARES = ".12#"
_NO_DETAIL = "-"
_HOLES = "This board has holes: no game begins with these blocked cells, but it can be analysed."


class EditorScreen(BoardScreen):
    """A board on which marks are put and removed; ``use`` is handed the position when it is done.

    Whether it makes sense is for the rulebook to say.
    """

    can_type = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "put('1')", "Put {one}", show=False),
        Binding("2", "put('2')", "Put {two}", show=False),
        Binding("number_sign", "put('#')", "Block the cell", key_display="#", show=False),
        Binding("0,delete,backspace", "put('.')", "Empty the cell", key_display="0", show=False),
        Binding("m", "mover", "Mover"),
        Binding("t", "last_cell", "Last cell"),
        Binding("t", "phase", "Phase"),
        Binding("w", "wipe", "Wipe"),
        Binding("o", "play_on", "Play"),
        Binding("d", "done", "Done"),
    ]

    def __init__(self, position: Position, use: Callable[[Position], None]) -> None:
        super().__init__(position.game)
        self._use = use
        self._read(position)

    def _read(self, position: Position) -> None:
        self._squares = list(str(position).split()[0].replace("/", ""))
        self._mover = position.mover
        self._detail = position.detail

    @property
    def text(self) -> str:
        """The position text of what is on the board."""
        columns = self.game.grid.columns
        rows = [
            "".join(self._squares[at : at + columns])
            for at in range(0, len(self._squares), columns)
        ]
        return f"{'/'.join(rows)} {self._mover} {self._detail}"

    def why_not(self, cell: int) -> str:
        """Return '': every cell may be changed."""
        return ""

    def choose(self, cell: int) -> None:
        """Change what stands on a cell."""
        now = _SQUARES.index(self._squares[cell])
        self._put(cell, _SQUARES[(now + 1) % len(_SQUARES)])

    def action_put(self, square: str) -> None:
        """Put something on the cell of the cursor."""
        self._put(self.board.cursor, square)

    def _put(self, cell: int, square: str) -> None:
        is_token = self.game.rulebook.has_tokens and square in (_ONE, _TWO)
        if is_token and square in self._squares:  # it is moved, not doubled
            self._squares[self._squares.index(square)] = _EMPTY
        self._squares[cell] = square
        self.refresh_view()

    def action_mover(self) -> None:
        """Let the other player move."""
        self._mover = self._mover.opponent
        self.refresh_view()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the last cell and the phase only in games where they matter."""
        if action == "last_cell":
            return self._has_last_cell
        return self._has_phase if action == "phase" else super().check_action(action, parameters)

    def describe_key(self, binding: Binding) -> str:
        """Return what a key does, in the symbols of the game."""
        one, two = self.game.rulebook.symbols
        return binding.description.format(one=one, two=two)

    def action_phase(self) -> None:
        """Turn to the next phase."""
        names = [phase.name for phase in self.game.rulebook.phases]
        self._detail = names[(names.index(self._detail) + 1) % len(names)]
        self.refresh_view()

    def action_last_cell(self) -> None:
        """Say which cell was taken last."""
        name = self.game.name(self.board.cursor)
        self._detail = _NO_DETAIL if self._detail == name else name
        self.refresh_view()

    @property
    def _has_phase(self) -> bool:
        return self.game.rulebook.detail is Detail.PHASE

    @property
    def _has_last_cell(self) -> bool:
        return self.game.rulebook.detail in (Detail.OWN_CELL, Detail.OTHER_CELL)

    @property
    def _last(self) -> int | None:
        """The cell that is said to be the last one taken."""
        is_named = self._has_last_cell and self._detail != _NO_DETAIL
        return self.game.cell(self._detail) if is_named else None

    def excerpts(self) -> list[Excerpt]:
        """Return the position, or raise ``NotationError`` where it makes no sense."""
        return [position_excerpt(self.game.position(self.text))]

    def on_paste(self, event: events.Paste) -> None:
        """Put a position that was copied elsewhere on the board."""
        event.stop()
        try:
            self._read(self.game.position(event.text))
        except NotationError as error:
            self.complain(error)
        else:
            self.refresh_view()

    def action_wipe(self) -> None:
        """Begin with the start of the game."""
        self._read(self.game.start(self._mover))
        self.refresh_view()

    def action_done(self) -> None:
        """Hand the position on, or say what is wrong with it."""
        if position := self._position():
            self.app.pop_screen()
            self._use(position)

    def action_play_on(self) -> None:
        """Play from this position, or say why not."""
        position = self._position()
        if position is None:
            return
        if position.winner is not None:
            self.say("The game is over here.")
            return
        from gridlock.tui.from_here import FromHereScreen

        self.app.push_screen(FromHereScreen(position))

    def _position(self) -> Position | None:
        """Return what is on the board; where it makes no sense say why, and return None."""
        try:
            return self.game.position(self.text)
        except NotationError as error:
            if (last := self._last) is not None:
                self.board.put_cursor(last)  # the cell that is to blame
            self.complain(error)
            return None

    def refresh_view(self) -> None:
        """Draw the board and the panel."""
        symbol, glyphs = self.game.rulebook.symbols, glyphs_for(self)
        looks = {
            _EMPTY: Square(glyphs.open, Look.APART),
            _ONE: Square(symbol[0], Look.ONE),
            _TWO: Square(symbol[1], Look.TWO),
            _BLOCKED: Square("", Look.BLOCKED, glyphs.blocked),
        }
        self.board.show(
            [
                replace(looks[square], is_last=cell == self._last)
                for cell, square in enumerate(self._squares)
            ]
        )
        self.heading("set up a position")
        mover = self.game.rulebook.symbol(self._mover)
        detail = ""
        if self._has_phase:
            detail = f"\nt: the next action is a {self._detail}"
        elif self._has_last_cell:
            last = "none" if self._detail == _NO_DETAIL else self._detail
            detail = f"\nt: the last cell taken is {last}"
        elif self.game.rulebook.detail is Detail.OTHER:
            detail = f"\nThe last field is {self._detail}: paste another position to change it."
        self.query_one("#status", Static).update(
            Content.assemble(
                Content.styled(f"m: {mover} moves next", f"bold {COLOURS[self._mover]}"), detail
            )
        )
        one, two = symbol
        self.query_one("#moves", Static).update(
            Content(
                f"1 {one}   2 {two}   # blocked   0 empty\n"
                "Enter or a click: the next one\n\nw  wipe the board\n"
                "y  copy it\no  play from here\nd  done\n\nA position can be pasted."
            )
        )
        self.message = self._doubt()
        self.say(self.message)

    def _doubt(self) -> str:
        """Return why no game comes to what is on the board, '' where one may."""
        try:
            reason = self.game.position(self.text).why_unreachable()
        except NotationError:  # said when it is done
            return ""
        if reason:
            return f"{UNREACHABLE}: {reason}. It can be analysed."
        if any(phase.effect is Effect.BLOCK for phase in self.game.rulebook.phases):
            return ""
        own = self.game.start().blocked
        holes = mask_of(cell for cell, square in enumerate(self._squares) if square == _BLOCKED)
        return _HOLES if holes & ~own else ""
