"""What `gridlock play` must print: the exact dialogues, written out by hand for every game.

The lines follow the dialogues of RULEBOOKS.md. Standard input is taken to be piped, so each line
read is echoed behind its prompt. The commands a person can type at a prompt (help, undo, ...) are
left out: no typed line may be one of them.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from tests.oracle.rules import Cell, Claim, Duel, Game, Occupation, Placement, Race, Trail, opponent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

BLANKS = " \t\n\r\f\v"
NUMBER = re.compile(r"-?[0-9]+")
TWO_NUMBERS = re.compile(r"(-?[0-9]+)(?:[ \t\n\r\f\v]*,[ \t\n\r\f\v]*|[ \t\n\r\f\v]+)(-?[0-9]+)")
HUGE = 10**9


def transcript(game: str, rows: int, columns: int, first: int, typed: Sequence[str]) -> list[str]:
    """Return the tidied lines that a game printed for the lines typed into it.

    They end with the closing words of the game, or with the prompt that was left waiting.
    """
    dialogues: dict[str, Callable[[Console], None]] = {
        "occupation": lambda console: occupation(console, Occupation(rows, columns, first)),
        "duel": lambda console: duel(console, Duel(rows, columns, first)),
        "claim": lambda console: claim(console, Claim(rows, columns, first)),
        "trail": lambda console: trail(console, Trail(rows, columns, first)),
        "race": lambda console: race(console, Race(rows, columns, first)),
    }
    console = Console(typed)
    with suppress(InputUsedUpError):
        dialogues[game](console)
    return tidy(console.lines)


def tidy(lines: Iterable[str]) -> list[str]:
    """Return the lines without trailing white space, and without the blank ones among them."""
    stripped = [line.rstrip(BLANKS) for line in lines]
    return [line for line in stripped if line]


class InputUsedUpError(Exception):
    """A question was asked and no typed line was left to answer it."""


class Console:
    """The printed lines, and the typed lines still to be read."""

    def __init__(self, typed: Sequence[str]) -> None:
        """Start with nothing printed and everything still to be read."""
        self.lines: list[str] = []
        self.typed = list(typed)

    def show(self, *lines: str) -> None:
        """Print lines."""
        self.lines.extend(lines)

    def ask(self, prompt: str) -> str:
        """Print a prompt with the next typed line echoed behind it, and return that line."""
        if not self.typed:
            self.show(prompt)
            raise InputUsedUpError
        answer = self.typed.pop(0)
        self.show(prompt + answer)
        return answer


# Reading


def read_number(text: str) -> int | None:
    """Read a bare integer in ASCII digits; a long one is as good as huge, for no board is."""
    text = text.strip(BLANKS)
    if not NUMBER.fullmatch(text):
        return None
    digits = text.removeprefix("-").lstrip("0") or "0"
    size = int(digits) if len(digits) < len(str(HUGE)) else HUGE
    return -size if text.startswith("-") else size


def read_pair(text: str) -> Cell | None:
    """Read two integers, in whatever way they may be written, as they stand; else None."""
    text = text.strip(BLANKS)
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip(BLANKS)
    found = TWO_NUMBERS.fullmatch(text)
    if found is None:
        return None
    row, column = read_number(found[1]), read_number(found[2])
    return None if row is None or column is None else (row, column)


def read_cell(text: str, count_from: int) -> Cell | None:
    """Read a cell in a game's own counting, on the board or off it; None if it is no cell."""
    pair = read_pair(text)
    return None if pair is None else (pair[0] - count_from, pair[1] - count_from)


def without_verb(text: str, verb: str) -> str:
    """Drop a leading verb, in any letter case, that blanks or a bracket set off from the rest."""
    text = text.strip(BLANKS)
    word, rest = text[: len(verb)], text[len(verb) :]
    if word.isascii() and word.lower() == verb and rest and rest[0] in BLANKS + "(":
        return rest
    return text


# Writing


def example(game: Game, usual: Cell, count_from: int) -> Cell:
    """Return the usual example cell, in the game's own counting, or else the bottom-right cell."""
    cell = (usual[0] - count_from, usual[1] - count_from)
    return usual if game.on_board(cell) else counted(game.cells()[-1], count_from)


def counted(cell: Cell, count_from: int) -> Cell:
    """Return a cell in a game's own counting."""
    return cell[0] + count_from, cell[1] + count_from


