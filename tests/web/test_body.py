"""The bodies of requests: whatever is wrong with one is a problem that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest

from tests.web.services import Server, check_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

PATHS = ["/api/rooms", "/api/rooms/x/join", "/api/rooms/x/actions"]


def post(server: Server, path: str, content: bytes | Iterator[bytes]) -> httpx.Response:
    headers = {"Content-Type": "application/json"}
    return httpx.post(f"{server.url}{path}", content=content, headers=headers)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("content", [b"[" * 50_000, b'{"game":' * 8_000], ids=["list", "object"])
def test_what_is_nested_too_deeply_is_a_bad_request(
    server: Server, path: str, content: bytes
) -> None:
    answer = post(server, path, content)
    check_problem(answer, 400, "bad-request")
    assert answer.json()["detail"] == "this is nested too deeply"


@pytest.mark.parametrize("path", PATHS)
def test_what_is_not_json_is_a_bad_request(server: Server, path: str) -> None:
    answer = post(server, path, b"{")
    check_problem(answer, 400, "bad-request")
    assert answer.json()["detail"] == "this is not JSON: Input data was truncated"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("content", [b"", iter([])], ids=["of no length", "in no chunks"])
def test_an_empty_body_is_missed(
    server: Server, path: str, content: bytes | Iterator[bytes]
) -> None:
    answer = post(server, path, content)
    check_problem(answer, 400, "invalid")
    assert answer.json()["detail"] == "the request has no body: send a JSON object"
