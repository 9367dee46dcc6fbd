"""The words of "GridLock: A Two-Player Command-Line Strategy Game"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.cli.dialogues.dialogue import BOX, LineDialogue

if TYPE_CHECKING:
    from gridlock.cli.dialogues.dialogue import Refused
    from gridlock.model import Player, Position


class TrailDialogue(LineDialogue):
    """Names the cell to go on from; says the same of everything invalid."""

    def name(self, player: Player) -> str:
        return f"Player {player} ({self.game.rulebook.symbol(player)})"

    def victory(self, winner: Player) -> str:
        return f"{self.name(winner)} wins the game!"

    def draw(self, position: Position) -> str:
        return "\n".join(self.rows(position, BOX, ""))

    def announce(self, position: Position, *, again: bool) -> None:
        self.show(position)

    def prompt(self, position: Position) -> str:
        return f"{self.name(position.mover)}, enter your move {self._where(position)}: "

    def refuse(self, position: Position, error: Refused) -> str:
        self.say()
        return f"Invalid move. Please select an empty cell {self._where(position)}: "

    def close(self, position: Position) -> None:
        self.show(position)
        self.say(
            f"{self.name(position.mover)}, no valid moves remaining. "
            f"{self.victory(position.mover.opponent)}"
        )

    def _where(self, position: Position) -> str:
        last = position.detail
        return "(row,column)" if last == "-" else f"adjacent to ({last})"
