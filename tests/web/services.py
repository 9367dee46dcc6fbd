"""What the web app's tests run beside themselves: its server, PostgreSQL and Redis.

Each has a free port and a folder of its own, and ends with the tests.  Services that are not
installed are skipped, by name.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg  # type: ignore[import-untyped]
import httpx
import msgspec
import pytest
from sqlalchemy.engine import make_url
from websockets.asyncio.client import connect

from tests.web.forked import Forked

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from typing import Self

    from websockets.asyncio.client import ClientConnection

PATIENCE = 60.0
"""Seconds before something that should have happened is given up."""

WITHOUT_COVERAGE = {name: os.environ[name] for name in os.environ if "COVERAGE" not in name}

_MAIN = "from gridlock.cli.main import main\nmain()"

_POSTGRESQL_FOLDERS = Path("/usr/lib/postgresql")
_POSTGRESQL_USER = "postgres"  # PostgreSQL refuses to run as root

PROBLEM = "application/problem+json"

Json = dict[str, Any]


class Server:
    """A ``gridlock serve`` that runs in a process of its own."""

    def __init__(
        self,
        log: Path,
        *arguments: str,
        before: str = "",
        is_fresh: bool = False,
        is_measured: bool = True,
        place: tuple[str, ...] = ("--port", "0"),
    ) -> None:
        """Start it and wait until it answers; ``before`` is Python that the process runs first.

        What it logs is in ``log``.  A fresh one is started as people start it, and imports all
        that it needs; others are forked.  Where its coverage is not measured it is as fast as it
        can be.  It has a free port, or another ``place``.
        """
        self.log = log
        command = ("serve", *place, *arguments)
        reads, writes = os.pipe()
        self._out = open(reads, encoding="utf-8")  # noqa: PTH123, SIM115
        with log.open("ab") as errors, open(writes, "wb") as out:  # noqa: PTH123
            if is_measured and not is_fresh:
                self.process: Forked | subprocess.Popen[bytes] = Forked(
                    command, out, errors, before
                )
            else:
                self.process = subprocess.Popen(
                    [sys.executable, "-c", f"{before}\n{_MAIN}", *command],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=errors,
                    env=None if is_measured else WITHOUT_COVERAGE,
                )
        patience = threading.Timer(PATIENCE, self.process.kill)
        patience.start()
        self.said = self._out.readline()
        patience.cancel()
        if not self.said.startswith("GridLock is open"):
            self.kill()
            raise RuntimeError(f"the server did not start: {self.said}{log.read_text()}")
        if found := re.search(r"http://(\S+):(\d+)/", self.said):
            self.host, self.port = found[1], int(found[2])

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def live(self, room: str) -> str:
        """Return the address of a room's live connection."""
        return f"ws://{self.host}:{self.port}/api/rooms/{room}/live"

    @property
    def memory(self) -> int:
        """The bytes that the process holds in memory."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    @property
    def connections(self) -> int:
        """How many sockets the process has open."""
        found = 0
        for descriptor in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                found += str(descriptor.readlink()).startswith("socket:")
        return found

    def stop(self) -> int:
        """Stop it as Ctrl-C does, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
        return self._end()

    def kill(self) -> None:
        """End it without warning."""
        self.process.kill()
        self._end()

    def _end(self) -> int:
        self._out.close()
        return self.process.wait()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def configured(changes: str) -> str:
    """Return Python that lets a server run with other settings, such as ``pool=Pool(1)``."""
    return f"""
from dataclasses import replace
from gridlock.web import server
from gridlock.web.config import *
run = server._run
server._run = lambda config, *others: run(replace(config, {changes}), *others)
"""


