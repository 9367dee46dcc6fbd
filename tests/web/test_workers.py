"""Several processes at one socket: how they begin, die, are replaced, and end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from gridlock.errors import StoreError
from gridlock.web import workers
from gridlock.web.workers import Post, Supervisor
from tests.conftest import run_in_process
from tests.web.services import (
    PATIENCE,
    Server,
    asking,
    join_room,
    live,
    make_room,
    new_database,
    until,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

VARIABLE = "POST"

WORKER = """
import os, signal, socket, sys
number, listener, link = map(int, os.environ["POST"].split())
with open(sys.argv[1], "a") as file:
    print(number, os.getpid(), file=file)
"""
"""A worker that notes that it was started."""

SERVE = "socket.socket(fileno=link).sendall(b'1')\nsignal.pause()"


class Company:
    """Workers of a supervisor in this process."""

    def __init__(self, folder: Path, program: str, count: int = 2) -> None:
        self._notes = folder / "notes"
        self._notes.touch()
        self.program = folder / "worker.py"
        self.program.write_text(WORKER + program)
        command = [sys.executable, str(self.program), str(self._notes)]
        self.listener = socket.socket()
        self.supervisor = Supervisor(command, VARIABLE, self.listener, count, grace=0)
        self.is_ready = asyncio.Event()

    @property
    def started(self) -> list[tuple[int, int]]:
        """The posts and processes of all workers that ever were, the oldest first."""
        lines = self._notes.read_text().splitlines()
        return [(int(line.split()[0]), int(line.split()[1])) for line in lines]

    def has_started(self, count: int) -> bool:
        return len(self.started) == count

    @property
    def living(self) -> list[tuple[int, int]]:
        return [(number, process) for number, process in self.started if is_alive(process)]


def is_alive(process: int) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@contextlib.asynccontextmanager
async def working(folder: Path, program: str = SERVE, count: int = 2) -> AsyncIterator[Company]:
    """Let workers serve, and stop them as a system does."""
    company = Company(folder, program, count)
    running = asyncio.create_task(company.supervisor.run(company.is_ready.set))
    with company.listener:
        try:
            async with asyncio.timeout(PATIENCE):
                await company.is_ready.wait()
            yield company
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            await running
    assert not company.living


def test_every_worker_has_a_post_of_its_own(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with working(tmp_path, count=3) as company:
            assert sorted(number for number, _ in company.started) == [0, 1, 2]

    asyncio.run(scenario())
    assert Post.read(str(Post(1, 2, 3))) == Post(1, 2, 3)


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with working(tmp_path) as company:
            (_, victim), (_, other) = sorted(company.started)
            os.kill(victim, signal.SIGKILL)
            await until(lambda: company.has_started(3))
            assert company.started[-1][0] == 0
            assert set(company.living) == {(1, other), company.started[-1]}

    asyncio.run(scenario())


def test_who_dies_again_and_again_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "_PAUSES", (0.0, 0.01, 0.02))

    async def scenario() -> None:
        async with working(tmp_path, count=1) as company:
            company.program.write_text(WORKER)
            os.kill(company.started[0][1], signal.SIGKILL)
            await until(lambda: len(company.started) >= 6)

    asyncio.run(scenario())
    dead = [record for record in caplog.records if "has died" in record.getMessage()]
    assert [record.__dict__["pause"] for record in dead[:5]] == [0.0, 0.01, 0.02, 0.02, 0.02]
    assert [record.__dict__["exit_code"] for record in dead[:2]] == [-signal.SIGKILL, 0]


def test_one_that_cannot_be_started_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "_PAUSES", (0.0,))

    async def scenario() -> None:
        async with working(tmp_path, count=1) as company:
            command = company.supervisor._command
            company.supervisor._command = ["/no/such/program"]
            os.kill(company.started[0][1], signal.SIGKILL)
            await until(lambda: "a worker cannot be started: " in caplog.text)
            company.supervisor._command = command
            await until(lambda: company.has_started(2))

    asyncio.run(scenario())


def test_one_that_has_lasted_is_replaced_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "_YOUNG_SECONDS", 0.0)
    monkeypatch.setattr(workers, "_PAUSES", (0.0, 3600.0))

    async def scenario() -> None:
        async with working(tmp_path, count=1) as company:
            for number in range(1, 4):
                os.kill(company.started[-1][1], signal.SIGKILL)
                await until(partial(company.has_started, number + 1))

    asyncio.run(scenario())


def test_all_are_replaced_one_by_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with working(tmp_path) as company:
            before = set(company.living)
            os.kill(os.getpid(), signal.SIGHUP)
            await until(lambda: len(company.started) == 4 and len(company.living) == 2)
            assert not before & set(company.living)
            assert [number for number, _ in company.started[2:]] == [0, 1]

    asyncio.run(scenario())


def test_where_a_new_one_does_not_start_the_old_ones_stay(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        async with working(tmp_path) as company:
            before = company.living
            company.program.write_text(WORKER + "sys.exit(1)")
            os.kill(os.getpid(), signal.SIGHUP)
            await until(lambda: "a new worker did not start: the others stay" in caplog.text)
            await until(lambda: company.living == before)

    asyncio.run(scenario())


def test_one_that_never_serves_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        async with working(tmp_path) as company:
            before = company.living
            company.program.write_text(WORKER + "signal.pause()")
            monkeypatch.setattr(workers, "_START_SECONDS", 0.5)
            os.kill(os.getpid(), signal.SIGHUP)
            await until(lambda: "a new worker did not start" in caplog.text)
            await until(lambda: company.living == before)

    asyncio.run(scenario())


def test_if_one_does_not_start_in_the_beginning_none_stays(tmp_path: Path) -> None:
    async def scenario() -> None:
        company = Company(tmp_path, f"if number: sys.exit(1)\n{SERVE}")
        with company.listener, pytest.raises(StoreError, match="a worker did not start"):
            await company.supervisor.run(company.is_ready.set)
        assert not company.living

    asyncio.run(scenario())


def test_they_can_be_told_to_stop_before_they_serve(tmp_path: Path) -> None:
    async def scenario() -> None:
        company = Company(tmp_path, "signal.pause()")
        running = asyncio.create_task(company.supervisor.run(company.is_ready.set))
        await until(lambda: len(company.started) == 2)
        os.kill(os.getpid(), signal.SIGINT)
        async with asyncio.timeout(PATIENCE):
            await running
        company.listener.close()
        assert not company.is_ready.is_set()
        assert not company.living

    asyncio.run(scenario())


def test_one_that_does_not_end_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "_CLOSING_SECONDS", 0.1)
    deaf = f"signal.signal(signal.SIGTERM, signal.SIG_IGN)\n{SERVE}\nsignal.pause()"

    async def scenario() -> None:
        async with working(tmp_path, deaf, count=1):
            pass

    asyncio.run(scenario())
    assert "a worker does not end, and is killed" in caplog.text


# The rest needs real servers.


@pytest.fixture(scope="module")
def shared(postgresql: str, redis: str) -> tuple[str, ...]:
    """The options of processes that share their games."""
    database = asyncio.run(new_database(postgresql))
    assert run_in_process("db", "upgrade", "--database", database).code == 0
    return ("--database", database, "--redis", redis, "--workers", "2", "--no-limits")


@pytest.fixture
def server(shared: tuple[str, ...], tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "log", *shared, "--log", "info", is_fresh=True) as server:
        yield server


def workers_of(server: Server) -> set[int]:
    process = server.process.pid
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return {int(child) for child in children if is_alive(int(child))}


def adjacent_ports() -> int:
    """Return the first of two ports at which nobody listens."""
    while True:
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as two:
            one.bind(("127.0.0.1", 0))
            port = int(one.getsockname()[1])
            two.bind(("127.0.0.1", port + 1))
            return port


async def answers(server: Server) -> bool:
    """Tell whether a request by a new connection is answered."""
    async with asking(server) as client:
        with contextlib.suppress(httpx.TransportError):
            return (await client.get("/healthz")).status_code == 200
    return False


async def play(server: Server) -> None:
    """Let two friends play, each at whichever worker they find."""
    async with asking(server) as client:
        made = await make_room(client, opponent="friend", name="Ann")
        joined = await join_room(client, made)
        room = made["state"]["room"]
        async with (
            live(server, room, made["token"]) as ann,
            live(server, room, joined["token"]) as bob,
        ):
            assert (await ann.play(0, "2,2"))["type"] == "event"
            await bob.hear_event("played")


def test_workers_share_the_games(server: Server) -> None:
    async def scenario() -> None:
        assert len(workers_of(server)) == 2
        await asyncio.gather(*(play(server) for _ in range(8)))

    asyncio.run(scenario())


@pytest.mark.long
def test_play_goes_on_when_a_worker_is_killed(server: Server) -> None:
    async def scenario() -> None:
        before = workers_of(server)
        victim = min(before)
        os.kill(victim, signal.SIGKILL)
        await until(lambda: len(workers_of(server) - {victim}) == 2)
        await until(lambda: answers(server))
        await play(server)

    asyncio.run(scenario())
    assert "a worker has died, and is replaced" in server.log.read_text()


@pytest.mark.long
def test_workers_begin_and_are_replaced_while_redis_is_away(
    shared: tuple[str, ...], tmp_path: Path
) -> None:
    async def scenario(server: Server) -> None:
        victim = min(workers_of(server))
        os.kill(victim, signal.SIGKILL)
        await until(lambda: len(workers_of(server) - {victim}) == 2)
        await until(lambda: server.log.read_text().count("server started") == 3)
        await play(server)
        async with asking(server) as client:
            assert (await client.get("/readyz")).json()["status"] == "degraded"

    options = (*shared, "--redis", "redis://127.0.0.1:1", "--log", "info")
    with Server(tmp_path / "log", *options, is_fresh=True) as server:
        asyncio.run(scenario(server))


@pytest.mark.long
def test_workers_are_replaced_while_people_play(shared: tuple[str, ...], tmp_path: Path) -> None:
    """Each also has its metrics at a port of its own, before and after."""
    port = adjacent_ports()

    async def has_metrics(worker: int) -> bool:
        async with httpx.AsyncClient() as client:
            with contextlib.suppress(httpx.TransportError):
                answer = await client.get(f"http://127.0.0.1:{port + worker}/metrics")
                return "gridlock_" in answer.text
        return False

    async def scenario(server: Server) -> None:
        assert await has_metrics(0)
        assert await has_metrics(1)
        before = workers_of(server)
        server.process.send_signal(signal.SIGHUP)
        async with asyncio.timeout(PATIENCE):
            while len(workers_of(server) - before) < 2 or before & workers_of(server):
                await until(lambda: answers(server))
        await play(server)
        for worker in range(2):
            await until(partial(has_metrics, worker))

    options = (*shared, "--log", "info", "--metrics-port", str(port))
    with Server(tmp_path / "log", *options, is_fresh=True) as server:
        asyncio.run(scenario(server))
        assert server.log.read_text().count("a worker was replaced") == 2


@pytest.mark.long
def test_workers_read_the_settings_anew_and_the_old_ones_stay_if_these_are_wrong(
    shared: tuple[str, ...], tmp_path: Path
) -> None:
    config = tmp_path / "gridlock.toml"
    config.write_text("[timeouts]\nping = 5")

    async def scenario(server: Server) -> None:
        before = workers_of(server)
        config.write_text("[timeouts]\npong = 5")
        server.process.send_signal(signal.SIGHUP)
        await until(lambda: "a new worker did not start" in server.log.read_text())
        assert "did you mean timeouts.ping?" in server.log.read_text()
        await until(lambda: workers_of(server) == before)
        await play(server)

    with Server(tmp_path / "log", *shared, "--config", str(config), is_fresh=True) as server:
        asyncio.run(scenario(server))


@pytest.mark.long
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_parent(server: Server, end: signal.Signals) -> None:
    workers = workers_of(server)
    server.process.send_signal(end)
    assert server.process.wait(PATIENCE) == (-end if end is signal.SIGKILL else 0)
    asyncio.run(until(lambda: not any(map(is_alive, workers))))
    assert "Traceback" not in server.log.read_text()
    assert "has died" not in server.log.read_text()


def test_what_all_workers_would_refuse_is_said_once(
    shared: tuple[str, ...], tmp_path: Path
) -> None:
    redis = "redis://127.0.0.1:1/?db=one"
    refused = run_in_process("serve", "--port", "0", *shared, "--redis", redis)
    assert refused.code == 1
    assert len(refused.error_lines) == 1
    assert "cannot use this address of Redis: " in refused.err
