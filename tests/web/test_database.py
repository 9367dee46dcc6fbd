"""Connections to PostgreSQL: one that was lost is not lent."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text

from gridlock.web import database
from tests.web.services import new_database, until


@pytest.mark.parametrize("is_noticed", [False, True])
def test_a_connection_that_was_lost_is_made_anew(
    postgresql: str, monkeypatch: pytest.MonkeyPatch, *, is_noticed: bool
) -> None:
    """Either it is seen that the other side has closed it, or it is tried after a silence."""
    monkeypatch.setattr(database, "_SILENCE_SECONDS", 3600 if is_noticed else 0)
    pid = text("SELECT pg_backend_pid()")

    async def scenario() -> None:
        url = database.read_url(await new_database(postgresql))
        engine, other = database.connect(url, size=1), database.connect(url)
        try:
            async with engine.connect() as connection:
                lost = await connection.scalar(pid)
                driver = (await connection.get_raw_connection()).driver_connection
            assert driver
            async with other.connect() as connection:
                await connection.execute(text(f"SELECT pg_terminate_backend({lost})"))
            with monkeypatch.context() as patched:
                if is_noticed:
                    await until(driver.is_closed)
                else:
                    patched.setattr(type(driver), "is_closed", lambda _: False)
                async with engine.connect() as connection:
                    assert await connection.scalar(pid) != lost
        finally:
            await engine.dispose()
            await other.dispose()

    asyncio.run(scenario())
