from __future__ import annotations

from typing import TYPE_CHECKING

import gridlock
from gridlock import RULEBOOKS
from gridlock.search import theorems
from gridlock.search.backends import backend_of
from gridlock.search.solver import Solver
from gridlock.search.theorems import ALL, Theorem
from tests.search.test_solver import positions_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from gridlock.model import Position


def mirror_of(position: Position) -> Sequence[int] | None:
    return backend_of(position.game).mirror_of(position)


def test_which_theorems_hold_for_which_rulebook() -> None:
    held = {
        name: (
            backend.is_impartial,
            backend.has_numbers,
            backend.has_matching,
        )
        for name in RULEBOOKS
        for backend in [backend_of(gridlock.game(name))]
    }
    assert held == {
        "occupation": (False, False, False),
        "duel": (True, False, False),
        "claim": (False, True, False),
        "trail": (False, False, True),
        "race": (False, False, False),
    }
    one_way = gridlock.placement(own=(0, 1), follow=(0, 1))
    assert not backend_of(one_way).has_matching
    assert not backend_of(gridlock.placement(own=(0, 1))).has_numbers
    assert not backend_of(gridlock.placement(own="king", opponent="line")).is_impartial
    assert not backend_of(gridlock.placement(own="king", follow="king")).has_matching


def test_only_symmetries_that_take_the_reaches_along_count() -> None:
    assert len(theorems.symmetries(gridlock.game("duel"))) == 8
    assert len(theorems.symmetries(gridlock.game("duel", "3x4"))) == 4
    slanted = gridlock.placement(own=[(1, 1), (-1, -1)], size="4x4")
    assert len(theorems.symmetries(slanted)) == 4
    one_way = gridlock.placement(own=(0, 1), size="4x4")
    assert len(theorems.symmetries(one_way)) == 2


def test_every_mirrored_position_is_lost() -> None:
    """Against a search that does not know the theorem; duel 3x4 has many such positions."""
    for name, size in (("duel", "3x4"), ("occupation", "3x3"), ("claim", "3x3"), ("claim", "2x4")):
        game = gridlock.game(name, size)
        plain = Solver(game, use=ALL & ~Theorem.MIRROR)
        mirrored = [p for p in positions_of(game) if mirror_of(p) and p.winner is None]
        assert len(mirrored) > 3
        assert not any(plain.wins(position) for position in mirrored)


def test_mirroring_needs_a_symmetry_of_order_two() -> None:
    game = gridlock.placement(own="cell", opponent="cell", size="3x3")
    quarter_turn = next(
        symmetry
        for symmetry in theorems.symmetries(game)
        if any(symmetry[image] != cell for cell, image in enumerate(symmetry))
    )
    assert theorems.spoilt_cells(game.grid, quarter_turn, frozenset()) == game.grid.full


def test_nobody_can_mirror_in_race_nor_where_moves_follow_each_other() -> None:
    assert mirror_of(gridlock.game("race").start()) is None
    assert mirror_of(gridlock.game("trail").start()) is None


def test_the_other_player_may_have_more_than_the_image() -> None:
    game = gridlock.game("occupation")
    after = game.start().play(game.cell("3,3"))
    assert mirror_of(after) is not None
    assert mirror_of(game.start()) is None


def test_a_mirror_of_a_large_board_is_looked_for_among_its_few_closed_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image_of = theorems.image_of
    looked_at = []

    def count(symmetry: Sequence[int], mask: int) -> int:
        looked_at.append(mask.bit_count())
        return image_of(symmetry, mask)

    monkeypatch.setattr(theorems, "image_of", count)
    game = gridlock.game("duel", "25x25")
    assert backend_of(game).mirror_cells(game.start()) == [game.cell("13,13")]
    assert looked_at == [5]
