"""The gate before everything else: limits for each address, headers, checked hosts and origins."""

from __future__ import annotations

import contextlib
import logging
import re
import socket
import time
from collections import Counter
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from litestar.utils import normalize_path

from gridlock.errors import NotationError, quote
from gridlock.web import problems
from gridlock.web.address import is_at, read_origin
from gridlock.web.close_code import BY_CLIENT, FOREIGN, NO_ROOM, REASONS, TOO_MANY
from gridlock.web.health import PROBES
from gridlock.web.limiter import Limiter, address_of, sender_of
from gridlock.web.logs import REQUEST, read_request_id
from gridlock.web.metrics import PATH as METRICS
from gridlock.web.metrics import Metrics
from gridlock.web.proxies import TRUSTED

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from gridlock.web.problems import Problem

    Headers = dict[bytes, bytes]
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

_LIVE = re.compile(r"/api/rooms/[^/]+/live")
_NO_ROUTE = "none"  # what metrics call requests for nothing that there is
_LOCAL = "localhost"
_HOST = re.compile(r"(\[(?P<address>[\w:.%]+)\]|(?P<name>[\w.-]+))(:\d*)?", re.ASCII)
"""A name or an address, perhaps with a port, and nothing that others might read differently."""
_MOST_LOGGED = 20  # unknown names: whoever sends more of them is not the operator
_JSON = "application/json"


