"""Questions to an engine beside the screen: keys and mouse are answered while it thinks."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.screen import Screen

    from gridlock.search.solver import Progress

_Answer = TypeVar("_Answer")


class Stoppable(Protocol):
    """Whoever answers questions, an engine or a solver."""

    def stop(self) -> None:
        """End the question under way."""


class Answered(Message):
    """An answer was found, or none; ``tell`` is to be called on the screen's own thread."""

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__()
        self.tell = tell


class Thinker:
    """Answers one question at a time in a thread; a new question drops the one before.

    A question must hand ``watch`` to the engine, or nothing ends it when it is dropped.
    ``failed`` is handed what a question raises, on the screen's own thread.
    """

    def __init__(self, screen: Screen[None], failed: Callable[[Exception], None]) -> None:
        self._screen = screen
        self._failed = failed
        self._latest = 0
        self._asked = 0
        self._hurried = 0
        self._lock = threading.Lock()
        self._watch: Callable[[Progress], None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether an answer is waited for."""
        return self._asked == self._latest != 0

    def ask(
        self,
        engine: Stoppable,
        question: Callable[[], _Answer],
        tell: Callable[[_Answer], None],
    ) -> None:
        """Put a question to an engine; the screen tells its answer, unless it was dropped by then.

        What the engine has found so far is told as well.
        """
        self.drop()
        number = self._asked = self._latest

        def watch(progress: Progress) -> None:
            if number != self._latest or number == self._hurried:
                engine.stop()  # this is its own thread, so no other question is ended
            elif progress.found:
                found = cast("_Answer", progress.found)
                self._post(number, lambda: tell(found))

        def think() -> None:
            with self._lock:
                if number != self._latest:
                    return
                self._watch = watch
                try:
                    answer = question()
                except BaseException as error:  # noqa: BLE001 - told on the screen's own thread
                    failure = _as_failure(error)
                    self._post(number, lambda: self._failed(failure), is_last=True)
                    return
                finally:
                    self._watch = None
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

    def watch(self, progress: Progress) -> None:
        """Hear the progress of the question under way: whoever asks an engine hands it this."""
        if self._watch:
            self._watch(progress)

    def hurry(self) -> None:
        """Have the question answered soon, with what is known by then."""
        self._hurried = self._latest

    def drop(self) -> None:
        """Forget the question, if there is one: the engine stops soon."""
        self._latest += 1


def _as_failure(error: BaseException) -> Exception:
    """Return what a search has raised as something that does not end the app, raised again."""
    if isinstance(error, Exception):
        return error
    failure = RuntimeError(f"a search was ended by {type(error).__name__}")
    failure.__cause__ = error
    return failure
