"""Several threads at one question."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gridlock.search.backends.base import Search

_Answer = TypeVar("_Answer")


class Team(Generic[_Answer]):
    """Threads at one question, over one table: the first answer counts."""

    def __init__(self, ask: Callable[[Search], _Answer], signal: memoryview) -> None:
        self._ask = ask
        self._signal = signal
        self.answers: list[_Answer] = []
        self.helpers: list[threading.Thread] = []

    def search(self, search: Search) -> None:
        """Search in this thread, and tell the others to stop when there is an answer."""
        answer = self._ask(search)
        if not self._signal[0]:
            self.answers.append(answer)
            self._signal[0] = 1

    def call(self, searches: Sequence[Search]) -> None:
        """Let all but the first search in threads of their own."""
        for search in searches[1:]:
            helper = threading.Thread(target=self.search, args=(search,))
            with contextlib.suppress(RuntimeError):  # the system has no more threads
                helper.start()
                self.helpers.append(helper)
        for search in searches:
            search.is_shared = bool(self.helpers)

    def dismiss(self) -> None:
        """Wait until all threads have stopped."""
        for helper in self.helpers:
            helper.join()
