"""``gridlock serve``: the web app."""

from __future__ import annotations

import logging
import webbrowser

import click

from gridlock.cli.database import DATABASE, KEEP_DAYS, check_installed, read_database
from gridlock.cli.options import Choice
from gridlock.errors import NotationError
from gridlock.web.address import read_proxy

_LEVELS = ("debug", "info", "warning", "error")


def _read_networks(
    _: click.Context, __: click.Parameter, addresses: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the addresses of machines or networks, or raise ``BadParameter``."""
    try:
        return tuple(map(read_proxy, addresses))
    except NotationError as error:
        raise click.BadParameter(str(error)) from None


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
@click.option(
    "--keep-days",
    type=click.IntRange(0, 36500),
    default=KEEP_DAYS,
    show_default=True,
    metavar="N",
    help="Delete rooms that nobody has used for so many days; 0: never.",
)
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
    "--log", "level", type=Choice(_LEVELS), default="warning", show_default=True,
    help="What to log, as lines of JSON on standard error.",
)  # fmt: skip
def serve(
    host: str,
    port: int,
    opens: bool,
    database: str | None,
    keep_days: int,
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
    check_installed(database, redis)
    from gridlock.web.address import read_origin
    from gridlock.web.config import FREE, Config, GateLimits
    from gridlock.web.server import bind, log_to
    from gridlock.web.server import serve as run

    log_to(logging.getLevelName(level.upper()))
    config = Config(
        database=read_database(database),
        keep_days=keep_days,
        redis=redis,
        origins=frozenset(map(read_origin, origins)),
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


def _shown(host: str) -> str:
    """Return how an address is written in a link; all addresses of a machine are named by one."""
    if host in ("0.0.0.0", "::"):  # noqa: S104
        return "localhost"
    return f"[{host}]" if ":" in host else host