class Gateway:
    """Wraps the app; every request and every connection passes here first.

    It answers to addresses, to the names of this machine, and to ``hosts``: a page of another site
    that lets its own name point here gets no answer.
    """

    def __init__(
        self,
        app: App,
        limiter: Limiter,
        origins: frozenset[str],
        hosts: frozenset[str],
        metrics: Metrics | None = None,
    ) -> None:
        self._app = app
        self._metrics = metrics or Metrics()
        self._limiter = limiter
        self._limits = limiter.limits
        self._origins = origins
        named = {urlsplit(origin).hostname or "" for origin in origins}
        machine = socket.gethostname().lower()
        self._hosts = {host.lower() for host in hosts} | named | {machine, f"{machine}.local"}
        self._logged: set[str] = set()
        self._connections: Counter[str] = Counter()
        self._all_connections = 0

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
        method = scope["method"]
        headers = dict(scope["headers"])
        request = _identify(scope, headers)
        if method == "HEAD":  # is answered as GET is, without the body
            scope = {**scope, "method": "GET"}

        async def send_checked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                named = (b"x-request-id", request.encode())
                message["headers"] = [*message["headers"], *_HEADERS, named]
            elif method == "HEAD":
                message = {**message, "body": b""}
            await send(message)

        path = normalize_path(scope["path"])
        is_probe = path in PROBES
        is_scrape = path == METRICS and self._metrics.is_allowed(headers.get(b"authorization", b""))
        if problem := None if is_probe or is_scrape else self._refusal(scope, headers):
            scope["problem"] = problem.code
            await _turn_away(scope, headers, problem, send_checked)
        else:
            await self._app(scope, receive, send_checked)
        seconds = time.perf_counter() - began
        self._metrics.answered(scope.get("path_template") or _NO_ROUTE, method, status, seconds)
        if code := scope.get("problem"):
            self._metrics.refused(code, status)
        if _log.isEnabledFor(level := logging.DEBUG if is_probe else logging.INFO):
            extra = {
                "method": method,
                "path": scope["path"],
                "status": status,
                "milliseconds": round(1000 * seconds, 1),
                "address": sender_of(scope),
            }
            _log.log(level, "request", extra=extra)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        _identify(scope, headers)
        address = address_of(scope)
        has_room = (
            (not address or self._connections[address] < self._limits.connections)
            and self._all_connections < self._limits.all_connections
            and self._limiter.take(scope)
        )
        code = 0
        if not has_room:
            code = TOO_MANY
        elif not self._is_own_origin(headers) or self._foreign_name(headers):
            code = FOREIGN
        elif not _LIVE.fullmatch(normalize_path(scope["path"])):
            code = NO_ROOM
        if code:
            self._metrics.closed(code, was_open=False)
            extra = {"path": scope["path"], "address": sender_of(scope), "code": code}
            _log.info("live connection refused", extra={**extra, "reason": REASONS[code]})
            await receive()
            await send({"type": "websocket.accept"})  # otherwise browsers do not tell the code
            await send({"type": "websocket.close", "code": code, "reason": REASONS[code]})
            return
        self._connections[address] += 1
        self._all_connections += 1
        try:
            await self._pass_on(scope, receive, send)
        finally:
            self._all_connections -= 1
            self._connections[address] -= 1
            if not self._connections[address]:
                del self._connections[address]

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a live connection through, and take notice of how it ends."""
        began = time.monotonic()
        code = received = sent = 0
        is_left = False
        extra = {"path": scope["path"], "address": sender_of(scope)}

        async def receive_counted() -> Message:
            nonlocal code, is_left, received
            message = await receive()
            if message["type"] == "websocket.receive":
                received += 1
            elif message["type"] == "websocket.disconnect" and not code:
                code = message.get("code", 0)
                is_left = code not in REASONS or scope.get(BY_CLIENT, False)
            return message

        async def send_counted(message: Message) -> None:
            nonlocal code, sent
            if message["type"] == "websocket.send":
                sent += 1
            elif message["type"] == "websocket.close":
                code = code or message.get("code", 0)
            await send(message)

        self._metrics.opened()
        _log.info("live connection opened", extra=extra)
        try:
            await self._app(scope, receive_counted, send_counted)
        finally:
            self._metrics.closed(code, was_open=True, is_left=is_left)
            ended = {
                "code": code,
                "reason": "The other side has gone." if is_left else REASONS.get(code, ""),
                "seconds": round(time.monotonic() - began, 1),
                "received": received,
                "sent": sent,
            }
            _log.info("live connection closed", extra={**extra, **ended})

    def _refusal(self, scope: Scope, headers: Headers) -> Problem | None:
        """Return why a request is turned away at the gate, None if it is let through."""
        if name := self._foreign_name(headers):
            detail = (
                f"this server does not answer to the name {quote(name)}: "
                f"whoever runs it can allow it, by gridlock serve --allow-host {name}"
            )
            return problems.as_problem(problems.MISDIRECTED, detail=detail)
        if not self._limiter.take(scope):
            return problems.as_problem(problems.TOO_MANY_REQUESTS)
        if scope["method"] == "POST" and _has_body(headers) and not _is_json(headers):
            return problems.as_problem(problems.UNSUPPORTED)
        return None

    def _foreign_name(self, headers: Headers) -> str:
        """Return the name by which the server was called, if it has no such name.

        Nobody can let an address point elsewhere, so each is as good as another; browsers always
        send one.
        """
        host = headers.get(b"host", b"").decode("latin-1").lower()
        found = _HOST.fullmatch(host)
        if not found:
            return host
        name = found["address"] or found["name"]
        if name == _LOCAL or name.endswith(f".{_LOCAL}") or name in self._hosts:
            return ""
        with contextlib.suppress(ValueError):
            ip_address(name)
            return ""
        if name not in self._logged and len(self._logged) < _MOST_LOGGED:
            self._logged.add(name)
            _log.warning(f"called by an unknown name: --allow-host {quote(name)} allows it")
        return name

    def _is_own_origin(self, headers: Headers) -> bool:
        """Tell whether a connection comes from our own page, or from a program."""
        origin = headers.get(b"origin")
        if origin is None:  # browsers always send it
            return True
        host = headers.get(b"host", b"").decode("latin-1")
        try:
            site = read_origin(origin.decode("latin-1"))
        except NotationError:
            return False
        return site in self._origins or is_at(site, host)


def _identify(scope: Scope, headers: Headers) -> str:
    """Return by what a request is known, in the log too; a named proxy may say it."""
    proposed = headers.get(b"x-request-id") if scope.get(TRUSTED) else None
    request = read_request_id(proposed)
    REQUEST.set(request)
    return request


def _has_body(headers: Headers) -> bool:
    return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


def _is_json(headers: Headers) -> bool:
    media_type = headers.get(b"content-type", b"").decode("latin-1").partition(";")[0]
    return media_type.strip().lower() == _JSON


async def _turn_away(scope: Scope, headers: Headers, problem: Problem, send: Send) -> None:
    accept = headers.get(b"accept", b"").decode("latin-1")
    status, described, body = problems.describe(problem, path=scope["path"], accept=accept)
    raw = [(name.lower().encode(), value.encode()) for name, value in described.items()]
    raw.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body, "more_body": False})
