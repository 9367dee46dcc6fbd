"""A server for the tests of a module, and the services that some of them need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.databases import database  # noqa: F401
from tests.web.services import Server, postgresql, redis  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without limits and with an empty database."""
    folder = tmp_path_factory.mktemp("server")
    options = ("--database", str(folder / "web.db"), "--no-limits", "--log", "info")
    with Server(folder / "log", *options) as served:
        yield served
