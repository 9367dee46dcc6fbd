"""The proxies that an operator has named, and what they are believed about.

Behind one that is not named all visitors have the proxy's own address: the log says so, once.
Where none is named at all, and the requests come from this machine or a private network, they
cannot be told apart, and no limits count for them; whoever is in the Internet cannot pretend to
that.  Anybody else who claims to be a proxy has the limits of one visitor.
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

UNKNOWN = "gridlock.is_visitor_unknown"
"""What a scope says of whether a request comes from any of many visitors, nobody knows which."""

_FORWARDED = {b"x-forwarded-for", b"forwarded"}


class Proxies(ProxyHeadersMiddleware):
    """Believes named proxies about where requests come from; whoever else is only themselves.

    Of the addresses in ``X-Forwarded-For``, to which each proxy adds the one that it sees, the last
    that is no proxy's is the visitor's: what visitors write there themselves is not believed.
    """

    def __init__(self, app: Any, proxies: Iterable[str]) -> None:
        named = list(proxies)
        super().__init__(app, named)
        self._is_any_named = bool(named)
        self._has_warned = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, with the address of whoever has really sent it."""
        if scope["type"] != "lifespan":
            peer = _peer(scope.get("client"))
            scope[TRUSTED] = peer in self.trusted_hosts
            if scope[TRUSTED]:
                scope["client"] = (peer, 0)  # as it was named
            elif any(name in _FORWARDED for name, _ in scope["headers"]):
                scope[UNKNOWN] = not self._is_any_named and _is_near(peer)
                self._warn(peer, is_limited=not scope[UNKNOWN])
        await super().__call__(scope, receive, send)

    def _warn(self, peer: str, *, is_limited: bool) -> None:
        if not self._has_warned:
            self._has_warned = True
            effect = "and count as one visitor's" if is_limited else "so nobody's limits are kept"
            _log.warning(
                f"requests come by a proxy that is not named, {effect}: "
                "if it is yours, name it, by --proxy %s",
                peer,
            )


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


def _is_near(peer: str) -> bool:
    """Tell whether a peer is on this machine, or in a network that the Internet does not reach."""
    try:
        address = ip_address(peer)
    except ValueError:
        return peer == UNIX
    return address.is_private or address.is_loopback or address.is_link_local
