"""The words of "GridLock: A Two-Player Turn-Based Strategy Game"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gridlock.cli.dialogues.dialogue import LineDialogue
from gridlock.rulebooks.race import BLOCK, MOVE

if TYPE_CHECKING:
    from gridlock.cli.dialogues.dialogue import Refused
    from gridlock.model import Player, Position

_EXAMPLES = {MOVE: (0, 1), BLOCK: (1, 0)}
_NOT_FREE = "The cell is either blocked, occupied, or out of bounds."
_REFUSALS = {
    "taken": _NOT_FREE,
    "blocked": _NOT_FREE,
    "outside": _NOT_FREE,
    "apart": "The cell is not next to your token.",
    "notation": "Type {verb}, a row and a column.",
}
_VERB_AND_CELL = re.compile(r"\s*([a-z]+)(?=[\s(])(.*)", re.ASCII | re.IGNORECASE | re.DOTALL)


class RaceDialogue(LineDialogue):
    """Asks for a move and for a block in turn; the verb may be left out."""

    @property
    def how_to(self) -> str:
        return "Type move or block, a row and a column: move 0 1. The word may be left out."

    def name(self, player: Player) -> str:
        return f"Player {player}"

    def victory(self, winner: Player) -> str:
        return f"{self.name(winner)} wins!"

    def draw(self, position: Position) -> str:
        return "\n".join(self.rows(position, "{}", " "))

    def shades(self, position: Position) -> list[tuple[int, str]]:
        return [(self.game.grid.full, " ."), (position.blocked, " X")]

    def announce(self, position: Position, *, again: bool) -> None:
        self.show(position)

    def prompt(self, position: Position) -> str:
        what = "your move" if position.phase == MOVE else "a cell to block"
        place = _EXAMPLES[position.phase]
        if not self.game.grid.contains(*place):
            place = self.game.grid.place(position.legal_cells()[0])
        example = f"{position.phase} {place[0]} {place[1]}"
        return f"{self.name(position.mover)}, enter {what} (e.g., '{example}'): "

    def understand(self, position: Position, line: str) -> int:
        match = _VERB_AND_CELL.fullmatch(line)
        if match and match[1].lower() == position.phase:
            line = match[2]
        return super().understand(position, line)

    def refuse(self, position: Position, error: Refused) -> str:
        reason = _REFUSALS[error.code].format(verb=position.phase)
        self.say(f"\nInvalid {position.phase}. {reason} Please try again.")
        self.show(position)
        return self.prompt(position)

    def type(self, position: Position, cell: int) -> list[str]:
        return [f"{position.phase} {self.game.name(cell).replace(',', ' ')}"]

    def close(self, position: Position) -> None:
        self.show(position)
        loser, winner = position.mover, position.mover.opponent
        if position.feat:
            how = f"{self.name(winner)} reached {self.name(loser)}'s starting position."
        else:
            how = f"{self.name(loser)} has no legal moves left."
        self.say(f"{how} {self.victory(winner)}")
