"""The board on the screen: it draws what it is handed and tells which cell a person means."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from gridlock.tui.drawing import Drawing, Look, fitting_scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

    from gridlock.model import Game
    from gridlock.tui.drawing import Glyphs, Square


_REVERSE = Style(reverse=True)


class Board(Widget, can_focus=True):
    """A board with a cursor; no rule is known here."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"board--{look}" for look in (*Look, "cursor")}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1, 0)", "Up", show=False),
        Binding("down,j", "move(1, 0)", "Down", show=False),
        Binding("left,h", "move(0, -1)", "Left", show=False),
        Binding("right,l", "move(0, 1)", "Right", show=False),
        Binding("enter,space", "choose", "Choose the cell", show=False),
    ]

    class Chosen(Message):
        """A person has chosen a cell."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    class Pointed(Message):
        """The cursor or the mouse has come to a cell, or the mouse has left the board."""

        def __init__(self, cell: int | None) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, game: Game, glyphs: Glyphs) -> None:
        super().__init__()
        self.game = game
        self.glyphs = glyphs
        self.cursor = game.grid.cell(game.grid.rows // 2, game.grid.columns // 2)
        self._squares: Sequence[Square] = ()
        self._room = (0, 0)
        self._pointed: int | None = None

    @property
    def drawing(self) -> Drawing:
        """The board as it is drawn now."""
        grid, counting = self.game.grid, self.game.rulebook.counting
        scale = fitting_scale(grid, counting, *self._room)
        return Drawing(grid, counting, scale, self.glyphs, self._squares, self.cursor)

    def show(self, squares: Sequence[Square], glyphs: Glyphs) -> None:
        """Draw these squares from now on."""
        self._squares = squares
        self.glyphs = glyphs
        self.refresh()

    def fit(self, across: int, down: int) -> None:
        """Take the largest scale that fits into so many characters."""
        if self._room != (across, down):
            self._room = (across, down)
            self.refresh(layout=True)
            self.call_after_refresh(self._scroll_to_cursor)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the characters across."""
        return self.drawing.size[0]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the characters down."""
        return self.drawing.size[1]

    def render_line(self, y: int) -> Strip:
        """Return a line of the board."""
        drawing = self.drawing
        if not self._squares or y >= drawing.size[1]:
            return Strip.blank(self.size.width)
        segments = []
        for text, look, is_cursor in drawing.line(y):
            name = "cursor" if is_cursor and look is Look.LINE else look
            style = self.get_component_rich_style(f"board--{name}")
            if is_cursor and look is not Look.LINE:
                style += _REVERSE
            segments.append(Segment(text, style))
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def move_to(self, cell: int) -> None:
        """Put the cursor on a cell."""
        self.cursor = cell
        self.refresh()
        self._scroll_to_cursor()
        self.post_message(self.Pointed(cell))

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor, which stays on the board."""
        grid = self.game.grid
        row, column = grid.place(self.cursor)
        if grid.contains(row + down, column + right):
            self.move_to(grid.cell(row + down, column + right))

    def action_choose(self) -> None:
        """Choose the cell of the cursor."""
        self.post_message(self.Chosen(self.cursor))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell which cell the mouse points at."""
        self._point(self.drawing.cell_at(event.x, event.y))

    def on_leave(self) -> None:
        """Tell that the mouse points at no cell any more."""
        self._point(None)

    def on_click(self, event: events.Click) -> None:
        """Choose the cell that is clicked."""
        cell = self.drawing.cell_at(event.x, event.y)
        if cell is not None:
            self.move_to(cell)
            self.post_message(self.Chosen(cell))

    def _point(self, cell: int | None) -> None:
        if cell != self._pointed:
            self._pointed = cell
            self.post_message(self.Pointed(cell))

    def _scroll_to_cursor(self) -> None:
        drawing = self.drawing
        x, y = drawing.place(self.cursor)
        place = Region(x, y, drawing.scale.width + 2, drawing.scale.height + 2)
        if isinstance(self.parent, BoardFrame):
            self.parent.scroll_to_region(place, animate=False)


class BoardFrame(ScrollableContainer, can_focus=False):
    """The room that a board has: it takes the largest scale that fits, and scrolls if none does."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    def compose(self) -> ComposeResult:
        """Hold the board."""
        yield self.board

    def on_resize(self) -> None:
        """Let the board fit again."""
        self.board.fit(self.outer_size.width, self.outer_size.height)
