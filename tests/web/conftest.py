"""A server for the tests of a module, and the services that some of them need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser import Person, launch
from tests.web.databases import database  # noqa: F401
from tests.web.services import Server, postgresql, redis  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without limits and with an empty database."""
    folder = tmp_path_factory.mktemp("server")
    options = ("--database", str(folder / "web.db"), "--no-limits", "--log", "info")
    with Server(folder / "log", *options) as served:
        yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from launch()


@pytest.fixture
def enter(browser: Browser, server: Server) -> Iterator[Callable[..., Person]]:
    """Let somebody come with a browser; at the end nothing may have gone wrong in any."""
    people: list[Person] = []

    def come(**options: object) -> Person:
        people.append(Person(browser, server.url, **options))  # type: ignore[arg-type]
        return people[-1]

    yield come
    for person in people:
        person.close()
        assert person.troubles == []
        assert person.hosts <= {server.url.removeprefix("http://")}
