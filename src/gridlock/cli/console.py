"""What a person sees and types, line by line."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import threading
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock.model import Player

_COLOURS = ("cyan", "magenta")
_AT_ONCE = 0.001  # seconds: a timer of none at all would never ring


class EndOfInput(Exception):  # noqa: N818 - an event, not an error
    """Nobody will type any more."""


class TimeUp(Exception):  # noqa: N818 - an event, not an error
    """A person was not fast enough."""


class Console:
    """Standard input and output.

    Where the input is not a terminal each line read is written after its prompt, so that the
    output of a piped game reads as on a terminal.
    """

    def __init__(self) -> None:
        self._is_typed = sys.stdin.isatty()
        self._is_seen = sys.stdout.isatty()
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        self._has_colour = self._is_seen and not plain
        if self._is_typed:
            _enable_line_editing()

    @property
    def is_terminal(self) -> bool:
        """Whether a person types and sees what is shown."""
        return self._is_typed and self._is_seen

    @property
    def width(self) -> int:
        """The characters of a line: without end where no terminal breaks it."""
        return shutil.get_terminal_size().columns if self._is_seen else sys.maxsize

    def say(self, text: str = "") -> None:
        """Write a text and end the line."""
        sys.stdout.write(f"{text}\n")

    def ask(self, prompt: str, seconds: float | None = None) -> str:
        """Write a prompt and return the line that is typed, or raise ``EndOfInput``.

        Raises ``TimeUp`` after so many seconds, where the system can interrupt somebody who types.
        """
        sys.stdout.flush()
        try:
            with _alarm(seconds):
                return input(prompt) if self._is_typed else self._read(prompt)
        except (EOFError, KeyboardInterrupt, TimeUp) as end:
            with contextlib.suppress(OSError):  # Ctrl-C also ends what reads the output
                self.say()
                sys.stdout.flush()
            if isinstance(end, EOFError):
                raise EndOfInput from None
            raise

    def show(self, prompt: str) -> None:
        """Write a prompt at which nobody types, and see to it that it is seen."""
        sys.stdout.write(prompt)
        self.flush()

    def flush(self) -> None:
        """See to it that everything so far is seen."""
        sys.stdout.flush()

    def _read(self, prompt: str) -> str:
        self.show(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        line = line.removesuffix("\n")
        self.say(line)
        return line

    def paint(self, text: str, player: Player) -> str:
        """Return a text in a player's colour, where there are colours."""
        return self.colour(text, _COLOURS[player - 1])

    def colour(self, text: str, name: str | None) -> str:
        """Return a text in a colour, where there are colours."""
        return click.style(text, fg=name, bold=True) if self._has_colour and name else text


def note(text: str) -> None:
    """Tell the person something that is not part of the game, even if nobody reads the rest."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


@contextlib.contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Raise ``TimeUp`` in what takes longer; Windows has no such signal."""
    is_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not is_main or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise TimeUp

    usual = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(seconds, _AT_ONCE))
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)


def _enable_line_editing() -> None:
    """Let ``input`` take arrow keys and remember lines, where the system can."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401
