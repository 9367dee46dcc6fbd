"""Proxies: who is believed about where a request comes from, and what is said of the others."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import pytest

from gridlock.web.limiter import address_of
from gridlock.web.proxies import TRUSTED, UNKNOWN, Proxies

if TYPE_CHECKING:
    from collections.abc import Sequence

VISITOR = "198.51.100.7"


def ask(
    proxies: Proxies, peer: str | None, *headers: tuple[str, str], type_: str = "http"
) -> dict[str, Any]:
    """Send a request, and return its scope as the app sees it."""
    scope = {
        "type": type_,
        "client": (peer, 1234) if peer is not None else None,
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
    }
    asyncio.run(proxies(scope, None, None))
    return scope


def behind(*named: str) -> Proxies:
    async def app(*_: object) -> None:
        pass

    return Proxies(app, named)


def forwarded(*values: str) -> Sequence[tuple[str, str]]:
    return [("X-Forwarded-For", value) for value in values]


@pytest.mark.parametrize(
    ("named", "peer", "values"),
    [
        ("10.0.0.2", "10.0.0.2", [VISITOR]),
        ("10.0.0.0/8", "10.9.9.9", [VISITOR]),
        ("10.0.0.2", "::ffff:10.0.0.2", [VISITOR]),
        ("::1", "::1", [VISITOR]),
        ("unix", None, [VISITOR]),
        ("10.0.0.0/8", "10.0.0.2", [f"{VISITOR}, 10.0.0.3"]),
        ("10.0.0.2", "10.0.0.2", [f"192.0.2.1, {VISITOR}"]),
        ("10.0.0.2", "10.0.0.2", ["192.0.2.1", VISITOR]),
        ("10.0.0.2", "10.0.0.2", [f"10.0.0.2, {VISITOR}"]),
        ("10.0.0.0/8", "10.0.0.2", [f"192.0.2.1, {VISITOR}, 10.0.0.3"]),
        ("unix", None, [f"unix, {VISITOR}"]),
    ],
)
def test_the_last_address_that_is_no_proxy_is_the_visitors(
    named: str, peer: str | None, values: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    for type_ in ("http", "websocket"):
        scope = ask(behind(named), peer, *forwarded(*values), type_=type_)
        assert scope["client"][0] == VISITOR
        assert scope[TRUSTED]
    assert not caplog.records


@pytest.mark.parametrize(
    ("peer", "header", "named"),
    [
        ("192.0.2.1", "X-Forwarded-For", "192.0.2.1"),
        ("192.0.2.1", "Forwarded", "192.0.2.1"),
        ("::ffff:192.0.2.1", "X-Forwarded-For", "192.0.2.1"),
        ("fd00::1", "X-Forwarded-For", "fd00::1"),
        (None, "X-Forwarded-For", "unix"),
    ],
)
def test_a_proxy_that_is_not_named_is_not_believed_and_mentioned_once(
    peer: str | None, header: str, named: str, caplog: pytest.LogCaptureFixture
) -> None:
    proxies = behind("10.0.0.2")
    for _ in range(3):
        scope = ask(proxies, peer, (header, VISITOR))
        assert scope["client"] == (None if peer is None else (peer, 1234))
        assert not scope[TRUSTED]
        assert not scope[UNKNOWN]
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().endswith(f"name it, by --proxy {named}")


@pytest.mark.parametrize(
    ("peer", "is_limited"),
    [
        ("127.0.0.1", False),
        ("::1", False),
        ("10.0.0.2", False),
        ("::ffff:192.168.0.2", False),
        ("fd00::1", False),
        (None, False),
        ("8.8.8.8", True),
        ("2001:4860::1", True),
        ("100.64.0.1", True),
    ],
)
def test_where_no_proxy_is_named_nobody_in_the_internet_lifts_limits(
    peer: str | None, is_limited: bool, caplog: pytest.LogCaptureFixture
) -> None:
    proxies = behind()
    assert address_of(ask(proxies, peer, ("Host", "localhost"))) == address_of(
        {"client": (peer, 1) if peer else None}
    )
    scope = ask(proxies, peer, *forwarded(VISITOR))
    assert not scope[TRUSTED]
    assert bool(address_of(scope)) is is_limited
    (record,) = caplog.records
    assert ("count as one visitor's" in record.getMessage()) is is_limited


def test_visitors_without_a_proxy_are_not_mentioned(caplog: pytest.LogCaptureFixture) -> None:
    scope = ask(behind(), "192.0.2.1", ("Host", "localhost"))
    assert scope["client"] == ("192.0.2.1", 1234)
    assert ask(behind("10.0.0.2"), "testclient", ("Host", "x"))["client"] == ("testclient", 1234)
    assert not caplog.records


def test_a_named_proxy_that_says_nothing_is_itself() -> None:
    assert ask(behind("unix"), None, ("Host", "localhost"))["client"] == ("unix", 0)
