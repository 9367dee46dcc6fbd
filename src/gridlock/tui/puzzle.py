"""The screen on which a puzzle is solved."""

from __future__ import annotations

import random
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from gridlock.errors import PuzzleError, StoreError
from gridlock.model import Detail
from gridlock.puzzles import sentences
from gridlock.puzzles.progress import Progress, ProgressFile
from gridlock.puzzles.puzzle import Attempt
from gridlock.record import record_of
from gridlock.sentences import as_sentence, why_refused
from gridlock.tui.copying import Excerpt, excerpts
from gridlock.tui.drawing import Look, Square
from gridlock.tui.glyphs import glyphs_for
from gridlock.tui.line import Line
from gridlock.tui.screen import COLOURS, BoardScreen
from gridlock.tui.squares import squares_of

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from gridlock.model import Position
    from gridlock.puzzles.exercise import Exercise

_RNG = random.Random()
_NAME_WIDTH = 16  # characters
_OLD = "You have tried this one before: it does not count again."


class PuzzleScreen(BoardScreen):
    """A puzzle; how its first try went is on disk before anything is said about it.

    What refutes a wrong try, and the solution, can be stepped through on the board.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "hint", "Hint"),
        Binding("s", "solution", "Solution"),
        Binding("left_square_bracket", "step(-1)", "Back", key_display="["),
        Binding("right_square_bracket", "step(1)", "On", key_display="]"),
        Binding("o", "play_on", "Play"),
        Binding("n", "next", "Next"),
    ]

    def __init__(self, exercise: Exercise) -> None:
        super().__init__(exercise.puzzle.position.game)
        self._exercise = exercise
        self._attempt = Attempt.at(exercise.puzzle)
        self._line = Line(exercise.puzzle.position)
        self._at = 0
        """After how many actions of the line the puzzle goes on."""
        self._wrong: set[int] = set()
        self._is_given_up = False
        self._before = self._progress = Progress()

    @property
    def _file(self) -> ProgressFile:
        return ProgressFile(self.gridlock.store.folder)

    @property
    def position(self) -> Position:
        """The position looked at."""
        return self._line.position

    @property
    def _is_over(self) -> bool:
        return self._attempt.is_solved or self._is_given_up

    def compose_panel(self) -> ComposeResult:
        """Lay the panel out."""
        yield Static(id="status")
        yield Static(id="message")
        yield Static(id="line")
        yield Static(id="moves")
        yield Static(id="standing")

    def open(self) -> None:
        """Set the puzzle."""
        self._before = self._progress = self._file.read()
        self._show(_OLD if self._exercise.is_old(self._progress) else "")
        self.put_cursor_on_token(self.position)

    def why_not(self, cell: int) -> str:
        """Return why a cell cannot be chosen, '' if it can or there is nothing to choose."""
        return "" if self._is_over or self._is_aside else why_refused(self.position, cell)

    # ------------------------------------------------------------------ trying

    def choose(self, cell: int) -> None:
        """Try a cell."""
        before = self._attempt
        if self._is_over:
            self.say("The puzzle is over. Press n for the next one.")
        elif self._is_aside:
            self._line.go(self._at)
            self._show("Back at the puzzle: choose a cell.")
        elif reason := why_refused(self.position, cell):
            self.say(as_sentence(reason))
            self.app.bell()
        else:
            self._attempt = before.try_(cell)
            if self._attempt.mistakes > before.mistakes:
                self._refute(before, cell)
            else:
                self._confirm(cell)

    def _refute(self, before: Attempt, cell: int) -> None:
        """Say that a cell is wrong, and look for what refutes it."""
        if not before.mistakes:
            self._settle(solved=False)
        self.app.bell()
        self._wrong.add(cell)
        self._look_at(before.puzzle.line[: before.played])
        self._show(sentences.wrong(before, (cell,)))

        def tell(line: tuple[int, ...]) -> None:
            self._look_at((*before.puzzle.line[: before.played], *line))
            self.message = sentences.wrong(before, line)
            self.refresh_view()
            if not self.is_typing:
                self.say(self.message)

        engine = self.engine()
        self.thinker.ask(
            engine,
            lambda: engine.refute(before.position, cell, on_progress=self.thinker.watch),
            tell,
        )

    def _confirm(self, cell: int) -> None:
        """Say that a cell is right, and show the answer to it."""
        attempt = self._attempt
        self.thinker.drop()
        self._wrong.clear()
        moves = attempt.puzzle.line[: attempt.played]
        if attempt.is_solved and not attempt.mistakes:
            self._settle(solved=True)
        self._look_at(moves)
        self._show("" if attempt.is_solved else sentences.answer(attempt))
        self.put_cursor_on_token(self.position)
        self.board.reveal(moves[-1])
        if attempt.is_solved and not attempt.mistakes:
            line = self._line
            self.celebrate(self._squares(), cell, lambda: self._line is line and not self._is_aside)

    def _settle(self, *, solved: bool) -> None:
        """Keep how the first try went; where that cannot be kept it is said, and nothing counts."""
        self._before = self._file.read()
        try:
            self._progress = self._file.update(lambda now: self._exercise.after(now, solved=solved))
        except StoreError as error:
            self.notify(as_sentence(error), severity="error", markup=False)

    # ------------------------------------------------------------------ looking

    @property
    def _is_aside(self) -> bool:
        """Whether another position is looked at than that of the puzzle."""
        return self._line.at != self._at

    def _look_at(self, moves: tuple[int, ...]) -> None:
        """Let some actions from the beginning of the puzzle on be stepped through."""
        self._line = Line(self._exercise.puzzle.position, moves)
        self._at = len(moves) if self._attempt.is_solved else self._attempt.played
        self._line.go(self._at)

    def action_step(self, step: int) -> None:
        """Step through what was played, refutes a try, or would have been right."""
        at = self._line.at
        self._line.go(at + step)
        if self._line.at == at:
            self.say("This is the end." if step > 0 else "This is the beginning.")
        else:
            self._show(self.message)

    # ------------------------------------------------------------------ keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer help until the puzzle is over, then its result, and steps where there are any."""
        if action in ("hint", "solution"):
            return not self._is_over
        if action == "play_on":
            return self._is_over
        if action == "step":
            return bool(self._line.moves)
        return super().check_action(action, parameters)

    def action_hint(self) -> None:
        """Say what the puzzle is about, which is free."""
        self._show(sentences.clue(self._attempt.puzzle))

    def action_solution(self) -> None:
        """Give the puzzle up, and show what would have been right."""
        attempt = self._attempt
        self.thinker.drop()
        if not attempt.mistakes:
            self._settle(solved=False)
        self._attempt = attempt.give_up()
        self._is_given_up = True
        self._wrong.clear()
        self._look_at(attempt.puzzle.line)
        self._show(sentences.solution(attempt))

    def action_next(self) -> None:
        """Set the next puzzle; this one may be left untried."""
        try:
            exercise = self._exercise.next(self._file.read(), _RNG)
        except PuzzleError as error:
            self.say(as_sentence(error))
        else:
            self.app.switch_screen(PuzzleScreen(exercise))

    @property
    def _result(self) -> str:
        """The result as a text for friends, once there is one."""
        return self._exercise.to_share(self._attempt, self._progress) if self._is_over else ""

    def excerpts(self) -> list[Excerpt]:
        """Return the result, once there is one, and what is looked at."""
        line = self._line
        moves = line.moves[: line.at]
        record = record_of(line.start, moves, self.position)
        result = [Excerpt("result", "y", self._result)] if self._result else []
        return [*result, *excerpts(record, self.position, moves)]

    def action_play_on(self) -> None:
        """Play from the position looked at."""
        if self.position.winner is not None:
            self.say("The game is over here: press [ to go back.")
            return
        from gridlock.tui.from_here import FromHereScreen

        self.app.push_screen(FromHereScreen(self.position))

    # ------------------------------------------------------------------ what is shown

    def _show(self, message: str) -> None:
        self.message = message
        self.refresh_view()
        self.say(message)

    def refresh_view(self) -> None:
        """Draw the board and the panel."""
        line = self._line
        self.board.show(self._squares())
        self.query_one("#top", Static).update(
            Content.assemble(Content.styled(" GridLock   ", "bold"), self._exercise.title)
        )
        self.query_one("#status", Static).update(self._status())
        steps = self.query_one("#line", Static)
        steps.update(Content.styled(self._steps(), "$quiet"))
        steps.display = bool(self._steps())
        self.query_one("#moves", Static).update(self.written(line.start, line.moves[: line.at]))
        self.query_one("#standing", Static).update(self._standing())
        self.refresh_bindings()

    def _squares(self) -> list[Square]:
        """Return what is drawn: also the tries that were wrong, and the cell that is right."""
        glyphs = glyphs_for(self)
        is_aside = self._is_aside
        right = self._line.next if self._is_given_up else None
        squares = squares_of(
            self.position,
            glyphs,
            last=self._last,
            hinted=() if right is None else (right,),
        )
        for cell in () if is_aside else self._wrong:
            squares[cell] = Square(glyphs.wrong, Look.LOSS)
        return squares

    @property
    def _last(self) -> int | None:
        """The cell that was chosen last, also before the puzzle where the game says so."""
        position = self.position
        is_told = self.game.rulebook.detail in (Detail.OWN_CELL, Detail.OTHER_CELL)
        if self._line.last is None and is_told and position.detail != "-":
            return self.game.cell(position.detail)
        return self._line.last

    def _status(self) -> Content:
        attempt = self._attempt
        if attempt.is_solved:
            return Content.styled(sentences.solved(attempt), "bold $success")
        if self._is_given_up:
            return Content.styled("Not solved.", "bold")
        if self._is_aside:
            return Content.styled("Step by step, not the puzzle itself.", "bold")
        return Content.styled(sentences.task(attempt), f"bold {COLOURS[attempt.puzzle.solver]}")

    def _steps(self) -> str:
        """Return how to go on."""
        if self._is_aside and not self._is_over:
            return "[ and ] step, Enter goes back"
        lines = ["] shows it step by step"] if self._line.next is not None else []
        if self._is_over:
            lines += ["n: next puzzle, y: copy", "o: play on from here"]
        return "\n".join(lines)

    def _standing(self) -> str:
        """Return one's rating and streaks."""
        rows = {
            "Your rating": sentences.rating(self._before, self._progress),
            "In a row": self._progress.streak,
            "Daily in a row": self._progress.daily_streak(date.today()),
        }
        return "\n".join(f"{name:<{_NAME_WIDTH}}{value}" for name, value in rows.items())