class Live:
    """A live connection to a room, which keeps the messages that nobody has asked for yet."""

    def __init__(self, socket_: ClientConnection) -> None:
        self.socket = socket_
        self.heard: list[Json] = []
        """Every message, the oldest first."""
        self._next = 0

    async def say(self, **message: object) -> None:
        await self.socket.send(msgspec.json.encode(message).decode())

    async def hello(self, token: str | None = None, since: int | None = None) -> Json:
        """Say who is there, and return the answer."""
        await self.say(type="hello", token=token, since=since)
        return await self.hear("state")

    async def hear(self, *types: str, **fields: object) -> Json:
        """Return the next message of one of these types, and with these fields."""

        def is_meant(message: Json) -> bool:
            return message["type"] in types and fields.items() <= message.items()

        while True:
            while self._next < len(self.heard):
                self._next += 1
                if is_meant(self.heard[self._next - 1]):
                    return self.heard[self._next - 1]
            async with asyncio.timeout(PATIENCE):
                text = await self.socket.recv()
            self.heard.append(msgspec.json.decode(text))

    async def hear_event(self, *types: str) -> Json:
        """Return the next event of one of these types, whichever message brings it."""
        while True:
            message = await self.hear("event", "state")
            found = [message["event"]] if message["type"] == "event" else message["missed"]
            for event in found:
                if event["type"] in types:
                    return dict(event)

    async def act(self, id_: str, ply: int, do: str, cell: str | None = None) -> None:
        await self.say(type="action", id=id_, ply=ply, do=do, cell=cell)

    async def play(self, ply: int, cell: str) -> Json:
        """Play a cell, and return the message that says so."""
        id_ = secrets.token_hex(8)
        await self.act(id_, ply, "play", cell)
        while True:
            message = await self.hear("event", "refused")
            if message.get("id") == id_ or message.get("event", {}).get("id") == id_:
                return message


@contextlib.asynccontextmanager
async def live(
    server: Server, room: str, token: str | None = None, **options: Any
) -> AsyncIterator[Live]:
    """Connect to a room and say hello."""
    async with connect(server.live(room), **options) as socket_:
        connection = Live(socket_)
        await connection.hello(token)
        yield connection


def finished_room(server: Server) -> str:
    """Play a game of duel with mistakes, and return its room."""
    client = httpx.Client(base_url=server.url)
    made = client.post("/api/rooms", json={"game": "duel", "opponent": "self"}).json()
    room, view = made["state"]["room"], made["state"]["view"]
    while view["status"] == "playing":
        cell = view["board"]["legal"][0]
        act = {"id": cell, "ply": view["ply"], "do": "play", "cell": cell}
        path = f"/api/rooms/{room}/actions"
        view = client.post(path, json=act, headers=bearer(made["token"])).json()["state"]["view"]
    client.close()
    return str(room)


def asking(server: Server, address: str = "127.0.0.1") -> httpx.AsyncClient:
    """Return somebody who asks a server from an address."""
    transport = httpx.AsyncHTTPTransport(local_address=address)
    return httpx.AsyncClient(base_url=server.url, transport=transport, timeout=PATIENCE)


def check_problem(answer: httpx.Response, status: int, code: str) -> None:
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == PROBLEM
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["detail"]
    if status in (429, 503):
        assert int(answer.headers["Retry-After"]) > 0


async def make_room(client: httpx.AsyncClient, **wishes: object) -> Json:
    """Make a room, and return the answer."""
    answer = await client.post("/api/rooms", json={"game": "duel", "size": "3x3", **wishes})
    assert answer.status_code == 201, (answer.status_code, answer.text)
    return dict(answer.json())


async def join_room(client: httpx.AsyncClient, made: Json, name: str = "Bob") -> Json:
    """Take the open seat of a room, and return the answer."""
    path = f"/api/rooms/{made['state']['room']}/join"
    answer = await client.post(path, json={"invite": made["invite"], "name": name})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def bearer(token: str | None) -> dict[str, str]:
    """Return the header that shows a token."""
    return {} if token is None else {"Authorization": f"Bearer {token}"}


async def until(is_done: Callable[[], Any], patience: float = PATIENCE) -> None:
    """Wait until something is the case; ``is_done`` may be a coroutine function."""
    deadline = time.monotonic() + patience
    while True:
        answer = is_done()
        if await answer if asyncio.iscoroutine(answer) else answer:
            return
        assert time.monotonic() < deadline, "it has not happened"
        await asyncio.sleep(0.05)


async def new_database(postgresql: str) -> str:
    """Make an empty database beside the one of an address, and return its address."""
    name = f"gridlock_{secrets.token_hex(4)}"
    connection = await asyncpg.connect(_plain(postgresql))
    try:
        await connection.execute(f"CREATE DATABASE {name}")
    finally:
        await connection.close()
    return make_url(postgresql).set(database=name).render_as_string(hide_password=False)


def _plain(postgresql: str) -> str:
    """Return an address as PostgreSQL's own programs write it."""
    return postgresql.replace("+asyncpg", "")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a database of PostgreSQL's that nobody else uses."""
    with run_postgresql("fsync=off") as service:
        yield service.url


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """The address of a Redis that nobody else uses."""
    with run_redis() as service:
        yield service.url


