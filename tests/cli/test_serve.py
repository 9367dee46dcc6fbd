"""``gridlock serve``: addresses, databases, and how a server ends."""

from __future__ import annotations

import json
import signal
import socket
import webbrowser
from typing import TYPE_CHECKING

import httpx
import pytest
from filelock import FileLock

from gridlock.cli import database as database_module
from tests.web.services import Server, free_port

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run


def test_a_server_says_where_it_is_and_ends_when_told(tmp_path: Path) -> None:
    with Server(tmp_path / "log", "--database", str(tmp_path / "web.db"), is_fresh=True) as server:
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        assert server.stop() in (0, -signal.SIGINT, 130)
    assert (tmp_path / "log").read_text() == ""


def test_games_are_kept_among_ones_own_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDLOCK_DATA", str(tmp_path / "mine"))
    with Server(tmp_path / "log", is_fresh=True):
        assert (tmp_path / "mine" / "web.db").exists()


def test_logs_are_lines_of_json_without_secrets(tmp_path: Path) -> None:
    options = ("--database", str(tmp_path / "web.db"), "--log", "info")
    with Server(tmp_path / "log", *options, is_fresh=True) as server:
        made = httpx.post(f"{server.url}/api/rooms", json={"game": "duel"}).json()
        room = f"{server.url}/api/rooms/{made['state']['room']}"
        httpx.get(room, headers={"Authorization": f"Bearer {made['token']}"})
    text = (tmp_path / "log").read_text()
    assert made["token"] not in text
    entries = [json.loads(line) for line in text.splitlines()]
    requests = [entry for entry in entries if entry["message"] == "request"]
    assert [(entry["method"], entry["status"]) for entry in requests] == [
        ("POST", 201),
        ("GET", 200),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--port", "99999"),
            "Invalid value for '--port': '99999' is not a whole number from 0 to 65535",
        ),
        (("--port", "http"), "'http' is not a whole number from 0 to 65535"),
        (("--host", "no such host"), "cannot serve at 'no such host': there is no such host"),
        (("--host", "192.0.2.1"), "--host is an address of this machine, or 0.0.0.0 for all"),
        (("--database", "/no/such/folder/web.db"), "no such folder to write in"),
        (("--database", "mysql://host/games"), "a database is a file, or postgresql+asyncpg://"),
        (("--database", "x://"), "a database is a file, or"),
        (("--database", "://"), "a database is a file, or"),
        (("--database", "postgresql+asyncpg://h:x/y"), "is not the address of a database"),
        (("--database", ":memory:"), "games are kept in a file, not in memory"),
        (
            ("--database", "postgresql+asyncpg://nobody@127.0.0.1:1/games"),
            "cannot open the database: ",
        ),
        (("--redis", "redis://127.0.0.1:1/?db=one"), "cannot use this address of Redis: "),
        (("--redis", "redis://127.0.0.1:1/?colour=red"), "cannot use this address of Redis: "),
        (("--redis", "nonsense"), "'nonsense' is not the address of a Redis, such as redis://"),
        (("--origin", "https://play.example.org/room"), "is not the address of a site, such as"),
        (("--allow-host", "https://play.example.org"), "is not the name of a machine, such as"),
        (("--proxy", "proxy.example.org"), "is no address of a machine or a network, such as"),
        (("--socket", "/x"), "--port and --socket say the same: one is enough"),
        (("--workers", "2"), "several --workers share their games by --database postgresql"),
        (
            ("--workers", "2", "--database", "postgresql+asyncpg://db/games"),
            "several --workers share their games by --database postgresql",
        ),
    ],
)
def test_what_cannot_be_served_is_one_clear_line(
    run: Run, options: tuple[str, ...], message: str
) -> None:
    result = run("serve", "--port", "0", *options)
    assert result.code in (1, 2)
    assert len(result.error_lines) == 1
    assert message in result.err


@pytest.mark.parametrize(("workers", "port"), [("1", "9100"), ("3", "9102")])
def test_metrics_need_a_port_of_their_own(run: Run, workers: str, port: str) -> None:
    shared = ("--database", "postgresql+asyncpg://db/games", "--redis", "redis://here")
    metrics = ("--metrics-port", "9100", "--workers", workers)
    refused = run("serve", "--port", port, *metrics, *shared)
    assert refused.code == 2
    assert len(refused.error_lines) == 1
    assert f"--port and --metrics-port cannot both be {port}: " in refused.err


def test_several_workers_do_not_mix_their_metrics(run: Run, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("s3cret\n")
    shared = ("--database", "postgresql+asyncpg://db/games", "--redis", "redis://here")
    refused = run("serve", *shared, "--workers", "2", "--metrics-token-file", str(token))
    assert refused.code == 2
    assert "each of several --workers has metrics of its own" in refused.err


def test_a_socket_cannot_be_opened_in_a_browser(run: Run, tmp_path: Path) -> None:
    refused = run("serve", "--socket", str(tmp_path / "x.sock"), "--open")
    assert "--open needs an address, which a --socket has not" in refused.err


def test_a_system_without_unix_sockets_is_told_so(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(socket, "AF_UNIX")
    refused = run("serve", "--socket", "x.sock")
    assert "--socket and --workers need a system that has Unix sockets" in refused.err


def test_what_is_given_first_decides_whether_a_socket_or_an_address_is_served(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridlock.web.server.serve", lambda _, listener, ready: ready())
    monkeypatch.setenv("GRIDLOCK_SOCKET", str(tmp_path / "x.sock"))
    database = ("--database", str(tmp_path / "web.db"))
    assert f"open at unix:{tmp_path / 'x.sock'} " in run("serve", *database).out
    assert "open at http://127.0.0.1:" in run("serve", "--port", "0", *database).out


def test_a_file_that_is_no_database_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann, this is no database. " * 100)
    result = run("serve", "--port", "0", "--database", str(file))
    assert "file is not a database" in result.err


def test_a_port_that_is_taken_is_named(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = run("serve", "--port", port)
    assert f"cannot serve at 127.0.0.1 port {port}: Address already in use" in result.err


def test_one_file_has_one_server(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "web.db"
    with FileLock(f"{database}.lock"):
        result = run("serve", "--port", "0", "--database", str(database))
    assert f"another gridlock has opened '{database}': stop it first" in result.err


def test_without_the_packages_of_the_web_app_it_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "find_spec", lambda _: None)
    for command in (("serve",), ("db", "upgrade")):
        assert "pip install 'gridlock-games[web]'" in run(*command).err


def test_without_the_packages_for_several_processes_it_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib.util import find_spec as is_there

    missing = {"asyncpg", "redis"}
    monkeypatch.setattr(
        database_module, "find_spec", lambda name: None if name in missing else is_there(name)
    )
    for options in (("--redis", "redis://here"), ("--database", "postgresql+asyncpg://here/x")):
        assert "pip install 'gridlock-games[shared]'" in run("serve", *options).err


@pytest.mark.parametrize(
    ("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost"), ("::1", "[::1]")]
)
def test_the_address_that_is_printed_can_be_opened(
    run: Run, monkeypatch: pytest.MonkeyPatch, host: str, shown: str
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)

    def serve_once(_: object, listener: socket.socket, ready: object) -> None:
        listener.close()
        assert callable(ready)
        ready()

    monkeypatch.setattr("gridlock.web.server.serve", serve_once)
    port = free_port()
    result = run("serve", "--host", host, "--port", str(port), "--open")
    assert f"GridLock is open at http://{shown}:{port}/ " in result.out
    assert opened == [f"http://{shown}:{port}/"]
