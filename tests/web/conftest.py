"""A server for the tests of a module, and the services that some of them need."""

from __future__ import annotations

from itertools import chain
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


@pytest.fixture
def browser() -> Browser:
    """A browser that stays open as long as each next test has one."""
    return launch()


@pytest.fixture(scope="module")
def left() -> Iterator[dict[str, list[Person]]]:
    """Browsers that nobody sits at any more, by what they were started with."""
    people: dict[str, list[Person]] = {}
    yield people
    for person in chain(*people.values()):
        person.close()


@pytest.fixture
def enter(
    browser: Browser, server: Server, left: dict[str, list[Person]]
) -> Iterator[Callable[..., Person]]:
    """Let somebody come with a browser; at the end nothing may have gone wrong in any.

    Whoever changes what cannot be undone, such as the clock or what runs before every page, asks
    for one that is new; nobody gets it afterwards.
    """
    people: list[tuple[Person, list[Person] | None]] = []

    def come(*, is_new: bool = False, **options: object) -> Person:
        others = None if is_new else left.setdefault(repr(sorted(options.items())), [])
        person = others.pop() if others else Person(browser, server.url, **options)  # type: ignore[arg-type]
        people.append((person, others))
        return person

    yield come
    for person, others in people:
        if others is None:
            person.close()
        else:
            person.leave()
        assert person.troubles == []
        assert person.hosts <= {server.url.removeprefix("http://")}
        person.hosts.clear()
        if others is not None:
            others.append(person)
