"""What an operator can set, with all defaults: where games are kept, what is allowed, how much."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated

if TYPE_CHECKING:
    from sqlalchemy.engine import URL


@dataclass(frozen=True)
class Bounds:
    """The least and the most that a setting may be."""

    least: float
    most: float


MANY = 1_000_000_000

Count = Annotated[int, Bounds(1, MANY)]
Amount = Annotated[float, Bounds(0, MANY)]
Seconds = Annotated[float, Bounds(0.1, 3600)]
Bytes = Annotated[int, "bytes"]
"""May also be written as 32M."""


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second in the long run."""

    burst: Annotated[float, Bounds(1, MANY)]
    per_second: Amount


@dataclass(frozen=True)
class GateLimits:
    """What one address may do, and what one process holds.

    The files of the page are small and kept by browsers, so they do not count as requests.
    """

    requests: Rate = Rate(burst=200, per_second=20)
    files: Rate = Rate(burst=2000, per_second=200)
    costly: Rate = Rate(burst=40, per_second=1)
    """Requests that make a room, a hint or a review."""
    analyses: Rate = Rate(burst=120, per_second=4)
    """Who steps through a game asks about each position; most of these searches are called off."""
    messages: Rate = Rate(burst=400, per_second=60)
    """What all live connections of an address send."""
    connection_messages: Rate = Rate(burst=60, per_second=20)
    """What one live connection sends."""
    connections: Count = 100
    """Live connections of an address."""
    all_connections: Count = 20_000
    """Live connections of the process."""
    room_memory: Bytes = 1 << 28
    """The bytes of all rooms in memory; others are read again when somebody comes."""


_ANY = Rate(MANY, MANY)
FREE = GateLimits(_ANY, _ANY, _ANY, _ANY, _ANY, _ANY, MANY, MANY)
"""No limits of an address, for measuring and for networks where everybody is trusted."""


@dataclass(frozen=True)
class SearchLimits:
    """How much is looked ahead beside the event loop."""

    threads: Annotated[int, Bounds(0, 1024)] = 0
    """How many searches run at once; 0 is four for each core."""
    asked: Count = 16
    """Analyses, hints and reviews that one address may have, answered now or waiting."""
    waiting: Count = 256
    """Analyses, hints and reviews that may wait, of all addresses."""
    analysis_seconds: Seconds = 5.0
    """The longest that an analysis or a hint takes."""
    review_seconds: Seconds = 20.0
    """The longest that a review takes."""
    memory: Bytes = 1 << 25
    """The bytes that one search may use."""


@dataclass(frozen=True)
class Pool:
    """Connections to the database."""

    size: Annotated[int, Bounds(1, 1000)] = 15


@dataclass(frozen=True)
class Timeouts:
    """After how many seconds something is given up."""

    request: Seconds = 20.0
    """A request that has not come as a whole."""
    hello: Seconds = 10.0
    """The first message of a live connection."""
    ping: Seconds = 20.0
    """Between two pings of a live connection, and for the answer to one."""
    grace: Annotated[int, Bounds(0, 3600)] = 5
    """Answering what is left when the server closes."""
    connect: Seconds = 10.0
    """Connecting to the database."""
    statement: Seconds = 15.0
    """One statement of the server; whatever it asks takes milliseconds."""
    pool: Seconds = 10.0
    """Waiting for a free connection to the database."""
    question: Seconds = 10.0
    """Any question of the server to the database, with all waiting for it."""
    drain: Annotated[float, Bounds(0, 3600)] = 0.0
    """Between the signal to stop and the closing, while /readyz sends everybody elsewhere."""


@dataclass(frozen=True)
class MetricsAccess:
    """Who may ask for metrics: nobody, unless there is a port or a token."""

    port: int | None = None
    """Where they are served without a token, to whoever reaches it; 0 is any free port."""
    host: str = "127.0.0.1"
    token: str | None = field(default=None, repr=False)
    """By which they are served at /metrics, beside everything else."""


@dataclass(frozen=True)
class Config:
    """Where the games are kept, what is allowed, and how fast computers answer."""

    database: URL
    redis: str | None = None
    origins: frozenset[str] = frozenset()
    """Other addresses of the page, as ``address.read_origin`` returns them."""
    hosts: frozenset[str] = frozenset()
    """The names by which the server is reached, beside those of this machine and of the origins."""
    proxies: tuple[str, ...] = ()
    """The addresses of those who are believed about where a request comes from."""
    keep_days: int = 0
    """For how long rooms that nobody uses are kept; 0 is for ever."""
    limits: GateLimits = field(default_factory=GateLimits)
    searches: SearchLimits = field(default_factory=SearchLimits)
    pool: Pool = field(default_factory=Pool)
    timeouts: Timeouts = field(default_factory=Timeouts)
    metrics: MetricsAccess = field(default_factory=MetricsAccess)
    pace: float = 0.4
    """The least seconds that a computer takes, so that people can follow."""
    worker: int = 0
    """Which of the processes that share a listening socket this one is, from 0."""
    workers: int = 1
    """How many processes share the listening socket, the threads and the connections."""

    def without_limits(self) -> Config:
        """Return the same without limits of an address, for where everybody is trusted."""
        limits = replace(FREE, room_memory=self.limits.room_memory)
        return replace(self, limits=limits, searches=replace(self.searches, asked=MANY))

    def share(self, amount: int) -> int:
        """Return this worker's part of what all workers share: at least one."""
        return max(1, (amount + self.workers - 1 - self.worker) // self.workers)
