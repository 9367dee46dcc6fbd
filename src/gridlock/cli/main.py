"""The command ``gridlock``: finds the sub-command, and turns every failure into one line."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from gridlock import __version__
from gridlock.errors import DEBUG_VARIABLE, GridlockError, blame_ourselves

if TYPE_CHECKING:
    from collections.abc import Sequence

FAILURE = 1
WRONG_USE = 2
INTERRUPTED = 130  # as after SIGINT
CLOSED_PIPE = 141  # as after SIGPIPE

_COMMANDS = {
    "play": "gridlock.cli.play",
    "resume": "gridlock.cli.resume",
    "replay": "gridlock.cli.replay",
    "review": "gridlock.cli.review",
    "analyse": "gridlock.cli.analyse",
    "solve": "gridlock.cli.solve",
    "serve": "gridlock.cli.serve",
    "db": "gridlock.cli.db",
    "games": "gridlock.cli.lookup",
    "rules": "gridlock.cli.lookup",
    "doctor": "gridlock.cli.lookup",
}
"""Where each command lives; it is imported only when it is needed, to start in a blink."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands, in the order of the help."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, or None where there is none of this name."""
        if cmd_name not in _COMMANDS:
            return None
        command = getattr(import_module(_COMMANDS[cmd_name]), cmd_name)
        return command if isinstance(command, click.Command) else None


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: gridlock play duel --p2 computer:3",
)
@click.version_option(__version__, "--version", message="gridlock %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Five lock-out grid games: close the grid, and whoever cannot move loses.

    Without a command, in a terminal, this opens the full-screen app.
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
    """Run the command line and return its exit code."""
    try:
        with cli.make_context("gridlock", list(arguments)) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        command = " ".join(["gridlock", *(word for word in arguments[:1] if word in _COMMANDS)])
        return _fail(f"{error.format_message().rstrip('.')} (see {command} --help)", WRONG_USE)
    except GridlockError as error:
        return _fail(str(error), FAILURE)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except OSError:
        raise
    except Exception as error:  # the last resort: no bug may become a traceback
        if os.environ.get(DEBUG_VARIABLE):
            raise
        return _fail(blame_ourselves(error), FAILURE)
    return 0


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
