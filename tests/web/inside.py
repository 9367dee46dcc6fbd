"""The web app inside the process of a test, which can thus look at what goes on there."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import httpx

from gridlock.web.app import create_app, prepare
from gridlock.web.config import FREE, Config, SearchLimits
from gridlock.web.database import read_url
from gridlock.web.searches import Searches
from tests.web.services import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.web.services import Json


@contextlib.asynccontextmanager
async def serving(
    folder: Path, seconds: float = 5.0, threads: int = 1, asked: int = 16
) -> AsyncIterator[tuple[Any, Searches]]:
    """Run the app in this process; searches take at most so many seconds."""
    config = Config(read_url(str(folder / "web.db")), limits=FREE)
    await prepare(config)
    limits = SearchLimits(threads, asked, analysis_seconds=seconds, review_seconds=seconds)
    searches = Searches(limits)
    app = create_app(config, searches)
    messages: asyncio.Queue[Json] = asyncio.Queue()
    answers: asyncio.Queue[Json] = asyncio.Queue()
    life: Any = app({"type": "lifespan", "asgi": {}}, messages.get, answers.put)
    running = asyncio.create_task(life)
    messages.put_nowait({"type": "lifespan.startup"})
    assert (await answers.get())["type"] == "lifespan.startup.complete"
    try:
        yield app, searches
    finally:
        messages.put_nowait({"type": "lifespan.shutdown"})
        await running


def calling(app: Any, address: str = "127.0.0.1") -> httpx.AsyncClient:
    """Return somebody who asks an app in this process."""
    transport = httpx.ASGITransport(app, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=PATIENCE)
