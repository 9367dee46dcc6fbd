"""Events on disk: rows are locked in one order, and nobody waits for ever."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from gridlock.errors import StoreError
from gridlock.web import database_access as access_module
from gridlock.web import migration
from gridlock.web.database_access import Access
from gridlock.web.journal import Due, Entry, Journal
from gridlock.web.metrics import Metrics
from tests.web.databases import changed, keep_room, opened

if TYPE_CHECKING:
    from pathlib import Path


def test_rows_of_rooms_are_changed_in_one_order_whatever_changes_in_them(database: str) -> None:
    """Two processes that lock the same rows in different orders would wait for each other."""

    async def scenario() -> None:
        async with opened(database) as engine:
            ids = sorted([await keep_room(engine, days=2) for _ in range(6)])
            locked: list[str] = []

            def note(_: Any, __: Any, sql: str, parameters: Any, ___: Any, many: bool) -> None:
                if sql.startswith("UPDATE"):
                    for row in parameters if many else [parameters]:
                        locked.extend(value for value in row if value in ids)

            event.listen(engine.sync_engine, "before_cursor_execute", note)
            entry, uses = Entry(), Entry()
            for id_ in (ids[4], ids[0], ids[2]):
                entry.set_due(id_, Due(1_000))
            uses.add_uses([ids[5], ids[3], ids[1]], 2_000_000_000_000)
            await Journal(Access(engine))._commit([uses, entry])
            assert locked == ids
            assert await changed(engine, ids[0]) == 1_000
            assert await changed(engine, ids[1]) == 2_000_000_000_000

    asyncio.run(scenario())


def test_what_is_waited_for_too_long_is_refused_and_not_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(str(tmp_path / "web.db")) as engine:
            await migration.upgrade(engine)
            room = await keep_room(engine, days=2)
            before = await changed(engine, room)
            journal = Journal(Access(engine, Metrics(), seconds=0.05))
            entry = Entry()
            entry.add_uses([room], 2_000_000_000_000)
            with pytest.raises(StoreError, match="does not answer"):
                await journal.write(entry)  # nobody writes yet
            await journal.start()
            await journal.stop()
            assert await changed(engine, room) == before

    asyncio.run(scenario())


def test_a_commit_that_fails_for_any_reason_is_answered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        async with opened(str(tmp_path / "web.db")) as engine:
            await migration.upgrade(engine)
            journal = Journal(Access(engine))
            await journal.start()
            entry = Entry()
            entry.uses.append({"nothing": "known"})
            with pytest.raises(StoreError):
                await journal.write(entry)
            await journal.stop()

    asyncio.run(scenario())
    assert "a commit failed" in caplog.text


def test_a_database_that_stalls_is_not_asked_until_it_answers_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(access_module, "_STALL_SECONDS", -1)  # whatever fails has stalled
    monkeypatch.setattr(access_module, "_TRIAL_SECONDS", 0.01)

    async def ask(access: Access) -> None:
        async with access.reading() as connection:
            await connection.exec_driver_sql("SELECT * FROM rooms")

    async def scenario() -> None:
        async with opened(str(tmp_path / "web.db")) as engine:
            access = Access(engine, Metrics())
            for _ in range(3):  # there are no tables yet
                with pytest.raises(StoreError, match="the database does not answer"):
                    await ask(access)
            assert len(caplog.messages) == 1  # it was asked once
            for _ in range(3):
                with pytest.raises(StoreError):
                    await access.check()
            assert len(caplog.messages) == 2
            assert not access.is_up
            await migration.upgrade(engine)
            await access.start()
            async with asyncio.timeout(60):
                while not access.is_up:
                    await asyncio.sleep(0.01)
            await ask(access)
            await access.stop()
            assert access.asking == 0

    asyncio.run(scenario())
    assert "the database can be read again" in caplog.messages
    assert "the database can be written to again" in caplog.messages
