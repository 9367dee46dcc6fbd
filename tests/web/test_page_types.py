"""What the page believes of messages is what the server says of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

import gridlock.web

if TYPE_CHECKING:
    from tests.web.services import Json, Server

TYPES = Path(gridlock.web.__file__).parent / "static" / "script" / "types.js"
ROOM = "/api/rooms/{room_id}"
PUZZLE = "/api/puzzles/{puzzle_id}"
ASKED = {
    "POST /api/rooms": "NewRoom",
    f"POST {ROOM}/join": "Joining",
    f"POST {ROOM}/actions": "Act",
    "POST /api/levels": "LevelQuestion",
    "POST /api/puzzles/next": "PuzzleWishes",
    f"POST {PUZZLE}/tries": "Try",
    f"POST {PUZZLE}/rating": "PuzzleResult",
    "POST /api/mistakes/tries": "Try",
}
ANSWERED = {
    "GET /api/games": "Rulebook[]",
    "GET /api/lessons/{game}": "Lesson",
    "GET /api/start": "Board",
    "GET /api/analysis": "Analysis",
    "POST /api/levels": "FittingLevel[]",
    "POST /api/rooms": "MadeRoom",
    f"GET {ROOM}": "ToldState",
    f"POST {ROOM}/join": "Joined",
    f"POST {ROOM}/hint": "Hint",
    f"GET {ROOM}/review": "Review",
    "GET /api/puzzles": "PuzzleCollection",
    "GET /api/daily": "DailyPuzzle",
    "POST /api/puzzles/next": "Puzzle",
    f"GET {PUZZLE}": "Puzzle",
    f"POST {PUZZLE}/tries": "Tried",
    f"GET {PUZZLE}/solution": "Solution",
    f"GET {PUZZLE}/share": "ShareText",
    f"POST {PUZZLE}/rating": "Rated",
    "GET /api/mistakes": "Puzzle",
    "POST /api/mistakes/tries": "Tried",
    "GET /api/mistakes/solution": "Solution",
}
PROBLEM = "ProblemReport"
MESSAGES = ["ClientMessage", "ServerMessage"]

Shape = dict[str, set[str]]
"""What may stand at each path of a message; the path of an optional field ends in ``?``."""


class Page:
    """The types of the page: those of the first comment of ``types.js``."""

    def __init__(self, script: str) -> None:
        comment = re.sub(r"\n \* ?", "\n", script.partition("*/")[0])
        self.aliases: dict[str, str] = {}
        self.properties: dict[str, dict[str, str]] = {}
        latest = ""
        for tag, type_, name in re.findall(r"@(\w+) \{([^{}]*)\} (\S+)", comment):
            if tag == "property":
                self.properties[latest][name] = type_
            elif type_ == "object":
                latest = name
                self.properties[latest] = {}
            else:
                self.aliases[name] = type_

    def shape(self, type_: str) -> Shape:
        found: Shape = {}
        self._add(found, "", _split(type_, "|"))
        return found

    def _add(self, found: Shape, path: str, alternatives: list[str]) -> None:
        kinds = found.setdefault(path, set())
        for type_ in alternatives:
            if type_ in self.aliases:
                self._add(found, path, _split(self.aliases[type_], "|"))
            elif type_ in self.properties:
                kinds.add("object")
                for name, property_ in self.properties[type_].items():
                    field = f"{name[1:-1]}?" if name.startswith("[") else name
                    self._add(found, f"{path}.{field}", _split(property_, "|"))
            elif type_.endswith("[]"):
                kinds.add("array")
                self._add(found, f"{path}[]", [type_.removesuffix("[]")])
            elif type_.startswith("["):
                parts = _split(type_[1:-1], ",")
                kinds.add("array")
                for place, part in enumerate(parts):
                    self._add(found, f"{path}[{place}]", _split(part, "|"))
            else:
                assert type_ in {"string", "number", "boolean", "null"} or type_[0] in '"12', type_
                kinds.add(type_.replace('"', "'"))


def _split(type_: str, separator: str) -> list[str]:
    """Return the parts of a type, but for what stands in brackets."""
    parts = re.split(rf"\s*{re.escape(separator)}\s*(?![^\[]*\])", type_.strip())
    return [part for part in parts if part]


class Document:
    """What the server says: a document with schemas."""

    def __init__(self, document: Json) -> None:
        self.schemas = document["components"]["schemas"]

    def shape(self, schema: Json) -> Shape:
        found: Shape = {}
        self._add(found, "", schema)
        return found

    def _add(self, found: Shape, path: str, schema: Json) -> None:
        kinds = found.setdefault(path, set())
        if "$ref" in schema:
            self._add(found, path, self.schemas[schema["$ref"].rpartition("/")[2]])
        for alternative in [*schema.get("anyOf", ()), *schema.get("oneOf", ())]:
            self._add(found, path, alternative)
        if "enum" in schema or "const" in schema:
            kinds |= {repr(value) for value in schema.get("enum", [schema.get("const")])}
            return
        names = schema.get("type", [])
        for name in [names] if isinstance(names, str) else names:
            kinds.add("number" if name == "integer" else name)
        for name, property_ in schema.get("properties", {}).items():
            field = name if name in schema.get("required", ()) else f"{name}?"
            self._add(found, f"{path}.{field}", property_)
        for place, item in enumerate(schema.get("prefixItems", ())):
            self._add(found, f"{path}[{place}]", item)
        if schema.get("items"):
            self._add(found, f"{path}[]", schema["items"])


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(TYPES.read_text())


@pytest.fixture(scope="module")
def openapi(server: Server) -> Json:
    return dict(httpx.get(f"{server.url}/schema").json())


@pytest.fixture(scope="module")
def asyncapi(server: Server) -> Json:
    return dict(httpx.get(f"{server.url}/schema/asyncapi").json())


def find(document: Json, operation: str) -> Json:
    method, path = operation.split()
    return dict(document["paths"][path][method.lower()])


def schema_of(body: Json) -> Any:
    (content,) = body["content"].values()
    return content["schema"]


@pytest.mark.parametrize("operation", ASKED)
def test_what_the_page_asks_is_what_the_server_takes(
    page: Page, openapi: Json, operation: str
) -> None:
    asked = schema_of(find(openapi, operation)["requestBody"])
    assert page.shape(ASKED[operation]) == Document(openapi).shape(asked)


@pytest.mark.parametrize("operation", ANSWERED)
def test_what_the_page_reads_is_what_the_server_answers(
    page: Page, openapi: Json, operation: str
) -> None:
    responses = find(openapi, operation)["responses"]
    (answer,) = (schema_of(body) for status, body in responses.items() if status.startswith("2"))
    assert page.shape(ANSWERED[operation]) == Document(openapi).shape(answer)
    problem = schema_of(responses["400"])
    assert page.shape(PROBLEM) == Document(openapi).shape(problem)


@pytest.mark.parametrize("kind", MESSAGES)
def test_what_is_said_live_is_what_the_server_says_of_it(
    page: Page, asyncapi: Json, kind: str
) -> None:
    told = Document(asyncapi)
    operation = asyncapi["operations"]["listen" if kind == "ClientMessage" else "tell"]
    names = [message["$ref"].rpartition("/")[2] for message in operation["messages"]]
    payloads = [asyncapi["components"]["messages"][name]["payload"] for name in names]
    messages = [page.shape(name) for name in _split(page.aliases[kind], "|")]
    assert sorted(messages, key=str_of_type) == sorted(
        (told.shape(payload) for payload in payloads), key=str_of_type
    )


def str_of_type(message: Shape) -> str:
    return str(message[".type"])


def test_the_page_has_no_type_that_does_not_travel(page: Page) -> None:
    roots = [*ASKED.values(), *ANSWERED.values(), PROBLEM, *MESSAGES]
    used: set[str] = set()
    waiting = [name for root in roots for name in re.findall(r"[A-Z]\w+", root)]
    while waiting:
        name = waiting.pop()
        used.add(name)
        types = page.properties.get(name, {}).values() or [page.aliases[name]]
        waiting += {found for type_ in types for found in re.findall(r"\b[A-Z]\w+", type_)} - used
    assert used == page.properties.keys() | page.aliases.keys()
