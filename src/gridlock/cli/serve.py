"""``gridlock serve`` and ``gridlock db``: the web app and its database."""

from __future__ import annotations

import contextlib
import logging
import os
import webbrowser
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.errors import GridlockError, StoreError, quote
from gridlock.store import default_store

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

_NEEDED = ("litestar", "uvicorn", "sqlalchemy", "alembic", "aiosqlite")
_NEEDED_TOGETHER = ("asyncpg", "redis")
_LEVELS = ("debug", "info", "warning", "error")

DATABASE = click.option(
    "--database",
    metavar="FILE|URL",
    help="Where games are kept: a file, or postgresql+asyncpg://user@host/name.  "
    "[default: a file of yours]",
)


def _read_networks(
    _: click.Context, __: click.Parameter, addresses: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the addresses of machines or networks, or raise ``BadParameter``."""
    for address in addresses:
        try:
            ip_network(address)
        except ValueError:
            raise click.BadParameter(
                f"{quote(address)} is no address of a machine or a network, such as 10.0.0.2 or "
                "10.0.0.0/8"
            ) from None
    return addresses


@click.command(
    short_help="Open the games to browsers: the web app.",
    epilog="Example: gridlock serve --host 0.0.0.0 --port 8000",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any."
)
@click.option("--open", "opens", is_flag=True, help="Open it in a browser.")
@DATABASE
@click.option("--redis", metavar="URL", help="redis://host, where several processes serve.")
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="Another address of the same page, such as https://play.example.org behind a proxy.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name by which the server is reached, such as play.example.org.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    callback=_read_networks,
    help="A proxy that is believed about visitors' addresses (X-Forwarded-For), such as 10.0.0.2.",
)
@click.option(
    "--no-limits", is_flag=True, help="No limits for an address: only where all is trust."
)
@click.option(
    "--log", "level", type=click.Choice(_LEVELS), default="warning", show_default=True,
    help="What to log, as lines of JSON on standard error.",
)  # fmt: skip
def serve(
    host: str,
    port: int,
    opens: bool,
    database: str | None,
    redis: str | None,
    origins: tuple[str, ...],
    hosts: tuple[str, ...],
    proxies: tuple[str, ...],
    no_limits: bool,
    level: str,
) -> None:
    """Let people play in a browser: the computer, each other on one screen, or friends by a link.

    Without --host only this machine reaches it. Several processes may serve the same games, from
    one PostgreSQL (--database) and one Redis (--redis).

    It answers to addresses, to localhost and to this machine's own name; any other name must be
    named, by --allow-host or as part of an --origin.
    """
    _check_installed(database, redis)
    from gridlock.web.app import Config
    from gridlock.web.guard import FREE, GateLimits
    from gridlock.web.server import bind, log_to
    from gridlock.web.server import serve as run

    log_to(logging.getLevelName(level.upper()))
    config = Config(
        database=_read_database(database),
        redis=redis,
        origins=frozenset(origins),
        hosts=frozenset({host, *hosts}),
        proxies=proxies,
        limits=FREE if no_limits else GateLimits(),
    )
    with bind(host, port) as listener:
        address = f"http://{_shown(host)}:{listener.getsockname()[1]}/"

        def ready() -> None:
            click.echo(f"GridLock is open at {address} (Ctrl-C closes it)")
            if opens:
                webbrowser.open(address)

        run(config, listener, ready)


@click.group(
    short_help="Look after the web app's database.",
    epilog="Example: gridlock db upgrade --database games.db",
)
def db() -> None:
    """Look after the database of the web app."""


@db.command(
    epilog="Example: gridlock db upgrade --database postgresql+asyncpg://me@localhost/games"
)
@DATABASE
def upgrade(database: str | None) -> None:
    """Bring the database to the shape that this version needs; a file is upgraded by itself."""
    _check_installed(database)
    import asyncio

    from sqlalchemy.exc import SQLAlchemyError

    from gridlock.web import migration
    from gridlock.web.database import connect

    async def run() -> None:
        engine = connect(_read_database(database))
        try:
            await migration.upgrade(engine)
        except (SQLAlchemyError, OSError) as error:
            reason = str(error).splitlines()[0]
            raise StoreError(f"cannot upgrade the database: {reason}") from error
        finally:
            await engine.dispose()

    asyncio.run(run())
    click.echo("The database is up to date.")


def _check_installed(database: str | None, redis: str | None = None) -> None:
    if any(find_spec(name) is None for name in _NEEDED):
        raise GridlockError("the web app needs more packages: pip install 'gridlock[web]'")
    is_shared = redis or (database or "").startswith("postgresql")
    if is_shared and any(find_spec(name) is None for name in _NEEDED_TOGETHER):
        raise GridlockError("this needs more packages: pip install 'gridlock[shared]'")


def _read_database(text: str | None) -> URL:
    from gridlock.web.database import SQLITE, read_url

    if text is None:
        folder = default_store().folder
        with contextlib.suppress(OSError):  # what cannot be made cannot be written in either
            folder.mkdir(parents=True, exist_ok=True)
        text = str(folder / "web.db")
    url = read_url(text)
    if url.database and url.drivername == SQLITE:
        folder = Path(url.database).absolute().parent
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise StoreError(
                f"cannot keep games in {quote(Path(url.database))}: no such folder to write in"
            )
    return url


def _shown(host: str) -> str:
    """Return how an address is written in a link; all addresses of a machine are named by one."""
    if host in ("0.0.0.0", "::"):  # noqa: S104
        return "localhost"
    return f"[{host}]" if ":" in host else host