def bracketed(cell: Cell, count_from: int) -> str:
    """Write a cell as in `(3,3)`."""
    row, column = counted(cell, count_from)
    return f"({row},{column})"


def box_rows(game: Placement, symbols: str, gap: str) -> list[str]:
    """Draw the rows of the grid in square boxes, with symbols for 'empty', player 1, player 2."""
    return [
        gap.join(
            f"[{symbols[game.stones.get((row, column), 0)]}]" for column in range(game.columns)
        )
        for row in range(game.rows)
    ]


def with_headers(game: Game, rows: list[str], count_from: int) -> list[str]:
    """Put the column numbers over, and the row numbers before, the rows of a drawn grid."""
    width = len(str(game.rows - 1 + count_from))
    header = " " * (width + 2)
    for column in range(game.columns):
        header += f"{column + count_from:<4}"
    labelled = [f"{number:>{width}} {row}" for number, row in enumerate(rows, count_from)]
    return [header, *labelled]


# The five dialogues


def occupation(console: Console, game: Occupation) -> None:
    """Play occupation: the grid comes before every prompt, also after a refusal."""
    row, column = example(game, (3, 3), 1)
    names = " AB"
    while True:
        console.show("Current Grid:", *box_rows(game, names, " "))
        if game.winner is not None:
            break
        answer = console.ask(f"Player {names[game.mover]}, enter your move (row,column): ")
        cell = read_cell(answer, 1)
        if cell is None:
            reason = f"Enter a row and a column, for example {row},{column}."
        elif not game.on_board(cell):
            reason = "The cell is outside the grid."
        elif cell in game.stones:
            reason = "The cell is already occupied."
        elif cell not in game.legal():
            reason = "The cell is adjacent to an opponent's symbol."
        else:
            game.play(cell)
            continue
        console.show(f"Invalid move! {reason}", "Please choose a different cell.")
    console.show(
        f"Player {names[game.mover]}, you have no valid moves left.",
        f"Player {names[game.winner]} wins the game!",
    )


def duel(console: Console, game: Duel) -> None:
    """Play duel: the grid comes before every turn, and a refused cell starts the turn again."""
    names = " AB"
    while True:
        console.show(*duel_grid(game), f"Player {names[game.mover]}'s turn.")
        if game.winner is not None:
            break
        mover = names[game.mover]
        cell = duel_choice(console, game)
        game.play(cell)
        locked = [cell, *game.orthogonal(cell)]
        console.show(
            f"You placed '{mover}' at {bracketed(cell, 1)}.",
            "Cells locked: " + ", ".join(bracketed(each, 1) for each in locked),
        )
    console.show("No valid moves available.", f"Player {names[game.winner]} wins the game!")


def duel_grid(game: Duel) -> list[str]:
    """Draw the grid: a marked cell shows its marker, any other locked cell an L."""
    rows = []
    for row in range(game.rows):
        boxes = []
        for column in range(game.columns):
            cell = (row, column)
            if cell in game.stones:
                symbol = "A" if game.stones[cell] == 1 else "B"
            else:
                symbol = "L" if game.locked(cell) else " "
            boxes.append(f"[{symbol}]")
        rows.append(" ".join(boxes))
    return with_headers(game, rows, 1)


def duel_choice(console: Console, game: Duel) -> Cell:
    """Ask until a legal cell is named."""
    while True:
        available = ", ".join(bracketed(cell, 1) for cell in game.legal())
        console.show(f"Available cells: {available}")
        cell = duel_cell(console, game)
        if cell in game.stones:
            console.show("Invalid move. The cell is already marked.")
        elif game.locked(cell):
            console.show("Invalid move. The cell is locked.")
        else:
            return cell


def duel_cell(console: Console, game: Duel) -> Cell:
    """Ask for a row and then for a column, or take a whole cell in answer to the first."""
    row = None
    while row is None:
        answer = console.ask(f"Enter the row number (1-{game.rows}): ")
        pair = read_pair(answer)
        number = read_number(answer) if pair is None else pair[0]
        if number is None or not 1 <= number <= game.rows:
            console.show(f"Please enter a number from 1 to {game.rows}.")
        elif pair is None:
            row = number
        elif not 1 <= pair[1] <= game.columns:
            console.show(f"Please enter a number from 1 to {game.columns}.")
        else:
            return pair[0] - 1, pair[1] - 1
    while True:
        column = read_number(console.ask(f"Enter the column number (1-{game.columns}): "))
        if column is not None and 1 <= column <= game.columns:
            return row - 1, column - 1
        console.show(f"Please enter a number from 1 to {game.columns}.")


