"""``gridlock ugi``: our engine for other programs, and a test for theirs."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from gridlock.cli.options import JSON, OPTIONAL_GAME, SIZE, make_game
from gridlock.errors import NotationError
from gridlock.rulebooks.catalogue import find_rulebook

if TYPE_CHECKING:
    from gridlock.grid import Grid
    from gridlock.model import Game, Rulebook

_FAILED = 1  # the exit code where a program does not do as it should


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
    _check(check, game, is_json=is_json)


def _check(command: str, game: Game, *, is_json: bool) -> None:
    """Show what holds of a program, and exit with 1 where something that should does not."""
    from gridlock.bridges.conformance import check

    try:
        steps = check(command, game)
    except NotationError as error:
        raise click.BadParameter(str(error), param_hint="'--check'") from None
    if is_json:
        found = [
            {
                "step": step.name,
                "holds": step.holds,
                "optional": step.is_optional,
                "tried": step.is_tried,
                "reason": step.reason or None,
                "transcript": step.transcript,
            }
            for step in steps
        ]
        click.echo(json.dumps(found, indent=1))
    else:
        for step in steps:
            sign = "ok  " if step.holds else "FAIL"
            if not step.is_tried or (step.is_optional and not step.holds):
                sign = "--  "
            click.echo(f"{sign} {step.name}{': ' if step.reason else ''}{step.reason}")
        for step in steps:
            if not step.holds and step.is_tried and not step.is_optional:
                click.echo(f"\n{step.name}:")
                for line in step.transcript:
                    click.echo(f"  {line}")
    if not all(step.holds or step.is_optional for step in steps):
        click.get_current_context().exit(_FAILED)


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
