"""Whether a process lives, and whether it should be sent anybody."""

from __future__ import annotations

import asyncio

import pytest

from gridlock import __version__
from gridlock.errors import StoreError
from gridlock.web import health
from gridlock.web.health import Readiness, Report
from tests.web.services import Server, asking


class Database:
    """Takes commits, refuses them, or does not answer."""

    def __init__(self) -> None:
        self.commits = 0
        self.answers = asyncio.Event()
        self.answers.set()
        self.fails = False

    async def write(self) -> None:
        self.commits += 1
        await self.answers.wait()
        if self.fails:
            raise StoreError("away")


def test_ready_is_a_process_whose_database_takes_a_commit() -> None:
    async def scenario() -> None:
        database, readiness = Database(), Readiness()
        readiness.write = database.write
        assert await readiness.report() == Report("ready", "ok", "none", __version__)
        readiness.has_redis = lambda: True
        assert await readiness.report() == Report("ready", "ok", "ok")
        readiness.has_redis = lambda: False
        assert await readiness.report() == Report("degraded", "ok", "away")
        readiness.is_draining = True
        assert await readiness.report() == Report("draining", redis="away")

    asyncio.run(scenario())


def test_however_many_ask_the_database_is_asked_once_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> None:
        database, readiness = Database(), Readiness()
        readiness.write = database.write
        await asyncio.gather(*(readiness.report() for _ in range(100)))
        await readiness.report()
        assert database.commits == 1
        monkeypatch.setattr(health, "_FRESH_SECONDS", -1)
        database.fails = True
        assert (await readiness.report()).status == "unavailable"
        assert database.commits == 2

    asyncio.run(scenario())


def test_a_database_that_does_not_answer_is_not_waited_for_and_not_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "_WAIT_SECONDS", 0.01)
    monkeypatch.setattr(health, "_FRESH_SECONDS", -1)

    async def scenario() -> None:
        database, readiness = Database(), Readiness()
        readiness.write = database.write
        database.answers.clear()
        for _ in range(3):
            assert await readiness.report() == Report("unavailable", "away")
        assert database.commits == 1
        database.answers.set()
        monkeypatch.setattr(health, "_WAIT_SECONDS", 60)
        assert (await readiness.report()).status == "ready"

    asyncio.run(scenario())


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_probes_are_answered_under_any_name(server: Server, path: str, method: str) -> None:
    async def scenario() -> None:
        async with asking(server) as client:
            answer = await client.request(method, path, headers={"Host": "pod-17.cluster"})
            assert answer.status_code == 200
            assert bool(answer.content) is (method == "GET")
            assert answer.headers["X-Request-ID"]

    asyncio.run(scenario())
