"""How command lines name written games: by a file, or by the name of a game that is kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.errors import RecordError, StoreError, quote
from gridlock.files import read_text
from gridlock.history import LAST, find_game
from gridlock.record import read_records
from gridlock.store import default_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

    from gridlock.record import Record


def complete_game(_: object, __: object, incomplete: str) -> list[CompletionItem]:
    """Return how the name of a kept game can go on; otherwise it may be a file."""
    from click.shell_completion import CompletionItem

    names = [LAST, *(path.stem for _, path in default_store().files())]
    found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


SOURCE = click.argument("source", metavar="GAME-OR-FILE", shell_complete=complete_game)

NUMBER = click.option(
    "--game", "number", type=int, metavar="N", help="Which game, in a file of several."
)


def find_file(name: str) -> Path:
    """Return the file that is meant by the name of a kept game, by ``last``, or by its path.

    Raises ``StoreError`` for a name that no game has; a path need not lead anywhere.
    """
    try:
        return find_game(default_store(), name)
    except StoreError:
        path = Path(name)
        if name == LAST or not (path.suffix or "/" in name or os.path.lexists(name)):
            raise
        return path


def read_source(name: str) -> list[Record]:
    """Return the records of a kept game or of a file, or raise an error that names it."""
    return read_file(find_file(name))


def read_file(file: Path) -> list[Record]:
    """Return the records in a file, or raise an error that names it."""
    try:
        return read_records(read_text(file))
    except RecordError as error:
        raise RecordError(f"{quote(file)} is damaged: {error}") from None


def chosen_numbers(records: Sequence[Record], number: int | None) -> Sequence[int]:
    """Return the numbers, from 1, of the games that were asked for: all, or one."""
    if number is None:
        return range(1, len(records) + 1)
    check_range("--game", number, 1, len(records))
    return [number]


def check_range(option: str, number: int, lowest: int, highest: int) -> None:
    """Raise ``click.BadParameter`` for a number that is out of range."""
    if not lowest <= number <= highest:
        raise click.BadParameter(
            f"{number} is not from {lowest} to {highest}", param_hint=f"'{option}'"
        )
