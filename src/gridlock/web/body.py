"""The bodies of requests: whatever is wrong with one is said clearly."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.exceptions import SerializationException, ValidationException

from gridlock.errors import GridlockError


class BodyError(GridlockError):
    """What was sent cannot be read."""

    code = "bad-request"


class BodyRequest(Request[Any, Any, Any]):
    """A request whose body, where it is asked for at all, has to be there and be JSON."""

    async def body(self) -> bytes:
        """Return the body, however its length was announced."""
        found = await super().body()
        if not found:
            empty = {"message": "the request has no body: send a JSON object", "key": "data"}
            raise ValidationException(extra=[empty])
        return found

    async def json(self) -> Any:
        """Return what the body says."""
        try:
            return await super().json()
        except SerializationException as error:
            raise BodyError(f"this is not JSON: {error}") from None
        except RecursionError:
            raise BodyError("this is nested too deeply") from None
