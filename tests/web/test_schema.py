"""What the server answers is what its OpenAPI document says, whatever it is asked."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from gridlock.puzzles.collection import THEMES
from gridlock.rulebooks import catalogue
from tests.conftest import examples
from tests.web.services import Json, Server, bearer, join_room, make_room

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OPERATIONS = [
    "GET /api/games",
    "GET /api/lessons/{game}",
    "GET /api/start",
    "GET /api/analysis",
    "GET /api/analysis/stream",
    "GET /api/record",
    "POST /api/rooms",
    "GET /api/rooms/{room_id}",
    "POST /api/rooms/{room_id}/join",
    "POST /api/rooms/{room_id}/actions",
    "POST /api/rooms/{room_id}/hint",
    "GET /api/rooms/{room_id}/record",
    "GET /api/rooms/{room_id}/review",
    "GET /api/rooms/{room_id}/review/stream",
    "POST /api/levels",
    "GET /api/puzzles",
    "GET /api/daily",
    "POST /api/puzzles/next",
    "GET /api/puzzles/{puzzle_id}",
    "POST /api/puzzles/{puzzle_id}/tries",
    "GET /api/puzzles/{puzzle_id}/solution",
    "GET /api/puzzles/{puzzle_id}/share",
    "POST /api/puzzles/{puzzle_id}/rating",
    "GET /api/mistakes",
    "POST /api/mistakes/tries",
    "GET /api/mistakes/solution",
]
NOTHING_TO_GET_WRONG = [
    "GET /api/games",
    "GET /api/lessons/{game}",
    "GET /api/puzzles",
    "GET /api/rooms/{room_id}",
    "POST /api/rooms/{room_id}/hint",
]
LONGEST_ADDRESS = 4000  # characters; far longer ones are turned away before the app sees them
PATIENCE = 60  # seconds

bounded = settings(
    examples(50),
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class Served(NamedTuple):
    """A server, its document, and rooms of every kind with the tokens of their seats."""

    server: Server
    document: schemathesis.BaseSchema
    rooms: dict[str, Json]
    tokens: list[str]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("schema")
    database = ("--database", str(folder / "web.db"))
    with Server(folder / "log", *database, "--no-limits") as server:
        rooms, tokens = asyncio.run(furnish(server))
        document = schemathesis.openapi.from_url(f"{server.url}/schema")
        yield Served(server, document, rooms, tokens)


async def furnish(server: Server) -> tuple[dict[str, Json], list[str]]:
    """Make rooms of every kind; return their states and all tokens."""
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
        waiting = await make_room(client, opponent="friend")
        series = {"rounds": 3, "clock": {"base": 3600, "increment": 5}}
        playing = await make_room(client, opponent="friend", game="race", **series)
        joined = await join_room(client, playing)
        finished = await make_room(client, opponent="self", game="trail", size="2x2")
        against = await make_room(client, opponent="computer", level=1, first="2")
        made = {"waiting": waiting, "playing": playing, "finished": finished, "computer": against}
        act = {"id": "end", "ply": 0, "do": "resign"}
        path = f"/api/rooms/{finished['state']['room']}/actions"
        await client.post(path, json=act, headers=bearer(finished["token"]))
    rooms = {name: answer["state"] for name, answer in made.items()}
    return rooms, [joined["token"], *(answer["token"] for answer in made.values())]


def test_the_document_describes_every_operation(served: Served) -> None:
    paths = served.document.raw_schema["paths"]
    found = {f"{method.upper()} {path}" for path, item in paths.items() for method in item}
    assert found == set(OPERATIONS)


@pytest.mark.long
def test_the_least_and_the_most_of_everything_is_answered_as_documented(
    served: Served, tmp_path: Path
) -> None:
    names = ",".join(check.__name__ for check in CHECKS)
    program = [sys.executable, "-m", "schemathesis.cli", "run", f"{served.server.url}/schema"]
    limits = [
        "--seed",
        "1",
        "--phases",
        "examples,coverage",
        "--checks",
        names,
        "--continue-on-failure",
    ]
    done = subprocess.run(
        [*program, *limits, "--warnings", "off"], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("operation", "mode"),
    [
        pytest.param(
            operation,
            mode,
            id=f"{operation} {mode.value}",
        )
        for operation in OPERATIONS
        for mode in GenerationMode
        if mode is not GenerationMode.NEGATIVE or operation not in NOTHING_TO_GET_WRONG
    ],
)
def test_what_is_asked_at_random_is_answered_as_documented(
    served: Served, operation: str, mode: GenerationMode
) -> None:
    method, path = operation.split()

    @bounded
    @given(case=served.document[path][method].as_strategy(generation_mode=mode))
    def check(case: schemathesis.Case[Any]) -> None:
        assume(len(str(case.query)) < LONGEST_ADDRESS)
        case.call_and_validate(checks=CHECKS, timeout=PATIENCE)

    check()


CELLS = st.one_of(
    st.tuples(st.integers(-1, 5), st.integers(-1, 5)).map(lambda cell: f"{cell[0]},{cell[1]}"),
    st.sampled_from(["", "1", "a1", "1,1,1", "٣,٣", "1,1\n", "9" * 20]),
)
GAMES = st.sampled_from([*catalogue.RULEBOOKS, "chess", ""])
SIZES = st.one_of(
    st.none(),
    st.sampled_from(["2x2", "3x3", "4x4", "1x1", "0x3", "-1x3", "3", "x", "٣x٣", "9999x9999"]),
    st.just("9" * 10),
)
ACTS = st.fixed_dictionaries(
    {
        "id": st.text(min_size=1, max_size=64),
        "ply": st.integers(0, 4),
        "do": st.sampled_from(["play", "resign", "undo", "rematch", "next", "decline"]),
        "cell": st.none() | CELLS,
    }
)
NAMES = st.text(max_size=30) | st.sampled_from(["computer", "computer:3", "<b>", "1"])
POSITIONS = st.sampled_from(
    ["... ... ... 1 -", ".../.../... 1 -", "1../.../... 2 -", "", "1", "./. 1", "1.2/#../... 1 2,2"]
)
MOVES = st.lists(CELLS, max_size=3).map(" ".join)
NEW_ROOMS = st.fixed_dictionaries(
    {"game": GAMES},
    optional={
        "size": SIZES,
        "opponent": st.sampled_from(["computer", "friend", "self"]),
        "level": st.integers(1, 3),
        "name": NAMES,
        "first": st.sampled_from(["1", "2", "toss"]),
        "clock": st.none() | st.fixed_dictionaries({"base": st.integers(1, 86_400)}),
        "rounds": st.none() | st.integers(1, 9),
        "target": st.none() | st.integers(1, 9),
        "score": st.sampled_from(["wins", "cells"]),
        "starter": st.sampled_from(["alternate", "same", "toss"]),
        "position": POSITIONS,
        "moves": MOVES,
        "seat": st.sampled_from(["1", "2", "toss"]),
    },
)
QUESTIONS = st.fixed_dictionaries(
    {"game": GAMES},
    optional={
        "size": st.sampled_from(["2x2", "3x3", "3x2", "", "x", "9999999999x3", "9" * 5000 + "x1"]),
        "first": st.sampled_from(["1", "2"]),
        "moves": MOVES,
        "position": POSITIONS,
    },
)
JOININGS = st.fixed_dictionaries({"invite": st.text(min_size=1, max_size=9), "name": NAMES})
NUMBERS = st.fixed_dictionaries({}, optional={"number": st.integers(1, 4)})


PUZZLES = ["duel-1", "race-1", "duel-0", "nothing"]
FOUND = st.lists(CELLS, max_size=2)
SOLVERS = st.fixed_dictionaries({}, optional={"found": FOUND, "mistakes": st.integers(0, 9)})
TRIES = st.fixed_dictionaries(
    {"cell": CELLS}, optional={"found": FOUND, "mistakes": st.integers(0, 9)}
)
MISTAKES = st.fixed_dictionaries({"game": GAMES, "position": POSITIONS, "winning": MOVES})
WISHES = st.fixed_dictionaries(
    {},
    optional={
        "game": GAMES,
        "theme": st.sampled_from([*THEMES, "luck", ""]),
        "rating": st.floats(0, 4000),
        "seen": st.lists(st.sampled_from(PUZZLES), max_size=3),
    },
)
RATINGS = st.fixed_dictionaries(
    {
        "rating": st.floats(0, 4000),
        "deviation": st.floats(1, 350),
        "volatility": st.floats(0.001, 1),
    }
)
RESULTS = st.fixed_dictionaries(
    {"solved": st.booleans()}, optional={"rating": RATINGS, "streak": st.integers(0, 99)}
)

NO_QUERY: st.SearchStrategy[Json] = st.just({})
NOTHING: st.SearchStrategy[None] = st.none()


@pytest.mark.parametrize(
    ("operation", "query", "body"),
    [
        ("GET /api/analysis", QUESTIONS, NOTHING),
        ("GET /api/analysis/stream", QUESTIONS, NOTHING),
        ("GET /api/record", QUESTIONS, NOTHING),
        ("POST /api/rooms", NO_QUERY, NEW_ROOMS),
        ("GET /api/rooms/{room_id}", NO_QUERY, NOTHING),
        ("POST /api/rooms/{room_id}/hint", NO_QUERY, NOTHING),
        ("POST /api/rooms/{room_id}/join", NO_QUERY, JOININGS),
        ("GET /api/rooms/{room_id}/record", NUMBERS, NOTHING),
        ("GET /api/rooms/{room_id}/review", NUMBERS, NOTHING),
        ("GET /api/rooms/{room_id}/review/stream", NUMBERS, NOTHING),
        ("POST /api/rooms/{room_id}/actions", NO_QUERY, ACTS),
        ("POST /api/puzzles/next", NO_QUERY, WISHES),
        ("GET /api/puzzles/{puzzle_id}", SOLVERS, NOTHING),
        ("POST /api/puzzles/{puzzle_id}/tries", NO_QUERY, TRIES),
        ("GET /api/puzzles/{puzzle_id}/solution", SOLVERS, NOTHING),
        ("GET /api/puzzles/{puzzle_id}/share", SOLVERS, NOTHING),
        ("POST /api/puzzles/{puzzle_id}/rating", NO_QUERY, RESULTS),
        ("GET /api/mistakes", MISTAKES, NOTHING),
        ("POST /api/mistakes/tries", MISTAKES, TRIES),
        ("GET /api/mistakes/solution", MISTAKES, NOTHING),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_players_ask_is_answered_as_documented(
    served: Served,
    operation: str,
    query: st.SearchStrategy[Json],
    body: st.SearchStrategy[Json | None],
) -> None:
    method, path = operation.split()
    made = served.document[path][method].Case
    rooms = st.sampled_from([*(state["room"] for state in served.rooms.values()), "nowhere"])
    tokens = st.sampled_from([*served.tokens, "forged", "", None])
    puzzles = st.sampled_from(PUZZLES)

    @bounded
    @given(room=rooms, puzzle=puzzles, token=tokens, asked=query, said=body)
    def check(room: str, puzzle: str, token: str | None, asked: Json, said: Json | None) -> None:
        named = {"room_id": room, "puzzle_id": puzzle}
        case = made(
            path_parameters={name: one for name, one in named.items() if f"{{{name}}}" in path},
            query=asked,
            headers=bearer(token),
            body=NOT_SET if said is None else said,
            media_type=None if said is None else "application/json",
        )
        case.call_and_validate(checks=CHECKS, timeout=PATIENCE)

    check()
