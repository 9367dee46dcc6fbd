"""Errors that nobody foresaw."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

from gridlock.web.problems import HANDLERS, Problem

if TYPE_CHECKING:
    import pytest


def test_a_bug_is_logged_and_answered_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    handle: Any = HANDLERS[Exception]
    request = Mock(method="GET")
    request.url.path = "/api/games"
    with caplog.at_level(logging.ERROR):
        answer = handle(request, ZeroDivisionError("division by zero"))
    assert answer.status_code == 500
    found = answer.content
    assert isinstance(found, Problem)
    assert (found.code, found.title) == ("bug", "Internal Server Error")
    assert "ZeroDivisionError: division by zero" in found.detail
    assert "GET /api/games failed" in caplog.text
    assert caplog.records[0].exc_info
