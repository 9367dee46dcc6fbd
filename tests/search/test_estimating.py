"""Estimates say what is likely, and leave certainty to proofs."""

from __future__ import annotations

import pytest

import gridlock
from gridlock.search.estimating import Estimation
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
