"""The configuration: what workers share, and what is left without limits."""

from __future__ import annotations

from dataclasses import fields

import pytest

from gridlock.web.config import MANY, Config, GateLimits, Rate, SearchLimits
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


def test_without_limits_an_address_has_none_but_the_process_keeps_its_own() -> None:
    usual = Config(read_url("games.db"), limits=GateLimits(room_memory=7))
    config = usual.without_limits()
    for field in fields(GateLimits):
        limit = getattr(config.limits, field.name)
        if field.name == "room_memory":
            assert limit == 7
        else:
            assert limit in (MANY, Rate(MANY, MANY)), field.name
    assert config.searches == SearchLimits(asked=MANY)
