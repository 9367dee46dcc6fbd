"""How a game is shown to a model: in its own words, or in disguise.

A disguise mirrors or turns the board, names its places by letters and numbers, and has other words
and symbols.  Every action keeps its place in the game, so the game tree stays the same.
"""

from __future__ import annotations

import random
import re
import string
import tomllib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gridlock.errors import RulebookError
from gridlock.model import Detail, Player

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gridlock.model import Game, Position

_PAIR = r"[(\[]?(?P<row>-?[0-9]{1,4})%s(?P<column>-?[0-9]{1,4})[)\]]?"
_LETTERED = r"(?P<column>[a-z]{1,2})%s(?P<row>[0-9]{1,4})"


@dataclass(frozen=True)
class Words:
    """What things are called."""

    symbols: tuple[str, str]
    free: str
    blocked: str
    tasks: tuple[str, ...]
    last: str
    """How the cell is named from which the next action follows."""
    noun: str


class View:
    """What a model sees of a game, in the rulebook's own words."""

    def __init__(self, game: Game) -> None:
        rulebook = game.rulebook
        self.game = game
        self.words = Words(
            symbols=rulebook.symbols,
            free=".",
            blocked="X" if rulebook.has_tokens else "#",
            tasks=tuple(f"{phase.task.capitalize()}." for phase in rulebook.phases),
            last="The cell taken last is",
            noun="cell",
        )

    @property
    def size(self) -> str:
        """The size of the board in words."""
        return f"{self.game.grid.rows} rows and {self.game.grid.columns} columns"

    @property
    def coordinates(self) -> str:
        """How an action is written, in a sentence."""
        example = self.label(self.game.grid.cell_count // 2)
        return f"A move is the row and the column of a cell, for example {example}."

    def rules(self, position: Position) -> str:  # noqa: ARG002 - a disguise needs it
        """Return the rules in words."""
        return self.game.rulebook.rules.strip()

    def place(self, cell: int) -> int:
        """Return where a cell is shown, counted in reading order."""
        return cell

    def label(self, cell: int) -> str:
        """Return how a cell is written."""
        return self.game.name(cell)

    def axes(self) -> tuple[list[str], list[str]]:
        """Return the names of the rows and of the columns."""
        first, grid = self.game.rulebook.counting, self.game.grid
        return [str(first + n) for n in range(grid.rows)], [
            str(first + n) for n in range(grid.columns)
        ]

    def labels(self, cells: Iterable[int]) -> str:
        """Return some cells as a list."""
        return " ".join(map(self.label, cells)) or "none"

    def legend(self, position: Position) -> str:
        """Return what the symbols on the board mean."""
        words = self.words
        blocked = f", {words.blocked} is blocked" if position.blocked else ""
        return f"{' and '.join(words.symbols)} are the players', {words.free} is empty{blocked}"

    def mover(self, position: Position) -> str:
        """Return the symbol of the mover."""
        return self.words.symbols[position.mover - 1]

    def task(self, position: Position) -> str:
        """Return what the mover has to do, and the cell that it must follow, if any."""
        task = self.words.tasks[position.actions_made]
        is_cell = position.game.rulebook.detail in (Detail.OWN_CELL, Detail.OTHER_CELL)
        if not is_cell or position.detail == "-":
            return task
        return f"{task} {self.words.last} {self.label(self.game.cell(position.detail))}."

    def board(self, position: Position) -> str:
        """Return the picture of a position, with the names of its rows and columns."""
        words, grid = self.words, self.game.grid
        shown = [words.free] * grid.cell_count
        for mask, symbol in (
            (position.blocked, words.blocked),
            (position.marks(Player.ONE), words.symbols[0]),
            (position.marks(Player.TWO), words.symbols[1]),
        ):
            for cell in range(grid.cell_count):
                if mask >> cell & 1:
                    shown[self.place(cell)] = symbol
        rows, columns = self.axes()
        width = max(map(len, (*rows, *columns, *words.symbols)))
        lines = [["", *columns]]
        for number, row in enumerate(rows):
            start = number * grid.columns
            lines.append([row, *shown[start : start + grid.columns]])
        return "\n".join(" ".join(text.rjust(width) for text in line) for line in lines)

    @cached_property
    def loose(self) -> re.Pattern[str]:
        """What a line is that has nothing but a cell."""
        return re.compile(self._written % r"(?:\s*,\s*|\s+)")

    @cached_property
    def strict(self) -> re.Pattern[str]:
        """What a cell looks like among other words."""
        return re.compile(rf"(?<![\w.,-]){self._written % ' ?, ?'}(?![\w-]|[.,][0-9])")

    _written = _PAIR

    def cell(self, row: str, column: str) -> int | None:
        """Return the cell that a match of the patterns names, None if there is none."""
        rows, columns = self.axes()
        try:
            at = rows.index(row.lstrip("0") or "0"), columns.index(column.lstrip("0") or "0")
        except ValueError:
            return None
        return self.game.grid.cell(*at)


class Disguise(View):
    """What a model sees of a game in other words, on a board that is mirrored or turned."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game)
        found = _disguises().get(game.rulebook.id)
        if found is None:
            raise RulebookError(f"there is no disguise for {game.rulebook.id}")
        self._rules = string.Template(found["rules"])
        rng = random.Random(f"{seed} {game.rulebook.id} {game.grid}")
        symmetries = game.grid.symmetries()
        self._places: Sequence[int] = rng.choice(symmetries[1:] or symmetries)
        self._cells = {place: cell for cell, place in enumerate(self._places)}
        one, two = rng.sample(found["symbols"], 2)
        self.words = Words(
            symbols=(one, two),
            free="-",
            blocked="*",
            tasks=tuple(found["tasks"]),
            last=f"The {found['noun']} just before is",
            noun=found["noun"],
        )

    @property
    def size(self) -> str:
        """The size of the area in words."""
        return f"{self.game.grid.rows} lines of {self.game.grid.columns}"

    @property
    def coordinates(self) -> str:
        """How an action is written, in a sentence."""
        noun, example = self.words.noun, self.label(self.game.grid.cell_count // 2)
        return f"Name a {noun} by its letter and its number, for example {example}."

    def rules(self, position: Position) -> str:
        """Return the rules in words, and where the two began, if that matters."""
        one, two = self.words.symbols
        homes = [position.goal(player.opponent) for player in Player]
        home_one, home_two = ("" if home is None else self.label(home) for home in homes)
        return self._rules.substitute(one=one, two=two, home_one=home_one, home_two=home_two)

    def place(self, cell: int) -> int:
        """Return where a cell is shown, counted in reading order."""
        return self._places[cell]

    def label(self, cell: int) -> str:
        """Return how a cell is written: ``c4``."""
        row, column = self.game.grid.place(self._places[cell])
        return f"{letters(column)}{row + 1}"

    def axes(self) -> tuple[list[str], list[str]]:
        """Return the names of the rows and of the columns."""
        grid = self.game.grid
        return [str(n + 1) for n in range(grid.rows)], [letters(n) for n in range(grid.columns)]

    def legend(self, position: Position) -> str:
        """Return what the symbols mean."""
        words = self.words
        blocked = f", {words.blocked} is a rock" if position.blocked else ""
        return f"{' and '.join(words.symbols)} are the rivals, {words.free} is bare{blocked}"

    _written = _LETTERED

    @cached_property
    def loose(self) -> re.Pattern[str]:
        """What a line is that has nothing but a place."""
        return re.compile(self._written % r"\s?", re.IGNORECASE)

    @cached_property
    def strict(self) -> re.Pattern[str]:
        """What a place looks like among other words."""
        return re.compile(rf"(?<![\w-]){self._written % ''}(?![\w-])", re.IGNORECASE)

    def cell(self, row: str, column: str) -> int | None:
        """Return the cell that a match of the patterns names, None if there is none."""
        place = super().cell(row, column.lower())
        return None if place is None else self._cells[place]


def letters(number: int) -> str:
    """Return the name of a column, counted from 0: a to z, then aa, ab and so on."""
    alphabet = string.ascii_lowercase
    more, last = divmod(number, len(alphabet))
    return (alphabet[more - 1] if more else "") + alphabet[last]


@lru_cache(maxsize=1)
def _disguises() -> dict[str, Any]:
    file = files(__package__) / "disguises.toml"
    return tomllib.loads(file.read_text("utf-8"))
