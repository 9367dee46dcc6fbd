"""Work that is done only as long as somebody waits for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from litestar import Response

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from litestar import Request

_Answer = TypeVar("_Answer")

_CLOSED_REQUEST = 499
"""The status that logs show of a request whose client has gone; nobody receives it."""


class GoneError(Exception):
    """Whoever asked has gone."""


async def while_connected(request: Request[Any, Any, Any], work: Awaitable[_Answer]) -> _Answer:
    """Return what some work results in, or cancel it and raise ``GoneError`` if the client goes.

    A body that the request may have is dropped.
    """

    async def wait_for_departure() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    working, leaving = asyncio.ensure_future(work), asyncio.create_task(wait_for_departure())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise GoneError
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


def answer_nobody(_: Request[Any, Any, Any], __: GoneError) -> Response[None]:
    """Return the answer to a client that has gone."""
    return Response(None, status_code=_CLOSED_REQUEST)
