"""How command lines name the web app's database, and what must be installed for it."""

from __future__ import annotations

import contextlib
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from gridlock.cli import kinds
from gridlock.errors import GridlockError, StoreError, quote
from gridlock.files import can_write_in, typed_path
from gridlock.store import default_store
from gridlock.web.address import POSTGRESQL

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.engine import URL

_NEEDED = ("litestar", "uvicorn", "sqlalchemy", "alembic", "aiosqlite")
_NEEDED_TOGETHER = ("asyncpg", "redis")

KEEP_DAYS = 365
"""For how long rooms that nobody uses are kept unless the operator says otherwise."""


def _usual_file() -> str:
    return str(default_store().folder / "web.db")


def secret_option(name: str, kind: click.ParamType[str], **options: Any) -> Callable[[Any], Any]:
    """Return the option ``--name``, and ``--name-file`` for those who keep it to themselves."""
    direct = click.option(f"--{name}", type=kind, **options)
    by_file = click.option(
        f"--{name}-file", metavar="FILE", help="Read it from a file, to keep the password secret."
    )
    return lambda function: direct(by_file(function))


DATABASE = secret_option(
    "database",
    kinds.DATABASE,
    metavar="FILE|URL",
    default=_usual_file,
    help="The database: a file, or postgresql+asyncpg://user@host/name.  "
    "[default: web.db in the data folder]",
)


def check_installed(database: str, redis: str | None = None) -> None:
    """Raise ``GridlockError``, which says what to install, unless the web app can run."""
    if any(find_spec(name) is None for name in _NEEDED):
        raise GridlockError("the web app needs more packages: pip install 'gridlock-games[web]'")
    if (redis or is_shared(database)) and any(find_spec(name) is None for name in _NEEDED_TOGETHER):
        raise GridlockError("this needs more packages: pip install 'gridlock-games[shared]'")


def is_shared(database: str) -> bool:
    """Tell whether several processes can share a database."""
    return database.startswith(f"{POSTGRESQL}://")


def read_database(text: str) -> URL:
    """Return the address of a database, or raise ``StoreError`` where a file cannot be kept."""
    from gridlock.web.database import file_of, read_url

    if text == _usual_file():
        with contextlib.suppress(OSError):  # what cannot be made cannot be written in either
            default_store().folder.mkdir(parents=True, exist_ok=True)
    url = read_url(text if "://" in text else str(typed_path(text)))
    if file := file_of(url):
        folder = file.absolute().parent
        if not folder.is_dir() or not can_write_in(folder):
            raise StoreError(f"cannot keep games in {quote(file)}: no such folder to write in")
    return url
