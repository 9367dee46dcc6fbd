"""Limits for each address: how many requests, messages and rooms, and how many at once."""

from __future__ import annotations

import time
from ipaddress import IPv4Address, ip_address
from typing import TYPE_CHECKING, Any

from litestar.utils import normalize_path

from gridlock.web import problems
from gridlock.web.proxies import UNKNOWN
from gridlock.web.room import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gridlock.web.config import GateLimits, Rate

    Scope = dict[str, Any]

_NETWORK = 19  # characters of an address of IPv6 that name its network


class Bucket:
    """What is left of a rate for each of many keys."""

    _MOST_KEYS = 100_000

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str = "") -> bool:
        """Take one for a key; tell whether there was one."""
        now = time.monotonic()
        left, since = self._left.get(key, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - since) * self._rate.per_second)
        if left < 1:
            return False
        if len(self._left) >= self._MOST_KEYS:  # forgetting all costs a flood one burst
            self._left.clear()
        self._left[key] = (left - 1, now)
        return True


class Limiter:
    """What is left of the limits of each address; where none is known there are no limits."""

    def __init__(self, limits: GateLimits) -> None:
        self.limits = limits
        self._requests = Bucket(limits.requests)
        self._files = Bucket(limits.files)
        self._costly = Bucket(limits.costly)
        self._analyses = Bucket(limits.analyses)
        self._messages = Bucket(limits.messages)

    def take_message(self, address: str) -> bool:
        """Take one message of an address' live connections; tell whether there was one."""
        return not address or self._messages.take(address)

    def take(self, scope: Scope) -> bool:
        """Take one request, or live connection, of an address; tell whether there was one."""
        address = address_of(scope)
        if not address:
            return True
        path = normalize_path(scope["path"])  # as the router reads it
        if path.startswith("/static/"):
            return self._files.take(address)
        if not self._requests.take(address):
            return False
        if path.startswith("/api/analysis") or path.endswith("/tries"):
            return self._analyses.take(address)
        return not _is_costly(path, scope.get("method")) or self._costly.take(address)

    def take_room(self, address: str) -> None:
        """Take one new room of an address, or raise ``RefusedError``."""
        if address and not self._costly.take(address):
            kind = problems.STATUSES[problems.TOO_MANY_REQUESTS]
            raise RefusedError(kind.code, kind.detail)


def address_of(scope: Mapping[str, Any]) -> str:
    """Return whose limits count for a request; nobody's where nothing is returned."""
    return "" if scope.get(UNKNOWN) else sender_of(scope)


def _is_costly(path: str, method: str | None) -> bool:
    """Tell whether a request makes a room, a hint or a review."""
    makes_room = path == "/api/rooms" and method == "POST"
    return makes_room or path.endswith(("/review", "/review/stream", "/hint"))


def sender_of(scope: Mapping[str, Any]) -> str:
    """Return from where a request comes: whoever has one address of IPv6 has 2^64 beside it."""
    client: tuple[str, int] | None = scope.get("client")
    host = client[0] if client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return host
    return str(address.ipv4_mapped or address.exploded[:_NETWORK])
