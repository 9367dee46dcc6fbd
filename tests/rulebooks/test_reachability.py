"""Positions that no game comes to are told from those that some game does."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock.errors import NotationError
from gridlock.rulebooks import retrograde
from gridlock.rulebooks.custom import placement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock import Game, Position

OWN = {
    "knights": placement(own="knight", size="3x3", id="knights"),
    "one-sided": placement(own="1,0", opponent="0,1", size="3x3", id="one-sided"),
    "loose-walk": placement(follow="1,0 0,1 -1,-1", size="2x3", id="loose-walk"),
    "shy-walk": placement(opponent="diagonal", follow="king", size="2x3", id="shy-walk"),
}
"""Placement games of one's own, among them some whose reaches have a direction."""

GAMES = {
    **{f"{name} {size}": gridlock.game(name, size) for name in ("occupation", "duel", "claim")
       for size in ("2x3", "3x3")},
    **{f"trail {size}": gridlock.game("trail", size) for size in ("2x3", "2x4")},
    **{f"race {size}": gridlock.game("race", size) for size in ("1x2", "1x4", "2x2", "2x3")},
    **OWN,
}  # fmt: skip


def reachable(game: Game) -> set[Position]:
    """Return every position that some game comes to."""
    waiting = [game.start(1), game.start(2)]
    found = set(waiting)
    while waiting:
        position = waiting.pop()
        for cell in position.legal_cells():
            after = position.play(cell)
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found


def all_positions(game: Game) -> Iterator[Position]:
    """Return every position of a board without holes that can be set up."""
    is_race = game.rulebook.id == "race"
    cells = range(game.grid.cell_count)
    details = ("move", "block") if is_race else ("-", *(game.name(cell) for cell in cells))
    if not is_race and game.rulebook.follow is None:  # type: ignore[attr-defined]
        details = ("-",)
    columns = game.grid.columns
    for squares in product(".12#" if is_race else ".12", repeat=game.grid.cell_count):
        rows = "/".join(
            "".join(squares[at : at + columns]) for at in range(0, len(squares), columns)
        )
        for mover, detail in product("12", details):
            try:
                yield game.position(f"{rows} {mover} {detail}")
            except NotationError:
                continue


@pytest.mark.parametrize("name", GAMES)
def test_exactly_the_positions_that_no_game_comes_to_are_said_to_be_so(name: str) -> None:
    game = GAMES[name]
    known = reachable(game)
    seen = set()
    for position in all_positions(game):
        seen.add(position)
        assert (position.why_unreachable() is None) == (position in known), str(position)
    assert known <= seen


@pytest.mark.parametrize(("name", "size"), [("race", "3x3"), ("trail", "3x4"), ("claim", "3x4")])
def test_no_position_of_a_game_is_called_unreachable(name: str, size: str) -> None:
    for position in reachable(gridlock.game(name, size)):
        assert position.why_unreachable() is None, str(position)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        (
            "occupation", "11./.../... 2 -",
            "A has 2 marks and B, who is to move, has 0, though they take turns",
        ),
        (
            "occupation", "1../.../... 1 -",
            "B has 0 marks and A, who is to move, has 1, though they take turns",
        ),
        (
            "occupation", "121/.../1.. 1 -",
            "B has 1 mark and A, who is to move, has 3, though they take turns",
        ),
        ("occupation", "12./.../... 1 -", "A's 1,1 and B's 1,2 each close the other's cell"),
        ("claim", "1.2/1.2/... 1 -", "X's 0,0 and X's 1,0 each close the other's cell"),
        ("trail", "12./.../... 1 -", "no mark is named as the last one"),
        ("trail", "1.2/.../... 1 1,3", "no order of moves leads to it"),
        (
            "race", "1##/.../..2 1 move",
            "with 2 cells blocked P1 has made 1 step, and cannot be on 0,0 after that",
        ),
        ("race", "#1#/.../.2. 1 move", "no order of moves leads to it"),
    ],
)  # fmt: skip
def test_the_reason_is_said(name: str, text: str, reason: str) -> None:
    assert gridlock.game(name, "3x3").position(text).why_unreachable() == reason


def test_a_board_with_holes_is_a_board() -> None:
    game = gridlock.game("occupation", "3x3")
    assert game.position("1#./.../... 2 -").why_unreachable() is None


def test_what_would_take_too_long_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    position = gridlock.game("trail", "3x3").position("1.2/.../... 1 1,3")
    assert position.why_unreachable()
    monkeypatch.setattr(retrograde, "MOST_STEPS", 0)
    assert position.why_unreachable() is None
