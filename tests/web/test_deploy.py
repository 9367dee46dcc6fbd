"""What operators are given to start from works: the examples are run, not only read."""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from tests.web.proxies import run_caddy, run_nginx
from tests.web.services import PATIENCE, Live, Server, free_port, join_room, make_room, until

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from tests.web.services import Service

    RunProxy = Callable[[Path, Sequence[int]], AbstractContextManager[Service]]


ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy" / "gridlock@.service"


@pytest.mark.parametrize("run_proxy", [run_nginx, run_caddy])
def test_friends_play_through_the_web_server_of_an_example(
    run_proxy: RunProxy, tmp_path: Path
) -> None:
    """One of its two processes is away, and a visitor tells lies about their address."""
    ports = (free_port(), free_port())
    with run_proxy(tmp_path, ports) as proxy:
        context = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
        options = (
            *("--port", str(ports[1]), "--database", str(tmp_path / "web.db"), "--log", "info"),
            *("--proxy", "127.0.0.1", "--origin", proxy.url),
        )
        with Server(tmp_path / "server.log", *options) as server:
            asyncio.run(_play(proxy.url, context))
            entries = [json.loads(line) for line in server.log.read_text().splitlines()]
    asked = [entry for entry in entries if entry["message"] == "request"]
    assert {entry["path"] for entry in asked} >= {"/", "/api/rooms", "/api/analysis/stream"}
    assert {entry["address"] for entry in asked} == {"127.0.0.1"}


async def _play(url: str, context: ssl.SSLContext) -> None:
    liar = {"X-Forwarded-For": "198.51.100.7"}
    async with httpx.AsyncClient(base_url=url, verify=context, headers=liar) as client:

        async def is_open() -> bool:
            return (await client.get("/")).status_code == 200

        await until(is_open)
        made = await make_room(client, opponent="friend")
        joined = await join_room(client, made)
        question = {"game": "duel", "size": "3x3"}
        async with client.stream("GET", "/api/analysis/stream", params=question) as answer:
            reports = [json.loads(line) async for line in answer.aiter_lines()]
        assert reports[-1]["complete"]
    room = made["state"]["room"]
    address = f"{url.replace('http', 'ws', 1)}/api/rooms/{room}/live"

    def come() -> connect:
        return connect(address, additional_headers=liar, origin=Origin(url), ssl=context)

    async with come() as one, come() as two:
        ann, bob = Live(one), Live(two)
        await ann.hello(made["token"])
        await bob.hello(joined["token"])
        await ann.play(0, "2,2")
        assert (await bob.hear_event("played"))["cell"] == "2,2"


@pytest.mark.long
def test_the_measurement_of_a_server_that_runs_finds_nothing_lost(tmp_path: Path) -> None:
    pytest.importorskip("uvloop")
    crowd = "--games 3 --watchers 1 --computers 1 --level 1 --analysts 1 --seconds 3"
    options = ("--database", str(tmp_path / "web.db"), "--no-limits")
    with Server(tmp_path / "log", *options) as server:
        measured = subprocess.run(
            [sys.executable, "-m", "benchmarks.load", "--url", server.url, *crowd.split()],
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
            cwd=ROOT,
        )
    assert measured.returncode == 0, measured.stderr
    assert measured.stdout.startswith("live: 3 games, 1 watchers each, 1 against level 1, 1 ana")
    assert "0 doubled, 0 told again, 0 gaps" in measured.stdout
    assert "0 lost, 0 doubled, 0 reordered or refused" in measured.stdout
    assert "analyses: " in measured.stdout


def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: apt-get install systemd")
    text = UNIT.read_text()
    program = "/opt/gridlock/bin/gridlock"  # which is not installed here
    assert program in text
    (tmp_path / UNIT.name).write_text(text.replace(program, sys.executable))
    unit = tmp_path / UNIT.name.replace("@", "@8001")
    unit.symlink_to(UNIT.name)
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", unit],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (verified.returncode, verified.stderr) == (0, "")
