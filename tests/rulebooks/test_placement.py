from __future__ import annotations

import pytest
from hypothesis import given

import gridlock
from gridlock import NotationError, RulebookError
from gridlock.grid import DIAGONAL, KING, KNIGHT, LINE, ORTHOGONAL
from gridlock.rulebooks.placement import Reach, read_reach, write_reach
from tests.strategies import reaches


@pytest.mark.parametrize(
    ("written", "offsets"),
    [
        ("cell", frozenset()),
        ("king", KING),
        ("orthogonal diagonal", KING),
        (["orthogonal", "diagonal"], KING),
        ("knight 0,0", KNIGHT),
        ("line", LINE),
        ((1, 2), {(1, 2)}),
        ([1, 2], {(1, 2)}),
        ([[1, 2], [-1, 0]], {(1, 2), (-1, 0)}),
        (["diagonal", (0, 2)], DIAGONAL | {(0, 2)}),
        ("-2,1 2,-1", {(-2, 1), (2, -1)}),
        ([], frozenset()),
        (ORTHOGONAL, ORTHOGONAL),
    ],
)
def test_reaches_are_read_from_names_and_offsets(
    written: Reach | list[Reach], offsets: frozenset[tuple[int, int]]
) -> None:
    assert read_reach(written) == offsets


@given(reaches)
def test_written_reaches_are_read_back(reach: list[Reach]) -> None:
    assert read_reach(write_reach(read_reach(reach))) == read_reach(reach)


@pytest.mark.parametrize("name", ["cell", "line", "king", "orthogonal", "diagonal", "knight"])
def test_named_reaches_are_written_by_their_name(name: str) -> None:
    assert write_reach(read_reach(name)) == name


@pytest.mark.parametrize(
    "wrong", ["queen", "", "1", "1,2,3", "1,1000", 5, 1.5, True, None, [1, 2, 3], [[1, "2"]], {}]
)
def test_what_is_no_reach_is_refused(wrong: object) -> None:
    with pytest.raises(RulebookError):
        read_reach(wrong)  # type: ignore[arg-type]


def test_holes_are_not_part_of_the_board() -> None:
    position = gridlock.game("duel", "1x4").position("1.#. 2 -")
    assert position.legal_cells() == (3,)
    assert str(position.play(3)) == "1.#2 1 -"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("duel", ".../.1./... 2 3,3", "the last field of a duel position is -, not '3,3'"),
        ("trail", ".../.1./... 2 1,1", "the last cell 1,1 does not hold a mark of X, who"),
        ("trail", ".../.1./... 1 2,2", "the last cell 2,2 does not hold a mark of O, who"),
        ("trail", ".../.1./... 2 9,9", "'9,9' is outside the board"),
    ],
)
def test_a_last_field_that_cannot_be_is_refused(name: str, text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        gridlock.game(name, "3x3").position(text)


def test_after_a_set_up_without_a_last_cell_the_move_is_free() -> None:
    position = gridlock.game("trail", "3x3").position(".../.1./... 2 -")
    assert len(position.legal_cells()) == 8
