"""How command lines name games, boards and players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gridlock.errors import NotationError, UnknownGameError
from gridlock.rulebooks.catalogue import find_rulebook
from gridlock.rulebooks.custom import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Rulebook


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
