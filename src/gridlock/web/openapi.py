"""The OpenAPI document: who may ask, and an example of everything that is asked and answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from litestar import Router
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.status_codes import HTTP_404_NOT_FOUND

from gridlock.record import record_of
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.web import api, levels, puzzle_view
from gridlock.web.example import DAY, PUZZLE, ROOM, mend_example, play_example, solve_example
from gridlock.web.exchange import Hint
from gridlock.web.problems import BAD_REQUEST, PROBLEM, NoPageError, as_problem
from gridlock.web.study import read_question

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
_UNKNOWN_GAME = f"there is no game 'chess': choose {', '.join(RULEBOOKS)}"
_TEXT = "text/plain"


class _Exchange(NamedTuple):
    """What is asked and what is answered to it, as an example."""

    answer: object
    asked: object = None
    media_type: str = _JSON
    fault: tuple[str, str] = ("", "")
    """The code and the text of what may be wrong with a request, where it has much to it."""


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
            parameters = {**_PARAMETERS, "found": solve_example().found}
            for path, item in openapi_schema["paths"].items():
                for method, operation in item.items():
                    _illustrate(operation, exchanges[f"{method.upper()} {path}"], parameters)
            self._rendered = super().render(request, openapi_schema)
        return self._rendered


def _illustrate(operation: dict[str, Any], exchange: _Exchange, parameters: dict[str, Any]) -> None:
    """Give an operation its examples."""
    for parameter in operation.get("parameters", ()):
        parameter["example"] = parameters[parameter["name"]]
    if exchange.asked:
        _show(operation["requestBody"]["content"][_JSON], exchange.asked)
    for status, response in operation["responses"].items():
        content = response["content"]
        if PROBLEM in content:
            fault = exchange.fault if int(status) == BAD_REQUEST else ()
            _show(content[PROBLEM], as_problem(int(status), *fault))
        else:
            _show(content[exchange.media_type], exchange.answer)


def _show(content: dict[str, Any], value: object) -> None:
    content["examples"] = {"example": {"value": msgspec.to_builtins(value)}}


def _exchanges() -> dict[str, _Exchange]:
    """Return an example of each operation that has more to show than its parameters."""
    example = play_example()
    path = "/api/rooms/{room_id}"
    reviewed = _Exchange(_REVIEW, fault=("invalid", "number: Expected `int` >= 1"))
    analysed = _Exchange(_ANALYSIS, fault=("unknown-game", _UNKNOWN_GAME))
    return {
        "POST /api/rooms": _Exchange(
            example.made, example.new, fault=("unknown-game", _UNKNOWN_GAME)
        ),
        f"GET {path}": _Exchange(example.acted.state),
        f"POST {path}/join": _Exchange(
            example.joined, example.joining, fault=("bad-request", "this is nested too deeply")
        ),
        f"POST {path}/actions": _Exchange(
            example.acted, example.act, fault=("invalid", "ply: Expected `int` >= 0")
        ),
        f"POST {path}/hint": _Exchange(_HINT),
        f"GET {path}/record": reviewed._replace(
            answer=str(example.room.match.record), media_type=_TEXT
        ),
        f"GET {path}/review": reviewed,
        f"GET {path}/review/stream": reviewed._replace(media_type=_LINES),
        "GET /api/analysis": analysed,
        "GET /api/analysis/stream": analysed._replace(media_type=_LINES),
        "GET /api/record": analysed._replace(answer=_RECORD, media_type=_TEXT),
        "GET /api/games": _Exchange(api.games.fn()),
        "GET /api/lessons/{game}": _Exchange(api.show_lesson.fn("trail")),
        "GET /api/start": _Exchange(_BOARD),
        "POST /api/levels": _Exchange(
            [levels.fit(_RESULTS)],
            levels.LevelQuestion([_RESULTS]),
            fault=("invalid", "games[0][0].level: Expected `int` <= 8"),
        ),
        **_puzzle_exchanges(),
    }


def _puzzle_exchanges() -> dict[str, _Exchange]:
    example, mistake = solve_example(), mend_example()
    path = "/api/puzzles/{puzzle_id}"
    wanted = puzzle_view.NextQuestion(game="duel", rating=1500.0, seen=[PUZZLE])
    unread = ("invalid", "mistakes: Expected `int` >= 0")
    return {
        "GET /api/puzzles": _Exchange(puzzle_view.show_collection()),
        "GET /api/daily": _Exchange(puzzle_view.DailyPuzzle(DAY, example.puzzle)),
        "POST /api/puzzles/next": _Exchange(
            example.puzzle, wanted, fault=("unknown-game", _UNKNOWN_GAME)
        ),
        f"GET {path}": _Exchange(example.puzzle),
        f"POST {path}/tries": _Exchange(example.answer, example.tried, fault=unread),
        f"GET {path}/solution": _Exchange(example.solution),
        f"GET {path}/share": _Exchange(example.share, fault=unread),
        f"POST {path}/rating": _Exchange(example.rated, example.result),
        "GET /api/mistakes": _Exchange(mistake.puzzle, fault=("unknown-game", _UNKNOWN_GAME)),
        "POST /api/mistakes/tries": _Exchange(mistake.answer, mistake.tried, fault=unread),
        "GET /api/mistakes/solution": _Exchange(
            mistake.solution, fault=("unknown-game", _UNKNOWN_GAME)
        ),
    }


_PARAMETERS: dict[str, Any] = {
    "room_id": ROOM,
    "number": 1,
    "game": "trail",
    "size": "1x2",
    "first": "1",
    "moves": "1,1",
    "position": ".. 1 -",
    "puzzle_id": PUZZLE,
    "mistakes": 1,
    "date": DAY,
    "streak": 3,
    "winning": "1,1 1,2",
}
"""An example of each parameter; those of an analysis can be asked for together."""

_RESULTS = [levels.LevelResult(4, won) for won in (True, True, False, True)]
"""Somebody who wins at level 4."""

_asked = read_question("trail", "1x2", 1, "1,1", ".. 1 -")
_RECORD = str(record_of(_asked.start, _asked.moves, _asked.position))
"""The record of that position after that move."""

_HINT = Hint(
    "1,1", "1,1 wins in 3: the cells left can be paired so that every answer has its partner", None
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
    "effect": "mark",
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
    "begun": 0,
    "position": ".. 1 -",
    "board": _BOARD,
    "mover": 1,
    "phase": "place",
    "winner": None,
    "value": "loss",
    "distance": 2,
    "estimate": None,
    "limit": None,
    "sentence": "X loses in 2: no cell wins.",
    "unsolved": "",
    "actions": [
        {
            "cell": "1,1",
            "value": "loss",
            "distance": 2,
            "estimate": None,
            "label": "L2",
            "line": ["1,1", "1,2"],
        },
        {
            "cell": "1,2",
            "value": "loss",
            "distance": 2,
            "estimate": None,
            "label": "L2",
            "line": ["1,2", "1,1"],
        },
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
            "estimate_before": None,
            "estimate_after": None,
            "mistake": False,
            "doubtful": False,
            "better": [],
            "punishment": None,
            "fault": None,
            "text": None,
            "position": None,
        },
        {
            "number": 2,
            "turn": 2,
            "player": 2,
            "cell": "1,2",
            "before": "win",
            "after": "win",
            "estimate_before": None,
            "estimate_after": None,
            "mistake": False,
            "doubtful": False,
            "better": [],
            "punishment": None,
            "fault": None,
            "text": None,
            "position": None,
        },
    ],
    "summary": [
        "X: 1 move, never in a won position.",
        "O: 1 move, in a won position once, never gave it away.",
    ],
}
"""The review of that game's best line."""
