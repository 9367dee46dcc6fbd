"""How long a stranger waits while others keep the server busy.

It is measured how long a turn of level 1 takes, a 4x4 analysis, the first line of a stream, and
/healthz, which only the event loop answers.

A server is started on loopback, where every address of 127.0.0.0/8 is one's own, so that visitors
come from different ones.  The attackers fill it from one address, and then from several: each has
eight rooms of race 6x6 against level 8, or fourteen analyses of occupation 8x8, or forty streams
about 5,000 moves on 100x100, all the time.  The limits of requests are lifted; what is measured is
how searches are shared out.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from benchmarks.load import Server
from gridlock.grid import cells_of
from gridlock.record import write_moves
from gridlock.rulebooks import catalogue

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

_ROOMS = 8
_ANALYSES = 14
_STREAMS = 40
_MOVES = 5000
_POLL = 0.02  # seconds; an attacker polls ten times less often: this is no flood of requests
_REFUSED = {429, 503}


def visitor(url: str, address: str) -> httpx.AsyncClient:
    """Return somebody who comes from an address."""
    transport = httpx.AsyncHTTPTransport(local_address=address, limits=httpx.Limits())
    return httpx.AsyncClient(base_url=url, transport=transport, timeout=120)


async def make_room(client: httpx.AsyncClient, **wishes: object) -> tuple[str, dict[str, Any]]:
    answer = await client.post("/api/rooms", json={"opponent": "computer", **wishes})
    made = answer.raise_for_status().json()
    return made["token"], made["state"]


async def await_turn(client: httpx.AsyncClient, room: str, poll: float) -> dict[str, Any]:
    """Wait until the person is to move, or the game is over, and return the state."""
    while True:
        state: dict[str, Any] = (await client.get(f"/api/rooms/{room}")).raise_for_status().json()
        view = state["view"]
        if view["status"] != "playing" or view["board"]["mover"] == 1:
            return state
        await asyncio.sleep(poll)


async def play(client: httpx.AsyncClient, token: str, state: dict[str, Any], cell: str) -> None:
    ply = state["view"]["ply"]
    action = {"id": f"{ply}", "ply": ply, "do": "play", "cell": cell}
    path = f"/api/rooms/{state['room']}/actions"
    answer = await client.post(path, json=action, headers={"Authorization": f"Bearer {token}"})
    answer.raise_for_status()


async def play_the_computer(client: httpx.AsyncClient) -> None:
    """Play level 8 for ever."""
    while True:
        token, state = await make_room(client, game="race", size="6x6", level=8, first=2)
        while state["view"]["status"] == "playing":
            state = await await_turn(client, state["room"], 10 * _POLL)
            if legal := state["view"]["board"]["legal"]:
                await play(client, token, state, random.choice(legal))
                state = await await_turn(client, state["room"], 10 * _POLL)


async def ask(client: httpx.AsyncClient) -> None:
    """Ask for ever."""
    while True:
        asked = {"game": "occupation", "size": "8x8"}
        answer = await client.get("/api/analysis", params=asked)
        if answer.status_code in _REFUSED:
            await asyncio.sleep(float(answer.headers["Retry-After"]))


async def ask_about_much(client: httpx.AsyncClient) -> None:
    """Ask for ever about a long game on the largest board."""
    asked = {"game": "occupation", "size": "100x100", "moves": _long_game()}
    while True:
        answer = await client.get("/api/analysis/stream", params=asked)
        if answer.status_code in _REFUSED:
            await asyncio.sleep(float(answer.headers["Retry-After"]))


@lru_cache
def _long_game() -> str:
    board = catalogue.game("occupation", "100x100")
    position = board.start()
    cells: list[int] = []
    while len(cells) < _MOVES:
        cells.append(cells_of(position.legal)[0])
        position = position.play(cells[-1])
    return write_moves(board, cells)


@contextlib.asynccontextmanager
async def under(
    url: str, attack: Callable[[httpx.AsyncClient], Awaitable[None]], each: int, addresses: int
) -> AsyncIterator[None]:
    """Keep an attack up."""
    async with contextlib.AsyncExitStack() as stack:
        attackers = [
            await stack.enter_async_context(visitor(url, f"127.0.1.{number + 1}"))
            for number in range(addresses)
        ]
        tasks = [asyncio.ensure_future(attack(one)) for one in attackers for _ in range(each)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def time_turn(client: httpx.AsyncClient) -> float:
    """Return the seconds that a computer of level 1 takes for its answer."""
    token, state = await make_room(client, game="duel", level=1, clock={"base": 60})
    began = time.perf_counter()
    await play(client, token, state, "3,3")
    await await_turn(client, state["room"], _POLL)
    return time.perf_counter() - began


async def time_analysis(client: httpx.AsyncClient) -> float:
    """Return the seconds that the analysis of a 4x4 board takes."""
    began = time.perf_counter()
    asked = {"game": "trail", "size": "4x4"}
    (await client.get("/api/analysis", params=asked)).raise_for_status()
    return time.perf_counter() - began


async def time_first_line(client: httpx.AsyncClient) -> float:
    """Return the seconds until a stream begins."""
    began = time.perf_counter()
    asked = {"game": "duel", "size": "5x5"}
    async with client.stream("GET", "/api/analysis/stream", params=asked) as answer:
        await anext(answer.raise_for_status().aiter_lines())
    return time.perf_counter() - began


async def time_health(client: httpx.AsyncClient) -> float:
    """Return the seconds until the server says that it is well."""
    began = time.perf_counter()
    (await client.get("/healthz")).raise_for_status()
    return time.perf_counter() - began


_MEASURES = {
    "turn of level 1": time_turn,
    "4x4 analysis": time_analysis,
    "first line": time_first_line,
    "/healthz": time_health,
}


async def probe(url: str, count: int) -> str:
    """Return what a stranger has to wait."""
    texts = []
    async with visitor(url, "127.0.9.9") as client:
        for name, measure in _MEASURES.items():
            waits = []
            for _ in range(count):
                waits.append(await measure(client))
                await asyncio.sleep(random.random())
            average = sum(waits) / count
            texts.append(f"{name} {average:.2f} s on average, {max(waits):.2f} s at most")
    return "; ".join(texts)


async def measure(count: int, warm_up: float, addresses: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "games.db")
        try:
            print(f"nobody else: {await probe(server.url, count)}", flush=True)
            for number in addresses:
                for name, attack, each in (
                    ("rooms", play_the_computer, _ROOMS),
                    ("analyses", ask, _ANALYSES),
                    ("large streams", ask_about_much, _STREAMS),
                ):
                    async with under(server.url, attack, each, number):
                        await asyncio.sleep(warm_up)
                        waits = await probe(server.url, count)
                    print(f"{number} x {each} {name}: {waits}", flush=True)
        finally:
            server.stop()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5, help="of each question")
    parser.add_argument("--warm-up", type=float, default=5, help="seconds")
    parser.add_argument("--addresses", type=int, nargs="+", default=[1, 4, 8])
    options = parser.parse_args()
    asyncio.run(measure(options.count, options.warm_up, options.addresses))


if __name__ == "__main__":
    main()
