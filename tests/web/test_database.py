"""Connections to PostgreSQL: one that was lost unnoticed is not lent."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text

from gridlock.web import database
from gridlock.web.access import FAILURES
from tests.web.services import new_database


@pytest.mark.parametrize("is_busy", [False, True])
def test_a_connection_that_was_lost_in_silence_is_made_anew(
    postgresql: str, monkeypatch: pytest.MonkeyPatch, *, is_busy: bool
) -> None:
    """One that has just been used is not tried: whoever loses it is told."""
    monkeypatch.setattr(database, "_SILENCE_SECONDS", 3600 if is_busy else 0)
    pid = text("SELECT pg_backend_pid()")

    async def scenario() -> None:
        url = database.read_url(await new_database(postgresql))
        engine, other = database.connect(url, size=1), database.connect(url)
        try:
            async with engine.connect() as connection:
                lost = await connection.scalar(pid)
            async with other.connect() as connection:
                await connection.execute(text(f"SELECT pg_terminate_backend({lost})"))
            if is_busy:
                with pytest.raises(FAILURES):
                    async with engine.connect() as connection:
                        await connection.scalar(pid)
            async with engine.connect() as connection:
                assert await connection.scalar(pid) != lost
        finally:
            await engine.dispose()
            await other.dispose()

    asyncio.run(scenario())
