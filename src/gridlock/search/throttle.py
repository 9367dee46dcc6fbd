"""Telling somebody how far a long search has come, as often as is of use."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_News = TypeVar("_News")

_INTERVAL = 0.1
"""Seconds between two calls, at least."""

_SHARE = 0.1
"""The part of the time that telling may take, where it takes long."""


class Throttle(Generic[_News]):
    """Tells a listener, if there is one, what is new: at once, or soon if it was told just now.

    It keeps nothing but the listener, so that it can belong to what makes the news.
    """

    def __init__(self, listener: Callable[[_News], None] | None) -> None:
        self._listener = listener
        self._is_behind = False
        self._next = float("-inf")

    def tell(self, make: Callable[[], _News]) -> None:
        """Say that there is something new; ``make`` returns it when it is time."""
        self._is_behind = True
        self.catch_up(make)

    def catch_up(self, make: Callable[[], _News]) -> None:
        """Tell what was held back, if it is time: to be called now and then."""
        began = time.monotonic()
        if self._listener and self._is_behind and began >= self._next:
            self._is_behind = False
            self._listener(make())
            ended = time.monotonic()
            self._next = ended + max(_INTERVAL, (ended - began) / _SHARE)
