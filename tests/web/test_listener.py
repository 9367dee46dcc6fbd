"""Where a server listens: addresses and Unix sockets, and what is in the way."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
from typing import TYPE_CHECKING

import httpx
import pytest

from gridlock.errors import StoreError
from gridlock.web.listener import bind, listening_at
from tests.web.services import Server, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "gridlock.sock"


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_a_socket_has_the_permissions_of_the_umask_and_goes_at_the_end(path: Path) -> None:
    with listening_at(path), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert not path.exists()


def test_a_socket_that_a_dead_server_has_left_is_replaced(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with listening_at(path), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))


def test_a_socket_at_which_somebody_listens_stays(path: Path) -> None:
    with listening_at(path):
        with pytest.raises(StoreError, match="another server listens there"), listening_at(path):
            pass
        assert path.exists()


def test_a_socket_of_a_server_that_is_too_busy_to_answer_stays(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as busy, socket.socket(socket.AF_UNIX) as client:
        busy.bind(str(path))
        busy.listen(0)
        client.connect(str(path))  # now nobody else can
        with pytest.raises(StoreError, match="another server listens there"), listening_at(path):
            pass
        assert path.exists()


def test_no_other_file_is_replaced(path: Path) -> None:
    path.write_text("mine")
    with pytest.raises(StoreError, match="there is a file, which is no socket"), listening_at(path):
        pass
    assert path.read_text() == "mine"


def test_at_the_end_another_servers_socket_stays(path: Path) -> None:
    with listening_at(path):
        path.unlink()
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(path))
    assert path.exists()


@pytest.mark.parametrize("name", ["no/such/folder.sock", "x" * 200])
def test_where_there_can_be_no_socket_that_is_one_line(tmp_path: Path, name: str) -> None:
    with (
        pytest.raises(StoreError, match=r"cannot serve at '.*': (No such|AF_UNIX path|File name)"),
        listening_at(tmp_path / name),
    ):
        pass


def test_a_name_is_served_at_its_address() -> None:
    with bind("localhost", 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_people_play_through_a_socket(tmp_path: Path, path: Path) -> None:
    log = tmp_path / "log"  # what is answered is written there afterwards
    options = ("--socket", str(path), "--database", str(tmp_path / "web.db"), "--proxy", "unix")
    for _ in range(2):
        with Server(log, *options, "--log", "info", place=()) as server:
            assert server.said == f"GridLock is open at unix:{path} (Ctrl-C closes it)\n"
            transport = httpx.HTTPTransport(uds=str(path))
            with httpx.Client(transport=transport, base_url="http://localhost") as client:
                headers = {"X-Forwarded-For": "192.0.2.1, 192.0.2.2"}
                made = client.post("/api/rooms", json={"game": "duel"}, headers=headers)
                assert made.status_code == 201
            asyncio.run(until(lambda: '"address": "192.0.2.2"' in log.read_text()))
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(60) == 0
            assert not path.exists()
