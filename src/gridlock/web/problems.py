"""Errors as ``application/problem+json``: a status, a sentence for people, a code for programs."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException, ValidationException

from gridlock.errors import GridlockError, StoreError, blame_ourselves
from gridlock.web.hall import NoRoomError
from gridlock.web.room import RefusedError
from gridlock.web.searches import BusyError, TooManyError
from gridlock.web.wire import State

if TYPE_CHECKING:
    from litestar import Request

_log = logging.getLogger(__name__)

PROBLEM = "application/problem+json"
RETRY_SECONDS = 2

_REFUSALS = {
    "seat": HTTPStatus.FORBIDDEN,
    "invite": HTTPStatus.FORBIDDEN,
    "hint": HTTPStatus.FORBIDDEN,
    "notation": HTTPStatus.BAD_REQUEST,
    "outside": HTTPStatus.BAD_REQUEST,
}
"""The statuses of refusals; all others are conflicts with what there is."""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What went wrong: ``code`` is stable, ``detail`` is for people."""

    status: int
    title: str
    detail: str
    code: str
    state: State | None = None
    """The room as it is, where an act came too late."""


class StaleError(RefusedError):
    """An act that answers a position which is no more."""

    def __init__(self, refusal: RefusedError, state: State) -> None:
        super().__init__(refusal.code, str(refusal))
        self.state = state


def problem(status: int, code: str, detail: str, state: State | None = None) -> Response[Problem]:
    """Return a problem as a response."""
    headers = {}
    if status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS):
        headers["Retry-After"] = str(RETRY_SECONDS)
    return Response(
        Problem(int(status), HTTPStatus(status).phrase, detail, code, state),
        status_code=int(status),
        media_type=PROBLEM,
        headers=headers,
    )


def _refused(_: Request[Any, Any, Any], error: RefusedError) -> Response[Problem]:
    status = _REFUSALS.get(error.code, HTTPStatus.CONFLICT)
    state = error.state if isinstance(error, StaleError) else None
    return problem(status, error.code, str(error), state)


def _ours(_: Request[Any, Any, Any], error: GridlockError) -> Response[Problem]:
    status = HTTPStatus.BAD_REQUEST
    if isinstance(error, NoRoomError):
        status = HTTPStatus.NOT_FOUND
    elif isinstance(error, TooManyError):
        status = HTTPStatus.TOO_MANY_REQUESTS
    elif isinstance(error, BusyError | StoreError):
        status = HTTPStatus.SERVICE_UNAVAILABLE
    return problem(status, error.code, str(error))


def _http(_: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    status = HTTPStatus(error.status_code)
    if isinstance(error, ValidationException):
        return problem(status, "invalid", _first_fault(error))
    return problem(status, status.phrase.lower().replace(" ", "-"), error.detail or status.phrase)


def _first_fault(error: ValidationException) -> str:
    """Return what is wrong with a request, in one line."""
    if isinstance(error.extra, list) and error.extra:
        fault = error.extra[0]
        where = fault.get("key", "data")
        return str(fault["message"] if where == "data" else f"{where}: {fault['message']}")
    return error.detail


def _bug(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    _log.exception("%s %s failed", request.method, request.url.path, exc_info=error)
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "bug", blame_ourselves(error))


HANDLERS: dict[int | type[Exception], Any] = {
    RefusedError: _refused,
    GridlockError: _ours,
    HTTPException: _http,
    Exception: _bug,
}
"""How each kind of error is answered."""
