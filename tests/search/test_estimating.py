"""Estimates say what is likely, and leave certainty to proofs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridlock
from gridlock.search.estimating import Estimation, calibrated
from gridlock.search.solver import Solver


@pytest.mark.parametrize("nodes", [1, 5, 200])
@pytest.mark.parametrize("rulebook", ["occupation", "duel", "claim", "race"])
def test_a_guess_is_never_certain_however_few_playouts_are_behind_it(
    rulebook: str, nodes: int
) -> None:
    game = gridlock.game(rulebook, "9x9")
    estimation = Estimation(Solver(game), game.start())
    estimation.think(nodes=nodes)
    for estimate in estimation.estimates().values():
        assert estimate.proof or 0 < estimate.chance < 1


@given(chance=st.floats(0.01, 0.99), certainty=st.floats(1, 1.4))
def test_a_calibrated_chance_is_surer_and_on_the_same_side(chance: float, certainty: float) -> None:
    found = calibrated(chance, certainty)
    assert calibrated(chance, 1.0) == pytest.approx(chance)
    assert 0 < calibrated(1e-9, certainty) < found < calibrated(1 - 1e-9, certainty) < 1
    assert found + calibrated(1 - chance, certainty) == pytest.approx(1)
    assert abs(found - 0.5) >= abs(chance - 0.5) - 1e-9
    assert (found - 0.5) * (chance - 0.5) >= 0
