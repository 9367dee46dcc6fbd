"""``gridlock completion``: the Tab key in a shell."""

from __future__ import annotations

import sys

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    shell_complete,
)

from gridlock.cli.console import note
from gridlock.cli.main import COMPLETION_VARIABLE
from gridlock.cli.options import Choice

_HOW_TO_INSTALL = {
    "bash": 'For bash, put this line into ~/.bashrc:\n  eval "$(gridlock completion bash)"',
    "zsh": "For zsh, put this line into ~/.zshrc, below compinit:\n"
    '  eval "$(gridlock completion zsh)"',
    "fish": "For fish, run this once:\n"
    "  mkdir -p ~/.config/fish/completions\n"
    "  gridlock completion fish > ~/.config/fish/completions/gridlock.fish",
}


@click.command(
    short_help="Set up Tab completion.",
    help="Print a script that lets the shell complete commands, options and games with Tab.\n\n"
    + "\n\n".join(f"\b\n{words}" for words in _HOW_TO_INSTALL.values()),
    epilog="Example: gridlock completion bash",
)
@click.argument("shell", type=Choice(list(_HOW_TO_INSTALL)), metavar="SHELL")
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script of a shell, and tell a person what to do with it."""
    answer_shell(context.find_root().command, f"{shell}_source")
    if sys.stdout.isatty():
        note(f"\n{_HOW_TO_INSTALL[shell]}")


def answer_shell(command: click.Command, instruction: str) -> int:
    """Do what a shell asks for, and return the exit code.

    An instruction is ``bash_source`` for the script, ``bash_complete`` for how a line can go on.
    """
    add_completion_class(_Bash)
    return shell_complete(command, {}, "gridlock", COMPLETION_VARIABLE, instruction)


class _Bash(BashComplete):
    """Bash, to which a colon and an equals sign are words by themselves.

    It completes only what follows the colon of ``computer:3``.
    """

    _left_alone = 0  # characters of the last word that bash keeps as they are

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        words: list[str] = []
        for word in (*args, incomplete):
            if words and (word == ":" or words[-1].endswith(":")):
                words[-1] += word
            else:
                words.append(word)
        if words[-1] != incomplete:
            self._left_alone = words[-1].rindex(":") + 1
        last = words.pop()
        return [word for word in words if word != "="], last

    def format_completion(self, item: CompletionItem[str]) -> str:
        item.value = item.value[self._left_alone :]
        return super().format_completion(item)
