"""The words of "GridLock: A Strategic Grid Occupation Game"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.cli.dialogues.dialogue import BOX, LineDialogue

if TYPE_CHECKING:
    from gridlock.cli.dialogues.dialogue import Refused
    from gridlock.model import Player, Position


_REFUSALS = {
    "closed-by-opponent": "The cell is adjacent to an opponent's symbol.",
    "taken": "The cell is already occupied.",
    "outside": "The cell is outside the grid.",
    "notation": "Enter a row and a column, for example {example}.",
}


class OccupationDialogue(LineDialogue):
    """Calls the players by their symbols; the grid stands before every prompt."""

    def name(self, player: Player) -> str:
        return f"Player {self.game.rulebook.symbol(player)}"

    def victory(self, winner: Player) -> str:
        return f"{self.name(winner)} wins the game!"

    def draw(self, position: Position) -> str:
        return "\n".join(["Current Grid:", *self.rows(position, BOX, " ")])

    def announce(self, position: Position, *, again: bool) -> None:
        self.show(position)

    def prompt(self, position: Position) -> str:
        return f"{self.name(position.mover)}, enter your move (row,column): "

    def refuse(self, position: Position, error: Refused) -> str:
        reason = _REFUSALS[error.code].format(example=self.example(3, 3, ","))
        self.say(f"\nInvalid move! {reason}\nPlease choose a different cell.")
        self.show(position)
        return self.prompt(position)

    def close(self, position: Position) -> None:
        self.show(position)
        self.say(f"{self.name(position.mover)}, you have no valid moves left.")
        self.say(self.victory(position.mover.opponent))
