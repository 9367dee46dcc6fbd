"""The screen of kept games: unfinished ones go on, finished ones are reviewed."""

from __future__ import annotations

import contextlib
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from gridlock.errors import GridlockError
from gridlock.files import typed_path
from gridlock.notation import write_count
from gridlock.saving import Keeper, read_games
from gridlock.sentences import as_sentence
from gridlock.tui.pages import FilePage
from gridlock.tui.play import PlayScreen
from gridlock.tui.screen import GridlockScreen
from gridlock.tui.study import StudyScreen

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult

    from gridlock.model import Game
    from gridlock.store import Store

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
        chosen = self._chosen
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
        if self._paths:
            again = self._paths.index(chosen) if chosen in self._paths else 0
            options.highlighted = options.get_option_index(str(again))
        self._say_what_to_do()

    @property
    def _chosen(self) -> Path | None:
        """The file of the highlighted game."""
        option = self.query_one(OptionList).highlighted_option
        return self._paths[int(option.id)] if option and option.id else None

    def chosen_game(self) -> Game | None:
        """Return the game whose rules a person wants to read."""
        with contextlib.suppress(GridlockError):
            return read_games(self._chosen).game if self._chosen else None
        return None

    def _say_what_to_do(self) -> None:
        text = "No game is kept yet. Press f to open a file."
        if self._paths:
            text = "Enter goes on with an unfinished game, and reviews a finished one."
        self.say(self._trouble or text)

    def complain(self, error: GridlockError) -> None:
        """Show what went wrong, until something else is tried."""
        self._trouble = as_sentence(error)
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
                self._open(typed_path(name))

        self.app.push_screen(FilePage("A written game"), chosen)

    def _open(self, path: Path) -> None:
        """Go on with a game, or review it where it is over."""
        self._trouble = ""
        try:
            self.app.push_screen(open_file(self.gridlock.store, path))
        except GridlockError as error:
            self.complain(error)


def open_file(store: Store, path: Path) -> PlayScreen | StudyScreen:
    """Return the screen for the games in a file: to play on, or to review what is over.

    A file that is not one of the kept games is left as it is, and a copy of it played.
    """
    name = store.name_of(path)
    if name is None and (series := read_games(path)).is_over:
        return StudyScreen(series.records, is_review=True)
    kept = store.open(name) if name else store.create(series.game.rulebook.id, datetime.now())
    try:
        series = read_games(path, Keeper(kept))
        if not series.is_over:
            return PlayScreen(series, kept)
        kept.finish()  # a process ended between the last move and this
    except GridlockError:
        kept.release()
        raise
    kept.release()
    return StudyScreen(series.records, is_review=True)


def _row(path: Path) -> Content:
    """Return what there is to know of a kept game, in a line."""
    try:
        series = read_games(path)
    except GridlockError:
        return Content.styled(f"  {path.name} is damaged; Enter says how", "$error")
    last = series.records[-1]
    game = f"{series.game.rulebook.id} {series.game.grid}"
    one, two = series.tally
    end = f"{one} to {two}" if series.terms else write_count(last.turn_count, "move")
    if last.result and not series.terms:
        end += f", {series.game.rulebook.symbol(last.result)} won"
    return Content(f"  {last.date}  {game:<16} {' - '.join(last.players):<25} {end}")
