"""Errors: ``application/problem+json`` for programs, a page with a way back for people."""

from __future__ import annotations

import html
import logging
import re
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

import msgspec
from litestar import MediaType, Response
from litestar.exceptions import HTTPException, ValidationException

from gridlock.errors import GridlockError, PuzzleError, StoreError
from gridlock.web.assets import ASSETS
from gridlock.web.logs import REQUEST
from gridlock.web.room import RefusedError
from gridlock.web.rooms import NoRoomError
from gridlock.web.searches import BusyError, TooManyError
from gridlock.web.wire import State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Request
    from litestar.handlers import BaseRouteHandler

_log = logging.getLogger(__name__)

PROBLEM = "application/problem+json"
RETRY_SECONDS = 2


class _Kind(NamedTuple):
    title: str
    code: str
    detail: str


BAD_REQUEST = 400
UNAUTHORIZED = 401
FORBIDDEN = 403
NOT_FOUND = 404
CONFLICT = 409
UNSUPPORTED = 415
MISDIRECTED = 421
TOO_MANY_REQUESTS = 429
BUG = 500
UNAVAILABLE = 503

STATUSES = {
    BAD_REQUEST: _Kind("Bad Request", "bad-request", "the request makes no sense"),
    UNAUTHORIZED: _Kind("Unauthorized", "unauthorized", "this needs a token"),
    FORBIDDEN: _Kind("Forbidden", "forbidden", "this is not for you"),
    NOT_FOUND: _Kind("Not Found", "not-found", "there is nothing at this address"),
    405: _Kind("Method Not Allowed", "method-not-allowed", "this address takes no such request"),
    CONFLICT: _Kind("Conflict", "conflict", "it cannot be done now"),
    413: _Kind("Content Too Large", "request-entity-too-large", "the request is too large"),
    UNSUPPORTED: _Kind(
        "Unsupported Media Type",
        "unsupported-media-type",
        "send JSON, with the header Content-Type: application/json",
    ),
    MISDIRECTED: _Kind("Misdirected Request", "host", "this server has another name"),
    TOO_MANY_REQUESTS: _Kind(
        "Too Many Requests",
        "too-many-requests",
        "that is too much at once: try again in a few seconds",
    ),
    BUG: _Kind(
        "Internal Server Error", "bug", "a bug in gridlock: the server's log says where it is"
    ),
    UNAVAILABLE: _Kind("Service Unavailable", "unavailable", "try again in a moment"),
}
"""Every status of a problem, and what is said of it where nothing more is known.

The codes are promised: programs rely on them.
"""

_REFUSALS = {
    "seat": FORBIDDEN,
    "invite": FORBIDDEN,
    "hint": FORBIDDEN,
    "notation": BAD_REQUEST,
    "outside": BAD_REQUEST,
    "too-many-requests": TOO_MANY_REQUESTS,
}
"""The statuses of refusals; all others are conflicts with what there is."""

_HEADINGS = {
    NOT_FOUND: "Nothing is here",
    TOO_MANY_REQUESTS: "Too much at once",
    UNAVAILABLE: "Busy at the moment",
    BUG: "Something went wrong",
}
"""What stands above a problem on its page."""


_PASSING = (UNAVAILABLE, TOO_MANY_REQUESTS)
"""Problems that there may be no more in a moment."""

_MISSING = re.compile(r"Missing required \w+ parameter '([\w-]+)'")
"""How the framework says that a parameter is missing."""


class NoPageError(GridlockError):
    """There is nothing at this address."""

    code = "not-found"


class TokenError(GridlockError):
    """A token is missing, or is not the right one."""

    code = "unauthorized"


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What went wrong: ``code`` is stable, ``detail`` is for people."""

    status: int
    title: str
    detail: str
    code: str
    state: State | None = None
    """The room as it is, where an act came too late."""
    request: str = ""
    """By what the server's log knows the request; the header X-Request-ID says it too."""


class StaleError(RefusedError):
    """An act that answers a position which is no more."""

    def __init__(self, refusal: RefusedError, state: State) -> None:
        super().__init__(refusal.code, str(refusal))
        self.state = state


class Answer(NamedTuple):
    """A problem as it is sent."""

    status: int
    headers: dict[str, str]
    body: bytes


def describe(problem: Problem, *, path: str, accept: str) -> Answer:
    """Return a problem as JSON, or as a page for whoever asks for one outside the interface."""
    headers = {"Content-Type": PROBLEM, "Cache-Control": "no-store", "Vary": "Accept"}
    if problem.status in _PASSING:
        headers["Retry-After"] = str(RETRY_SECONDS)
    if problem.status == UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if path.startswith(("/api/", "/schema")) or MediaType.HTML not in accept:
        return Answer(problem.status, headers, msgspec.json.encode(problem))
    headers["Content-Type"] = "text/html; charset=utf-8"
    return Answer(problem.status, headers, _show(problem))


