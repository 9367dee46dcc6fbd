"""Services that are away: said when they go, and when they are back."""

from __future__ import annotations

import logging
import time

_log = logging.getLogger(__name__)


class Outage:
    """Whether a service fails, since when, and how often it has.

    Both ends of an outage are warnings: whoever sees that it began also sees that it is over.
    """

    def __init__(self, failing: str, working: str) -> None:
        """Note what is said when it fails, before the reason, and when it works again."""
        self._failing = f"{failing}: %s"
        self._working = working
        self._since: float | None = None
        self._failures = 0

    @property
    def is_on(self) -> bool:
        """Whether it failed when it was last tried."""
        return self._since is not None

    def fail(self, reason: str) -> None:
        """Take notice of a failure."""
        if self._since is None:
            self._since = time.monotonic()
        self._failures += 1
        _log.warning(self._failing, reason)

    def end(self) -> None:
        """Take notice that it works."""
        if self._since is None:
            return
        seconds = round(time.monotonic() - self._since, 1)
        extra = {"seconds": seconds, "failures": self._failures, "ends": self._failing}
        self._since, self._failures = None, 0
        _log.warning(self._working, extra=extra)
