"""The proxies that an operator has named, and what they are believed about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

if TYPE_CHECKING:
    from collections.abc import Iterable

TRUSTED = "gridlock.is_from_proxy"
"""What a scope says of whether a named proxy has sent a request."""


class Proxies(ProxyHeadersMiddleware):
    """Believes named proxies about where requests come from; whoever else is only themselves."""

    def __init__(self, app: Any, proxies: Iterable[str]) -> None:
        super().__init__(app, list(proxies))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, with the address of whoever has really sent it."""
        if scope["type"] != "lifespan":
            client = scope.get("client")
            scope[TRUSTED] = bool(client) and client[0] in self.trusted_hosts
        await super().__call__(scope, receive, send)
