"""``gridlock ugi``: our engine for other programs, and a test for theirs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from gridlock.cli.options import JSON, OPTIONAL_GAME, SIZE, make_game
from gridlock.rulebooks.catalogue import find_rulebook

if TYPE_CHECKING:
    from gridlock.grid import Grid
    from gridlock.model import Rulebook


@click.command(
    short_help="Speak UGI with other programs, or check one that does.",
    epilog="Example: gridlock ugi duel --check 'python3 examples/random_bot.py'",
)
@OPTIONAL_GAME
@SIZE
@click.option("--check", metavar="COMMAND", help="Check whether a program speaks UGI as it should.")
@JSON
def ugi(rulebook: Rulebook | None, size: Grid | None, check: str | None, is_json: bool) -> None:
    """Play GAME as a UGI engine, the Universal Game Interface of match runners.

    Commands are read from standard input, one per line: ugi lists the options, quit ends it.
    Positions and moves are written as in records.

    With --check another program is tried step by step, for GAME: what holds, what does not, and
    what was said. The exit code is 1 if something does not hold.
    """
    rulebook = rulebook or find_rulebook("occupation")
    game = make_game(rulebook, size)
    if check is None:
        if is_json:
            raise click.UsageError("--json goes with --check")
        from gridlock.bridges.ugi import UgiEngine

        UgiEngine(_write, rulebook, size).run(sys.stdin)
        return
    raise NotImplementedError


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
