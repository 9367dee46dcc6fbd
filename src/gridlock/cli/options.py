"""The kinds of values that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gridlock.errors import NotationError, UnknownGameError
from gridlock.notation import read_size
from gridlock.players import check_kind
from gridlock.rulebooks.catalogue import RULEBOOKS, find_rulebook
from gridlock.rulebooks.custom import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Rulebook


class GameName(click.ParamType):
    """The id of a rulebook, or the path of a rule file."""

    name = "game"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Rulebook:
        """Return the rulebook."""
        if value.endswith(".toml"):
            return load(Path(value)).rulebook
        try:
            return find_rulebook(value)
        except UnknownGameError as error:
            self.fail(str(error), param, ctx)


class Readable(click.ParamType):
    """A value that a function reads, or refuses with ``NotationError``."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self._read = read

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Return what the function makes of the value."""
        try:
            return self._read(value)
        except NotationError as error:
            self.fail(str(error), param, ctx)


GAME = click.argument("rulebook", metavar="GAME", type=GameName())
"""The argument GAME; the list of ids stands in each command's help."""

SIZE = Readable("size", read_size)
WHO = Readable("who", check_kind)
GAME_HELP = f"GAME is {', '.join(RULEBOOKS)}, or a rule file such as ./knights.toml."
