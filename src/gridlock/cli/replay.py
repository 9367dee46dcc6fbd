"""``gridlock replay``: look at a written game again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console, EndOfInput
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.options import JSON
from gridlock.cli.recorded import FILE, NUMBER, check_range, chosen_numbers, read_file
from gridlock.errors import quote
from gridlock.notation import read_number
from gridlock.record import write_moves

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gridlock.cli.dialogues import Dialogue
    from gridlock.model import Position
    from gridlock.record import Record

_KEYS = "Enter: next, b: back, a number: go there, q: quit > "


@click.command(
    short_help="Look at a written game again.", epilog="Example: gridlock replay game.txt --at 3"
)
@FILE
@NUMBER
@click.option("--at", type=int, metavar="N", help="Show only the position after N moves.")
@JSON
def replay(file: Path, number: int | None, at: int | None, is_json: bool) -> None:
    """Show the games in FILE: step by step in a terminal, all at once in a pipe.

    Every move is checked; an illegal one is named. In race a step and its block are one move.
    """
    records = read_file(file)
    chosen = chosen_numbers(records, number)
    if at is not None:
        for which in chosen:
            check_range("--at", at, 0, records[which - 1].turn_count)
    if is_json:
        games = [_as_json(records[which - 1], at) for which in chosen]
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
        viewer = _Viewer(record, console)
        if at is not None:
            viewer.show(at)
        elif not console.is_terminal:
            viewer.show_all()
        elif not viewer.step():
            return


def _as_json(record: Record, at: int | None) -> dict[str, object]:
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
    return min(turns * record.game.rulebook.actions_per_turn, len(record.moves))


class _Viewer:
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
            moved = write_moves(record.game, record.moves[begin:end])
            say(f"Move {at} of {last}: {name} {moved}")
        self._dialogue.show(self._positions[end])
        if at == last:
            say(self._result())

    def show_all(self) -> None:
        """Show every position."""
        for at in range(self._record.turn_count + 1):
            self.show(at)

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
        return (
            f"{record.game.rulebook.title}, {record.game.grid}, {record.date}: "
            f"{' against '.join(record.players)}, {self._dialogue.name(record.first)} begins"
        )

    def _result(self) -> str:
        if self._record.result is None:
            return "The game is unfinished."
        how = f" ({self._record.termination})" if self._record.termination else ""
        return f"{self._dialogue.victory(self._record.result)}{how}"
