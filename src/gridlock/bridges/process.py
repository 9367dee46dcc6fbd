"""Another program that is talked to line by line, and ended with all that it has started."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
from typing import TYPE_CHECKING

from gridlock.errors import GridlockError, NotationError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

LARGEST_LOG = 512 * 1024
"""The bytes of a log of standard error that is begun anew."""

LONGEST_LINE = 1 << 16
"""The bytes of the longest line that is read: what is longer is no answer."""

_QUIT_SECONDS = 1.0  # for a program to end when it is told to
_END_SECONDS = 0.2  # between the end of its output and its own
_STEP = 0.01  # seconds between two looks whether it has ended


class ProcessEndedError(GridlockError):
    """The program has ended, or has closed its output."""

    code = "ended"


class NoAnswerError(GridlockError):
    """The program has said nothing in the time it had."""

    code = "no-answer"


class GarbageError(GridlockError):
    """The program has said something that is no answer."""

    code = "garbage"


def read_command(text: str) -> list[str]:
    """Return the words of a command whose program exists, or raise ``NotationError``."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise NotationError(f"the command {quote(text)} cannot be read: {error}") from None
    if not hasattr(os, "killpg"):  # pragma: no cover - Windows
        raise NotationError("other programs can play on Linux and macOS only")
    if not words:
        raise NotationError("there is no command: write engine:COMMAND, such as engine:./my_bot")
    if shutil.which(words[0]) is None:
        raise NotationError(f"there is no program {quote(words[0])}")
    return words


class Process:
    """A program with pipes to its input and output; its standard error goes to a log.

    Nothing waits longer than it is told to, in either direction, and nothing is kept that nobody
    has read: a program that floods its output waits until somebody reads.
    """

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        listen: Callable[[str, str], None] | None = None,
    ) -> None:
        self._listen = listen or (lambda _sign, _line: None)
        self._is_closed = False
        self._buffer = b""
        try:
            log.parent.mkdir(parents=True, exist_ok=True)
            is_full = log.exists() and log.stat().st_size >= LARGEST_LOG
            with log.open("wb" if is_full else "ab") as errors:
                self._process = subprocess.Popen(  # noqa: S603 - it is what somebody wants to run
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    bufsize=0,
                    start_new_session=True,  # a group of its own, which is ended as a whole
                )
        except OSError as error:
            raise ProcessEndedError(
                f"cannot start {quote(command[0])}: {error.strerror or error}"
            ) from None
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        assert self._process.stdout is not None  # noqa: S101
        self._input, self._output = self._process.stdin, self._process.stdout
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)
        self._reading, self._writing = selectors.DefaultSelector(), selectors.DefaultSelector()
        self._reading.register(self._output, selectors.EVENT_READ)
        self._writing.register(self._input, selectors.EVENT_WRITE)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def send(self, line: str, seconds: float = 1.0) -> None:
        """Send a line, or raise ``ProcessEndedError``, or ``NoAnswerError`` if it is not read."""
        self._listen(">", line)
        rest = f"{line}\n".encode()
        deadline = time.monotonic() + seconds
        while rest:
            if not self._writing.select(max(0.0, deadline - time.monotonic())):
                raise NoAnswerError(f"it does not read what it is told: {quote(line)}")
            try:
                rest = rest[os.write(self._input.fileno(), rest) :]
            except OSError:
                raise ProcessEndedError(self._how_ended()) from None

    def read(self, deadline: float) -> str:
        """Return the next line of the output, at a monotonic time at the latest.

        Raises ``NoAnswerError``, ``ProcessEndedError`` or ``GarbageError``.
        """
        while b"\n" not in self._buffer:
            if len(self._buffer) > LONGEST_LINE:
                raise GarbageError(f"a line of its output is longer than {LONGEST_LINE} bytes")
            if not self._reading.select(max(0.0, deadline - time.monotonic())):
                raise NoAnswerError("it does not answer")
            more = os.read(self._output.fileno(), LONGEST_LINE)
            if not more:
                raise ProcessEndedError(self._how_ended())
            self._buffer += more
        if time.monotonic() > deadline:
            raise NoAnswerError("it does not answer, whatever else it says")
        line, _, self._buffer = self._buffer.partition(b"\n")
        text = line.decode(errors="replace").rstrip("\r")
        self._listen("<", text)
        return text

    def ends_within(self, seconds: float) -> bool:
        """Tell whether the program ends by itself in so many seconds; its output is thrown away."""
        deadline = time.monotonic() + seconds
        while not self._has_ended():
            if time.monotonic() > deadline:
                return False
            if self._reading.select(_STEP):
                with contextlib.suppress(OSError):
                    if not os.read(self._output.fileno(), LONGEST_LINE):
                        time.sleep(_STEP)  # closed, but it may still be at something
        return True

    def end_input(self) -> None:
        """Close the program's input."""
        self._writing.close()
        self._input.close()

    def kill(self) -> None:
        """End the program and every process of its group at once; whoever reads hears of it."""
        # The process itself is waited for only in ``close``: until then nobody else has its id.
        if not self._is_closed:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self, *, politely: bool = True) -> None:
        """End the program and every process of its group: at a word of it, or else at once."""
        if self._is_closed:
            return
        if politely and not self._input.closed:
            with contextlib.suppress(GridlockError):
                self.send("stop", 0.1)
                self.send("quit", 0.1)
            self.ends_within(_QUIT_SECONDS)
        self.kill()
        self._is_closed = True
        self._process.wait()
        self._reading.close()
        if not self._input.closed:
            self.end_input()
        self._output.close()

    def _has_ended(self) -> bool:
        return self._exit_code() is not None

    def _exit_code(self) -> int | None:
        """Return how the process has ended, a signal as its negative number, None if it has not."""
        if not hasattr(os, "waitid"):  # pragma: no cover - macOS before Python 3.13
            return self._process.poll()
        how = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if how is None:
            return None
        return how.si_status if how.si_code == os.CLD_EXITED else -how.si_status

    def _how_ended(self) -> str:
        deadline = time.monotonic() + _END_SECONDS
        while (code := self._exit_code()) is None and time.monotonic() < deadline:
            time.sleep(_STEP)
        if code is None:
            return "it has closed its output"
        if code >= 0:
            return f"it has ended with exit code {code}"
        return f"it was ended by {signal.Signals(-code).name}"
