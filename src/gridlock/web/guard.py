"""The gate before everything else: limits for each address, security headers, checked origins."""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv4Address, ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from gridlock.web.problems import PROBLEM, RETRY_SECONDS, Problem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    Scope = dict[str, Any]
    Message = dict[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]

_log = logging.getLogger(__name__)

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=()"),
]

_NETWORK = 19  # characters of an address of IPv6 that name its network

TOO_MANY = 4429
"""Why a live connection is closed: it, or its address, sends or opens too much."""

FOREIGN = 4403
"""Why a live connection is closed: another site's page has opened it."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second in the long run."""

    burst: float
    a_second: float


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
        left = min(self._rate.burst, left + (now - since) * self._rate.a_second)
        if left < 1:
            return False
        if len(self._left) >= self._MOST_KEYS:  # forgetting all costs a flood one burst
            self._left.clear()
        self._left[key] = (left - 1, now)
        return True


@dataclass(frozen=True, slots=True)
class GateLimits:
    """What one address may do: requests, those that cost much, and live connections."""

    requests: Rate = Rate(burst=200, a_second=20)
    costly: Rate = Rate(burst=40, a_second=1)
    connections: int = 100
    all_connections: int = 20_000


FREE = GateLimits(Rate(1e9, 1e9), Rate(1e9, 1e9), 1_000_000, 1_000_000)
"""No limits, for measuring and for networks where everybody is trusted."""


class Guard:
    """Wraps the app; every request and every connection passes here first."""

    def __init__(self, app: App, limits: GateLimits, origins: frozenset[str]) -> None:
        self._app = app
        self._limits = limits
        self._origins = origins
        self._requests = Bucket(limits.requests)
        self._costly = Bucket(limits.costly)
        self._connections: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or a connection through, or turn it away."""
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        status = 0

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        address = address_of(scope)
        is_within = self._requests.take(address)
        if is_within and _is_costly(scope):
            is_within = self._costly.take(address)
        if is_within:
            await self._app(scope, receive, send_guarded)
        else:
            await _turn_away(send_guarded)
        _log.info(
            "request",
            extra={
                "method": scope["method"],
                "path": scope["path"],
                "status": status,
                "milliseconds": round(1000 * (time.perf_counter() - began), 1),
                "address": address,
            },
        )

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        has_room = (
            self._connections[address] < self._limits.connections
            and self._connections.total() < self._limits.all_connections
            and self._requests.take(address)
        )
        if not has_room or not self._is_own_origin(scope):
            await receive()
            await send({"type": "websocket.accept"})  # otherwise browsers do not tell the code
            await send({"type": "websocket.close", "code": FOREIGN if has_room else TOO_MANY})
            return
        self._connections[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._connections[address] -= 1
            if not self._connections[address]:
                del self._connections[address]

    def _is_own_origin(self, scope: Scope) -> bool:
        """Tell whether a connection comes from our own page, or from a program."""
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is None:  # browsers always send it
            return True
        host = headers.get(b"host", b"").decode("latin-1")
        text = origin.decode("latin-1")
        try:
            return text in self._origins or urlsplit(text).netloc == host
        except ValueError:
            return False


def address_of(scope: Mapping[str, Any]) -> str:
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


def _is_costly(scope: Scope) -> bool:
    """Tell whether a request makes a room or a search."""
    path: str = scope["path"].rstrip("/")  # as the router reads it
    if path.startswith("/api/analysis") or path.endswith(("/review", "/hint")):
        return True
    is_post: bool = scope["method"] == "POST"
    return path == "/api/rooms" and is_post


async def _turn_away(send: Send) -> None:
    status = HTTPStatus.TOO_MANY_REQUESTS
    detail = "that is too much at once: try again in a few seconds"
    body = msgspec.json.encode(Problem(status, status.phrase, detail, "too-many-requests"))
    headers = [
        (b"content-type", PROBLEM.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", str(RETRY_SECONDS).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
