"""What an operator sees of processes: their metrics, asked again and again, and their logs."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import httpx
from prometheus_client.parser import text_string_to_metric_families

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

_INTERVAL = 0.25  # seconds between two scrapes
_STATES = ("gridlock_redis_up", "gridlock_database_up")
_QUIET = ("request", "live connection opened", "live connection closed")


@dataclass
class Watch:
    """Watches processes by the ports of their metrics and the files of their logs."""

    ports: Sequence[int]
    logs: Sequence[Path]
    trouble: list[tuple[float, str]] = field(default_factory=list)
    """When the metrics showed that something was wrong, and what."""

    @contextlib.asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Ask for the metrics all the time."""
        async with httpx.AsyncClient(timeout=2) as client:
            tasks = [
                asyncio.create_task(self._scrape(client, number, port))
                for number, port in enumerate(self.ports, 1)
            ]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                for ended in await asyncio.gather(*tasks, return_exceptions=True):
                    if isinstance(ended, Exception):  # and was not only cancelled
                        raise ended

    async def _scrape(self, client: httpx.AsyncClient, number: int, port: int) -> None:
        while True:
            try:
                text = (await client.get(f"http://127.0.0.1:{port}/metrics")).text
                families = list(text_string_to_metric_families(text))
            except (httpx.HTTPError, ValueError):  # out of reach, or cut off
                self._note(f"process {number} has no metrics")
                families = []
            for family in families:
                for sample in family.samples:
                    if sample.name in _STATES and not sample.value:
                        self._note(f"process {number}: {sample.name} 0")
            await asyncio.sleep(_INTERVAL)

    def _note(self, trouble: str) -> None:
        self.trouble.append((time.time(), trouble))

    def seen(self, begin: float, end: float) -> tuple[list[str], list[str]]:
        """Return what the metrics and the logs have shown between two times of day."""
        shown = Counter(what for at, what in self.trouble if begin <= at < end)
        in_metrics = [f"{what} ({count} scrapes)" for what, count in shown.items()]
        said: Counter[str] = Counter()
        first, last = _written(begin), _written(end)
        for number, log in enumerate(self.logs, 1):
            for line in log.read_text().splitlines():
                entry = json.loads(line)
                if first <= entry["time"] < last and entry["message"] not in _QUIET:
                    said[f"process {number}: {entry['message'][:60]}"] += 1
        return in_metrics, [f"{what} x {count}" for what, count in said.items()]


def _written(moment: float) -> str:
    """Return a time of day as logs have it."""
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
    return f"{seconds}.{int(moment % 1 * 1000):03}Z"
