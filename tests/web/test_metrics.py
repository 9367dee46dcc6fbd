"""Metrics: what is counted, who may see it, and that the documents name all of it."""

from __future__ import annotations

import asyncio
import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from websockets.asyncio.client import connect

from gridlock.errors import StoreError
from gridlock.web.metrics import Metrics
from gridlock.web.room import RefusedError
from tests.web.services import (
    Server,
    asking,
    bearer,
    check_problem,
    free_port,
    join_room,
    live,
    make_room,
    until,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = "a long and random token"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with metrics behind a token, and at a port of their own."""
    folder = tmp_path_factory.mktemp("metrics")
    (folder / "token").write_text(f"{TOKEN}\n")
    options = ("--metrics-token-file", str(folder / "token"), "--metrics-port", "0")
    with Server(
        folder / "log", "--database", str(folder / "web.db"), "--log", "info", *options
    ) as server:
        yield server


def samples(text: str) -> dict[tuple[str, ...], float]:
    """Return every sample by its name and the values of its labels, in the order of their names."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def scrape(client: httpx.AsyncClient) -> dict[tuple[str, ...], float]:
    answer = await client.get("/metrics", headers=bearer(TOKEN))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return samples(answer.text)


def test_metrics_count_what_happens(served: Server) -> None:
    async def scenario() -> None:
        async with asking(served) as client:
            before = await scrape(client)
            made = await make_room(client, opponent="friend")
            joined = await join_room(client, made)
            room, seat = made["state"]["room"], bearer(made["token"])
            async with live(served, room, joined["token"]) as two:
                act = {"id": "a", "ply": 0, "do": "play", "cell": "2,2"}
                for _ in range(2):
                    await client.post(f"/api/rooms/{room}/actions", json=act, headers=seat)
                await two.hear_event("played")
                await two.act("late", 0, "play", "1,1")
                await two.hear("refused")
                during = await scrape(client)
            async with connect(served.live("nothing")) as nowhere:
                await nowhere.wait_closed()
            await client.get("/api/rooms/nothing")
            await client.get(f"/some/{room}")

            async def has_closed() -> bool:
                return (await scrape(client))[("gridlock_connections",)] == 0

            await until(has_closed)
            after = await scrape(client)
        grown = {key: value - before.get(key, 0) for key, value in after.items()}
        assert during[("gridlock_connections",)] == 1
        assert after[("gridlock_rooms",)] == before[("gridlock_rooms",)] + 1
        for outcome, count in {"done": 1, "repeated": 1, "refused": 1, "failed": 0}.items():
            assert grown["gridlock_actions_total", outcome] == count
        assert grown[("gridlock_action_seconds_count",)] == 1
        assert grown[("gridlock_events_total",)] == 3  # joined, begun, played
        assert grown[("gridlock_commit_seconds_count",)] >= 3
        assert grown["gridlock_refusals_total", "stale", "live"] == 1
        assert grown["gridlock_refusals_total", "room", "404"] == 1
        assert grown["gridlock_refusals_total", "not-found", "404"] == 1
        assert grown[("gridlock_connections_opened_total",)] == 2
        assert grown["gridlock_connections_closed_total", "4404"] == 1
        route = "/api/rooms/{room_id}/actions"
        assert grown["gridlock_requests_total", "POST", route, "200"] == 2
        assert grown["gridlock_request_seconds_count", route] == 2
        assert grown["gridlock_requests_total", "GET", "none", "404"] == 1
        assert after[("gridlock_database_up",)] == 1
        assert after[("process_resident_memory_bytes",)] > 0
        assert not [key for key in after if room in str(key)]

    asyncio.run(scenario())


def test_a_search_is_counted_by_its_kind(served: Server) -> None:
    async def scenario() -> None:
        async with asking(served) as client:
            before = await scrape(client)
            await client.get("/api/analysis", params={"game": "trail", "size": "2x2"})
            made = await make_room(client, opponent="computer", size="2x2", level=8)
            path = f"/api/rooms/{made['state']['room']}/hint"
            await client.post(path, headers=bearer(made["token"]))
            after = await scrape(client)
        for kind, count in {"analysis": 1, "hint": 1, "review": 0, "turn": 0}.items():
            for name in ("gridlock_search_seconds_count", "gridlock_search_wait_seconds_count"):
                assert after[name, kind] - before[name, kind] == count
            assert after["gridlock_searches_waiting", kind] == 0
            assert after["gridlock_searches_running", kind] == 0

    asyncio.run(scenario())


@pytest.mark.parametrize("shown", [None, "wrong", TOKEN + "x", TOKEN[:-1], "é"])
def test_who_does_not_show_the_token_is_refused(served: Server, shown: str | None) -> None:
    headers = {} if shown is None else {"Authorization": f"Bearer {shown}".encode()}
    answer = httpx.get(f"{served.url}/metrics", headers=headers)  # type: ignore[arg-type]
    check_problem(answer, 401, "unauthorized")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_whoever_shows_the_token_has_no_limits_and_needs_no_name(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        async with asking(server) as client:
            for _ in range(5):
                headers = {**bearer(TOKEN), "Host": "gridlock.monitoring"}
                assert (await client.get("/metrics", headers=headers)).status_code == 200
            for _ in range(2):
                check_problem(await client.get("/metrics"), 401, "unauthorized")
            check_problem(await client.get("/metrics"), 429, "too-many-requests")
            assert (await client.get("/metrics", headers=bearer(TOKEN))).status_code == 200

    (tmp_path / "token").write_text(TOKEN)
    few = ("--limits-requests-burst", "2", "--limits-requests-per-second", "0")
    token = ("--metrics-token-file", str(tmp_path / "token"))
    with Server(tmp_path / "log", "--database", str(tmp_path / "web.db"), *token, *few) as server:
        asyncio.run(scenario(server))


def test_metrics_have_a_port_of_their_own(served: Server) -> None:
    [port] = re.findall(r'"metrics are served".*"port": (\d+)', served.log.read_text())
    answer = httpx.get(f"http://127.0.0.1:{port}/metrics")
    assert answer.status_code == 200
    assert samples(answer.text)[("gridlock_database_up",)] == 1


def test_metrics_are_off_unless_they_are_asked_for(server: Server) -> None:
    answer = httpx.get(f"{server.url}/metrics", headers=bearer(TOKEN))
    check_problem(answer, 404, "not-found")


def test_a_port_that_is_taken_and_an_empty_token_are_one_line(tmp_path: Path) -> None:
    port = free_port()
    stop = Metrics().listen("127.0.0.1", port)
    try:
        with pytest.raises(StoreError, match="cannot serve metrics at 127.0.0.1 port"):
            Metrics().listen("127.0.0.1", port)
        database = ("--database", str(tmp_path / "web.db"))
        with pytest.raises(RuntimeError, match=f"cannot serve metrics at 127.0.0.1 port {port}"):
            Server(tmp_path / "log", *database, "--metrics-port", str(port))
    finally:
        stop()
    assert len((tmp_path / "log").read_text().splitlines()) == 1
    (tmp_path / "token").write_text("\n")
    with pytest.raises(RuntimeError, match="token' is empty"):
        Server(tmp_path / "other", "--metrics-token-file", str(tmp_path / "token"))


async def act(result: bool | Exception) -> bool:
    if isinstance(result, Exception):
        raise result
    return result


def test_several_apps_count_by_themselves() -> None:
    one, two = Metrics(), Metrics(has_redis=True)
    for result in (True, False, RefusedError("turn", "not now"), StoreError("away")):
        with contextlib.suppress(RefusedError, StoreError):
            asyncio.run(one.act(act(result)))
    one.relayed(-0.5)  # two clocks need not agree
    one.failed("write")
    one.closed(3999, was_open=False)
    one.answered("none", "BREW", 400, 0.1)
    found, other = (samples(generate_latest(each.registry).decode()) for each in (one, two))
    for outcome in ("done", "repeated", "refused", "failed"):
        assert found["gridlock_actions_total", outcome] == 1
        assert other["gridlock_actions_total", outcome] == 0
    assert found[("gridlock_relay_seconds_sum",)] == 0
    assert found["gridlock_database_failures_total", "write"] == 1
    assert found["gridlock_connections_closed_total", "other"] == 1
    assert found["gridlock_requests_total", "other", "none", "400"] == 1
    assert ("gridlock_redis_up",) in other
    assert ("gridlock_redis_up",) not in found


def test_the_documents_name_every_metric_with_its_labels_and_no_other() -> None:
    text = (Path(__file__).parents[2] / "docs" / "monitoring.md").read_text()
    documented = dict(re.findall(r"(?m)^\| `(gridlock_\w+)(?:\{([\w, ]+)\})?` \|", text))
    known = {}
    for name, metric in Metrics(has_redis=True).registry._names_to_collectors.items():
        if name.startswith("gridlock_") and not name.endswith(("_bucket", "_count", "_sum")):
            known[name] = ", ".join(getattr(metric, "_labelnames", ()))
    known = {
        name: labels
        for name, labels in known.items()
        if not name.endswith("_created")
        and f"{name}_total" not in known
        and name != "gridlock_build"
    }
    known["gridlock_build_info"] = "version"
    assert documented == known
    used = set(re.findall(r"gridlock_[a-z_]+", text)) - documented.keys()
    assert {name.removesuffix("_bucket").removesuffix("_count") for name in used} <= known.keys()
