"""How command lines name the web app's database, and what must be installed for it."""

from __future__ import annotations

import contextlib
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from gridlock.errors import GridlockError, StoreError, quote
from gridlock.files import can_write_in
from gridlock.store import default_store

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

_NEEDED = ("litestar", "uvicorn", "sqlalchemy", "alembic", "aiosqlite")
_NEEDED_TOGETHER = ("asyncpg", "redis")

KEEP_DAYS = 365
"""For how long rooms that nobody uses are kept unless the operator says otherwise."""

DATABASE = click.option(
    "--database",
    metavar="FILE|URL",
    help="Where games are kept: a file, or postgresql+asyncpg://user@host/name.  "
    "[default: a file of yours]",
)


def check_installed(database: str | None, redis: str | None = None) -> None:
    """Raise ``GridlockError``, which says what to install, unless the web app can run."""
    if any(find_spec(name) is None for name in _NEEDED):
        raise GridlockError("the web app needs more packages: pip install 'gridlock-games[web]'")
    is_shared = redis or (database or "").startswith("postgresql")
    if is_shared and any(find_spec(name) is None for name in _NEEDED_TOGETHER):
        raise GridlockError("this needs more packages: pip install 'gridlock-games[shared]'")


def read_database(text: str | None) -> URL:
    """Return the address of a database, or raise ``StoreError`` where a file cannot be kept."""
    from gridlock.web.database import file_of, read_url

    if text is None:
        folder = default_store().folder
        with contextlib.suppress(OSError):  # what cannot be made cannot be written in either
            folder.mkdir(parents=True, exist_ok=True)
        text = str(folder / "web.db")
    url = read_url(text)
    if file := file_of(url):
        folder = file.absolute().parent
        if not folder.is_dir() or not can_write_in(folder):
            raise StoreError(f"cannot keep games in {quote(file)}: no such folder to write in")
    return url
