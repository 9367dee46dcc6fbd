"""``gridlock serve``: the web app."""

from __future__ import annotations

import contextlib
import logging
import os
import socket as sockets
import sys
import webbrowser
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from gridlock.cli import kinds
from gridlock.cli.database import (
    DATABASE,
    KEEP_DAYS,
    check_installed,
    is_shared,
    read_database,
    secret_option,
)
from gridlock.cli.options import Choice
from gridlock.cli.settings import WORKER_VARIABLE, SettingsCommand, arguments_of, goes_before
from gridlock.cli.tuning import tuned, tuning_options
from gridlock.files import typed_path

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEVELS = ("debug", "info", "warning", "error")
_MOST_WORKERS = 64


@click.command(
    cls=SettingsCommand,
    params=tuning_options(),
    short_help="Serve the web app.",
    epilog="Example: gridlock serve --host 0.0.0.0 --port 8000",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=kinds.Whole(0, 65535), default=8000, show_default=True, help="0: any free port."
)
@click.option("--socket", metavar="PATH", help="Listen on a Unix socket instead.")
@click.option("--open", "opens", is_flag=True, help="Open a browser.")
@DATABASE
@click.option(
    "--keep-days",
    type=kinds.Whole(0, 36500),
    default=KEEP_DAYS,
    show_default=True,
    metavar="N",
    help="Delete rooms unused for N days; 0: never.",
)
@secret_option(
    "redis", kinds.REDIS, metavar="URL", help="redis://host, to connect several processes."
)
@click.option(
    "--workers",
    type=kinds.Whole(1, _MOST_WORKERS),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of processes; several need PostgreSQL and Redis.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    type=kinds.ORIGIN,
    help="A public address of the site, such as https://play.example.org behind a proxy.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    type=kinds.HOST_NAME,
    help="A further name of the server, such as play.example.org.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    type=kinds.PROXY,
    help="A proxy whose X-Forwarded-For is trusted, such as 10.0.0.2; "
    "unix: whoever connects to the --socket.",
)
@click.option(
    "--no-limits", is_flag=True, help="Lift the limits per address: for trusted networks only."
)
@click.option(
    "--metrics-port", type=kinds.Whole(0, 65535), metavar="N",
    help="Serve Prometheus metrics on their own port, without a token; 0: any.",
)  # fmt: skip
@click.option(
    "--metrics-host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
    help="The address of that port.",
)  # fmt: skip
@click.option(
    "--metrics-token-file", metavar="FILE",
    help="Serve metrics at /metrics to whoever sends the token in FILE.",
)  # fmt: skip
@click.option(
    "--log", "level", type=Choice(_LEVELS), default="warning", show_default=True,
    help="What to log, as JSON lines on standard error: warning is failures and recoveries; "
    "info adds start and stop, requests and live connections.",
)  # fmt: skip
@click.option(
    "--show-config",
    is_flag=True,
    help="Print all settings, including unlisted ones, and where each comes from; then exit.",
)
@click.pass_context
def serve(
    context: click.Context,
    /,
    host: str,
    port: int,
    socket: str | None,
    opens: bool,
    database: str,
    keep_days: int,
    redis: str | None,
    workers: int,
    origins: tuple[str, ...],
    hosts: tuple[str, ...],
    proxies: tuple[str, ...],
    no_limits: bool,
    metrics_port: int | None,
    metrics_host: str,
    metrics_token: str | None,
    level: str,
    **tuning: Any,
) -> None:
    """Serve the web app: people play the computer, each other on one screen, or friends by a link.

    Without --host only this machine can reach it. Several processes can serve the same games from
    one PostgreSQL (--database) and one Redis (--redis).

    The server answers to IP addresses, localhost and this machine's name. Allow any other name with
    --allow-host or --origin.
    """
    is_at_socket = goes_before(context, "socket", "host", "port")
    _check_together(context, is_at_socket=is_at_socket)
    check_installed(database, redis)
    from gridlock.web.config import Config, MetricsAccess
    from gridlock.web.logs import log_to
    from gridlock.web.server import serve as run
    from gridlock.web.workers import Post, supervise

    log_to(logging.getLevelName(level.upper()))
    config = Config(
        database=read_database(database),
        keep_days=keep_days,
        redis=redis,
        origins=frozenset(origins),
        hosts=frozenset({*hosts} if is_at_socket else {host, *hosts}),
        proxies=proxies,
        workers=workers,
        metrics=MetricsAccess(metrics_port, metrics_host, metrics_token),
        **tuned(tuning),
    )
    if no_limits:
        config = config.without_limits()
    if post := os.environ.pop(WORKER_VARIABLE, None):
        place = Post.read(post)
        run(replace(config, worker=place.number), *place.take())
        return
    with _listening(socket if is_at_socket else None, host, port) as (listener, address):

        def ready() -> None:
            click.echo(f"GridLock is open at {address} (Ctrl-C closes it)")
            if opens:
                webbrowser.open(address)

        if workers == 1:
            run(config, listener, ready)
        else:
            command = [sys.executable, "-P", "-m", "gridlock", "serve", *arguments_of(context)]
            supervise(config, command, WORKER_VARIABLE, listener, ready)


def _check_together(context: click.Context, *, is_at_socket: bool) -> None:
    """Raise ``UsageError`` for options that make no sense together, or here."""
    given = context.params
    are_several = given["workers"] > 1
    if (is_at_socket or are_several) and not hasattr(sockets, "AF_UNIX"):
        raise click.UsageError("--socket and --workers need a system that has Unix sockets")
    if given["opens"] and is_at_socket:
        raise click.UsageError("--open needs an address, which a --socket has not")
    if are_several and not (is_shared(given["database"]) and given["redis"]):
        raise click.UsageError(
            "several --workers share their games by --database postgresql+asyncpg://… and --redis"
        )
    first = given["metrics_port"]
    if first and not is_at_socket and first <= given["port"] < first + given["workers"]:
        raise click.UsageError(
            f"--port and --metrics-port cannot both be {given['port']}: metrics need their own port"
            + (", and each of several --workers the next one" if are_several else "")
        )
    if are_several and given["metrics_token"]:
        raise click.UsageError(
            "each of several --workers has metrics of its own, at the next port from --metrics-port"
        )


@contextlib.contextmanager
def _listening(path: str | None, host: str, port: int) -> Iterator[tuple[sockets.socket, str]]:
    """Hand out a listening socket, and the address that people are told."""
    from gridlock.web.listener import bind, listening_at

    if path:
        file = typed_path(path)
        with listening_at(file) as listener:
            yield listener, f"unix:{file}"
    else:
        with bind(host, port) as listener:
            yield listener, f"http://{_shown(host)}:{listener.getsockname()[1]}/"


def _shown(host: str) -> str:
    """Return how an address is written in a link; all addresses of a machine are named by one."""
    if host in ("0.0.0.0", "::"):  # noqa: S104
        return "localhost"
    return f"[{host}]" if ":" in host else host
