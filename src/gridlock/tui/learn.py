"""The screen of a guided first game."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from gridlock.errors import GridlockError
from gridlock.grid import cells_of
from gridlock.lesson import Learner
from gridlock.players import HUMAN
from gridlock.sentences import why_refused
from gridlock.setup import Setup
from gridlock.tui.glyphs import glyphs_for
from gridlock.tui.screen import BoardScreen
from gridlock.tui.squares import squares_of

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from gridlock.lesson import Lesson
    from gridlock.tui.drawing import Square

_FIRST_OPPONENT = "computer:1"
_HOW_TO = Content.styled(
    "Click the cell, or go there with the arrow keys and press Enter.", "$quiet"
)


class LearnScreen(BoardScreen):
    """A lesson, step by step: a cell is chosen as in any game, and Enter goes on."""

    can_copy = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "step_back", "Step back"),
        Binding("p", "play", "Play it"),
    ]

    def __init__(self, lesson: Lesson) -> None:
        super().__init__(lesson.game)
        self._learner = Learner(lesson)

    def compose_panel(self) -> ComposeResult:
        """Lay the panel out."""
        yield Static(id="status")
        yield Static(id="task")
        yield Static(id="message")

    def open(self) -> None:
        """Show the first step."""
        self._show_step()

    def why_not(self, cell: int) -> str:
        """Return why the rules forbid a cell; which one is meant is not given away."""
        return why_refused(self._learner.step.position, cell) if self._learner.is_asked else ""

    def choose(self, cell: int) -> None:
        """Try a cell, or go on where none is asked for."""
        if not self._learner.is_asked:
            self.action_go_on()
        elif reason := self._learner.choose(cell):
            self.message = reason
            self.say(reason)
            self.app.bell()
            self.refresh_view()
        else:
            self._show_step()
            if self._learner.is_finished:
                self.celebrate(self._squares(), cell, lambda: self._learner.is_finished)

    def refresh_view(self) -> None:
        """Show the position, what there is to know about it, and what to do."""
        learner, step = self._learner, self._learner.step
        number = f"Step {learner.at + 1} of {len(learner.lesson.steps)}"
        self.heading("a guided first game")
        self.board.show(self._squares())
        self.query_one("#status", Static).update(
            Content.assemble(Content.styled(number, "bold"), f"\n\n{step.text}")
        )
        self.query_one("#task", Static).update(self._what_to_do())
        self.refresh_bindings()

    def _what_to_do(self) -> Content:
        """Return what to do now; what is a key can be clicked."""
        if self._learner.is_finished:
            return Content.from_markup(
                "[bold @click=screen.play]p  play it yourself[/]\n\n"
                "[bold @click=screen.leave]Esc  leave[/]"
            )
        if not self._learner.is_asked:
            return Content.from_markup("[bold @click=screen.go_on]Enter  go on[/]")
        task = Content.styled(self._learner.step.task, "bold $success")
        steps_before = self._learner.lesson.steps[: self._learner.at]
        was_asked = any(step.task for step in steps_before)
        return task if was_asked else Content.assemble(task, "\n\n", _HOW_TO)

    def _squares(self) -> list[Square]:
        step = self._learner.step
        last = step.last[-1] if step.last else None
        shown = self._learner.shown
        hinted = () if shown is None else (shown,)
        return squares_of(step.position, glyphs_for(self), last=last, hinted=hinted)

    def _show_step(self) -> None:
        self.message = ""
        self.say("")
        self.refresh_view()
        position = self._learner.step.position
        if self.game.rulebook.has_tokens and self._learner.is_asked:
            (token,) = cells_of(position.marks(position.mover))
            self.board.put_cursor(token)  # an arrow key away from every step

    def action_go_on(self) -> None:
        """Go on from a step that is only read."""
        self._learner.go_on()
        self._show_step()

    def action_step_back(self) -> None:
        """Return to the step before."""
        self._learner.go_back()
        self._show_step()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Tell whether the lesson is over, after which one can play."""
        if action == "play":
            return self._learner.is_finished
        return super().check_action(action, parameters)

    def action_play(self) -> None:
        """Leave the lesson for a game on the rulebook's own board, against a weak computer."""
        from gridlock.tui.play import open_series

        setup = Setup(self.game.rulebook.id, opponent=_FIRST_OPPONENT)
        players = self.gridlock.preferences.sign((HUMAN, setup.opponent))
        try:
            screen = open_series(
                self.gridlock.store, setup.game(), players, setup.terms, setup.first_player
            )
        except GridlockError as error:
            self.complain(error)
            return
        self.gridlock.remember(setup=setup, has_played=True)
        self.app.switch_screen(screen)
