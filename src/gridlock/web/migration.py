"""Bringing a database to the present shape, and telling whether it has it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from gridlock.errors import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncEngine


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


async def upgrade(engine: AsyncEngine) -> None:
    """Take every step that a database has not taken yet."""

    def take_steps(connection: Connection) -> None:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    async with engine.begin() as connection:
        await connection.run_sync(take_steps)


async def check(engine: AsyncEngine) -> None:
    """Raise ``StoreError`` unless a database has the present shape."""

    def read_revision(connection: Connection) -> str | None:
        return MigrationContext.configure(connection).get_current_revision()

    async with engine.connect() as connection:
        revision = await connection.run_sync(read_revision)
    if revision != ScriptDirectory.from_config(_config()).get_current_head():
        raise StoreError("the database has another shape: run gridlock db upgrade --database URL")
