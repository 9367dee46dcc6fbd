"""The five games played stone by stone: a slow, obvious reference to test against.

Nothing is remembered but what lies on the board (and, in trail, which cell was taken last);
which cells are legal is worked out from that afresh at every question. Cells are (row, column),
counted from 0 in every game, and players are 1 and 2.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

Cell = tuple[int, int]

UP_LEFT_RIGHT_DOWN = ((-1, 0), (0, -1), (0, 1), (1, 0))
ALL_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def opponent(player: int) -> int:
    """Return the other player."""
    return 2 if player == 1 else 1


class Game(ABC):
    """A position of one game; a player who has no legal cell on their turn has lost."""

    def __init__(self, rows: int, columns: int, first: int) -> None:
        """Set up the start on a board of rows x columns, with player `first` to move."""
        self.rows = rows
        self.columns = columns
        self.mover = first
        self.phase = "place"
        self.winner: int | None = None
        self.set_up()
        self.decide()

    def cells(self) -> list[Cell]:
        """Return every cell of the board in reading order."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    def orthogonal(self, cell: Cell) -> list[Cell]:
        """Return the cells of the board up, left, right and down of a cell, in this order."""
        return self.at_steps(cell, UP_LEFT_RIGHT_DOWN)

    def around(self, cell: Cell) -> list[Cell]:
        """Return the cells of the board that share a side or a corner with a cell."""
        return self.at_steps(cell, ALL_AROUND)

    def at_steps(self, cell: Cell, steps: tuple[Cell, ...]) -> list[Cell]:
        """Return the cells of the board that lie the given steps away from a cell."""
        targets = [(cell[0] + down, cell[1] + right) for down, right in steps]
        return [target for target in targets if self.on_board(target)]

    def on_board(self, cell: Cell) -> bool:
        """Tell whether there is such a cell."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def legal(self) -> list[Cell]:
        """Return the cells the mover may choose now, in reading order; none once it is over."""
        if self.winner is not None:
            return []
        return [cell for cell in self.cells() if self.allowed(cell)]

    def play(self, cell: Cell) -> None:
        """Let the mover choose a cell; an illegal one raises ValueError and changes nothing."""
        if cell not in self.legal():
            raise ValueError(f"{cell} is not legal here")
        self.take(cell)
        self.decide()

    def decide(self) -> None:
        """Decide the game against a mover who has no legal cell."""
        if self.winner is None and not self.legal():
            self.winner = opponent(self.mover)

    @abstractmethod
    def set_up(self) -> None:
        """Prepare the board."""

    @abstractmethod
    def allowed(self, cell: Cell) -> bool:
        """Tell whether the mover may choose this cell of the board now."""

    @abstractmethod
    def take(self, cell: Cell) -> None:
        """Carry out a legal choice and pass on the phase or the turn."""

    @abstractmethod
    def marks(self, player: int) -> list[Cell]:
        """Return the cells that hold this player's symbol, in reading order."""


class Placement(Game):
    """A game in which a turn puts one symbol, for good, on one empty cell."""

    def set_up(self) -> None:
        """Start with an empty board."""
        self.stones: dict[Cell, int] = {}
        self.last: Cell | None = None

    def take(self, cell: Cell) -> None:
        """Put the mover's symbol on the cell and pass the turn."""
        self.stones[cell] = self.mover
        self.last = cell
        self.mover = opponent(self.mover)

    def marks(self, player: int) -> list[Cell]:
        """Return the cells that hold this player's symbol, in reading order."""
        return [cell for cell in self.cells() if self.stones.get(cell) == player]


class Occupation(Placement):
    """Keep away, diagonally too, from the opponent's symbols."""

    def allowed(self, cell: Cell) -> bool:
        """Ask for an empty cell with no symbol of the opponent around it."""
        if cell in self.stones:
            return False
        return all(self.stones.get(near) != opponent(self.mover) for near in self.around(cell))


class Duel(Placement):
    """A marker locks its cell and the cells up, left, right and down of it for both players."""

    def locked(self, cell: Cell) -> bool:
        """Tell whether a marker lies on the cell or orthogonally next to it."""
        return cell in self.stones or any(near in self.stones for near in self.orthogonal(cell))

    def allowed(self, cell: Cell) -> bool:
        """Ask for an unlocked cell."""
        return not self.locked(cell)


class Claim(Placement):
    """Keep away, diagonally too, from one's own cells."""

    def allowed(self, cell: Cell) -> bool:
        """Ask for an unclaimed cell with none of the mover's own cells around it."""
        if cell in self.stones:
            return False
        return all(self.stones.get(near) != self.mover for near in self.around(cell))


class Trail(Placement):
    """Go on from the cell just taken, whoever took it; the first move is free."""

    def allowed(self, cell: Cell) -> bool:
        """Ask for an empty cell orthogonally next to the last one taken."""
        if cell in self.stones:
            return False
        return self.last is None or cell in self.orthogonal(self.last)


class Race(Game):
    """Step, then block a cell; reaching the opponent's starting cell wins at once.

    Token 1 starts top-left, token 2 bottom-right. On a 1x1 board both stand on the one cell.
    """

    def set_up(self) -> None:
        """Put both tokens on their starting cells; the first player is about to step."""
        self.starts: dict[int, Cell] = {1: (0, 0), 2: (self.rows - 1, self.columns - 1)}
        self.tokens: dict[int, Cell] = dict(self.starts)
        self.blocked: dict[Cell, str] = {}
        self.reached = False
        self.phase = "move"

    def free(self, cell: Cell) -> bool:
        """Tell whether a cell holds neither a block nor a token."""
        return cell not in self.blocked and cell not in self.tokens.values()

    def allowed(self, cell: Cell) -> bool:
        """Ask for a free cell: orthogonally next to the token for a step, around it for a block."""
        token = self.tokens[self.mover]
        reach = self.orthogonal(token) if self.phase == "move" else self.around(token)
        return self.free(cell) and cell in reach

    def take(self, cell: Cell) -> None:
        """Step or block; a block phase that offers no cell is skipped."""
        if self.phase == "block":
            self.blocked[cell] = "X"
            self.pass_turn()
            return
        self.tokens[self.mover] = cell
        if cell == self.starts[opponent(self.mover)]:
            self.reached = True
            self.winner = self.mover
            self.pass_turn()
            return
        self.phase = "block"
        if not self.legal():
            self.pass_turn()

    def pass_turn(self) -> None:
        """Let the other player step next."""
        self.mover = opponent(self.mover)
        self.phase = "move"

    def marks(self, player: int) -> list[Cell]:
        """Return the cell of this player's token."""
        return [self.tokens[player]]


GAMES: dict[str, type[Game]] = {
    "occupation": Occupation,
    "duel": Duel,
    "claim": Claim,
    "trail": Trail,
    "race": Race,
}
