"""The OpenAPI document: its examples are true, and it says who may ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import jsonschema_rs
import pytest

from tests.web.services import Json, bearer, check_problem

if TYPE_CHECKING:
    from tests.web.services import Server

SEATED: dict[str, list[Json]] = {
    "GET /api/rooms/{room_id}": [{}, {"seat": []}],
    "POST /api/rooms/{room_id}/actions": [{"seat": []}],
    "POST /api/rooms/{room_id}/hint": [{"seat": []}],
}


@pytest.fixture(scope="module")
def document(server: Server) -> Json:
    return dict(httpx.get(f"{server.url}/schema").json())


def operations(document: Json) -> dict[str, Json]:
    return {
        f"{method.upper()} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }


def contents(operation: Json) -> list[tuple[str, Json]]:
    """Return every body that an operation takes or gives, and which one it is."""
    bodies = {**operation["responses"]}
    if "requestBody" in operation:
        bodies["request"] = operation["requestBody"]
    return [
        (f"{which} {kind}", content)
        for which, body in bodies.items()
        for kind, content in body.get("content", {}).items()
    ]


def example(content: Json) -> Any:
    (found,) = content["examples"].values()
    return found["value"]


def test_every_body_has_an_example_that_its_schema_allows(document: Json) -> None:
    checked = 0
    for name, operation in operations(document).items():
        for which, content in contents(operation):
            schema = {**content["schema"], "components": document["components"]}
            try:
                jsonschema_rs.validate(schema, example(content))
            except (KeyError, jsonschema_rs.ValidationError) as error:
                pytest.fail(f"{name}, {which}: {error!r}")
            checked += 1
    assert checked > 50


def test_a_seat_is_shown_by_a_bearer_token(document: Json) -> None:
    scheme = document["components"]["securitySchemes"]["seat"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    found = operations(document)
    for name, operation in found.items():
        assert operation.get("security") == SEATED.get(name), name
        headers = [p["name"] for p in operation.get("parameters", []) if p["in"] == "header"]
        assert not headers


def test_the_examples_of_searches_are_what_the_server_answers(
    server: Server, document: Json
) -> None:
    def answer(operation: str) -> Any:
        content = operations(document)[operation]["responses"]["200"]["content"]
        return example(next(iter(content.values())))

    path = "/api/rooms/{room_id}"
    with httpx.Client(base_url=server.url, timeout=30) as client:
        asked = {"game": "trail", "size": "1x2"}
        assert client.get("/api/analysis", params=asked).json() == answer("GET /api/analysis")
        assert client.get("/api/games").json() == answer("GET /api/games")
        made = client.post("/api/rooms", json={"game": "trail", "size": "1x3"}).json()
        hint = f"/api/rooms/{made['state']['room']}/hint"
        found = client.post(hint, headers=bearer(made["token"])).json()
        assert found == answer(f"POST {path}/hint")
        wishes = {"game": "trail", "size": "1x2", "opponent": "friend", "name": "Ann"}
        made = client.post("/api/rooms", json=wishes).json()
        room = f"/api/rooms/{made['state']['room']}"
        joined = client.post(f"{room}/join", json={"invite": made["invite"], "name": "Bob"}).json()
        for ply, (token, cell) in enumerate(((made["token"], "1,1"), (joined["token"], "1,2"))):
            act = {"id": str(ply), "ply": ply, "do": "play", "cell": cell}
            client.post(f"{room}/actions", json=act, headers=bearer(token))
        assert client.get(f"{room}/review").json() == answer(f"GET {path}/review")


@pytest.mark.parametrize(
    ("path", "body", "detail"),
    [
        ("", {"opponent": "x"}, "opponent: 'x' is none of computer, friend, self"),
        ("", {"first": "x"}, "first: 'x' is none of 1, 2, toss"),
        ("", {"score": ""}, "score: '' is none of wins, cells"),
        ("", {"starter": "me"}, "starter: 'me' is none of alternate, same, toss"),
        (
            "/x/actions",
            {"do": "dance"},
            "do: 'dance' is none of play, resign, undo, rematch, agree, decline, next, abort, "
            "claim",
        ),
    ],
)
def test_a_choice_that_is_none_is_answered_with_the_choices(
    server: Server, path: str, body: Json, detail: str
) -> None:
    whole = {"id": "1", "ply": 0, **body} if path else {"game": "duel", **body}
    answer = httpx.post(f"{server.url}/api/rooms{path}", json=whole)
    assert (answer.status_code, answer.json()["detail"]) == (400, detail)
    asked = {"game": "duel", "first": "3"}
    answer = httpx.get(f"{server.url}/api/analysis", params=asked)
    assert answer.json()["detail"] == "first: '3' is none of 1, 2"


@pytest.mark.parametrize("name", ["nothing", "swagger"])
def test_what_is_no_document_is_a_problem_of_ours(server: Server, name: str) -> None:
    answer = httpx.get(f"{server.url}/schema/{name}")
    check_problem(answer, 404, "not-found")
    assert answer.json()["detail"] == "there is no such document"


@pytest.mark.parametrize("path", ["/api/analysis", "/api/analysis/stream"])
def test_a_parameter_that_is_missing_is_named(server: Server, path: str) -> None:
    answer = httpx.get(f"{server.url}{path}", params={"size": "4x4"})
    check_problem(answer, 400, "invalid")
    assert answer.json()["detail"] == "game: this is missing"


def test_every_parameter_has_an_example_that_its_schema_allows(
    server: Server, document: Json
) -> None:
    for operation in operations(document).values():
        for parameter in operation.get("parameters", []):
            schema = {**parameter["schema"], "components": document["components"]}
            jsonschema_rs.validate(schema, parameter["example"])
    parameters = operations(document)["GET /api/analysis"]["parameters"]
    asked = {parameter["name"]: parameter["example"] for parameter in parameters}
    answer = httpx.get(f"{server.url}/api/analysis", params=asked)
    assert (answer.status_code, answer.json()["moves"]) == (200, ["1,1"])


@pytest.mark.parametrize(
    ("operation", "wrong"),
    [
        ("GET /api/analysis", {"params": {"game": "chess"}}),
        ("GET /api/rooms/{room_id}/review", {"params": {"number": 0}}),
        ("POST /api/rooms", {"json": {"game": "chess"}}),
        ("POST /api/rooms/{room_id}/actions", {"json": {"id": "1", "ply": -1, "do": "play"}}),
    ],
)
def test_the_examples_of_bad_requests_are_what_the_server_answers(
    server: Server, document: Json, operation: str, wrong: Json
) -> None:
    method, path = operation.split()
    answer = httpx.request(method, f"{server.url}{path.format(room_id='x')}", **wrong)
    (content,) = operations(document)[operation]["responses"]["400"]["content"].values()
    shown = example(content)
    for name in ("status", "code", "detail"):
        assert answer.json()[name] == shown[name]
