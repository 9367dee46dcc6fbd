"""What Prometheus is told: counts, times and states of one app.

Every label has few values, all of them known beforehand: no room, name or address is ever one.
"""

from __future__ import annotations

import hmac
import logging
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from litestar import Request, Response, get
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.exposition import (
    CONTENT_TYPE_PLAIN_0_0_4,
    ThreadingWSGIServer,
    generate_latest,
)

from gridlock import __version__
from gridlock.errors import GridlockError, StoreError
from gridlock.web.close_code import LEFT, REASONS
from gridlock.web.problems import TokenError
from gridlock.web.room import RefusedError
from gridlock.web.searches import KINDS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from litestar.handlers import HTTPRouteHandler

_log = logging.getLogger(__name__)

PATH = "/metrics"

_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_LONG = (0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 20, 40)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_OTHER = "other"
_LIVE = "live"


class Metrics:
    """Counts what happens in one app; several apps in a process have each their own."""

    def __init__(self, *, has_redis: bool = False, token: str | None = None) -> None:
        """Prepare to count; whoever shows the token may see it at the app's own address."""
        self._authorization = f"Bearer {token}".encode() if token else None
        disable_created_metrics()  # type: ignore[no-untyped-call] # its authors wrote no types
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        Info("gridlock_build", "Which version runs.", registry=self.registry).info(
            {"version": __version__}
        )
        self._connections = self._gauge("connections", "Live connections that are open.")
        self._opened = self._counter("connections_opened", "Live connections that were let in.")
        self._closed = self._counter(
            "connections_closed", "Live connections that have ended, by close code.", "code"
        )
        self._rooms = self._gauge("rooms", "Rooms in memory.")
        self._actions = self._counter("actions", "What players did, by what came of it.", "outcome")
        self._action_seconds = self._histogram(
            "action_seconds", "From an action to the telling of its event to this process."
        )
        self._relay_seconds = self._histogram(
            "relay_seconds", "From an event in another process to its telling here."
        )
        self._events = self._counter("events", "Events that were committed.")
        self._commit_seconds = self._histogram("commit_seconds", "Commits to the database.")
        self._database_up = self._gauge("database_up", "1 if the database answers, 0 if not.")
        self._database_failures = self._counter(
            "database_failures", "Questions that the database did not answer.", "kind"
        )
        self._database_connections = self._gauge(
            "database_connections", "Connections to the database that are in use."
        )
        self._database_waiting = self._gauge(
            "database_waiting", "Questions that the database has not answered yet."
        )
        if has_redis:
            self._redis_up = self._gauge("redis_up", "1 if Redis carries messages, 0 if not.")
        self._requests = self._counter(
            "requests", "Requests that were answered.", "route", "method", "status"
        )
        self._request_seconds = self._histogram(
            "request_seconds", "Answering requests, by route.", "route"
        )
        self._refusals = self._counter(
            "refusals", "Refusals, by status (or live) and problem code.", "status", "code"
        )
        self._searches_running = self._gauge("searches_running", "Searches under way.", "kind")
        self._searches_waiting = self._gauge("searches_waiting", "Searches that wait.", "kind")
        self._search_seconds = self._histogram(
            "search_seconds", "Lengths of searches.", "kind", buckets=_LONG
        )
        self._search_wait_seconds = self._histogram(
            "search_wait_seconds", "For how long searches waited.", "kind", buckets=_LONG
        )
        self._outcomes = {
            outcome: self._actions.labels(outcome)
            for outcome in ("done", "repeated", "refused", "failed")
        }
        for kind in KINDS:
            self._search_seconds.labels(kind)
            self._search_wait_seconds.labels(kind)
        for kind in ("read", "write"):
            self._database_failures.labels(kind)

    def _counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(f"gridlock_{name}", about, labels, registry=self.registry)

    def _gauge(self, name: str, about: str, *labels: str) -> Gauge:
        return Gauge(f"gridlock_{name}", about, labels, registry=self.registry)

    def _histogram(
        self, name: str, about: str, *labels: str, buckets: tuple[float, ...] = _QUICK
    ) -> Histogram:
        return Histogram(f"gridlock_{name}", about, labels, buckets=buckets, registry=self.registry)

    def watch_rooms(self, count: Callable[[], int]) -> None:
        """Ask how many rooms are in memory, whenever somebody looks."""
        self._rooms.set_function(count)

    def watch_database(
        self, is_up: Callable[[], bool], in_use: Callable[[], int], waiting: Callable[[], int]
    ) -> None:
        """Ask how the database is."""
        self._database_up.set_function(is_up)
        self._database_connections.set_function(in_use)
        self._database_waiting.set_function(waiting)

    def watch_redis(self, is_up: Callable[[], bool]) -> None:
        """Ask how Redis is."""
        self._redis_up.set_function(is_up)

    def watch_searches(self, running: Callable[[str], int], waiting: Callable[[str], int]) -> None:
        """Ask how many searches of each kind there are."""
        for kind in KINDS:
            self._searches_running.labels(kind).set_function(partial(running, kind))
            self._searches_waiting.labels(kind).set_function(partial(waiting, kind))

    async def act(self, acting: Awaitable[bool]) -> bool:
        """Do what a player does, and take notice of what comes of it."""
        began = time.perf_counter()
        try:
            is_new = await acting
        except RefusedError:
            self._outcomes["refused"].inc()
            raise
        except GridlockError:
            self._outcomes["failed"].inc()
            raise
        if is_new:
            self._action_seconds.observe(time.perf_counter() - began)
        self._outcomes["done" if is_new else "repeated"].inc()
        return is_new

    def relayed(self, seconds: float) -> None:
        """Take notice that an event of another process was told here."""
        self._relay_seconds.observe(max(0.0, seconds))

    def committed(self, events: int, seconds: float) -> None:
        """Take notice of a commit."""
        self._commit_seconds.observe(seconds)
        self._events.inc(events)

    def failed(self, kind: str) -> None:
        """Take notice that the database could not be read, or written to."""
        self._database_failures.labels(kind).inc()

    def searched(self, kind: str, waited: float, ran: float) -> None:
        """Take notice that a search has ended."""
        self._search_wait_seconds.labels(kind).observe(waited)
        self._search_seconds.labels(kind).observe(ran)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Take notice that a request was answered."""
        shown = method if method in _METHODS else _OTHER
        self._requests.labels(route, shown, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def refused(self, code: str, status: int | None = None) -> None:
        """Take notice of a refusal: of a request, or of what was said over a live connection."""
        self._refusals.labels(str(status or _LIVE), code).inc()

    def opened(self) -> None:
        """Take notice that a live connection was let in."""
        self._connections.inc()
        self._opened.inc()

    def closed(self, code: int, *, was_open: bool, is_left: bool = False) -> None:
        """Take notice that a live connection has ended, or was not let in.

        A client that leaves may send any code, also one that means something else when we do.
        """
        if was_open:
            self._connections.dec()
        is_known = code in LEFT or (code in REASONS and not is_left)
        self._closed.labels(str(code) if is_known else _OTHER).inc()

    def listen(self, host: str, port: int, *, is_shared: bool = False) -> Callable[[], None]:
        """Answer scrapes at an address of their own; return what ends that.

        Raises ``StoreError`` where somebody else has it.  A worker shares it with the one that it
        replaces, until that has ended.
        """
        ThreadingWSGIServer.allow_reuse_port = is_shared
        try:
            server, thread = start_http_server(port, host, self.registry)
        except OSError as error:
            why = error.strerror or str(error)
            raise StoreError(f"cannot serve metrics at {host} port {port}: {why}") from None
        _log.info("metrics are served", extra={"host": host, "port": server.server_port})

        def stop() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        return stop

    def is_allowed(self, authorization: bytes) -> bool:
        """Tell whether somebody who shows this may see the metrics at the app's own address."""
        expected = self._authorization
        return expected is not None and hmac.compare_digest(authorization, expected)

    def route(self) -> HTTPRouteHandler:
        """Return what answers scrapes at the app's own address, for whoever shows the token."""

        @get(PATH, include_in_schema=False, sync_to_thread=False)
        def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
            shown = request.headers.get("Authorization", "").encode("latin-1", "replace")
            if not self.is_allowed(shown):
                raise TokenError("the metrics need their token: Authorization: Bearer …")
            return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

        return metrics
