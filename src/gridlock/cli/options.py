"""How command lines name games, boards, players and limits."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import click

from gridlock.errors import NotationError, UnknownGameError, quote
from gridlock.model import Game
from gridlock.notation import read_number, read_size
from gridlock.rulebooks.catalogue import find_rulebook
from gridlock.rulebooks.custom import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.grid import Grid
    from gridlock.model import Rulebook

_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?|\.[0-9]{1,9}")
_MEMORY = re.compile(r"([0-9]{1,12})([KMGT]?)B?", re.IGNORECASE)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_LEAST_MEMORY = 1 << 20
_MOST_MEMORY = 1 << 40
_MOST_THREADS = 256


def reading(read: Callable[[str], object]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Return a callback that reads a value, and makes what cannot be read a wrong use."""

    def convert(context: click.Context, parameter: click.Parameter, value: str | None) -> object:
        try:
            return None if value is None else read(value)
        except (NotationError, UnknownGameError) as error:
            raise click.BadParameter(str(error), context, parameter) from None

    return convert


def read_rulebook(name: str) -> Rulebook:
    """Return the rulebook with this id, or the one in a rule file: a path, or a name in .toml."""
    if name.lower().endswith(".toml") or "/" in name:
        return load(name).rulebook
    try:
        return find_rulebook(name.lower())
    except UnknownGameError as error:
        raise UnknownGameError(f"{error}, or a rule file such as ./knights.toml") from None


GAME = click.argument("rulebook", metavar="GAME", callback=reading(read_rulebook))

SIZE = click.option(
    "--size",
    callback=reading(read_size),
    metavar="RxC",
    help="Another board: rows x columns, to 100x100.",
)

JSON = click.option("--json", "is_json", is_flag=True, help="Print JSON.")


def make_game(rulebook: Rulebook, size: Grid | None) -> Game:
    """Return the game, or raise ``click.BadParameter`` for a board that cannot hold it."""
    try:
        return Game(rulebook, size or rulebook.size)
    except NotationError as error:
        raise click.BadParameter(str(error), param_hint="'--size'") from None


def read_seconds(text: str) -> float:
    """Return a time limit in seconds, or raise ``NotationError``."""
    seconds = float(text) if _SECONDS.fullmatch(text) else 0.0
    if not seconds:
        raise NotationError(f"{quote(text)} is not a number of seconds such as 10 or 0.5")
    return seconds


def read_memory(text: str) -> int:
    """Return a number of bytes, or raise ``NotationError``."""
    match = _MEMORY.fullmatch(text)
    memory = int(match[1]) << 10 * _POWERS[match[2].upper()] if match else 0
    if not _LEAST_MEMORY <= memory <= _MOST_MEMORY:
        raise NotationError(f"{quote(text)} is not an amount from 1M to 1T, for example 512M or 2G")
    return memory


def read_threads(text: str) -> int:
    """Return a number of threads, or raise ``NotationError``."""
    threads = read_number(text)
    if threads is None or not 1 <= threads <= _MOST_THREADS:
        raise NotationError(f"{quote(text)} is not a number from 1 to {_MOST_THREADS}")
    return threads


def time_option(default: float | None, what: str) -> Callable[[Any], Any]:
    """Return the option ``--time``."""
    shown = "as long as it takes" if default is None else f"{default:g}"
    return click.option(
        "--time",
        "seconds",
        callback=reading(read_seconds),
        default=None if default is None else f"{default:g}",
        metavar="SECONDS",
        help=f"How long {what} may take.  [default: {shown}]",
    )


THREADS = click.option(
    "--threads",
    callback=reading(read_threads),
    default=str(min(_MOST_THREADS, os.cpu_count() or 1)),
    metavar="N",
    help="How many threads search.  [default: one for each core]",
)

MEMORY = click.option(
    "--memory",
    callback=reading(read_memory),
    default="1G",
    metavar="BYTES",
    help="How much memory a search may use, such as 512M.  [default: 1G]",
)
