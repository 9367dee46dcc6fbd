"""``gridlock replay``: look at a written game again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console, EndOfInput
from gridlock.cli.dialogues import dialogue_of
from gridlock.errors import RecordError, quote
from gridlock.files import read_text
from gridlock.notation import read_number
from gridlock.record import Record, read_records

if TYPE_CHECKING:
    from gridlock.cli.dialogues import Dialogue
    from gridlock.model import Position

_KEYS = "Enter: next, b: back, a number: go there, q: quit > "


@click.command(
    short_help="Look at a written game again.", epilog="Example: gridlock replay game.txt --at 3"
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", "number", type=int, metavar="N", help="Which game, in a file of several.")
@click.option("--at", type=int, metavar="N", help="Show only the position after N moves.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON.")
def replay(file: Path, number: int | None, at: int | None, is_json: bool) -> None:
    """Show the games in FILE: step by step in a terminal, all at once in a pipe.

    Every move is checked; an illegal one is named. In race a step and a block are two moves.
    """
    try:
        records = read_records(read_text(file))
    except RecordError as error:
        raise RecordError(f"{quote(file)} is damaged: {error}") from None
    if number is not None:
        if not 1 <= number <= len(records):
            raise click.BadParameter(f"the file has {len(records)} games", param_hint="--game")
        records = [records[number - 1]]
    if at is not None and not all(0 <= at <= len(record.moves) for record in records):
        most = min(len(record.moves) for record in records)
        raise click.BadParameter(f"it must be from 0 to {most}", param_hint="--at")
    if is_json:
        click.echo(json.dumps({"games": [_as_json(record, at) for record in records]}, indent=1))
        return
    console = Console()
    for record in records:
        viewer = _Viewer(record, console)
        if at is not None:
            viewer.show(at)
        elif console.is_typed:
            viewer.step()
        else:
            viewer.show_all()


def _as_json(record: Record, at: int | None) -> dict[str, object]:
    game, length = record.game, len(record.moves) if at is None else at
    return {
        "game": game.rulebook.id,
        "size": str(game.grid),
        "first": record.first,
        "players": record.players,
        "date": record.date,
        "result": record.result,
        "termination": record.termination,
        "moves": [game.name(cell) for cell in record.moves[:length]],
        "positions": [str(position) for position in record.positions()[: length + 1]],
    }


class _Viewer:
    """Shows the positions of one record."""

    def __init__(self, record: Record, console: Console) -> None:
        self._record = record
        self._positions: list[Position] = record.positions()
        self._console = console
        self._dialogue: Dialogue = dialogue_of(record.game, console)

    def show(self, at: int) -> None:
        """Show the position after some moves, and the result after the last."""
        say, last = self._console.say, len(self._record.moves)
        if at == 0:
            say(self._title())
        else:
            before = self._positions[at - 1]
            verb = "" if before.phase == "place" else f" {before.phase}"
            name = self._record.game.name(self._record.moves[at - 1])
            say(f"Move {at} of {last}: {self._dialogue.name(before.mover)}{verb} {name}")
        self._dialogue.show(self._positions[at])
        if at == last:
            say(self._result())

    def show_all(self) -> None:
        """Show every position."""
        for at in range(len(self._positions)):
            self.show(at)

    def step(self) -> None:
        """Show one position after the other, as a person asks for them."""
        at, last = 0, len(self._record.moves)
        while True:
            self.show(at)
            try:
                line = self._console.ask(_KEYS).strip().lower()
            except EndOfInput:
                self._console.say()
                return
            if line == "q" or (not line and at == last):
                return
            number = read_number(line)
            if line == "b":
                at = max(at - 1, 0)
            elif number is not None:
                at = min(max(number, 0), last)
            elif not line:
                at += 1

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