def claim(console: Console, game: Claim) -> None:
    """Play claim: the grid comes after every claim and every refusal, and not before the first."""
    row, column = example(game, (2, 2), 0)
    symbols = " XO"
    console.show("Welcome to Gridlock!", "Player 1 (X) and Player 2 (O), prepare to battle!")
    hint = f" (e.g., '{row} {column}')"
    while game.winner is None:
        console.show(f"Player {game.mover}'s Turn ({symbols[game.mover]}).")
        prompt = f"Enter the row and column of the cell you want to claim{hint}: "
        hint = ""
        while True:
            cell = read_cell(console.ask(prompt), 0)
            if cell is None:
                reason = f"Enter a row and a column, for example {row} {column}."
            elif not game.on_board(cell):
                reason = "The cell is outside the grid."
            elif cell in game.stones:
                reason = "The cell is already claimed."
            elif cell not in game.legal():
                reason = "The cell is adjacent to your previously claimed cell."
            else:
                break
            console.show(f"Invalid move. {reason}", "Current Grid:", *claim_grid(game))
            prompt = "Please enter a valid cell: "
        game.play(cell)
        console.show(f"You have claimed cell {bracketed(cell, 0)}.")
        console.show("Current Grid:", *claim_grid(game))
    console.show(
        f"Player {game.mover} has no valid moves left.",
        f"Player {game.winner} ({symbols[game.winner]}) wins the game! Congratulations!",
    )


def claim_grid(game: Claim) -> list[str]:
    """Draw the grid with its headers."""
    return with_headers(game, box_rows(game, " XO", ""), 0)


def trail(console: Console, game: Trail) -> None:
    """Play trail: the grid comes before every turn, and a refusal is itself the next prompt."""
    names = ("", "Player 1 (X)", "Player 2 (O)")
    while True:
        console.show(*box_rows(game, " XO", ""))
        if game.winner is not None:
            break
        where = "(row,column)" if game.last is None else f"adjacent to {bracketed(game.last, 1)}"
        cell = read_cell(console.ask(f"{names[game.mover]}, enter your move {where}: "), 1)
        while cell is None or cell not in game.legal():
            again = f"Invalid move. Please select an empty cell {where}: "
            cell = read_cell(console.ask(again), 1)
        game.play(cell)
    loser, winner = names[game.mover], names[game.winner]
    console.show(f"{loser}, no valid moves remaining. {winner} wins the game!")


def race(console: Console, game: Race) -> None:
    """Play race: the grid comes before every prompt, also after a refusal."""
    while True:
        console.show(*race_grid(game))
        if game.winner is not None:
            break
        verb = game.phase
        wish = "your move" if verb == "move" else "a cell to block"
        usual = (0, 1) if verb == "move" else (1, 0)
        row, column = usual if game.on_board(usual) else game.legal()[0]
        prompt = f"Player {game.mover}, enter {wish} (e.g., '{verb} {row} {column}'): "
        cell = read_cell(without_verb(console.ask(prompt), verb), 0)
        if cell is None:
            reason = f"Type {verb}, a row and a column."
        elif not game.on_board(cell) or not game.free(cell):
            reason = "The cell is either blocked, occupied, or out of bounds."
        elif cell not in game.legal():
            reason = "The cell is not next to your token."
        else:
            game.play(cell)
            continue
        console.show(f"Invalid {verb}. {reason} Please try again.")
    won, lost = f"Player {game.winner}", f"Player {opponent(game.winner)}"
    if game.reached:
        console.show(f"{won} reached {lost}'s starting position. {won} wins!")
    else:
        console.show(f"{lost} has no legal moves left. {won} wins!")


def race_grid(game: Race) -> list[str]:
    """Draw the grid in columns two wide; on a 1x1 board token 1 hides token 2."""
    pictures: dict[Cell, str] = {game.tokens[2]: "P2"}
    pictures[game.tokens[1]] = "P1"
    pictures.update(game.blocked)
    return [
        " ".join(f"{pictures.get((row, column), '.'):>2}" for column in range(game.columns))
        for row in range(game.rows)
    ]
