"""The command ``gridlock``: finds the sub-command, and turns every failure into one line."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from gridlock import __version__
from gridlock.errors import DEBUG_VARIABLE, GridlockError, blame_ourselves, suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

FAILURE = 1
WRONG_USE = 2
INTERRUPTED = 130  # as after SIGINT
CLOSED_PIPE = 141  # as after SIGPIPE

COMPLETION_VARIABLE = "_GRIDLOCK_COMPLETE"
"""The environment variable by which a shell asks how a line could go on."""

_MODULES = {
    "learn": "gridlock.cli.learn",
    "play": "gridlock.cli.play",
    "resume": "gridlock.cli.resume",
    "history": "gridlock.cli.history",
    "replay": "gridlock.cli.replay",
    "review": "gridlock.cli.review",
    "analyse": "gridlock.cli.analyse",
    "solve": "gridlock.cli.solve",
    "puzzle": "gridlock.cli.puzzle",
    "eval": "gridlock.cli.eval",
    "tournament": "gridlock.cli.tournament",
    "ugi": "gridlock.cli.ugi",
    "serve": "gridlock.cli.serve",
    "db": "gridlock.cli.db",
    "config": "gridlock.cli.config",
    "games": "gridlock.cli.lookup",
    "rules": "gridlock.cli.lookup",
    "doctor": "gridlock.cli.lookup",
    "completion": "gridlock.cli.completion",
    "help": "gridlock.cli.lookup",
    "version": "gridlock.cli.lookup",
}
"""Where each command lives; it is imported only when it is needed, to start in a blink."""


class LazyCommands(Mapping[str, click.Command]):
    """Commands by their names; each is imported when it is looked up."""

    def __getitem__(self, name: str) -> click.Command:
        command: click.Command = getattr(import_module(_MODULES[name]), name)
        return command

    def __contains__(self, name: object) -> bool:
        return name in _MODULES

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


class OrderedGroup(click.Group):
    """A group whose help lists the commands in their own order, not by the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands."""
        return list(self.commands)


@click.group(
    cls=OrderedGroup,
    commands=LazyCommands(),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: gridlock play duel --p2 computer:3",
)
@click.version_option(__version__, "--version", message="gridlock %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Five lock-out grid games: close the grid, and whoever cannot move loses.

    New here? Begin with gridlock learn occupation: a guided game that takes two minutes.

    Without a command, this opens the full-screen app (in a terminal).
    """
    if context.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from gridlock.tui.app import run

        context.exit(run())
    click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; an error is one line on standard error."""
    _prepare_streams()
    try:
        code = _invoke(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        code = CLOSED_PIPE
        _abandon_output()
    except OSError as error:
        what = error.filename or "cannot write the output"
        code = _fail(f"{what}: {error.strerror or error}", FAILURE)
        _abandon_output()
    sys.exit(code)


def _invoke(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code, whatever happens."""
    try:
        return _dispatch(arguments)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "gridlock"
        return _fail(f"{_explain(error)} (see {command} --help)", WRONG_USE)
    except GridlockError as error:
        return _fail(str(error), FAILURE)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except OSError:
        raise
    except Exception as error:  # the last resort: no bug may become a traceback
        if os.environ.get(DEBUG_VARIABLE):
            raise
        from gridlock.log import log_failure

        return _fail(blame_ourselves(error, log_failure(error)), FAILURE)


def _dispatch(arguments: Sequence[str]) -> int:
    """Run a command, or answer a shell that asks how a line can go on."""
    if instruction := os.environ.get(COMPLETION_VARIABLE):
        from gridlock.cli.completion import answer_shell

        return answer_shell(cli, instruction)
    try:
        with cli.make_context("gridlock", list(arguments)) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:  # a group alone, like gridlock itself
        click.echo(error.format_message())
    return 0


def _explain(error: click.UsageError) -> str:
    """Return what is wrong, and what was probably meant."""
    if isinstance(error, (click.exceptions.NoSuchCommand, click.NoSuchOption)):
        meant = _meant(error)
        return f"{error.message} Did you mean {meant}?" if meant else error.message.rstrip(".")
    return error.format_message().rstrip(".")


def _meant(error: click.exceptions.NoSuchCommand | click.NoSuchOption) -> str | None:
    """Return what is nearest to a mistyped word; the dashes that all options have do not count."""
    if isinstance(error, click.exceptions.NoSuchCommand):
        return suggest(error.command_name, error.possibilities or ())
    options = {option.lstrip("-"): option for option in error.possibilities or ()}
    return options.get(suggest(error.option_name.lstrip("-"), options) or "")


def _fail(message: str, code: int) -> int:
    """Say what went wrong, in one line."""
    click.echo(f"gridlock: {' '.join(message.split())}", err=True)
    return code


def _prepare_streams() -> None:
    """Make sure that no byte that is typed or shown, and no closed stream, can raise an error."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started this: it must last to the end
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # pragma: no branch
            stream.reconfigure(errors="replace")


def _abandon_output() -> None:
    """Send what is still to be written nowhere, so that the interpreter can end quietly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
