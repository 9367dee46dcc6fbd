"""The configuration: what workers share."""

from __future__ import annotations

import pytest

from gridlock.web.config import Config
from gridlock.web.database import read_url


@pytest.mark.parametrize(
    ("amount", "workers", "shares"),
    [(15, 1, [15]), (15, 2, [8, 7]), (8, 3, [3, 3, 2]), (2, 4, [1, 1, 1, 1]), (1, 2, [1, 1])],
)
def test_workers_share_what_there_is_and_each_has_some(
    amount: int, workers: int, shares: list[int]
) -> None:
    database = read_url("games.db")
    configs = [Config(database, worker=number, workers=workers) for number in range(workers)]
    assert [config.share(amount) for config in configs] == shares
