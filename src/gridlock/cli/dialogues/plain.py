"""Plain words for games that have none of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.cli.dialogues.dialogue import LineDialogue
from gridlock.errors import IllegalMoveError

if TYPE_CHECKING:
    from gridlock.cli.dialogues.dialogue import Refused
    from gridlock.model import Player, Position

_REFUSALS = {
    "closed-by-opponent": "The cell is closed by an opponent's cell.",
    "closed-by-own": "The cell is closed by one of your own cells.",
    "taken": "The cell is already taken.",
    "apart": "The cell is out of reach of {blame}.",
    "closed": "The cell is closed to both players.",
    "blocked": "The cell is blocked.",
    "outside": "The cell is outside the grid.",
    "notation": "Enter a row and a column, for example {example}.",
}


class PlainDialogue(LineDialogue):
    """Marks the cells that the mover may take with a dot."""

    def name(self, player: Player) -> str:
        return f"Player {player} ({self.game.rulebook.symbol(player)})"

    def victory(self, winner: Player) -> str:
        return f"{self.name(winner)} wins!"

    def draw(self, position: Position) -> str:
        return "\n".join(self.numbered_boxes(position, " "))

    def shades(self, position: Position) -> list[tuple[int, str]]:
        return [*super().shades(position), (position.legal, ".")]

    def open(self) -> None:
        self.say(f"{self.game.rulebook.title}\nYou may choose the cells with a dot.")

    def announce(self, position: Position, *, again: bool) -> None:
        self.show(position)

    def prompt(self, position: Position) -> str:
        return f"{self.name(position.mover)}, {position.upcoming.task} (row,column): "

    def refuse(self, position: Position, error: Refused) -> str:
        self.say(f"Invalid move. {self._reason(position, error)}")
        return self.prompt(position)

    def _reason(self, position: Position, error: Refused) -> str:
        cell = error.cell if isinstance(error, IllegalMoveError) else None
        refusal = None if cell is None else position.refusal(cell)
        if refusal and refusal.words:
            return f"The cell {refusal.words}."
        blame = refusal.blame if refusal else None
        return _REFUSALS[error.code].format(
            blame="the last one" if blame is None else self.game.name(blame),
            example=self.game.name(0),
        )

    def close(self, position: Position) -> None:
        self.show(position)
        winner = position.mover.opponent
        if position.feat:
            self.say(f"{self.name(winner)} has {position.feat}.")
        else:
            self.say(f"{self.name(position.mover)} has no cell left.")
        self.say(self.victory(winner))
