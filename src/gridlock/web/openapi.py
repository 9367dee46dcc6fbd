"""The OpenAPI document: who may ask, and an example of everything that is asked and answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from litestar import Router
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.status_codes import HTTP_404_NOT_FOUND

from gridlock.model import Player
from gridlock.web import api
from gridlock.web.clock import ClockTerms
from gridlock.web.event import Act, Deed
from gridlock.web.exchange import Acted, Hint, Joined, Joining, MadeRoom, NewRoom
from gridlock.web.problems import PROBLEM, NoPageError, as_problem
from gridlock.web.room import Room
from gridlock.web.settings import Opponent, Seat, Settings, hashed
from gridlock.web.wire import show_state

if TYPE_CHECKING:
    from litestar import Request, Response

SECURITY = Components(
    security_schemes={
        api.SEAT: SecurityScheme(
            type="http",
            scheme="bearer",
            description="The token that holds a seat of a room, as its maker or its friend got it.",
        )
    }
)
"""How somebody shows that a seat is theirs."""

_JSON = "application/json"
_LINES = "application/x-ndjson"
_TEXT = "text/plain"
_NOW = 1_800_000_000_000  # milliseconds: a day in January 2027
_ROOM = "q3hV0x7eLw2a"
_ANN, _INVITE, _BOB = (f"{name}'s-long-and-random-secret" for name in ("Ann", "invite", "Bob"))


class _Exchange(NamedTuple):
    """What is asked and what is answered to it, as an example."""

    answer: object
    asked: object = None
    media_type: str = _JSON


async def _refuse_other(response: Response[Any]) -> Response[Any]:
    """Say in our own words that there is nothing at an address, where the framework would."""
    if response.status_code == HTTP_404_NOT_FOUND:
        raise NoPageError("there is no such document")
    return response


def make_router() -> Router:
    """Return where the document is served."""
    return Router(
        "/schema", route_handlers=[], include_in_schema=False, after_request=_refuse_other
    )


class Renderer(JsonRenderPlugin):
    """Sends the document, with an example of everything."""

    def __init__(self) -> None:
        super().__init__(path="/")
        self._rendered = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the document; it is always the same."""
        if not self._rendered:
            exchanges = _exchanges()
            for path, item in openapi_schema["paths"].items():
                for method, operation in item.items():
                    _illustrate(operation, exchanges[f"{method.upper()} {path}"])
            self._rendered = super().render(request, openapi_schema)
        return self._rendered


def _illustrate(operation: dict[str, Any], exchange: _Exchange) -> None:
    """Give an operation its examples."""
    if exchange.asked:
        _show(operation["requestBody"]["content"][_JSON], exchange.asked)
    for status, response in operation["responses"].items():
        content = response["content"]
        if PROBLEM in content:
            _show(content[PROBLEM], as_problem(int(status)))
        else:
            _show(content[exchange.media_type], exchange.answer)


def _show(content: dict[str, Any], value: object) -> None:
    content["examples"] = {"example": {"value": msgspec.to_builtins(value)}}


def _exchanges() -> dict[str, _Exchange]:
    """Return an example of each operation that has more to show than its parameters."""
    new = NewRoom("duel", "3x3", Opponent.FRIEND, name="Ann", clock=ClockTerms(300, 3))
    settings = Settings(
        new.game,
        "3x3",
        new.opponent,
        (Seat(new.name, hashed(_ANN)), Seat("")),
        Player.ONE,
        new.clock,
        invite=hashed(_INVITE),
    )
    room = Room(_ROOM, settings)
    made = MadeRoom(_ANN, _INVITE, show_state(room, (Player.ONE,), _NOW))
    for event in room.join(_INVITE, "Bob", _BOB, _NOW):
        room.apply(event)
    joined = Joined(_BOB, show_state(room, (Player.TWO,), _NOW))
    act = Act("8b1d9a52", 0, Deed.PLAY, "2,2", 1)
    for event in room.answer((Player.ONE,), act, _NOW + 4_000):
        room.apply(event)
    acted = Acted(show_state(room, (Player.ONE,), _NOW + 4_000))
    path = "/api/rooms/{room_id}"
    return {
        "POST /api/rooms": _Exchange(made, new),
        f"GET {path}": _Exchange(acted.state),
        f"POST {path}/join": _Exchange(joined, Joining(_INVITE, "Bob")),
        f"POST {path}/actions": _Exchange(acted, act),
        f"POST {path}/hint": _Exchange(_HINT),
        f"GET {path}/record": _Exchange(str(room.match.record), media_type=_TEXT),
        f"GET {path}/review": _Exchange(_REVIEW),
        f"GET {path}/review/stream": _Exchange(_REVIEW, media_type=_LINES),
        "GET /api/analysis": _Exchange(_ANALYSIS),
        "GET /api/analysis/stream": _Exchange(_ANALYSIS, media_type=_LINES),
        "GET /api/games": _Exchange(api.games.fn()),
    }


_HINT = Hint(
    "1,1", "1,1 wins in 3: the cells left can be paired so that every answer has its partner"
)
"""A hint for the first move of trail on 1x3."""

_BOARD: dict[str, Any] = {
    "position": ".. 1 -",
    "rows": 1,
    "columns": 2,
    "cells": "..",
    "mover": 1,
    "phase": "place",
    "task": "take a cell",
    "legal": ["1,1", "1,2"],
    "closed": [],
    "closed_to": "..",
    "goals": [None, None],
    "winner": None,
}

_ANALYSIS: dict[str, Any] = {
    "game": "trail",
    "size": "1x2",
    "first": 1,
    "moves": [],
    "position": ".. 1 -",
    "board": _BOARD,
    "mover": 1,
    "phase": "place",
    "winner": None,
    "value": "loss",
    "distance": 2,
    "limit": None,
    "sentence": "X loses in 2: no cell wins.",
    "unsolved": "",
    "actions": [
        {"cell": "1,1", "value": "loss", "distance": 2, "label": "L2", "line": ["1,1", "1,2"]},
        {"cell": "1,2", "value": "loss", "distance": 2, "label": "L2", "line": ["1,2", "1,1"]},
    ],
    "complete": True,
}
"""What ``/api/analysis?game=trail&size=1x2`` is answered with."""

_REVIEW: dict[str, Any] = {
    "game": "trail",
    "size": "1x2",
    "first": 1,
    "players": ["Ann", "Bob"],
    "result": 2,
    "limit": None,
    "complete": True,
    "actions": [
        {
            "number": 1,
            "turn": 1,
            "player": 1,
            "cell": "1,1",
            "before": "loss",
            "after": "loss",
            "mistake": False,
            "better": [],
            "punishment": None,
            "fault": None,
            "text": None,
        },
        {
            "number": 2,
            "turn": 2,
            "player": 2,
            "cell": "1,2",
            "before": "win",
            "after": "win",
            "mistake": False,
            "better": [],
            "punishment": None,
            "fault": None,
            "text": None,
        },
    ],
    "summary": [
        "X: 1 move, never in a won position.",
        "O: 1 move, in a won position once, never gave it away.",
    ],
}
"""The review of that game's best line."""
