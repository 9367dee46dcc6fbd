"""Searches beside the screen: keys and mouse are answered while one goes on."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.screen import Screen

    from gridlock.search.solver import Progress

_Answer = TypeVar("_Answer")


class _Dropped(Exception):  # noqa: N818 - an event, not an error
    """Nobody waits for the answer any more."""


class Answered(Message):
    """An answer was found, or none; ``tell`` is to be called on the screen's own thread."""

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__()
        self.tell = tell


class Thinker:
    """Answers one question at a time in a thread; a new question drops the one before.

    Whoever searches must hand ``watch`` to the search, or the next question waits for its end.
    ``failed`` is handed what a question raises, on the screen's own thread.
    """

    def __init__(self, screen: Screen[None], failed: Callable[[Exception], None]) -> None:
        self._screen = screen
        self._failed = failed
        self._latest = 0
        self._current = 0
        self._asked = 0
        self._lock = threading.Lock()

    @property
    def is_busy(self) -> bool:
        """Whether an answer is waited for."""
        return self._asked == self._latest != 0

    def ask(
        self,
        question: Callable[[Callable[[_Answer], None]], _Answer],
        tell: Callable[[_Answer], None],
    ) -> None:
        """Find an answer; the screen gets it by a message, and tells it unless it was dropped.

        The question is handed a function for what is known so far: that is told as well.
        """
        self.drop()
        number = self._asked = self._latest

        def report(answer: _Answer) -> None:
            self.watch()
            self._post(number, lambda: tell(answer))

        def think() -> None:
            with self._lock:
                self._current = number
                try:
                    self.watch()
                    answer = question(report)
                except _Dropped:
                    return
                except BaseException as error:  # noqa: BLE001 - told on the screen's own thread
                    failure = _as_failure(error)
                    self._post(number, lambda: self._failed(failure), is_last=True)
                    return
            self._post(number, lambda: tell(answer), is_last=True)

        # A daemon, so that nobody who quits has to wait for it.
        threading.Thread(target=think, daemon=True).start()

    def _post(self, number: int, tell: Callable[[], None], *, is_last: bool = False) -> None:
        """Let the screen tell something, unless the question has been dropped by then."""

        def deliver() -> None:
            if number == self._latest:
                if is_last:
                    self._asked = 0
                tell()

        self._screen.post_message(Answered(deliver))

    def drop(self) -> None:
        """Forget the question, if there is one."""
        self._latest += 1

    def watch(self, _: Progress | None = None) -> None:
        """End a search whose answer nobody waits for."""
        if self._current != self._latest:
            raise _Dropped


def _as_failure(error: BaseException) -> Exception:
    """Return what a search has raised as something that does not end the app, raised again."""
    if isinstance(error, Exception):
        return error
    failure = RuntimeError(f"a search was ended by {type(error).__name__}")
    failure.__cause__ = error
    return failure
