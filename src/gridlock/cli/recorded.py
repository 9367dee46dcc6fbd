"""How command lines name written games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.errors import RecordError, quote
from gridlock.files import read_text
from gridlock.record import read_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.record import Record

FILE = click.argument("file", type=click.Path(path_type=Path))

NUMBER = click.option(
    "--game", "number", type=int, metavar="N", help="Which game, in a file of several."
)


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
