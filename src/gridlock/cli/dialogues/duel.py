"""The words of "Locked Grid Duel"."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gridlock.cli.dialogues.dialogue import Dialogue
from gridlock.errors import IllegalMoveError
from gridlock.grid import cells_of
from gridlock.model import Reason
from gridlock.notation import read_number, read_pair

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlock.cli.dialogues.dialogue import Read
    from gridlock.model import Player, Position
    from gridlock.rulebooks.placement import PlacementRulebook


class DuelDialogue(Dialogue):
    """Asks for the row, then for the column; lists what is available and what was locked."""

    @property
    def how_to(self) -> str:
        return "Type the row and then the column, or both at once: 1,1, 1 1 or (1,1)."

    def name(self, player: Player) -> str:
        return f"Player {self.game.rulebook.symbol(player)}"

    def victory(self, winner: Player) -> str:
        return f"{self.name(winner)} wins the game!"

    def draw(self, position: Position) -> str:
        return "\n".join(self.numbered_boxes(position, " "))

    def shades(self, position: Position) -> list[tuple[int, str]]:
        return [(self.game.grid.full, "L"), (position.legal, " ")]

    def ask(self, position: Position, read: Read, *, again: bool) -> int:
        self._begin_turn(position)
        while True:
            self.say(f"Available cells: {self._list(position.legal_cells())}")
            cell = self._ask_cell(read)
            try:
                position.check(cell)
            except IllegalMoveError as error:
                state = "already marked" if error.code == Reason.TAKEN else "locked"
                self.say(f"\nInvalid move. The cell is {state}.")
            else:
                return cell

    def _begin_turn(self, position: Position) -> None:
        self.show(position)
        self.say(f"{self.name(position.mover)}'s turn.")

    def _ask_cell(self, read: Read) -> int:
        """Return the cell that was named by row and column, or at once at the first question."""
        grid = self.game.grid
        while True:
            line = read(f"Enter the row number (1-{grid.rows}): ")
            pair = read_pair(line)
            row = self._within(grid.rows, pair[0] if pair else read_number(line))
            if row is None:
                continue
            column = self._within(grid.columns, pair[1]) if pair else self._ask_column(read)
            if column is not None:
                return grid.cell(row - 1, column - 1)

    def _ask_column(self, read: Read) -> int:
        columns = self.game.grid.columns
        column = None
        while column is None:
            line = read(f"Enter the column number (1-{columns}): ")
            column = self._within(columns, read_number(line))
        return column

    def _within(self, highest: int, number: int | None) -> int | None:
        """Return a number that the grid has; of any other say what would be one."""
        if number is not None and 1 <= number <= highest:
            return number
        self.say(f"Please enter a number from 1 to {highest}.")
        return None

    def type(self, position: Position, cell: int) -> list[str]:
        return [str(number + 1) for number in self.game.grid.place(cell)]

    def confirm(self, position: Position, cell: int) -> None:
        symbol = self.game.rulebook.symbol(position.mover.opponent)
        reach = cast("PlacementRulebook", self.game.rulebook).own
        locked = [cell, *cells_of(self.game.grid.around(reach)[cell])]
        self.say(f"\nYou placed '{symbol}' at {self._list([cell])}.")
        self.say(f"Cells locked: {self._list(locked)}")

    def close(self, position: Position) -> None:
        self._begin_turn(position)
        self.say("No valid moves available.")
        self.say(self.victory(position.mover.opponent))

    def _list(self, cells: Iterable[int]) -> str:
        return ", ".join(f"({self.game.name(cell)})" for cell in cells)
