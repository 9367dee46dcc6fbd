"""How command lines name games, boards, players and limits."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import click

from gridlock.errors import NotationError, UnknownGameError, quote, suggest
from gridlock.model import Game
from gridlock.notation import read_number, read_size
from gridlock.rulebooks.catalogue import RULEBOOKS, unknown_game
from gridlock.rulebooks.custom import RULE_SUFFIX, find_rule_file, find_rule_files, load
from gridlock.store import default_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

    from gridlock.grid import Grid
    from gridlock.model import Rulebook

_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?|\.[0-9]{1,9}")
_MEMORY = re.compile(r"([0-9]{1,12})([KMGT]?)B?", re.IGNORECASE)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_LEAST_MEMORY = 1 << 20
_MOST_MEMORY = 1 << 40
_MOST_THREADS = 256
_USUAL_SIDES = range(3, 11)


def reading(read: Callable[[str], object]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Return a callback that reads a value, and makes what cannot be read a wrong use."""

    def convert(context: click.Context, parameter: click.Parameter, value: str | None) -> object:
        try:
            return None if value is None else read(value)
        except (NotationError, UnknownGameError) as error:
            raise click.BadParameter(str(error), context, parameter) from None

    return convert


def read_rulebook(name: str) -> Rulebook:
    """Return the rulebook with this id, one's own included, or the one in a rule file by its path.

    What ends in .toml, or has a slash in it, is a path.
    """
    if name.lower().endswith(RULE_SUFFIX) or "/" in name:
        return load(name).rulebook
    if name.lower() in RULEBOOKS:
        return RULEBOOKS[name.lower()]
    own = own_rulebooks()
    if name.lower() in own:
        return own[name.lower()]
    if file := find_rule_file(name.lower(), default_store().rules_folder):
        return load(file).rulebook  # or the error that says what is wrong with it
    raise unknown_game(name, [*RULEBOOKS, *own], ", or a rule file such as ./knights.toml")


def own_rulebooks() -> dict[str, Rulebook]:
    """Return the rulebooks of one's own rule files, by their ids."""
    files, _ = find_rule_files(default_store().rules_folder)
    own: dict[str, Rulebook] = {}
    for rulebook in files.values():
        own.setdefault(rulebook.id, rulebook)
    return own


class Choice(click.Choice[str]):
    """A choice of words that guesses which one was meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return the message for any other word."""
        message = super().get_invalid_choice_message(value, ctx)
        meant = suggest(str(value), self.choices)
        return f"{message} Did you mean {meant}?" if meant else message


def _complete_game(_: object, __: object, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    rulebooks = {**own_rulebooks(), **RULEBOOKS}
    found = [
        CompletionItem(name, help=rulebook.about.replace(",", ";"))  # fish would end it there
        for name, rulebook in rulebooks.items()
        if name.startswith(incomplete)
    ]
    return found or [CompletionItem(incomplete, type="file")]


def _complete_size(_: object, __: object, incomplete: str) -> list[str]:
    rows, cross, _columns = incomplete.partition("x")
    sizes = [f"{rows if cross else side}x{side}" for side in _USUAL_SIDES]
    return [size for size in sizes if size.startswith(incomplete)]


GAME = click.argument(
    "rulebook",
    metavar="GAME",
    callback=reading(read_rulebook),
    shell_complete=_complete_game,
)

OPTIONAL_GAME = click.argument(
    "rulebook",
    metavar="[GAME]",
    required=False,
    callback=reading(read_rulebook),
    shell_complete=_complete_game,
)

SIZE = click.option(
    "--size",
    callback=reading(read_size),
    metavar="RxC",
    help="Board size, rows x columns, up to 100x100.",
    shell_complete=_complete_size,
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
        help=f"Time limit for {what}.  [default: {shown}]",
    )


THREADS = click.option(
    "--threads",
    callback=reading(read_threads),
    default=str(min(_MOST_THREADS, os.cpu_count() or 1)),
    metavar="N",
    help="Search threads.  [default: one per core]",
)

MEMORY = click.option(
    "--memory",
    callback=reading(read_memory),
    default="1G",
    metavar="BYTES",
    help="Memory for a search, such as 512M.  [default: 1G]",
)

TIME_PER_MOVE = click.option(
    "--time-per-move",
    "seconds",
    callback=reading(read_seconds),
    metavar="SECONDS",
    help="How long the computer may think about a move or a hint.  "
    "[default: 1 for a move, 3 for a hint]",
)
