"""What all dialogues have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from gridlock.cli.picture import draw_cells
from gridlock.errors import IllegalMoveError, NotationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.cli.console import Console
    from gridlock.model import Game, Player, Position

    Read = Callable[[str], str]
    Refused = NotationError | IllegalMoveError

BOX = "[{}]"


class Dialogue(ABC):
    """One rulebook's words: what is said, in which order, and how a position is drawn."""

    def __init__(self, game: Game, console: Console) -> None:
        self.game = game
        self.say = console.say
        self._paint = console.paint

    @property
    def how_to(self) -> str:
        """How a cell is typed."""
        cell = self.game.name(0)
        return f"Type a cell as its row and column: {cell}, {cell.replace(',', ' ')} or ({cell})."

    @abstractmethod
    def name(self, player: Player) -> str:
        """Return what a player is called."""

    @abstractmethod
    def victory(self, winner: Player) -> str:
        """Return the sentence that somebody has won."""

    @abstractmethod
    def draw(self, position: Position) -> str:
        """Return the picture of a position."""

    def open(self) -> None:
        """Say what is said before the first turn."""

    @abstractmethod
    def ask(self, position: Position, read: Read, *, again: bool) -> int:
        """Ask until a legal cell is named, and return it.

        ``read`` shows a prompt and returns what was typed; ``again`` is set when the board may be
        out of sight, as after a command.
        """

    def understand(self, position: Position, line: str) -> int:
        """Return the cell that a line names, or raise ``NotationError``."""
        return self.game.cell(line)

    def type(self, position: Position, cell: int) -> list[str]:
        """Return the lines that name a cell, as a program types them."""
        return [self.game.name(cell)]

    def confirm(self, position: Position, cell: int) -> None:
        """Say what is said after an action was accepted, which led to ``position``."""

    @abstractmethod
    def close(self, position: Position) -> None:
        """Say how the game ended by the rules."""

    def show(self, position: Position) -> None:
        """Say the picture of a position, set off by blank lines."""
        self.say(f"\n{self.draw(position)}\n")

    def shades(self, position: Position) -> list[tuple[int, str]]:
        """Return what a picture shows on cells without a mark: masks, later ones over earlier."""
        return [(self.game.grid.full, " "), (position.blocked, "#")]

    @property
    def _symbol_width(self) -> int:
        return max(map(len, self.game.rulebook.symbols))

    def rows(self, position: Position, form: str, gap: str) -> list[str]:
        """Return the rows of a picture; ``form`` frames what stands on a cell: ``[{}]``."""

        def square(text: str, player: Player | None) -> str:
            padded = text.rjust(self._symbol_width)
            return form.format(self._paint(padded, player) if player else padded)

        squares = draw_cells(position, self.shades(position), square)
        columns = self.game.grid.columns
        return [gap.join(squares[at : at + columns]) for at in range(0, len(squares), columns)]

    def numbered_boxes(self, position: Position, gap: str) -> list[str]:
        """Return a picture of boxes with the numbers of rows and columns."""
        counting, grid = self.game.rulebook.counting, self.game.grid
        width = len(str(grid.rows - 1 + counting))
        step = len(BOX.format(" " * self._symbol_width)) + 1
        numbers = [f"{number + counting:<{step}}" for number in range(grid.columns)]
        header = " " * (width + 2) + "".join(numbers).rstrip()
        rows = enumerate(self.rows(position, BOX, gap), start=counting)
        return [header, *(f"{number:>{width}} {row}" for number, row in rows)]


class LineDialogue(Dialogue):
    """A dialogue in which one line names the cell."""

    @abstractmethod
    def announce(self, position: Position, *, again: bool) -> None:
        """Say what stands before the first prompt of an action."""

    @abstractmethod
    def prompt(self, position: Position) -> str:
        """Return the first prompt of an action."""

    @abstractmethod
    def refuse(self, position: Position, error: Refused) -> str:
        """Say why a line was refused; return the prompt to try again."""

    def ask(self, position: Position, read: Read, *, again: bool) -> int:
        """Ask until a legal cell is named, and return it."""
        self.announce(position, again=again)
        prompt = self.prompt(position)
        while True:
            try:
                cell = self.understand(position, read(prompt))
                position.check(cell)
            except (NotationError, IllegalMoveError) as error:
                prompt = self.refuse(position, error)
            else:
                return cell

    def example(self, row: int, column: int, separator: str) -> str:
        """Return the rulebook's example, or the last cell of a board that is too small for it."""
        grid, counting = self.game.grid, self.game.rulebook.counting
        if not grid.contains(row - counting, column - counting):
            row, column = grid.rows - 1 + counting, grid.columns - 1 + counting
        return f"{row}{separator}{column}"
