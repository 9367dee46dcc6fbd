"""The screen of puzzles: which to solve, and how one gets on."""

from __future__ import annotations

import random
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from gridlock.errors import PuzzleError
from gridlock.notation import write_count
from gridlock.puzzles import sentences
from gridlock.puzzles.collection import THEMES, games_with_puzzles, puzzles_of
from gridlock.puzzles.exercise import DailyExercise, MistakeExercise, RatedExercise
from gridlock.puzzles.progress import ProgressFile
from gridlock.sentences import as_sentence
from gridlock.tui.dial import Dial
from gridlock.tui.footer import KeyFooter
from gridlock.tui.puzzle import PuzzleScreen
from gridlock.tui.screen import GridlockScreen

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from gridlock.model import Game
    from gridlock.puzzles.progress import Progress
    from gridlock.puzzles.puzzle import Puzzle

_MOTTO = "At each of your turns exactly one cell wins: find it."
_NAME_WIDTH = 25  # characters of what the report names


class PuzzlesScreen(GridlockScreen):
    """Puzzles that suit one's rating, the puzzle of the day, and one's own mistakes."""

    AUTO_FOCUS = "Dial"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "solve", "Solve", key_display="Enter"),
        Binding("d", "daily", "Puzzle of the day"),
        Binding("m", "mistakes", "Your mistakes"),
        # First of all, as on the first screen: fast typing must meet the rows in their order.
        Binding("down,j", "app.focus_next", "Next row", show=False, priority=True),
        Binding("up,k", "app.focus_previous", "Row before", show=False, priority=True),
        Binding("escape,q", "app.pop_screen", "Leave", key_display="Esc"),
    ]

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(id="top")
        yield Static(id="report")
        with Vertical(id="form"):
            yield Dial("Game", ["all games", *games_with_puzzles()], 0, self._turned)
            yield Dial("Theme", self._themes_in_words(), 0, self.refresh_view)
        yield Static(id="message")
        yield KeyFooter()

    def on_screen_resume(self) -> None:
        """Show how one gets on by now."""
        self.refresh_view()

    # ------------------------------------------------------------------ what is chosen

    @property
    def _game_id(self) -> str | None:
        """The chosen game, None for all of them."""
        chosen = self.query_one("#game", Dial).chosen if self.query("#game") else 0
        return games_with_puzzles()[chosen - 1] if chosen else None

    @property
    def _theme(self) -> str | None:
        """The chosen theme, None for any."""
        chosen = self.query_one("#theme", Dial).chosen
        return self._themes()[chosen - 1] if chosen else None

    def _puzzles(self) -> list[Puzzle]:
        """Return the puzzles of the chosen game."""
        games = [self._game_id] if self._game_id else games_with_puzzles()
        return [puzzle for game_id in games for puzzle in puzzles_of(game_id)]

    def _themes(self) -> list[str]:
        """Return what the puzzles of the chosen game are about."""
        found = {theme for puzzle in self._puzzles() for theme in puzzle.themes}
        return [theme for theme in THEMES if theme in found]

    def _themes_in_words(self) -> list[str]:
        return ["any", *(THEMES[theme] for theme in self._themes())]

    def _turned(self) -> None:
        """Offer the themes that the chosen game has."""
        self.query_one("#theme", Dial).set(0, self._themes_in_words())
        self.refresh_view()

    def chosen_game(self) -> Game | None:
        """Return the game whose rules a person wants to read."""
        return puzzles_of(self._game_id)[0].position.game if self._game_id else None

    # ------------------------------------------------------------------ keys

    def _progress(self) -> Progress:
        return ProgressFile(self.gridlock.store.folder).read()

    def action_solve(self) -> None:
        """Solve a puzzle that suits one's rating."""
        exercise = RatedExercise.choose(
            self._progress(), random.Random(), self._game_id, self._theme
        )
        self.app.push_screen(PuzzleScreen(exercise))

    def action_daily(self) -> None:
        """Solve the puzzle of the day."""
        self.app.push_screen(PuzzleScreen(DailyExercise(date.today())))

    def action_mistakes(self) -> None:
        """Solve the mistakes of one's own that have come back."""
        try:
            exercise = MistakeExercise.choose(self._progress(), date.today())
        except PuzzleError as error:
            self.say(as_sentence(error))
        else:
            self.app.push_screen(PuzzleScreen(exercise))

    # ------------------------------------------------------------------ what is shown

    def refresh_view(self) -> None:
        """Show how one gets on, and what there is to solve."""
        for dial in self.query(Dial):
            dial.refresh()
        self.query_one("#top", Static).update(
            Content.assemble(
                Content.styled(" GridLock puzzles", "bold"),
                Content.styled(
                    "   At each of your turns exactly one cell wins: find it.", "$quiet"
                ),
            )
        )
        progress, today = self._progress(), date.today()
        rows = [
            Content.assemble(f"{name:<{_NAME_WIDTH}}", Content.styled(value, "bold"))
            for name, value in sentences.report(progress, today).items()
        ]
        self.query_one("#report", Static).update(Content("\n").join(rows))
        waiting = Content("    ").join(self._waiting(progress, today))
        self.say(Content("\n").join([Content(self._supply(progress)), waiting]))

    def _supply(self, progress: Progress) -> str:
        """Return how many puzzles there are of what is chosen."""
        theme = self._theme
        found = [puzzle for puzzle in self._puzzles() if theme is None or theme in puzzle.themes]
        tried = sum(puzzle.id in progress.seen for puzzle in found)
        return f"{write_count(len(found), 'puzzle')}, {tried} of them tried."

    def _waiting(self, progress: Progress, today: date) -> list[Content]:
        """Return what waits for today, each to be clicked."""
        waiting = {}
        if not DailyExercise(today).is_old(progress):
            waiting["daily"] = "d: today's puzzle"
        if due := sentences.due(progress, today):
            waiting["mistakes"] = f"m: {due}"
        return [
            Content.styled(text, f"bold $accent @click=screen.{action}")
            for action, text in waiting.items()
        ]
