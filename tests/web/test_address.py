"""Addresses as operators write them: what is meant, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gridlock.errors import NotationError
from gridlock.web.address import (
    check_database,
    check_redis,
    is_at,
    mask,
    read_host_name,
    read_origin,
    read_proxy,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https://play.example.org", "https://play.example.org"),
        ("https://play.example.org/", "https://play.example.org"),
        ("HTTPS://Play.Example.ORG:443", "https://play.example.org"),
        ("http://localhost:80/", "http://localhost"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("https://example.org:80", "https://example.org:80"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("http://[0:0::1]", "http://[::1]"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
    ],
)
def test_an_origin_is_read_as_browsers_send_it(written: str, read: str) -> None:
    assert read_origin(written) == read


@pytest.mark.parametrize(
    "written",
    [
        "", "/", "null", "play.example.org", "play.example.org:443", "//play.example.org",
        "ftp://play.example.org", "wss://play.example.org", "https://", "https://:443",
        "https://play.example.org//", "https://play.example.org/room", "https://a.example?x",
        "https://a.example#x", "https://me@a.example", "https://a.example:", "https://a.example:x",
        "https://a.example:99999", "https://*.example.org", "https://[::1", "https://a..example",
        "https://a b.example", "https://-a.example",
    ],
)  # fmt: skip
def test_what_is_no_origin_is_refused(written: str) -> None:
    with pytest.raises(NotationError, match="such as https://play.example.org"):
        read_origin(written)


@pytest.mark.parametrize(
    ("origin", "host", "is_own"),
    [
        ("https://play.example.org", "play.example.org", True),
        ("https://play.example.org", "Play.Example.org:443", True),
        ("http://play.example.org", "play.example.org:443", False),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("http://127.0.0.1:8000", "127.0.0.1:8001", False),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("https://play.example.org", "", False),
        ("https://play.example.org", "play.example.org:x", False),
    ],
)
def test_a_page_is_our_own_if_its_origin_is_at_our_host(
    origin: str, host: str, is_own: bool
) -> None:
    assert is_at(origin, host) is is_own


@pytest.mark.parametrize(
    ("read", "good"),
    [
        (read_host_name, ["play.example.org", "localhost", "my_machine", "10.0.0.2", "::1"]),
        (read_proxy, ["10.0.0.2", "10.0.0.0/8", "::1", "fd00::/8", "unix"]),
        (check_redis, ["redis://localhost", "rediss://u:p@h:1/0", "unix:///run/redis.sock?db=1"]),
        (check_database, ["games.db", "/a/b", "sqlite+aiosqlite:///x.db", "postgresql+asyncpg://h/x"]),
    ],
)  # fmt: skip
def test_what_is_right_is_taken_as_it_is(read: Callable[[str], str], good: list[str]) -> None:
    assert [read(text) for text in good] == good


def test_names_are_read_as_browsers_send_them() -> None:
    assert read_host_name("Play.Example.org") == "play.example.org"
    assert read_host_name("bücher.example") == "xn--bcher-kva.example"


@pytest.mark.parametrize(
    ("read", "bad"),
    [
        (read_host_name, ["", "https://a.example", "a.example:80", "a.example/", "*.example", "."]),
        (read_proxy, ["", "nginx", "10.0.0.0/99", "10.0.0.1/8", "*"]),
        (check_redis, ["", "localhost", "http://localhost", "redis://", "redis://h:x", "unix://"]),
        (check_database, ["", ":memory:", "mysql://h/x", "postgres://h/x", "sqlite+aiosqlite://"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused(read: Callable[[str], str], bad: list[str]) -> None:
    for text in bad:
        with pytest.raises(NotationError):
            read(text)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://h", "redis://h"),
        ("redis://:pw@h/0", "redis://:***@h/0"),
        ("postgresql+asyncpg://me:p@w/d:x@h/games", "postgresql+asyncpg://me:***@h/games"),
        ("redis://h?db=1&password=pw&x=1", "redis://h?db=1&password=***&x=1"),
        ("/home/me/a:b@c.db", "/home/me/a:b@c.db"),
    ],
)
def test_a_password_is_masked(url: str, shown: str) -> None:
    assert mask(url) == shown
