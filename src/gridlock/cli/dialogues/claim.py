"""The words of "Gridlock"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.cli.dialogues.dialogue import LineDialogue
from gridlock.model import Player

if TYPE_CHECKING:
    from gridlock.cli.dialogues.dialogue import Refused
    from gridlock.model import Position


_REFUSALS = {
    "closed-by-own": "The cell is adjacent to your previously claimed cell.",
    "taken": "The cell is already claimed.",
    "outside": "The cell is outside the grid.",
    "notation": "Enter a row and a column, for example {example}.",
}


class ClaimDialogue(LineDialogue):
    """Shows the grid after each claim rather than before each prompt."""

    def name(self, player: Player) -> str:
        return f"Player {player} ({self.game.rulebook.symbol(player)})"

    def victory(self, winner: Player) -> str:
        return f"{self.name(winner)} wins the game! Congratulations!"

    def draw(self, position: Position) -> str:
        return "\n".join(["Current Grid:", *self.numbered_boxes(position, "")])

    def open(self) -> None:
        one, two = map(self.name, Player)
        self.say(f"Welcome to Gridlock!\n\n{one} and {two}, prepare to battle!\n")

    def announce(self, position: Position, *, again: bool) -> None:
        if again:
            self.show(position)
        mover = position.mover
        self.say(f"Player {mover}'s Turn ({self.game.rulebook.symbol(mover)}).")

    def prompt(self, position: Position) -> str:
        is_first_turn = not position.marks(Player.ONE) | position.marks(Player.TWO)
        example = f" (e.g., '{self.example(2, 2, ' ')}')" if is_first_turn else ""
        return f"Enter the row and column of the cell you want to claim{example}: "

    def refuse(self, position: Position, error: Refused) -> str:
        reason = _REFUSALS[error.code].format(example=self.example(2, 2, " "))
        self.say(f"\nInvalid move. {reason}")
        self.show(position)
        return "Please enter a valid cell: "

    def type(self, position: Position, cell: int) -> list[str]:
        return [self.game.name(cell).replace(",", " ")]

    def confirm(self, position: Position, cell: int) -> None:
        self.say(f"\nYou have claimed cell ({self.game.name(cell)}).")
        self.show(position)

    def close(self, position: Position) -> None:
        self.say(f"Player {position.mover} has no valid moves left.")
        self.say(self.victory(position.mover.opponent))
