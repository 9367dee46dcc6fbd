"""The course of a game in one row: who would have won after each action, and who gave it away.

Where that is not known, it says where there are estimates, and who probably gave it away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from gridlock.tui.resilience import Resilient
from gridlock.tui.screen import COLOURS

if TYPE_CHECKING:
    from textual import events

    from gridlock.search.review import Review
    from gridlock.tui.glyphs import Glyphs

_WIDTH = 26  # actions that are shown at once


class Timeline(Resilient, Static):
    """One character an action: the winner's symbol; below it a cross where a win was given away.

    A tilde is a position that was only estimated; below it is a question mark where the action was
    probably a mistake.
    """

    class Clicked(Message):
        """Somebody wants to see the position after so many actions."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self) -> None:
        super().__init__(id="timeline")
        self._from = 0
        self._turns: list[int] = []

    def show(self, review: Review, at: int, glyphs: Glyphs) -> None:
        """Draw the review of a game that is looked at after so many actions."""
        self._turns = [action.turn for action in review.actions]
        self._from = max(0, min(at - _WIDTH // 2, len(self._turns) - _WIDTH))
        winners, mistakes, here = [], [], []
        for action in review.actions[self._from : self._from + _WIDTH]:
            player = {"win": action.player, "loss": action.player.opponent}.get(action.after)
            if player:
                symbol = review.record.game.rulebook.symbol(player)[-1]
                winners.append(Content.styled(symbol, f"bold {COLOURS[player]}"))
            elif action.estimate_after is None:
                winners.append(Content.styled("?", "$quiet"))
            else:
                winners.append(Content.styled("~", "$guess"))
            if action.is_doubtful:
                mistakes.append(Content.styled(glyphs.doubt, "$guess"))
            else:
                mistakes.append(Content(glyphs.mistake if action.is_mistake else glyphs.across))
            here.append(glyphs.here if action.number == at else " ")
        self.update(
            Content.assemble(
                Content.styled("wins ", "$quiet"), *winners,
                "\n     ", *mistakes, "\n     ", "".join(here), self._extent(),
            )
        )  # fmt: skip

    def _extent(self) -> Content:
        """Return which actions are shown, where not all are."""
        if len(self._turns) <= _WIDTH:
            return Content("")
        first, last = self._turns[self._from], self._turns[self._from + _WIDTH - 1]
        shown = f"\n     moves {first} to {last} of {self._turns[-1]}"
        return Content.styled(shown, "$quiet")

    def on_click(self, event: events.Click) -> None:
        """Ask for the position after the action that is clicked."""
        at = self._from + event.x - len("wins ") + 1
        if 1 <= at <= len(self._turns):
            self.post_message(self.Clicked(at))
