"""The screen of kept games: unfinished ones go on, finished ones are reviewed."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from gridlock.errors import GridlockError
from gridlock.saving import Keeper, read_games
from gridlock.tui.pages import FilePage
from gridlock.tui.play import PlayScreen
from gridlock.tui.screen import GridlockScreen
from gridlock.tui.setup import describe_player
from gridlock.tui.study import StudyScreen

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from gridlock.match import Series

_MOST_FINISHED = 200  # of the finished games, the latest


class GamesScreen(GridlockScreen):
    """All games that are kept."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "file", "Open a file"),
        Binding("j", "move(1)", "Next game", show=False),
        Binding("k", "move(-1)", "Game before", show=False),
        Binding("escape,q", "app.pop_screen", "Leave", key_display="Esc"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._paths: list[Path] = []
        self._trouble = ""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(Content.styled(" Your games", "bold"), id="top")
        yield OptionList(compact=True)
        yield Static(id="message")
        yield Footer(compact=True, show_command_palette=False)

    def on_screen_resume(self) -> None:
        """Read what there is now."""
        self._list()

    def _list(self) -> None:
        store = self.gridlock.store
        options = self.query_one(OptionList)
        chosen = options.highlighted
        options.clear_options()
        self._paths = []
        try:
            unfinished = [store.path(name) for name in store.unfinished()]
            finished = store.finished()[:_MOST_FINISHED]
        except GridlockError as error:
            self.complain(error)
            return
        for title, paths in (("Unfinished", unfinished), ("Finished", finished)):
            heading = Content.styled(f"{title}: {len(paths)}", "bold")
            options.add_option(Option(heading, disabled=True))
            for path in paths:
                self._paths.append(path)
                options.add_option(Option(_row(path), id=str(len(self._paths) - 1)))
        self._say_what_to_do()
        options.highlighted = chosen if chosen is not None and chosen < options.option_count else 1

    def _say_what_to_do(self) -> None:
        text = "No game is kept yet. Press f to open a file."
        if self._paths:
            text = "Enter goes on with an unfinished game, and reviews a finished one."
        self.query_one("#message", Static).update(Content(self._trouble or text))

    def complain(self, error: GridlockError) -> None:
        """Show what went wrong, until something else is tried."""
        self._trouble = f"{error}."
        self._say_what_to_do()

    def action_move(self, step: int) -> None:
        """Go to another game."""
        options = self.query_one(OptionList)
        (options.action_cursor_down if step > 0 else options.action_cursor_up)()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open a game."""
        self._open(self._paths[int(event.option_id or 0)])

    def action_file(self) -> None:
        """Ask for a file, and open it."""

        def chosen(name: str | None) -> None:
            if name:
                self._open(Path(name).expanduser())

        self.app.push_screen(FilePage("A written game"), chosen)

    def _open(self, path: Path) -> None:
        """Go on with a game, or review it where it is over."""
        store = self.gridlock.store
        self._trouble = ""
        try:
            series = read_games(path)
            if series.is_over:
                self.app.push_screen(StudyScreen(series.records[-1], is_review=True))
                return
            if path.parent == store.unfinished_folder:
                kept = store.open(path.stem)
            else:
                kept = store.create(series.game.rulebook.id, datetime.now())
            self.app.push_screen(PlayScreen(read_games(path, Keeper(kept)), kept))
        except GridlockError as error:
            self.complain(error)


def _row(path: Path) -> Content:
    """Return what there is to know of a kept game."""
    try:
        series = read_games(path)
    except GridlockError as error:
        return Content.styled(f"  {error}", "$error")
    return Content(f"  {_described(series)}")


def _described(series: Series) -> str:
    last = series.records[-1]
    players = " - ".join(describe_player(who) for who in last.players)
    one, two = series.tally
    score = f"{one} to {two}, " if series.terms else ""
    moves = len(last.moves)
    name = f"{series.game.rulebook.id} {series.game.grid}"
    return f"{last.date}  {name:<16} {players:<30} {score}{moves} move{'' if moves == 1 else 's'}"
