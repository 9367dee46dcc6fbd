"""Addresses as an operator writes them and as browsers and proxies send them: read, and compared.

What cannot be read raises ``NotationError``, whose text says what would be right.  It never repeats
a password.
"""

from __future__ import annotations

import re
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from gridlock.errors import NotationError, quote

SQLITE = "sqlite+aiosqlite"
POSTGRESQL = "postgresql+asyncpg"

UNIX = "unix"
"""How a peer is named that comes by a Unix socket, and so has no address."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_REDIS_SCHEMES = ("redis", "rediss", "unix")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_PASSWORD = re.compile(r"(?<=://)([^:/?#@]*):.*@")
_PASSWORD_PARAMETER = re.compile(r"([?&][^=&]*pass[^=&]*=)[^&]*", re.IGNORECASE)


def mask(url: str) -> str:
    """Return an address as it may be shown: without its password."""
    return _PASSWORD_PARAMETER.sub(r"\1***", _PASSWORD.sub(r"\1:***@", url))


def read_origin(text: str) -> str:
    """Return the address of a site as browsers send it; one trailing slash does not matter."""
    try:
        parts = urlsplit(text.removesuffix("/"))
        port = parts.port
        host = _read_host(parts.hostname or "")
    except ValueError:
        host, port = "", None
    if (
        not host
        or parts.scheme not in _DEFAULT_PORTS
        or "@" in parts.netloc
        or parts.netloc.endswith(":")
        or any((parts.path, parts.query, parts.fragment))
    ):
        raise NotationError(
            f"{quote(mask(text))} is not the address of a site, such as https://play.example.org: "
            "http or https, a name, a port if need be, and nothing after it"
        )
    return f"{parts.scheme}://{_with_port(parts.scheme, host, port)}"


def is_at(origin: str, host: str) -> bool:
    """Tell whether an origin, as ``read_origin`` returns it, is that of a request's ``Host``."""
    scheme, _, place = origin.partition("://")
    try:
        parts = urlsplit(f"//{host}")
        return place == _with_port(scheme, _read_host(parts.hostname or ""), parts.port)
    except ValueError:
        return False


def read_host_name(text: str) -> str:
    """Return the name of a machine as browsers send it."""
    try:
        return _read_host(text)
    except ValueError:
        raise NotationError(
            f"{quote(text)} is not the name of a machine, such as play.example.org: "
            "no https://, no port, no path, no *"
        ) from None


def read_proxy(text: str) -> str:
    """Return the address of a machine or of a network, or ``unix``."""
    if text == UNIX:
        return text
    try:
        ip_network(text)
    except ValueError:
        raise NotationError(
            f"{quote(text)} is no address of a machine or a network, such as 10.0.0.2 or "
            f"10.0.0.0/8, nor {UNIX}, for whoever comes by the Unix socket"
        ) from None
    return text


def check_database(text: str) -> str:
    """Return the address of a database, or the name of a file."""
    scheme, found, rest = text.partition("://")
    if found and scheme not in (SQLITE, POSTGRESQL):
        raise NotationError(
            f"a database is a file, or {POSTGRESQL}://user:password@host/name, not {quote(scheme)}"
        )
    if (rest if found else text).strip("/") in ("", ":memory:"):
        raise NotationError("games are kept in a file, not in memory")
    return text


def check_redis(text: str) -> str:
    """Return the address of a Redis."""
    try:
        parts = urlsplit(text)
        has_place = bool(parts.path if parts.scheme == "unix" else parts.hostname)
        is_good = parts.scheme in _REDIS_SCHEMES and has_place and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good:
        raise NotationError(
            f"{quote(mask(text))} is not the address of a Redis, such as redis://localhost:6379/0, "
            "rediss://user:password@cache.example.org or unix:///run/redis.sock"
        )
    return text


def _with_port(scheme: str, host: str, port: int | None) -> str:
    """Return a host and a port as browsers write them: without the port that everybody expects."""
    bracketed = f"[{host}]" if ":" in host else host
    return bracketed if port in (None, _DEFAULT_PORTS.get(scheme)) else f"{bracketed}:{port}"


def _read_host(text: str) -> str:
    """Return a name or an address in its usual writing, or raise ``ValueError``."""
    try:
        return str(ip_address(text))
    except ValueError:
        name = text.encode("idna").decode().lower() if text else ""  # as browsers send it
        if not all(_LABEL.fullmatch(label) for label in name.split(".")):
            raise
        return name
