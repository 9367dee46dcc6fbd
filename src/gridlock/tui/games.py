"""The screen of kept games: unfinished ones go on, finished ones are reviewed or replayed."""

from __future__ import annotations

import contextlib
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from gridlock.errors import GridlockError
from gridlock.files import typed_path
from gridlock.history import read_entry, write_time
from gridlock.notation import write_count
from gridlock.players import check_programs
from gridlock.saving import Keeper, read_games
from gridlock.sentences import as_sentence
from gridlock.tui.footer import KeyFooter
from gridlock.tui.pages import FilePage, Question
from gridlock.tui.play import PlayScreen
from gridlock.tui.screen import GridlockScreen
from gridlock.tui.study import StudyScreen

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult

    from gridlock.history import Entry
    from gridlock.model import Game
    from gridlock.store import Store

_MOST_FINISHED = 500  # of the finished games, the latest


class GamesScreen(GridlockScreen):
    """All games that are kept."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "replay", "Replay"),
        Binding("s", "results", "Results"),
        Binding("d", "delete", "Delete"),
        Binding("b", "programs", "Games between programs", show=False),
        Binding("f", "file", "Open a file"),
        Binding("j", "move(1)", "Next game", show=False),
        Binding("k", "move(-1)", "Game before", show=False),
        Binding("escape,q", "app.pop_screen", "Leave", key_display="Esc"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._paths: list[Path] = []
        self._trouble = ""
        self._has_programs = False

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(Content.styled(" Your games", "bold"), id="top")
        yield OptionList(compact=True)
        yield Static(id="message")
        yield KeyFooter()

    def on_screen_resume(self) -> None:
        """Read what there is now."""
        self._list()

    def _list(self) -> None:
        store = self.gridlock.store
        options = self.query_one(OptionList)
        chosen, place = self._chosen, options.highlighted
        options.clear_options()
        self._paths = []
        try:
            files = store.files()
        except GridlockError as error:
            self.complain(error)
            return
        rows: dict[bool, list[tuple[Path, Content]]] = {False: [], True: []}
        has_older = False
        for played, path in files:
            is_finished = path.parent == store.finished_folder
            if is_finished and len(rows[True]) >= _MOST_FINISHED:
                has_older = True
                continue
            if row := self._row(played, path):
                rows[is_finished].append((path, row))
        titles = ("Unfinished", "Finished, the latest" if has_older else "Finished")
        for title, found in zip(titles, rows.values(), strict=True):
            heading = Content.styled(f"{title}: {len(found)}", "bold")
            options.add_option(Option(heading, disabled=True))
            for path, row in found:
                self._paths.append(path)
                options.add_option(Option(row, id=str(len(self._paths) - 1)))
        if chosen in self._paths:
            options.highlighted = options.get_option_index(str(self._paths.index(chosen)))
        elif self._paths:  # near to where a game was that is gone
            nearest = min(range(len(self._paths)), key=lambda at: self._distance(at, place or 0))
            options.highlighted = options.get_option_index(str(nearest))
        self._say_what_to_do()

    def _distance(self, at: int, place: int) -> int:
        """Return how far the game ``at`` is from a place in the list, which has headings too."""
        return abs(self.query_one(OptionList).get_option_index(str(at)) - place)

    def _row(self, played: datetime, path: Path) -> Content | None:
        """Return what there is to know of a kept game, in a line, None for one that is left out."""
        try:
            entry = read_entry(self.gridlock.store, played, path)
        except GridlockError:
            return Content.styled(f"  {path.name} is damaged; Enter says how", "$error")
        if entry.is_between_programs and not self._has_programs:
            return None
        return _describe(entry, datetime.now())

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
            text = "Enter goes on with a game, or reviews a finished one; r replays it."
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

    def action_replay(self) -> None:
        """Look at a game again from its beginning, without values."""
        self._trouble = ""
        if path := self._chosen:
            try:
                self.app.push_screen(StudyScreen(read_games(path).records, is_replay=True))
            except GridlockError as error:
                self.complain(error)

    def action_results(self) -> None:
        """Show how a person did against the computer."""
        from gridlock.tui.results import ResultsScreen

        self.app.push_screen(ResultsScreen())

    def action_programs(self) -> None:
        """Show games in which only programs played, too, or leave them out."""
        self._has_programs = not self._has_programs
        self._list()

    def action_delete(self) -> None:
        """Delete a game, after a question."""
        path = self._chosen
        if path is None:
            return

        def answered(yes: bool | None) -> None:
            self._trouble = ""
            try:
                if yes:
                    self.gridlock.store.delete(path)
            except GridlockError as error:
                self.complain(error)
            self._list()

        self.app.push_screen(Question(f"Delete {path.stem} for good?"), answered)

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
            check_programs(series.players, is_own=name is not None)
            return PlayScreen(series, kept)
        kept.finish()  # a process ended between the last move and this
    except GridlockError:
        kept.release()
        raise
    kept.release()
    return StudyScreen(series.records, is_review=True)


def _describe(entry: Entry, now: datetime) -> Content:
    """Return what there is to know of a kept game, in a line."""
    last = entry.last
    game = f"{last.rulebook} {last.size}"
    end = entry.describe_result()
    if not last.is_in_series:
        end += f", {write_count(last.turn_count, 'move')}"
    time, opponent = write_time(entry.played, now), entry.describe_opponent()
    return Content(f"  {time:<14}{game:<17} {opponent:<22} {end}")
