"""The proxies that an operator has named, and what they are believed about.

Behind one that is not named all visitors have the proxy's own address, and so share one address'
limits: the log says so, once.
"""

from __future__ import annotations

import logging
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from gridlock.web.address import UNIX

if TYPE_CHECKING:
    from collections.abc import Iterable

_log = logging.getLogger(__name__)

TRUSTED = "gridlock.is_from_proxy"
"""What a scope says of whether a named proxy has sent a request."""

_FORWARDED = {b"x-forwarded-for", b"forwarded"}


class Proxies(ProxyHeadersMiddleware):
    """Believes named proxies about where requests come from; whoever else is only themselves.

    Of the addresses in ``X-Forwarded-For``, to which each proxy adds the one that it sees, the last
    that is no proxy's is the visitor's: what visitors write there themselves is not believed.
    """

    def __init__(self, app: Any, proxies: Iterable[str]) -> None:
        super().__init__(app, list(proxies))
        self._has_warned = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, with the address of whoever has really sent it."""
        if scope["type"] != "lifespan":
            peer = _peer(scope.get("client"))
            scope[TRUSTED] = peer in self.trusted_hosts
            if scope[TRUSTED]:
                scope["client"] = (peer, 0)  # as it was named
            elif not self._has_warned and any(name in _FORWARDED for name, _ in scope["headers"]):
                self._has_warned = True
                _log.warning(
                    "requests come by a proxy that is not named, and count as one visitor's: "
                    "if it is yours, name it, by --proxy %s",
                    peer,
                )
        await super().__call__(scope, receive, send)


def _peer(client: tuple[str, int] | None) -> str:
    """Return who has opened a connection, as operators write it."""
    if client is None:
        return UNIX
    try:
        address = ip_address(client[0])
    except ValueError:
        return client[0]
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
