"""How command lines name games, boards and players."""

from __future__ import annotations

from pathlib import Path
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
    """Return the rulebook with this id, or the one in a rule file, whose name ends in .toml."""
    return load(Path(name)).rulebook if name.endswith(".toml") else find_rulebook(name)


GAME = click.argument("rulebook", metavar="GAME", callback=reading(read_rulebook))
