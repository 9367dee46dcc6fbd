"""``gridlock serve``: the web app."""

from __future__ import annotations

import logging
import webbrowser
from ipaddress import ip_network
from typing import TextIO

import click

from gridlock.cli.database import DATABASE, KEEP_DAYS, check_installed, read_database
from gridlock.cli.options import Choice
from gridlock.errors import quote

_LEVELS = ("debug", "info", "warning", "error")


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
    "--metrics-port", type=click.IntRange(0, 65535), metavar="N",
    help="Serve metrics for Prometheus at a port of their own, without a token; 0: any.",
)  # fmt: skip
@click.option(
    "--metrics-host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
    help="The address of that port.",
)  # fmt: skip
@click.option(
    "--metrics-token-file", type=click.File(), metavar="FILE",
    help="Serve metrics at /metrics to whoever shows the token in this file.",
)  # fmt: skip
@click.option(
    "--drain", type=click.FloatRange(0, 600), default=0.0, show_default=True, metavar="SECONDS",
    help="Go on for so long when told to stop, while /readyz sends everybody elsewhere.",
)  # fmt: skip
@click.option(
    "--log", "level", type=Choice(_LEVELS), default="warning", show_default=True,
    help="What to log, as lines of JSON on standard error: warning is what fails and when that is "
    "over; info adds start and stop, requests and live connections.",
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
    metrics_port: int | None,
    metrics_host: str,
    metrics_token_file: TextIO | None,
    drain: float,
    level: str,
) -> None:
    """Let people play in a browser: the computer, each other on one screen, or friends by a link.

    Without --host only this machine reaches it. Several processes may serve the same games, from
    one PostgreSQL (--database) and one Redis (--redis).

    It answers to addresses, to localhost and to this machine's own name; any other name must be
    named, by --allow-host or as part of an --origin.
    """
    check_installed(database, redis)
    from gridlock.web.config import FREE, Config, GateLimits, MetricsAccess, Timeouts
    from gridlock.web.logs import log_to
    from gridlock.web.server import bind
    from gridlock.web.server import serve as run

    log_to(logging.getLevelName(level.upper()))
    config = Config(
        database=read_database(database),
        keep_days=keep_days,
        redis=redis,
        origins=frozenset(origins),
        hosts=frozenset({host, *hosts}),
        proxies=proxies,
        limits=FREE if no_limits else GateLimits(),
        timeouts=Timeouts(drain=drain),
        metrics=MetricsAccess(metrics_port, metrics_host, _read_token(metrics_token_file)),
    )
    with bind(host, port) as listener:
        address = f"http://{_shown(host)}:{listener.getsockname()[1]}/"

        def ready() -> None:
            click.echo(f"GridLock is open at {address} (Ctrl-C closes it)")
            if opens:
                webbrowser.open(address)

        run(config, listener, ready)


def _read_token(file: TextIO | None) -> str | None:
    """Return the token that a file holds, or raise ``BadParameter``."""
    if file is None:
        return None
    token = file.read().strip()
    if not token:
        raise click.BadParameter("the file is empty", param_hint="'--metrics-token-file'")
    return token


def _shown(host: str) -> str:
    """Return how an address is written in a link; all addresses of a machine are named by one."""
    if host in ("0.0.0.0", "::"):  # noqa: S104
        return "localhost"
    return f"[{host}]" if ":" in host else host
