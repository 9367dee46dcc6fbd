"""How the OpenAPI document describes answers: those that are written elsewhere, and refusals."""

from __future__ import annotations

from litestar import MediaType
from litestar.openapi.datastructures import ResponseSpec
from litestar.status_codes import HTTP_200_OK

from gridlock.web.problems import PROBLEM, Problem

_REFUSALS = {
    400: "The request makes no sense.",
    403: "The seat, or the invitation, is not yours.",
    404: "There is no such room, lesson or puzzle.",
    409: "It cannot be done now; a stale act comes with the state.",
    413: "The request is too large.",
    415: "What was sent is not JSON.",
    421: "The server does not answer to this name.",
    429: "Too many requests.",
    503: "The server is busy or closes, or the database does not answer.",
}


def answers(report: type, media_type: str = MediaType.JSON) -> dict[int, ResponseSpec]:
    """Return the description of an answer that is written elsewhere."""
    return {
        HTTP_200_OK: ResponseSpec(
            report, generate_examples=False, description="The answer.", media_type=media_type
        )
    }


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """Return the descriptions of some refusals, and of those that any request may meet."""
    return {
        status: ResponseSpec(Problem, description=_REFUSALS[status], media_type=PROBLEM)
        for status in (*statuses, 421, 429, 503)
    }
