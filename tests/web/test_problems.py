"""Errors: the codes that are promised, and those that nobody foresaw."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from gridlock.web.problems import HANDLERS, PROBLEM, STATUSES, as_problem, describe

CODES = {
    400: ("Bad Request", "bad-request"),
    401: ("Unauthorized", "unauthorized"),
    403: ("Forbidden", "forbidden"),
    404: ("Not Found", "not-found"),
    405: ("Method Not Allowed", "method-not-allowed"),
    409: ("Conflict", "conflict"),
    413: ("Content Too Large", "request-entity-too-large"),
    415: ("Unsupported Media Type", "unsupported-media-type"),
    421: ("Misdirected Request", "host"),
    429: ("Too Many Requests", "too-many-requests"),
    500: ("Internal Server Error", "bug"),
    503: ("Service Unavailable", "unavailable"),
}
"""What programs rely on, whichever Python the server runs."""


def test_titles_and_codes_are_our_own_and_stay() -> None:
    assert {status: (kind.title, kind.code) for status, kind in STATUSES.items()} == CODES


def test_a_bug_is_logged_and_shows_nothing_of_the_server(caplog: pytest.LogCaptureFixture) -> None:
    handle: Any = HANDLERS[Exception]
    request = Mock(method="GET", headers={}, scope={})
    request.url.path = "/api/games"
    with caplog.at_level(logging.ERROR):
        answer = handle(request, FileNotFoundError("/home/somebody/web.db"))
    assert answer.status_code == 500
    found = msgspec.json.decode(answer.content)
    assert (found["code"], found["title"]) == ("bug", "Internal Server Error")
    assert "somebody" not in str(found)
    assert "GET /api/games failed" in caplog.text
    assert caplog.records[0].exc_info


@pytest.mark.parametrize(
    ("path", "accept", "is_page"),
    [
        ("/foo", "text/html,application/xhtml+xml,*/*;q=0.8", True),
        ("/foo", "*/*", False),
        ("/foo", "", False),
        ("/foo", "application/json", False),
        ("/api/foo", "text/html", False),
        ("/schema/foo", "text/html", False),
        ("/apiary", "text/html", True),
    ],
)
def test_people_get_a_page_and_programs_json(path: str, accept: str, is_page: bool) -> None:
    answer = describe(as_problem(404, detail="<b> & so on"), path=path, accept=accept)
    assert answer.headers["Content-Type"] == ("text/html; charset=utf-8" if is_page else PROBLEM)
    text = answer.body.decode()
    if is_page:
        assert "<h1>Nothing is here</h1>" in text
        assert "<p>&lt;b&gt; &amp; so on.</p>" in text
        assert '<a class="button primary" href="/">' in text
    else:
        assert '"detail":"<b> & so on"' in text


@pytest.mark.parametrize(("status", "passes"), [(404, False), (429, True), (503, True)])
def test_what_may_pass_can_be_tried_again(status: int, passes: bool) -> None:
    page = describe(as_problem(status), path="/foo", accept="text/html").body.decode()
    assert ('<a class="button" href="" hidden>Try again</a>' not in page) is passes
    assert ">Try again</a>" in page


def test_every_code_is_in_the_documents() -> None:
    text = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
    for kind in STATUSES.values():
        assert f"`{kind.code}`" in text, kind.code
