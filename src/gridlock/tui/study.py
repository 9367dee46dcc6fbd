"""The screen on which games and positions are looked at: values, best lines, reviews."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from gridlock.errors import GridlockError, StoreError
from gridlock.model import Player, read_position
from gridlock.notation import write_count
from gridlock.puzzles.progress import ProgressFile
from gridlock.puzzles.sentences import KEPT
from gridlock.record import read_records, record_of, write_line
from gridlock.sentences import as_sentence, why_refused
from gridlock.tui.copying import excerpts
from gridlock.tui.glyphs import glyphs_for
from gridlock.tui.line import Line
from gridlock.tui.screen import COLOURS, UNREACHABLE, BoardScreen
from gridlock.tui.squares import squares_of
from gridlock.tui.thinking import Thinker
from gridlock.tui.timeline import Timeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

    from gridlock.engine import Engine
    from gridlock.model import Position
    from gridlock.record import Record
    from gridlock.search.analysis import Action, Analysis
    from gridlock.search.review import Review, ReviewedAction
    from gridlock.tui.copying import Excerpt

_MOST_CELLS = 12  # cells of a best line that are written


_FAULTLESS = "No won position was given away."
_WATCHING = "] goes on, [ back. v shows the values, m finds the mistakes, o plays on from here."
_TENTHS = "A digit is an estimate, not a fact: 6 stands for 60 to 69%."


class StudyScreen(BoardScreen):
    """Records of a game or a series, and positions set up, with what every cell is worth.

    A review begins with the values out of sight, so that one can look for the better cell oneself.
    A replay begins at the beginning, and nothing is found out before the values are asked for.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "toggle_values", "Values"),
        Binding("b", "best", "Best"),
        Binding("left_square_bracket,comma,p", "step(-1)", "Back", key_display="["),
        Binding("right_square_bracket,full_stop,n", "step(1)", "On", key_display="]"),
        Binding("m", "mistake(1)", "Mistakes"),
        Binding("M", "mistake(-1)", "Mistake before", show=False),
        Binding("x", "come_back", "Back to the game", show=False),
        Binding("home", "to_beginning", "To the beginning", show=False),
        Binding("end", "to_end", "To the end", show=False),
        Binding("g", "next_game", "Next game of a series", show=False),
        Binding("o", "play_on", "Play"),
        Binding("e", "edit", "Set up"),
    ]

    def __init__(
        self,
        records: Sequence[Record],
        engine: Engine | None = None,
        *,
        is_review: bool = False,
        is_replay: bool = False,
    ) -> None:
        super().__init__(records[-1].game)
        self._records = records
        self._review_engine = engine
        """What the game was played with, if it was just now: it knows much of it already."""
        self._reviewer = Thinker(self, self.search_failed)
        self._is_review = is_review
        self._is_replay = is_replay
        self._has_values = not (is_review or is_replay)
        self._analyses: dict[Position, Analysis] = {}
        self._so_far: Analysis | None = None
        self._is_unreachable = False
        self._take_up(0 if is_replay else len(records) - 1)

    def _take_up(self, number: int) -> None:
        """Begin with a game of the series, from 0."""
        self._number = number
        record = self._records[number]
        self._game_line = self._line = Line(record.start(), record.moves)
        self._review: Review | None = None
        self._are_kept = False
        if self._is_replay:
            self._line.go(0)

    @property
    def _record(self) -> Record:
        return self._records[self._number]

    @property
    def _is_game(self) -> bool:
        """Whether what is looked at has come from the game, not from a position set up."""
        return self._line is self._game_line

    @property
    def position(self) -> Position:
        """The position looked at."""
        return self._line.position

    @property
    def _analysis(self) -> Analysis | None:
        """What is known of the position looked at, or so far."""
        return self._analyses.get(self.position, self._so_far)

    def compose_panel(self) -> ComposeResult:
        """Lay the panel out."""
        yield Static(id="status")
        yield Timeline()
        yield Static(id="message")
        yield Static(Content.styled(f"{KEPT}.", "$quiet"), id="kept")
        yield Static(id="line")
        yield Static(id="moves")

    def why_not(self, cell: int) -> str:
        """Return why a cell cannot be chosen, '' if it can or the game is over."""
        return "" if self.position.winner else why_refused(self.position, cell)

    def excerpts(self) -> list[Excerpt]:
        """Return the position looked at, the moves to it, and the record of the game or line."""
        line = self._line
        is_played = self._is_game and not line.is_side
        record = self._record if is_played else record_of(line.start, line.moves, line.end)
        return excerpts(record, self.position, line.moves[: line.at])

    def on_paste(self, event: events.Paste) -> None:
        """Look at a position that was copied elsewhere, on a board of any size, or at a game."""
        event.stop()
        try:
            if event.text.lstrip().startswith("["):
                records = read_records(event.text)
                self.app.push_screen(StudyScreen(records, is_replay=True))
                return
            position = read_position(self.game.rulebook, event.text)
        except GridlockError as error:
            self.complain(error)
            return
        if position.game == self.game:
            self._study_position(position)
        else:
            self.app.push_screen(StudyScreen([record_of(position, (), position)]))

    def open(self) -> None:
        """Begin with the review, or with the position."""
        if self._is_review:
            self._ask_for_review()
        self._look()

    def close(self) -> None:
        """Stop thinking."""
        super().close()
        self._reviewer.drop()
        self._review_engine = None

    # ------------------------------------------------------------------ finding out

    @property
    def _is_watching(self) -> bool:
        """Whether a game is only looked at, so that nothing is to be found out."""
        return self._is_replay and not self._is_review and not self._has_values

    def _ask_for_review(self) -> None:
        from gridlock.engine import Engine

        record = self._record
        if not record.moves:
            self._is_review = False
            self._has_values = True
            return

        engine = self._review_engine = self._review_engine or Engine(record.game)
        self._is_review = True
        self._reviewer.ask(
            engine,
            lambda: engine.review(record, on_progress=self._reviewer.watch),
            self._show_review,
        )

    def _show_review(self, review: Review) -> None:
        """Show the review, or what is known of it so far."""
        self._review = review
        if not self._reviewer.is_busy:
            self._keep_mistakes(review)
        mistakes = review.mistakes() or review.doubtful()
        is_waiting = self._is_game and self._line.at == len(self._record.moves)
        if mistakes and is_waiting and not self._reviewer.is_busy:
            self._line.go_in_game(mistakes[0].number)  # nobody has gone elsewhere meanwhile
            self._look()
        else:
            self._show()

    def _keep_mistakes(self, review: Review) -> None:
        """Let a person's mistakes come back; a review is no worse where they cannot be kept."""
        file = ProgressFile(self.gridlock.store.folder)
        try:
            name = self.gridlock.preferences.name
            self._are_kept = file.keep_mistakes([review], date.today(), name)
        except StoreError as error:
            self.notify(as_sentence(error), severity="error", markup=False)

    def _look(self) -> None:
        """Show the position looked at, and find out what is not known of it yet."""
        self.thinker.drop()
        self._is_unreachable = not self._is_game and bool(self.position.why_unreachable())
        self._so_far = None
        is_asked = self.position.winner is None and not self._is_watching
        if is_asked and self.position not in self._analyses:
            self._ask(self.position)
        self.board.reveal(self.board.cursor if self._line.last is None else self._line.last)
        self.refresh_view()
        self.say(self.message)

    def _ask(self, position: Position) -> None:
        engine = self.engine()

        def tell(analysis: Analysis) -> None:
            if self.thinker.is_busy:
                self._so_far = analysis
            else:
                self._analyses[position] = analysis
            self._show()

        self.thinker.ask(
            engine, lambda: engine.analyse(position, on_progress=self.thinker.watch), tell
        )

    def _show(self) -> None:
        """Show what has been found out; what a person is typing stays."""
        self.refresh_view()
        if not self.is_typing:
            self.say(self.message)

    # ------------------------------------------------------------------ keys

    def choose(self, cell: int) -> None:
        """Try a cell: a side line, unless the game went on so."""
        if reason := why_refused(self.position, cell):
            self.say(as_sentence(reason))
        else:
            self._line.play(cell)
            self._look()

    def action_toggle_values(self) -> None:
        """Show the values, or hide them."""
        self._has_values = not self._has_values
        self._look()

    def action_best(self) -> None:
        """Play the best action: step by step this is the best line."""
        analysis = self._analysis
        if self.position.winner is not None:
            self.say("The game is over here.")
        elif analysis is None:
            self.say("Still thinking about this position...")
        else:
            from gridlock.search import sentences

            self.choose(sentences.explicable(analysis).cell)

    def action_step(self, step: int) -> None:
        """Step through the line."""
        at = self._line.at
        self._line.go(at + step)
        self._look()
        if self._line.at == at:
            self.say("This is the end." if step > 0 else "This is the beginning.")

    def action_to_beginning(self) -> None:
        """Go to where the line begins."""
        self._line.go(0)
        self._look()

    def action_to_end(self) -> None:
        """Go to where the line ends."""
        self._line.go(len(self._line.moves))
        self._look()

    def action_come_back(self) -> None:
        """Leave a side line, or a position that was set up."""
        if not self._is_game:
            self._line = self._game_line
        elif self._line.is_side:
            self._line.come_back()
        else:
            self.say("This is the game itself.")
            return
        self._look()

    def action_next_game(self) -> None:
        """Look at the next game of a series."""
        if len(self._records) == 1:
            self.say("This is a single game.")
            return
        self._reviewer.drop()
        self._take_up((self._number + 1) % len(self._records))
        self.open()

    def action_mistake(self, step: int) -> None:
        """Go to the next turn that threw the game away, or probably did, or to the one before."""
        if not self._is_game or not self._record.moves:
            self.say("There is no game here to be reviewed.")
        elif self._review is None:
            self._ask_for_review()
            self._look()
        elif not (faults := (*self._review.mistakes(), *self._review.doubtful())):
            self.say(self._conclusion())
        else:
            numbers = sorted(action.number for action in faults)
            later = [number for number in numbers if (number - self._line.at) * step > 0]
            self._line.go_in_game((later or numbers)[0 if step > 0 else -1])
            self._look()

    def on_timeline_clicked(self, event: Timeline.Clicked) -> None:
        """Go to the position that was clicked."""
        self._line = self._game_line
        self._line.go_in_game(event.at)
        self._look()

    def action_edit(self) -> None:
        """Set up a position by hand."""
        from gridlock.tui.editor import EditorScreen

        self.app.push_screen(EditorScreen(self.position, self._study_position))

    def action_play_on(self) -> None:
        """Play from the position looked at."""
        if self.position.winner is not None:
            self.say("The game is over here.")
            return
        from gridlock.tui.from_here import FromHereScreen

        self.app.push_screen(FromHereScreen(self.position))

    def _study_position(self, position: Position) -> None:
        self._line = Line(position)
        self._has_values = True
        self._look()

    # ------------------------------------------------------------------ what is shown

    @property
    def _reviewed(self) -> ReviewedAction | None:
        """What the review says of the action that led to the position looked at."""
        if self._review is None or not self._is_game or self._line.is_side or not self._line.at:
            return None
        return self._review.actions[self._line.at - 1]

    def refresh_view(self) -> None:
        """Draw the board and the panel."""
        line, glyphs = self._line, glyphs_for(self)
        analysis = self._analysis if self._has_values else None
        self.message = self._remark()
        self.board.show(squares_of(self.position, glyphs, last=line.last, analysis=analysis))
        kind = "review" if self._is_review else "replay" if self._is_replay else "analysis"
        if not self._is_game:
            kind = "set up"
        elif line.is_side:
            kind = "side line"
        of = f", game {self._number + 1} of {len(self._records)}" if len(self._records) > 1 else ""
        at, last = (line.start.turn_number(actions) for actions in (line.at, len(line.moves)))
        self.heading(f"{kind}{of}, move {at} of {last}")
        doubt = Content.styled(f"\n{UNREACHABLE}.", "$warning") if self._is_unreachable else ""
        self.query_one("#status", Static).update(Content.assemble(self._status(), doubt))
        timeline = self.query_one(Timeline)
        timeline.display = self._review is not None and self._is_game
        if self._review is not None:
            timeline.show(self._review, 0 if line.is_side else line.at, glyphs)
        self.query_one("#kept").display = self._are_kept and self._is_game
        self.query_one("#line", Static).update(self._best_line())
        self.query_one("#moves", Static).update(self.written(line.start, line.moves[: line.at]))

    def _status(self) -> Content:
        position = self.position
        symbol = self.game.rulebook.symbol(position.mover)
        if position.winner is not None:
            winner = self.game.rulebook.symbol(position.winner)
            return Content.styled(f"{winner} has won.", f"bold {COLOURS[position.winner]}")
        return Content.styled(
            f"{symbol} to {position.upcoming.noun}", f"bold {COLOURS[position.mover]}"
        )

    def _remark(self) -> str:
        """Return what there is to say about the position looked at."""
        from gridlock.search import sentences

        if self._is_watching:
            return _WATCHING
        reviewed = self._reviewed
        is_end = reviewed is not None and reviewed.number == len(self._record.moves)
        is_ready = self._review is not None and not self._reviewer.is_busy
        is_waiting = self._is_review and self._is_game and not is_ready
        if reviewed is not None and not (is_end and is_waiting):
            symbol = self.game.rulebook.symbol
            if reviewed.is_mistake:
                return f"{sentences.fault(reviewed, symbol)} Press [ and find a better cell."
            if reviewed.is_doubtful:
                return f"{sentences.doubt(reviewed, symbol)} Press [ and look for a better cell."
        if is_end or is_waiting:
            return self._conclusion()
        return self._assessment() if self.position.winner is None else ""

    def _assessment(self) -> str:
        """Return what is known of a position that is not over."""
        from gridlock.search import sentences

        analysis, is_busy = self._analysis, self.thinker.is_busy
        if analysis is None:
            return "Thinking..." if is_busy else "This position could not be analysed."
        if analysis.value == "unknown" and analysis.estimate is None and is_busy:
            known = sum(action.value != "unknown" for action in analysis.actions)
            return f"Thinking... {known:,} of {len(analysis.actions):,} cells are solved."
        if not self._has_values:
            return self._verdict(analysis)
        sentence = sentences.sentence(analysis, self.game.rulebook.symbol)
        return f"{sentence} Thinking..." if is_busy else sentence

    def _conclusion(self) -> str:
        """Return how both players did, at the end of a reviewed game."""
        from gridlock.search import sentences

        review = self._review
        if review is None:
            is_busy = self._reviewer.is_busy
            return "Reviewing the game..." if is_busy else "The game could not be reviewed."
        if self._reviewer.is_busy:
            known = sum("unknown" not in (a.before, a.after) for a in review.actions)
            mistakes = write_count(len(review.mistakes()), "mistake")
            solved = f"{known} of {len(review.actions)} positions are solved"
            if estimated := sum(action.is_estimated for action in review.actions):
                solved += f", {estimated} estimated"
            return f"Reviewing the game... {solved}, {mistakes} so far."
        symbol = self.game.rulebook.symbol
        if review.is_complete and not review.mistakes() and not review.resigned_a_win:
            return _FAULTLESS
        return " ".join(sentences.summary(review, player, symbol) for player in Player)

    def _verdict(self, analysis: Analysis) -> str:
        """Return who wins, and nothing that gives away how."""
        from gridlock.search import sentences

        symbol = self.game.rulebook.symbol
        if analysis.value == "unknown":
            return f"{sentences.uncertain(analysis, symbol)}."
        who = symbol(self.position.mover)
        return f"{who} {sentences.outcome(analysis.value, analysis.distance)} with the best play."

    def _legend(self, guess: Action) -> str:
        """Return what the labels of actions mean that are not solved."""
        from gridlock.search import sentences

        if len(guess.label) > self.board.drawing.scale.room:
            return _TENTHS
        return sentences.legend(guess)

    def _best_line(self) -> Content:
        analysis = self._analysis
        if not self._has_values or analysis is None:
            return Content("")
        guess = next((action for action in analysis.actions if action.estimate is not None), None)
        if guess:
            return Content.styled(self._legend(guess), "$guess")
        if not analysis.distance:
            return Content("")
        cells = analysis.actions[0].line
        written = write_line(self.position, cells[:_MOST_CELLS])
        more = " ..." if len(cells) > _MOST_CELLS else ""
        return Content.assemble(
            Content.styled("Best: ", "$quiet"), f"{written}{more}",
            Content.styled("\nW5 wins in 5, L6 loses in 6", "$quiet"),
        )  # fmt: skip
