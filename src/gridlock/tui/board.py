"""The board on the screen: it draws what it is handed and tells which cell a person means."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gridlock.tui.drawing import SCROLL_BAR, Drawing, Look, fitting_scale
from gridlock.tui.glyphs import glyphs_for
from gridlock.tui.resilience import Resilient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

    from gridlock.model import Game
    from gridlock.tui.drawing import Square


_REVERSE = Style(reverse=True)


class Board(Resilient, ScrollView, can_focus=True):
    """A board with a cursor; no rule is known here.

    Where it is too large to be seen whole it scrolls, and its numbers stay.
    """

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

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.cursor = game.grid.cell(game.grid.rows // 2, game.grid.columns // 2)
        self._squares: Sequence[Square] = ()
        self._room = (0, 0)
        self._revealed = self.cursor
        self._pointed: int | None = None

    @property
    def drawing(self) -> Drawing:
        """The board as it is drawn now."""
        grid, counting = self.game.grid, self.game.rulebook.counting
        scale = fitting_scale(grid, counting, *self._room)
        return Drawing(grid, counting, scale, glyphs_for(self), self._squares, self.cursor)

    def show(self, squares: Sequence[Square]) -> None:
        """Draw these squares from now on."""
        self._squares = squares
        self.refresh()

    def fit(self, across: int, down: int) -> None:
        """Take the largest scale that fits into so many characters, or else scroll in them."""
        self._room = (across, down)
        width, height = self.drawing.size
        self.virtual_size = Size(width, height)
        bar_beside = SCROLL_BAR if height > down else 0
        bar_below = SCROLL_BAR if width > across else 0
        self.styles.width = min(width + bar_beside, across)
        self.styles.height = min(height + bar_below, down)
        self.call_after_refresh(lambda: self.reveal(self._revealed))

    def render_line(self, y: int) -> Strip:
        """Return a line of the board as it is scrolled."""
        drawing, margin = self.drawing, self.drawing.margin
        across, down = self.scroll_offset
        width = self.size.width
        line = y + down if y else 0
        if not self._squares or line >= drawing.size[1]:
            return Strip.blank(width, self.rich_style)
        segments = []
        for text, look, is_cursor in drawing.line(line):
            name = "cursor" if is_cursor and look is Look.LINE else look
            style = self.get_component_rich_style(f"board--{name}")
            if is_cursor and look is not Look.LINE:
                style += _REVERSE
            segments.append(Segment(text, style))
        strip = Strip(segments)
        cells = strip.crop(margin + across, across + width)
        return Strip.join([strip.crop(0, margin), cells]).adjust_cell_length(width, self.rich_style)

    def _cell_at(self, x: int, y: int) -> int | None:
        """Return the cell that is seen at a place of the widget."""
        across, down = self.scroll_offset
        if x < self.drawing.margin or y < 1:
            return None
        return self.drawing.cell_at(x + across, y + down)

    def put_cursor(self, cell: int) -> None:
        """Put the cursor on a cell that nobody points at."""
        self.cursor = cell
        self.refresh()
        self.reveal(cell)

    def move_to(self, cell: int) -> None:
        """Point at a cell with the cursor."""
        self.put_cursor(cell)
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
        self._point(self._cell_at(event.x, event.y))

    def on_leave(self) -> None:
        """Tell that the mouse points at no cell any more."""
        self._point(None)

    def on_click(self, event: events.Click) -> None:
        """Choose the cell that is clicked."""
        cell = self._cell_at(event.x, event.y)
        if cell is not None:
            self.move_to(cell)
            self.post_message(self.Chosen(cell))

    def _point(self, cell: int | None) -> None:
        if cell != self._pointed:
            self._pointed = cell
            self.post_message(self.Pointed(cell))

    def reveal(self, cell: int) -> None:
        """Scroll to where a cell can be seen, also when the board fits anew."""
        self._revealed = cell
        drawing, margin = self.drawing, self.drawing.margin
        x, y = drawing.place(cell)
        scale = drawing.scale
        # The numbers lie over what is scrolled, so there must be room for them too.
        place = Region(x - margin, y - 1, margin + scale.width + 2, 1 + scale.height + 2)
        self.scroll_to_region(place, animate=False)


class BoardFrame(Resilient, Container):
    """The room that a board has."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    def compose(self) -> ComposeResult:
        """Hold the board."""
        yield self.board

    def on_resize(self) -> None:
        """Let the board fit again."""
        self.board.fit(self.size.width, self.size.height)
