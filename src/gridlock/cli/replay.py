"""``gridlock replay``: look at a written game again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console, EndOfInput
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.options import JSON
from gridlock.cli.recorded import NUMBER, SOURCE, check_range, chosen_numbers, read_source
from gridlock.errors import quote
from gridlock.notation import read_number
from gridlock.record import write_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlock.cli.dialogues import Dialogue
    from gridlock.model import Position
    from gridlock.record import Record

_KEYS = "Enter: next, b: back, a number: go there, q: quit > "


@click.command(
    short_help="Step through a recorded game.", epilog="Example: gridlock replay last --at 3"
)
@SOURCE
@NUMBER
@click.option("--at", type=int, metavar="N", help="Show only the position after N moves.")
@JSON
def replay(source: str, number: int | None, at: int | None, is_json: bool) -> None:
    """Show a game: step by step in a terminal, all at once in a pipe.

    GAME-OR-FILE is a name from gridlock history, last for the game played last, or a file.
    Every move is checked; an illegal one is named. In race a step and its block are one move.
    """
    records = read_source(source)
    chosen = chosen_numbers(records, number)
    if at is not None:
        for which in chosen:
            check_range("--at", at, 0, records[which - 1].turn_count)
    if is_json:
        games = [as_json(records[which - 1], at) for which in chosen]
        click.echo(json.dumps({"games": games}, indent=1))
    else:
        _show(records, chosen, at)


def _show(records: list[Record], chosen: Iterable[int], at: int | None) -> None:
    """Show the chosen games, counted from 1: one position, step by step, or all at once."""
    console = Console()
    for which in chosen:
        if len(records) > 1:
            console.say(f"Game {which} of {len(records)}")
        record = records[which - 1]
        viewer = Viewer(record, console)
        if at is not None:
            viewer.show(at)
        elif not console.is_terminal:
            viewer.show_all()
        elif not viewer.step():
            return


def as_json(record: Record, at: int | None = None) -> dict[str, object]:
    """Return a game as JSON has it, up to the position after some moves."""
    game, length = record.game, _actions(record, record.turn_count if at is None else at)
    return {
        "game": game.rulebook.id,
        "size": str(game.grid),
        "first": record.first,
        "players": record.players,
        "date": record.date,
        "result": record.result,
        "termination": record.termination,
        "tags": dict(record.tags),
        "moves": [game.name(cell) for cell in record.moves[:length]],
        "positions": [str(position) for position in record.positions()[: length + 1]],
    }


def _actions(record: Record, turns: int) -> int:
    """Return how many actions the first turns of a game have."""
    begun = record.start().actions_made
    actions = turns * record.game.rulebook.actions_per_turn - begun
    return min(max(actions, 0), len(record.moves))


class Viewer:
    """Shows the positions of one record, turn by turn."""

    def __init__(self, record: Record, console: Console) -> None:
        self._record = record
        self._positions: list[Position] = record.positions()
        self._console = console
        self._dialogue: Dialogue = dialogue_of(record.game, console)

    def show(self, at: int) -> None:
        """Show the position after some moves, and the result after the last."""
        say, record, last = self._console.say, self._record, self._record.turn_count
        end = _actions(record, at)
        if at == 0:
            say(self._title())
        else:
            begin = _actions(record, at - 1)
            name = self._dialogue.name(self._positions[begin].mover)
            moved = write_line(self._positions[begin], record.moves[begin:end])
            say(f"Move {at} of {last}: {name} {moved}")
        self._dialogue.show(self._positions[end])
        if at == last:
            say(self._result())

    def show_all(self) -> None:
        """Show every position."""
        for at in range(self._record.turn_count + 1):
            self.show(at)

    def sum_up(self) -> None:
        """Show the whole game at a glance: its title, the moves, the last position, the result."""
        written = write_line(self._positions[0], self._record.moves)
        self._console.say(f"{self._title()}\nMoves: {written or 'none yet'}")
        self._console.say(f"Position: {self._positions[-1]}")
        self._dialogue.show(self._positions[-1])
        self._console.say(self._result())

    def step(self) -> bool:
        """Show one position after the other, as a person asks for them; False is enough."""
        at, last = 0, self._record.turn_count
        while True:
            self.show(at)
            try:
                line = self._console.ask(_KEYS).strip().lower()
            except EndOfInput:
                return False
            if line == "q":
                return False
            if not line and at == last:
                return True
            number = read_number(line)
            if line == "b":
                at = max(at - 1, 0)
            elif number is not None:
                at = min(max(number, 0), last)
            elif not line:
                at += 1
            else:
                self._console.say(f"There is no {quote(line)} here.")

    def _title(self) -> str:
        record = self._record
        where = ", from a position that was set up" if record.setup else ""
        return (
            f"{record.game.rulebook.title}, {record.game.grid}, {record.date}: "
            f"{' against '.join(record.players)}, {self._dialogue.name(record.first)} begins{where}"
        )

    def _result(self) -> str:
        if self._record.result is None:
            return "The game is unfinished."
        how = f" ({self._record.termination})" if self._record.termination else ""
        return f"{self._dialogue.victory(self._record.result)}{how}"