def _show(problem: Problem) -> bytes:
    """Return the page of a problem."""
    heading = _HEADINGS.get(problem.status, "That did not work")
    detail = f"{problem.detail[:1].upper()}{problem.detail[1:]}."
    text = ASSETS.page("problem").content.decode()
    again = "" if problem.status in _PASSING else "hidden"
    for name, value in (("heading", heading), ("detail", detail), ("again", again)):
        text = text.replace(f"{{{{{name}}}}}", html.escape(value))
    return text.encode()


def as_problem(
    status: int, code: str = "", detail: str = "", state: State | None = None
) -> Problem:
    """Return a problem; what is left out is what its status says."""
    kind = STATUSES[status]
    return Problem(
        status, kind.title, detail or kind.detail, code or kind.code, state, REQUEST.get()
    )


def _respond(request: Request[Any, Any, Any], problem: Problem) -> Response[bytes]:
    request.scope["problem"] = problem.code  # type: ignore[typeddict-unknown-key] # for the gateway
    accept = request.headers.get("Accept", "")
    status, headers, body = describe(problem, path=request.url.path, accept=accept)
    media_type = headers.pop("Content-Type").partition(";")[0]
    return Response(body, status_code=status, media_type=media_type, headers=headers)


def _refused(request: Request[Any, Any, Any], error: RefusedError) -> Response[bytes]:
    status = _REFUSALS.get(error.code, CONFLICT)
    state = error.state if isinstance(error, StaleError) else None
    return _respond(request, as_problem(status, error.code, str(error), state))


def _ours(request: Request[Any, Any, Any], error: GridlockError) -> Response[bytes]:
    status = BAD_REQUEST
    if isinstance(error, NoRoomError | NoPageError | PuzzleError):
        status = NOT_FOUND
    elif isinstance(error, TokenError):
        status = UNAUTHORIZED
    elif isinstance(error, TooManyError):
        status = TOO_MANY_REQUESTS
    elif isinstance(error, BusyError | StoreError):
        status = UNAVAILABLE
    return _respond(request, as_problem(status, error.code, str(error)))


def _http(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Answer what the framework refuses; its own words may name files of the server."""
    status = error.status_code
    if isinstance(error, ValidationException):
        return _respond(request, as_problem(BAD_REQUEST, "invalid", _first_fault(request, error)))
    if status not in STATUSES:
        status = BUG if status >= BUG else BAD_REQUEST
    return _respond(request, as_problem(status))


def _first_fault(request: Request[Any, Any, Any], error: ValidationException) -> str:
    """Return what is wrong with a request, in one line."""
    if missing := _MISSING.match(error.detail):
        return f"{missing[1]}: this is missing"
    if not isinstance(error.extra, list) or not error.extra:
        return STATUSES[BAD_REQUEST].detail
    fault = error.extra[0]
    where, message = str(fault.get("key", "data")), str(fault["message"])
    if message.startswith("Invalid enum value"):
        choices = _choices(request.route_handler, where.split("."))
        message = f"{message.removeprefix('Invalid enum value ')} is none of {', '.join(choices)}"
    return message if where == "data" else f"{where}: {message}"


def _choices(handler: BaseRouteHandler, path: list[str]) -> list[str]:
    """Return what may stand at a place of a request."""
    for function in (handler.fn, *(p.dependency for p in handler.resolve_dependencies().values())):
        hints = get_type_hints(function, include_extras=True)
        start = [path[0]] if path[0] in hints else ["data", path[0]]
        if start[0] in hints:
            kind = msgspec.inspect.type_info(hints[start[0]])
            return list(dict.fromkeys(_values(kind, [*start[1:], *path[1:]])))
    return []


def _values(kind: msgspec.inspect.Type, path: list[str]) -> Iterator[str]:
    """Return the values of a type's part."""
    match kind:
        case msgspec.inspect.UnionType(types):
            for one in types:
                yield from _values(one, path)
        case msgspec.inspect.StructType(fields=fields) if path:
            for field in fields:
                if field.encode_name == path[0]:
                    yield from _values(field.type, path[1:])
        case msgspec.inspect.EnumType(cls):
            yield from (str(one.value) for one in cls if isinstance(one, Enum))
        case msgspec.inspect.LiteralType(values):
            yield from map(str, values)


def _bug(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    _log.exception("%s %s failed", request.method, request.url.path, exc_info=error)
    return _respond(request, as_problem(BUG))


HANDLERS: dict[int | type[Exception], Any] = {
    RefusedError: _refused,
    GridlockError: _ours,
    HTTPException: _http,
    Exception: _bug,
}
"""How each kind of error is answered."""
