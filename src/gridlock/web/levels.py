"""Which level of the computer fits somebody's results, which only they keep."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import post
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from gridlock.results import fitting_level, propose
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL
from gridlock.web.responses import refusals

_MOST_GAMES = 50
_MOST_RESULTS = 30


class LevelResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game against the computer that was played to its end."""

    level: Annotated[int, msgspec.Meta(ge=LOWEST_LEVEL, le=HIGHEST_LEVEL)]
    won: bool


Results = Annotated[list[LevelResult], msgspec.Meta(max_length=_MOST_RESULTS)]


class LevelQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The latest results of each of several games, the last one first."""

    games: Annotated[list[Results], msgspec.Meta(max_length=_MOST_GAMES)]


class FittingLevel(msgspec.Struct, frozen=True):
    """The level that fits the results of a game.

    Where it is another one than was played last, ``text`` says why; otherwise it is empty.
    """

    level: int
    text: str


@post("/api/levels", status_code=HTTP_200_OK, responses=refusals(400, 413, 415))
async def fit_levels(data: JSONBody[LevelQuestion]) -> list[FittingLevel]:
    """Return the level that fits the results of each game; of no results, a newcomer's."""
    return [fit(results) for results in data.games]


def fit(results: list[LevelResult]) -> FittingLevel:
    """Return the level that fits the results of a game, the last one first."""
    played = [(result.level, result.won) for result in results]
    return FittingLevel(fitting_level(played), str(propose(played) or ""))


ROUTES: list[Any] = [fit_levels]
