"""Plain words for games that have none of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.cli.dialogues.dialogue import LineDialogue

if TYPE_CHECKING:
    from gridlock.model import Player, Position

_REFUSALS = {
    "closed-by-opponent": "The cell is closed by an opponent's cell.",
    "closed-by-own": "The cell is closed by one of your own cells.",
    "taken": "The cell is already taken.",
    "apart": "The cell is out of reach of the last one, {last}.",
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
        self.say(f"{self.game.rulebook.title}\nYou may take the cells with a dot.")

    def announce(self, position: Position, *, again: bool) -> None:
        self.show(position)

    def prompt(self, position: Position) -> str:
        return f"{self.name(position.mover)}, {position.upcoming.task} (row,column): "

    def refuse(self, position: Position, code: str) -> str:
        example = self.example(self.game.rulebook.counting, self.game.rulebook.counting, ",")
        reason = _REFUSALS[code].format(last=position.detail, example=example)
        self.say(f"Invalid move. {reason}")
        return self.prompt(position)

    def close(self, position: Position) -> None:
        self.show(position)
        self.say(f"{self.name(position.mover)} has no cell left.")
        self.say(self.victory(position.mover.opponent))
