"""The level that fits somebody's results: the rule is the one of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest

from gridlock.results import FIRST_LEVEL, fitting_level, propose
from tests.test_results import played
from tests.web.services import check_problem

if TYPE_CHECKING:
    from tests.web.services import Json, Server

RESULTS = ["", "4W", "4W 4W 4W", "4W 4L 4W 4L", "5L 4W 4W 4W", "4L " * 10 + "4W " * 20, "8W " * 5]


def told(text: str) -> list[Json]:
    """Return results such as ``4W 4L``, the oldest first, as the interface takes them."""
    return [{"level": level, "won": is_won} for level, is_won in played(text)]


def test_levels_are_proposed_as_everywhere(server: Server) -> None:
    asked = {"games": [told(text) for text in RESULTS]}
    answer = httpx.post(f"{server.url}/api/levels", json=asked)
    assert answer.status_code == 200
    found = [(one["level"], one["text"]) for one in answer.json()]
    every = [played(text) for text in RESULTS]
    assert found == [(fitting_level(one), str(propose(one) or "")) for one in every]
    assert found[0] == (FIRST_LEVEL, "")
    assert found[2] == (5, "You won 3 of the last 3 games at level 4: try level 5.")


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"games": [[{"level": 9, "won": True}]]},
        {"games": [[{"level": 3, "won": "yes"}]]},
        {"games": [[{"level": 3, "won": True, "name": "Ann"}]]},
        {"games": [told("3W " * 31)]},
        {"games": [[]] * 51},
    ],
    ids=["nothing", "level", "won", "more", "results", "games"],
)
def test_what_makes_no_sense_is_refused(server: Server, asked: Json) -> None:
    check_problem(httpx.post(f"{server.url}/api/levels", json=asked), 400, "invalid")