@contextlib.contextmanager
def run_postgresql(*settings: str) -> Iterator[Service]:
    """Run a PostgreSQL of one's own, or skip the test where it is not installed."""
    programs = _find_postgresql()
    user = _POSTGRESQL_USER if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    options: Json = {"user": user, "extra_groups": []} if os.getuid() == 0 else {}
    with _folder(user) as folder:
        subprocess.run(
            [programs / "initdb", "--no-sync", "--auth=trust", "--username", user, folder / "data"],
            check=True,
            capture_output=True,
            cwd=folder,
            **options,
        )

        def command(port: int) -> list[str | Path]:
            local = ("listen_addresses=127.0.0.1", "unix_socket_directories=")
            flags = [part for setting in (*local, *settings) for part in ("-c", setting)]
            return [programs / "postgres", "-D", folder / "data", "-p", str(port), *flags]

        with Service(command, folder, signal.SIGINT, options) as service:
            url = f"postgresql://{user}@127.0.0.1:{service.port}/postgres"
            asyncio.run(_wait_for_postgresql(url))
            service.url = url.replace("postgresql", "postgresql+asyncpg", 1)
            yield service


@contextlib.contextmanager
def run_redis() -> Iterator[Service]:
    """Run a Redis of one's own, or skip the test where it is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("Redis is not installed: apt-get install redis-server")
    with _folder() as folder:

        def command(port: int) -> list[str | Path]:
            quiet = ["--save", "", "--appendonly", "no", "--bind", "127.0.0.1"]
            return [program, "--port", str(port), "--dir", folder, *quiet]

        with Service(command, folder, signal.SIGTERM, {}) as service:
            service.url = f"redis://127.0.0.1:{service.port}/0"
            yield service


def _find_postgresql() -> Path:
    """Return the folder of the newest PostgreSQL's programs, or skip the test."""
    folders = [path.parent for path in _POSTGRESQL_FOLDERS.glob("*/bin/initdb")]
    if found := shutil.which("initdb"):
        folders.append(Path(found).resolve().parent)
    if not folders:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    if os.getuid() == 0:
        try:
            pwd.getpwnam(_POSTGRESQL_USER)
        except KeyError:
            pytest.skip(f"PostgreSQL refuses root, and there is no user {_POSTGRESQL_USER}")
    return max(folders, key=lambda path: [int(n) for n in re.findall(r"\d+", str(path))])


@contextlib.contextmanager
def _folder(owner: str | None = None) -> Iterator[Path]:
    """Make a folder that another user may own; the tests' own folders are closed to others."""
    with tempfile.TemporaryDirectory(prefix="gridlock-", ignore_cleanup_errors=True) as name:
        if owner:
            shutil.chown(name, owner)
        yield Path(name)


class Service:
    """A program that serves at a free port; it can be ended and started again there."""

    url: str

    def __init__(
        self,
        command: Callable[[int], list[str | Path]],
        folder: Path,
        goodbye: signal.Signals,
        options: Json,
    ) -> None:
        self._command = command
        self._folder = folder
        self._goodbye = goodbye
        self._options = options

    def __enter__(self) -> Self:
        for _ in range(5):  # somebody else may take the port first
            self.port = free_port()
            if self.start():
                return self
        raise RuntimeError((self._folder / "log").read_text())

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> bool:
        """Start it; tell whether it listens."""
        with (self._folder / "log").open("ab") as output:
            self.process = subprocess.Popen(
                self._command(self.port),
                stdout=output,
                stderr=output,
                cwd=self._folder,
                **self._options,
            )
        return _listens(self.process, self.port)

    def stop(self) -> None:
        """End it."""
        self.process.send_signal(self._goodbye)
        self.process.wait(PATIENCE)

    def freeze(self) -> None:
        """Let all its processes stand still, with their connections open."""
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let them go on."""
        self._send(signal.SIGCONT)

    def _send(self, what: signal.Signals) -> None:
        server = self.process.pid
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        for pid in (server, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, what)


def _listens(process: subprocess.Popen[Any], port: int) -> bool:
    """Wait until a process listens at a port; tell whether it does, and not another one."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return process.poll() is None
        time.sleep(0.05)
    return False


async def _wait_for_postgresql(url: str) -> None:
    """Wait until PostgreSQL does not only listen."""

    async def answers() -> bool:
        try:
            connection = await asyncpg.connect(url)
        except (OSError, asyncpg.PostgresError):
            return False
        await connection.close()
        return True

    await until(answers)


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
