"""The first screen: what to play, and against whom."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from gridlock.errors import GridlockError
from gridlock.files import typed_path
from gridlock.grid import MAX_SIDE
from gridlock.lesson import lesson_of
from gridlock.match import Score, scores_of
from gridlock.notation import write_count
from gridlock.players import AUTO, HUMAN
from gridlock.puzzles import sentences
from gridlock.puzzles.progress import ProgressFile
from gridlock.results import fitting_level, latest_results, propose
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.rulebooks.custom import find_rule_files
from gridlock.sentences import as_sentence
from gridlock.setup import (
    BEGINNERS,
    CLOCKS,
    LENGTHS,
    Setup,
    describe_clock,
    describe_length,
    describe_opponent,
    sized,
)
from gridlock.tui.dial import Dial
from gridlock.tui.footer import KeyFooter
from gridlock.tui.pages import FilePage, NamesPage
from gridlock.tui.screen import GridlockScreen
from gridlock.tui.shelf import Card, Shelf

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from textual.app import ComposeResult

    from gridlock.model import Game

_LENGTHS = [describe_length(*length) for length in LENGTHS]
_CLOCKS = [describe_clock(control) for control in CLOCKS]
_TOSS = "whoever wins the toss"
_BEGINNERS = ("you", "the opponent", _TOSS)
_SCORES = {Score.WINS: "games won, in a series", Score.CELLS: "marks at the end of each game"}


def _opponents(choices: Sequence[str], names: tuple[str, str]) -> list[str]:
    """Return who can be played against, in words."""
    return [describe_opponent(who, names) for who in choices]


def _scores(game: Game) -> list[str]:
    """Return what can be counted in a game, in words."""
    return [_SCORES[score] for score in scores_of(game.rulebook)]


_SIDES = [str(side) for side in range(1, MAX_SIDE + 1)]


_WELCOME = Content.from_markup(
    " [bold]New here?[/]  [@click=screen.learn][bold]t[/]  learn the game below in two minutes[/]"
    "    [@click=screen.hide_welcome][bold]d[/]  not now[/]"
)
"""What newcomers read; what is a key can be clicked."""


class HomeScreen(GridlockScreen):
    """What to play, and against whom; Enter starts it."""

    AUTO_FOCUS = "Shelf"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Play", key_display="Enter"),
        Binding("p", "again", "Again"),
        Binding("t", "learn", "Learn"),
        Binding("d", "hide_welcome", "Hide the welcome", show=False),
        Binding("o", "games", "Games"),
        Binding("a", "analyse", "Analyse"),
        Binding("u", "puzzles", "Puzzles"),
        Binding("n", "names", "Names of two people", show=False),
        Binding("s", "results", "Results", show=False),
        Binding("f", "rule_file", "Rule file", show=False),
        # First of all, as the keys that turn a row: fast typing must meet the rows in their order.
        Binding("down,j", "app.focus_next", "Next row", show=False, priority=True),
        Binding("up,k", "app.focus_previous", "Row before", show=False, priority=True),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._trouble = ""
        self._due = ""
        self._names = ("", "")
        self._opponents: Sequence[str] = ()
        self._results: dict[Game, list[tuple[int, bool]]] = {}

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        setup = self.gridlock.preferences.setup
        self._names = setup.names
        self._opponents = self.gridlock.preferences.opponents
        files, errors = find_rule_files(self.gridlock.store.rules_folder)
        self._trouble = as_sentence(errors[0]) if errors else ""
        rulebooks = [*RULEBOOKS, *map(str, files)]
        if setup.rulebook not in rulebooks:
            rulebooks.append(setup.rulebook)
        cards = [Card(name, Setup(name).game()) for name in rulebooks]
        yield Static(id="top")
        yield Static(_WELCOME, id="welcome")
        yield Shelf(cards, rulebooks.index(setup.rulebook), self._turned)
        yield Static(id="about")
        rows, columns = self._sides(setup.game())
        with Vertical(id="form"):
            for name, values, chosen in (
                (
                    "Opponent",
                    _opponents(self._opponents, setup.names),
                    self._opponents.index(setup.opponent),
                ),
                ("Rows", _SIDES, rows),
                ("Columns", _SIDES, columns),
                ("First", _BEGINNERS, BEGINNERS.index(setup.first)),
                ("Clock", _CLOCKS, CLOCKS.index(setup.time_control)),
                ("Length", _LENGTHS, LENGTHS.index((setup.rounds, setup.target))),
                ("Score", _scores(setup.game()), list(_SCORES).index(Score(setup.score))),
            ):
                yield Dial(name, values, chosen, self._forget_trouble)
        yield Static(id="message")
        yield KeyFooter()

    def on_mount(self) -> None:
        """Show the rest."""
        self.refresh_view()

    def on_screen_suspend(self) -> None:
        """Forget what was typed when another screen comes."""
        for dial in self.query(Dial):
            dial.forget()

    def on_screen_resume(self) -> None:
        """Show what has changed meanwhile."""
        progress = ProgressFile(self.gridlock.store.folder).read()
        self._due = sentences.due(progress, date.today())
        self._results.clear()
        self.refresh_view()

    @property
    def _shelf(self) -> Shelf:
        return self.query_one(Shelf)

    def _dial(self, name: str) -> Dial:
        return self.query_one(f"#{name}", Dial)

    def chosen_game(self) -> Game:
        """Return the game of the chosen card."""
        return self._shelf.card.game

    def setup(self) -> Setup:
        """Return what is chosen."""
        rounds, target = LENGTHS[self._dial("length").chosen]
        size = sized(
            self.chosen_game(), self._dial("rows").chosen + 1, self._dial("columns").chosen + 1
        )
        return Setup(
            self._shelf.card.rulebook,
            size,
            self._opponents[self._dial("opponent").chosen],
            BEGINNERS[self._dial("first").chosen],
            rounds,
            target,
            list(_SCORES)[self._dial("score").chosen],
            self._names,
            str(CLOCKS[self._dial("clock").chosen] or ""),
        )

    def refresh_view(self) -> None:
        """Show what the chosen game is about, and what was played last."""
        for widget in (*self.query(Card), *self.query(Dial)):
            widget.refresh()
        self.query_one("#welcome").display = not self.gridlock.preferences.is_welcomed
        first = self._dial("first")
        first.set(first.chosen, self._beginners())
        rulebook = self.chosen_game().rulebook
        self.query_one("#top", Static).update(
            Content.assemble(
                Content.styled(" GridLock", "bold"),
                Content.styled("   Close the grid: whoever cannot move loses.", "$quiet"),
            )
        )
        self.query_one("#about", Static).update(
            Content.assemble(Content.styled(rulebook.title, "bold"), f"\n{rulebook.about}.")
        )
        preferences = self.gridlock.preferences
        again = f"p: again {preferences.setup.describe()}" if preferences.has_played else ""
        count = self._count_unfinished()
        kept = f"o: {write_count(count, 'unfinished game')}" if count else ""
        due = f"u: {self._due}" if self._due else ""
        lines = (self._advice(), "    ".join(filter(None, (again, kept, due))))
        self.say(self._trouble or "\n".join(filter(None, lines)))

    def _advice(self) -> str:
        """Return which level to try, or will be played, by the results on the chosen board.

        Two people are told how to say who they are.
        """
        try:
            latest = self._latest_results(self.setup().game())
        except GridlockError:  # said when the game is started
            return ""
        proposal, opponent = propose(latest), self._opponents[self._dial("opponent").chosen]
        if opponent == HUMAN:
            return "n: names of the players"
        if opponent != AUTO:
            return str(proposal or "")
        level = f"The computer plays at level {fitting_level(latest)}"
        if proposal is None:
            return f"{level}, until your results say otherwise."
        won = f"{proposal.won} of the last {proposal.games} games"
        return f"{level}: you won {won} at level {proposal.played_level}."

    def _beginners(self) -> Sequence[str]:
        """Return who may begin, in words; of two people, by their names or symbols."""
        if self._opponents[self._dial("opponent").chosen] != HUMAN:
            return _BEGINNERS
        symbols = self.chosen_game().rulebook.symbols
        names = (name or symbol for name, symbol in zip(self._names, symbols, strict=True))
        return (*names, _TOSS)

    def _latest_results(self, game: Game) -> list[tuple[int, bool]]:
        """Return the latest results of a game; they are read once while this screen is shown."""
        if game not in self._results:
            self._results[game] = latest_results(self.gridlock.store, game)
        return self._results[game]

    def _count_unfinished(self) -> int:
        try:
            return len(self.gridlock.store.unfinished())
        except GridlockError:  # said when the games are opened
            return 0

    def complain(self, error: GridlockError) -> None:
        """Show what went wrong, until something else is tried."""
        self._trouble = as_sentence(error)
        self.refresh_view()

    def _forget_trouble(self) -> None:
        self._trouble = ""
        self.refresh_view()

    def _turned(self) -> None:
        """Show the chosen game on its own board."""
        rows, columns = self._sides(self.chosen_game())
        self._dial("rows").set(rows)
        self._dial("columns").set(columns)
        scores, score = _scores(self.chosen_game()), self._dial("score").chosen
        self._dial("score").set(score if score < len(scores) else 0, scores)
        self._forget_trouble()

    def _sides(self, game: Game) -> tuple[int, int]:
        return game.grid.rows - 1, game.grid.columns - 1

    def action_start(self) -> None:
        """Play what is chosen."""
        self._start(self.setup())

    def action_again(self) -> None:
        """Play what was played last."""
        self._start(self.gridlock.preferences.setup)

    def _start(self, setup: Setup) -> None:
        from gridlock.tui.play import open_series

        preferences = self.gridlock.preferences
        try:
            screen = open_series(
                self.gridlock.store, setup.game(), preferences.sign(setup.players), setup.terms,
                setup.first_player, time_control=setup.time_control,
            )  # fmt: skip
        except GridlockError as error:
            self.complain(error)
            return
        self._trouble = ""
        self.gridlock.remember(setup=setup, has_played=True)
        self.app.push_screen(screen)

    def action_analyse(self) -> None:
        """Look at the values of the chosen game."""
        from gridlock.record import Record
        from gridlock.tui.study import StudyScreen

        try:
            self.app.push_screen(StudyScreen([Record(self.setup().game())]))
        except GridlockError as error:
            self.complain(error)

    def action_learn(self) -> None:
        """Learn the chosen game, step by step."""
        from gridlock.tui.learn import LearnScreen

        rulebook = self.chosen_game().rulebook
        if lesson := lesson_of(rulebook):
            self._trouble = ""
            self.gridlock.remember(is_welcomed=True)
            self.app.push_screen(LearnScreen(lesson))
        else:
            self._trouble = f"There is no lesson for {rulebook.id}: press i for its rules."
            self.refresh_view()

    def action_hide_welcome(self) -> None:
        """Say no more that there are lessons."""
        self.gridlock.remember(is_welcomed=True)
        self.refresh_view()

    def action_games(self) -> None:
        """Show the games that are kept."""
        from gridlock.tui.games import GamesScreen

        self.app.push_screen(GamesScreen())

    def action_puzzles(self) -> None:
        """Solve puzzles."""
        from gridlock.tui.puzzles import PuzzlesScreen

        self.app.push_screen(PuzzlesScreen())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide only a welcome that is shown, and ask for names only where two people play."""
        if action == "hide_welcome":
            return not self.gridlock.preferences.is_welcomed
        if action == "names":
            opponents = self.query("#opponent").results(Dial)
            return any(self._opponents[dial.chosen] == HUMAN for dial in opponents)
        return super().check_action(action, parameters)

    def action_names(self) -> None:
        """Ask what two people at one keyboard are called."""

        def chosen(names: tuple[str, str] | None) -> None:
            if names is not None:
                self._names = names
                self._dial("opponent").set(
                    self._opponents.index(HUMAN), _opponents(self._opponents, names)
                )
                self.refresh_view()

        self.app.push_screen(NamesPage(self.chosen_game(), self._names), chosen)

    def action_results(self) -> None:
        """Show how a person did against the computer."""
        from gridlock.tui.results import ResultsScreen

        self.app.push_screen(ResultsScreen())

    def action_rule_file(self) -> None:
        """Ask for a rule file of one's own."""

        def chosen(name: str | None) -> None:
            if name:
                self._add_rules(typed_path(name))

        self.app.push_screen(FilePage("A rule file of your own"), chosen)

    def _add_rules(self, path: Path) -> None:
        try:
            rulebook = str(path.absolute())
            card = Card(rulebook, Setup(rulebook).game())
        except GridlockError as error:
            self.complain(error)
            return
        shelf = self._shelf
        names = [known.rulebook for known in shelf.cards]
        if rulebook in names:
            shelf.choose(names.index(rulebook))
        else:
            shelf.mount(card)
            shelf.cards.append(card)
            shelf.choose(len(names))
