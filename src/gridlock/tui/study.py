"""The screen on which games and positions are looked at: values, best lines, reviews."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from gridlock.players import MEMORY
from gridlock.search import ANALYSIS_SECONDS, REVIEW_SECONDS
from gridlock.tui.line import Line
from gridlock.tui.phrases import why_refused
from gridlock.tui.screen import COLOURS, BoardScreen
from gridlock.tui.squares import squares_of
from gridlock.tui.timeline import Timeline

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from gridlock.model import Position
    from gridlock.record import Record
    from gridlock.search.analysis import Analysis
    from gridlock.search.review import Review, ReviewedAction
    from gridlock.search.solver import Solver

_FIRST_SECONDS = 0.5
"""How long an analysis takes at most before what it has found so far is shown."""

_MOST_CELLS = 12  # cells of a best line that are written


class StudyScreen(BoardScreen):
    """A record, or a position set up by hand, with what every cell is worth.

    A review begins with the values out of sight, so that one can look for the better cell oneself.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "toggle_values", "Values"),
        Binding("b", "best", "Best"),
        Binding("left_square_bracket,comma,p", "step(-1)", "Back", key_display="["),
        Binding("right_square_bracket,full_stop,n", "step(1)", "On", key_display="]"),
        Binding("m", "mistake(1)", "Mistakes"),
        Binding("M", "mistake(-1)", "Mistake before", show=False),
        Binding("x", "come_back", "Back to the game", show=False),
        Binding("home", "go(0)", "To the beginning", show=False),
        Binding("end", "go(100000)", "To the end", show=False),
        Binding("e", "edit", "Set up"),
    ]

    def __init__(self, record: Record, *, is_review: bool = False) -> None:
        super().__init__(record.game)
        self._record = record
        self._line = Line(record.game.start(record.first), record.moves)
        self._has_values = not is_review
        self._is_review = is_review
        self._review: Review | None = None
        self._analyses: dict[Position, Analysis] = {}
        self._solver: Solver | None = None

    @property
    def position(self) -> Position:
        """The position looked at."""
        return self._line.position

    @property
    def _analysis(self) -> Analysis | None:
        return self._analyses.get(self.position)

    def compose_panel(self) -> ComposeResult:
        """Lay the panel out."""
        yield Static(id="status")
        yield Timeline()
        yield Static(id="message")
        yield Static(id="line")
        yield Static(id="moves")

    def why_not(self, cell: int) -> str:
        """Return why a cell cannot be chosen, '' if it can or the game is over."""
        return "" if self.position.winner else why_refused(self.position, cell)

    def open(self) -> None:
        """Begin with the review, or with the position."""
        if self._is_review and self._record.moves:
            self.refresh_view()
            self.say("Reviewing...")
            self.thinker.ask(self._find_review, self._show_review)
        else:
            self._look()

    # ------------------------------------------------------------------ finding out

    def _get_solver(self) -> Solver:
        from gridlock.search.solver import Limits, Solver

        if self._solver is None:
            self._solver = Solver(self.game, Limits(memory=MEMORY), watch=self.thinker.watch)
        return self._solver

    def _find_review(self) -> Review:
        from gridlock.search.review import review

        return review(self._record, REVIEW_SECONDS, self._get_solver())

    def _show_review(self, review: Review) -> None:
        self._review = review
        mistakes = review.mistakes()
        if mistakes:
            self._line.go_in_game(mistakes[0].number)
        self._look()

    def _look(self) -> None:
        """Show the position looked at, and find out what is not known of it yet."""
        self.message = self._remark()
        self.refresh_view()
        self.say(self.message)
        position = self.position
        if position.winner is None and position not in self._analyses:
            self._ask(position, _FIRST_SECONDS)

    def _ask(self, position: Position, seconds: float) -> None:
        from gridlock.search.analysis import analyse

        def tell(analysis: Analysis) -> None:
            self._analyses[position] = analysis
            self.message = self._remark()
            self.refresh_view()
            self.say(self.message)
            if analysis.limit and seconds < ANALYSIS_SECONDS:
                self._ask(position, ANALYSIS_SECONDS)

        self.thinker.ask(lambda: analyse(position, seconds, solver=self._get_solver()), tell)

    # ------------------------------------------------------------------ keys

    def choose(self, cell: int) -> None:
        """Try a cell: a side line, unless the game went on so."""
        if reason := why_refused(self.position, cell):
            self.say(f"{reason}.")
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
            self.choose(analysis.actions[0].cell)

    def action_step(self, step: int) -> None:
        """Step through the line."""
        self.action_go(self._line.at + step)

    def action_go(self, at: int) -> None:
        """Go to the position after so many actions of the line."""
        self._line.go(at)
        self._look()

    def action_come_back(self) -> None:
        """Leave a side line."""
        self._line.come_back()
        self._look()

    def action_mistake(self, step: int) -> None:
        """Go to the next turn that threw the game away, or to the one before."""
        if self._review is None:
            self._is_review = True
            self.say("Reviewing...")
            self.thinker.ask(self._find_review, self._show_review)
            return
        numbers = [action.number for action in self._review.mistakes()]
        if not numbers:
            self.say("No won position was given away.")
            return
        here = self._line.at
        later = [number for number in numbers if (number - here) * step > 0]
        self._line.go_in_game((later or numbers)[0 if step > 0 else -1])
        self._look()

    def on_timeline_clicked(self, event: Timeline.Clicked) -> None:
        """Go to the position that was clicked."""
        self._line.go_in_game(event.at)
        self._look()

    def action_edit(self) -> None:
        """Set up a position by hand."""
        from gridlock.tui.editor import EditorScreen

        self.app.push_screen(EditorScreen(self.position, self._study_position))

    def _study_position(self, position: Position) -> None:
        self._line = Line(position)
        self._review = None
        self._is_review = False
        self._look()

    # ------------------------------------------------------------------ what is shown

    @property
    def _mistake(self) -> ReviewedAction | None:
        """The mistake that led to the position looked at."""
        if self._review is None or self._line.is_side or not self._line.at:
            return None
        action = self._review.actions[self._line.at - 1]
        return action if action.is_mistake else None

    def refresh_view(self) -> None:
        """Draw the board and the panel."""
        analysis = self._analysis if self._has_values else None
        line = self._line
        self.board.show(
            squares_of(self.position, self.glyphs, last=line.last, analysis=analysis), self.glyphs
        )
        where = f"move {line.at} of {len(line.moves)}"
        kind = "side line" if line.is_side else "review" if self._is_review else "analysis"
        self.heading(f"{kind}, {where}")
        self.query_one("#status", Static).update(self._status())
        timeline = self.query_one(Timeline)
        timeline.display = self._review is not None
        if self._review is not None:
            timeline.show(self._review, 0 if line.is_side else line.at, self.glyphs)
        self.query_one("#line", Static).update(self._best_line())
        self.query_one("#moves", Static).update(self.written(line.moves[: line.at]))

    def _status(self) -> Content:
        position = self.position
        symbol = self.game.rulebook.symbol(position.mover)
        if position.winner is not None:
            winner = self.game.rulebook.symbol(position.winner)
            return Content.styled(f"{winner} has won.", f"bold {COLOURS[position.winner]}")
        phase = "" if position.phase == "place" else f", {position.phase.upper()}"
        return Content.styled(f"{symbol} to move{phase}", f"bold {COLOURS[position.mover]}")

    def _remark(self) -> str:
        """Return what there is to say about the position looked at."""
        from gridlock.search import words

        name = self.game.rulebook.symbol
        if (mistake := self._mistake) is not None:
            return f"{words.mistake(mistake, name)} Press [ and try another cell."
        analysis = self._analysis
        if self.position.winner is not None:
            return ""
        if analysis is None:
            return "Thinking..."
        if not self._has_values:
            return self._verdict(analysis)
        return words.sentence(analysis, name)

    def _verdict(self, analysis: Analysis) -> str:
        """Return who wins, and nothing that gives away how."""
        from gridlock.search import words

        who = self.game.rulebook.symbol(self.position.mover)
        return f"{who} {words.outcome(analysis.value, analysis.distance)} with the best play."

    def _best_line(self) -> Content:
        analysis = self._analysis
        if not self._has_values or analysis is None or not analysis.actions:
            return Content("")
        cells = analysis.actions[0].line
        names = " ".join(self.game.name(cell) for cell in cells[:_MOST_CELLS])
        more = " ..." if len(cells) > _MOST_CELLS else ""
        return Content.assemble(Content.styled("Best: ", "$quiet"), f"{names}{more}")
