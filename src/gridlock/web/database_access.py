"""The way of a server to its database: nobody waits for it for long, however it fails.

Every question has a time-out.  Once the database has stalled, because it is frozen, cut off or
locked by somebody else, further questions are refused at once instead of piling up behind each
other, and it is tried every second until it answers again.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
import time
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from gridlock.errors import StoreError
from gridlock.web.config import Timeouts
from gridlock.web.database import reason, rooms
from gridlock.web.outage import Outage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

    from gridlock.web.metrics import Metrics

_STALL_SECONDS = 1.0  # a failure that takes longer would take as long for everybody else
_TRIAL_SECONDS = 1.0  # between two trials of a database that fails
_MOST_ASKING = 5_000  # questions that may wait for the database

_INSERT = insert(rooms)
_DELETE = delete(rooms).where(rooms.c.id == bindparam("room"))

FAILURES = (SQLAlchemyError, OSError)
"""What a database raises that cannot do what it is asked; a time-out is one of them."""


class _Lane:
    """Questions of one kind, to read or to write: a database may fail for one of them alone."""

    def __init__(self, kind: str, outage: Outage) -> None:
        self.kind = kind
        self.outage = outage
        self.is_stalled = False
        self.answered_at = -math.inf


class Access:
    """Lets a server ask its database; ``seconds`` bound each question, with all waiting for it."""

    def __init__(
        self,
        engine: AsyncEngine,
        metrics: Metrics | None = None,
        seconds: float = Timeouts.question,
    ) -> None:
        self.engine = engine
        # A question by itself needs no transaction around it, which PostgreSQL is told twice.
        self._reader = engine.execution_options(isolation_level="AUTOCOMMIT")
        self.seconds = seconds
        self.asking = 0
        """How many questions are not answered yet."""
        self._metrics = metrics
        self._reads = _Lane(
            "read", Outage("the database cannot be read", "the database can be read again")
        )
        self._writes = _Lane(
            "write",
            Outage("the database cannot be written to", "the database can be written to again"),
        )
        self._probe = f"probe-{secrets.token_hex(8)}"
        self._failed = asyncio.Event()
        self._trying: asyncio.Task[None] | None = None

    @property
    def is_up(self) -> bool:
        """Whether the database has answered the last questions."""
        return not (self._reads.outage.is_on or self._writes.outage.is_on)

    async def start(self) -> None:
        """Begin to try a database that fails."""
        self._trying = asyncio.create_task(self._try_again_and_again())

    async def stop(self) -> None:
        """Try no more."""
        if self._trying:
            self._trying.cancel()
            await asyncio.gather(self._trying, return_exceptions=True)

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Lend a connection to read with, or raise ``StoreError``."""
        self._refuse_stalled(self._reads)
        async with self._asking(self._reads), self._reader.connect() as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Lend a connection with a transaction, which is committed at the end.

        Raises ``IntegrityError``, or ``StoreError`` for whatever else fails.
        """
        async with self._asking(self._writes), self.engine.begin() as connection:
            yield connection

    def refuse_stalled(self) -> None:
        """Raise ``StoreError`` if whatever is written now would wait in vain."""
        self._refuse_stalled(self._writes)

    async def check(self) -> None:
        """Raise ``StoreError`` unless the database takes a commit.

        What it commits is a room that was made and deleted meanwhile: that needs all that a move
        needs, space on the disk and a database that is not read-only, and leaves nothing behind.
        """
        self.refuse_stalled()
        await self._commit_nothing()

    async def _commit_nothing(self) -> None:
        row = {"id": self._probe, "made": 0, "settings": "{}", "changed": 0}
        async with self.writing() as connection:
            await connection.execute(_INSERT, {**row, "deadline": None, "awaits_computer": False})
            await connection.execute(_DELETE, {"room": self._probe})

    def _refuse_stalled(self, lane: _Lane) -> None:
        if lane.is_stalled or self.asking >= _MOST_ASKING:
            self._count(lane)
            raise away()

    @contextlib.asynccontextmanager
    async def _asking(self, lane: _Lane) -> AsyncIterator[None]:
        began = time.monotonic()
        self.asking += 1
        try:
            async with asyncio.timeout(self.seconds):
                yield
        except IntegrityError:
            raise
        except FAILURES as error:
            self._count(lane)
            if began > lane.answered_at:  # otherwise it works again since
                lane.is_stalled = time.monotonic() - began > _STALL_SECONDS
                lane.outage.fail(reason(error))
                self._failed.set()
            raise away() from error
        else:
            lane.answered_at = time.monotonic()
            lane.is_stalled = False
            lane.outage.end()
        finally:
            self.asking -= 1

    def _count(self, lane: _Lane) -> None:
        if self._metrics:
            self._metrics.failed(lane.kind)

    async def _try_again_and_again(self) -> None:
        """Find out when a database that fails answers again, though nobody may ask."""
        while True:
            await self._failed.wait()
            await asyncio.sleep(_TRIAL_SECONDS)
            with contextlib.suppress(StoreError):
                if self._reads.outage.is_on:
                    async with self._asking(self._reads), self.engine.connect() as connection:
                        await connection.execute(select(1))
                if self._writes.outage.is_on:
                    await self._commit_nothing()
            if self.is_up:
                self._failed.clear()


def away() -> StoreError:
    """Return what players are told of a database that fails."""
    return StoreError("the database does not answer: try again in a moment")
