"""Estimates: what is proved is true, and what is not proved is never said to be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from array import array
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import gridlock
from gridlock import Game, Grid, Position, Settings
from gridlock.errors import RulebookError
from gridlock.search.backends import backend_of
from gridlock.search.backends.plain_uct import PlainUct
from gridlock.search.kernel.manifest import INTERPRETED_VARIABLE
from gridlock.search.kernel.tree import NODE_BYTES
from gridlock.search.kernel.uct import Uct
from gridlock.search.solver import Solver
from tests import strategies
from tests.toy import DOMINO

if TYPE_CHECKING:
    from gridlock.search.backends.base import Estimator

MEMORY = 1 << 22
PLACEMENT = ("occupation", "duel", "claim", "trail")

# Prints what is found of a few positions, to be compared with the same in another process.
PROGRAM = """\
import json
from tests.search.test_uct import found_of_all
print(json.dumps(found_of_all()))
"""


def new_estimator(
    position: Position, *, memory: int = MEMORY, seed: int = 1, signal: memoryview | None = None
) -> Estimator:
    """Return an estimator of a position."""
    stop = signal or memoryview(array("q", [0]))
    return backend_of(position.game).new_estimator(position, stop, memory, seed)


def found_of_all() -> list[object]:
    """Return what is found of one position of each rulebook with few playouts."""
    found: list[object] = []
    for name in PLACEMENT:
        search = new_estimator(gridlock.game(name, "4x5").start(), seed=7)
        search.think(300)
        found += [search.nodes, search.estimates()]
    return found


def check_form(position: Position, search: Estimator) -> None:
    """Check that all legal cells are reported, with chances, and proofs that agree with them."""
    estimates = search.estimates()
    assert tuple(cell for cell, *_ in estimates) == position.legal_cells()
    for _, chance, weight, proof in estimates:
        assert 0 <= chance <= 1
        assert 0 <= weight <= search.nodes
        assert proof == 0 or chance == (1 + proof) / 2


def check_proofs(position: Position, search: Estimator) -> int:
    """Compare what is proved of a position with the exact answers; return how much that is."""
    solver = Solver(position.game, Settings(seconds=20))
    proved = [(cell, proof) for cell, _, _, proof in search.estimates() if proof]
    for cell, proof in proved:
        assert solver.wins_by(position, cell) == (proof > 0), (str(position), cell)
    return len(proved)


@st.composite
def small_positions(draw: st.DrawFn) -> Position:
    """Positions with so few open cells that everything can be solved at once."""
    size = Grid(draw(st.integers(1, 5)), draw(st.integers(1, 5)))
    game = draw(strategies.games.filter(lambda game: game.rulebook.least_cells == 1))
    position = Game(game.rulebook, size).start(draw(strategies.players))
    for _ in range(draw(st.integers(0, 6))):
        if position.winner is None:
            position = position.play(draw(st.sampled_from(position.legal_cells())))
    assume(position.winner is None)
    assume(len(position.legal_cells()) <= 20)
    return position


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(small_positions(), st.integers(0, 1 << 70), st.integers(1, 3000))
def test_what_is_proved_is_true(position: Position, seed: int, nodes: int) -> None:
    search = new_estimator(position, seed=seed)
    search.think(nodes)
    check_form(position, search)
    check_proofs(position, search)


@settings(max_examples=50, suppress_health_check=list(HealthCheck))
@given(small_positions(), st.integers(0, 9), st.integers(1, 200))
def test_what_is_proved_plainly_is_true(position: Position, seed: int, nodes: int) -> None:
    search = PlainUct(position, memoryview(array("q", [0])), MEMORY, seed)
    search.think(nodes)
    check_form(position, search)
    check_proofs(position, search)


@pytest.mark.parametrize("name", PLACEMENT)
@pytest.mark.parametrize("size", ["1x1", "1x2", "1x7", "2x3", "3x3", "3x4"])
def test_small_boards_are_proved(name: str, size: str) -> None:
    position = gridlock.game(name, size).start()
    search = new_estimator(position)
    search.think(200_000)
    proofs = [proof for *_, proof in search.estimates()]
    assert Solver(position.game).wins(position) == (1 in proofs)
    assert 1 in proofs or all(proofs)
    assert search.nodes < 200_000


def test_races_and_other_kinds_are_estimated_too() -> None:
    for game in (gridlock.game("race", "3x3"), Game(DOMINO, Grid(2, 3))):
        position = game.start()
        search = new_estimator(position)
        search.think(3000)
        check_form(position, search)
        assert check_proofs(position, search)


@pytest.mark.parametrize("name", PLACEMENT)
def test_a_win_in_one_is_proved_at_once(name: str) -> None:
    game = gridlock.game(name)
    position = game.start()
    while position.winner is None:
        wins = [cell for cell in position.legal_cells() if position.play(cell).winner is not None]
        if wins:
            for search in (
                new_estimator(position),
                PlainUct(position, memoryview(array("q", [0])), MEMORY, 1),
            ):
                search.think(1)
                assert {cell for cell, *_, proof in search.estimates() if proof > 0} & set(wins)
                assert search.nodes <= 1
            return
        position = position.play(position.legal_cells()[0])


@pytest.mark.parametrize("name", PLACEMENT)
def test_the_same_playouts_and_seed_find_the_same(name: str) -> None:
    position = gridlock.game(name, "7x7").start()
    one, two, other = (new_estimator(position, seed=seed) for seed in (5, 5, 6))
    for nodes in (1, 20, 100):  # in steps or at once
        one.think(nodes)
    two.think(100)
    other.think(100)
    assert one.nodes == two.nodes == 100
    assert one.estimates() == two.estimates() != other.estimates()


def test_the_interpreted_core_estimates_the_same() -> None:
    environment = {**os.environ, INTERPRETED_VARIABLE: "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == json.loads(json.dumps(found_of_all()))


@pytest.mark.parametrize("name", [*PLACEMENT, "race"])
@pytest.mark.parametrize("size", ["1x9", "100x100"])
def test_every_board_is_estimated(name: str, size: str) -> None:
    position = gridlock.game(name, size).start()
    search = new_estimator(position, memory=1 << 16)
    search.think(3 if name == "race" else 20)
    check_form(position, search)


def test_long_reaches_stay_on_the_board() -> None:
    game = gridlock.placement(own="line", opponent="knight -3,3", follow=None, size="6x4")
    position = game.start().play(5)
    search = new_estimator(position)
    search.think(20_000)
    check_form(position, search)
    check_proofs(position, search)


@pytest.mark.parametrize("name", [*PLACEMENT, "race"])
def test_full_memory_ends_neither_search_nor_proofs(name: str) -> None:
    position = gridlock.game(name, "6x6").start()
    search = new_estimator(position, memory=0)
    search.think(500)
    assert search.nodes == 500
    check_form(position, search)
    assert sum(weight for _, _, weight, _ in search.estimates()) <= 500


@pytest.mark.parametrize("name", PLACEMENT)
def test_the_tree_takes_no_more_than_its_memory(name: str) -> None:
    search = new_estimator(gridlock.game(name, "8x8").start(), memory=1 << 16)
    search.think(5000)
    assert isinstance(search, Uct)
    assert 1000 < search.size <= (1 << 16) // NODE_BYTES


@pytest.mark.parametrize("name", ["claim", "race"])
def test_a_signal_stops_the_search(name: str) -> None:
    signal = memoryview(array("q", [0]))
    search = new_estimator(gridlock.game(name, "9x9").start(), signal=signal)
    has_begun = threading.Event()
    search.poll = has_begun.set

    def stop() -> None:
        has_begun.wait()
        signal[0] = 1

    threading.Thread(target=stop).start()
    search.think(1 << 40)
    assert 0 < search.nodes < 1 << 40
    check_form(gridlock.game(name, "9x9").start(), search)


@pytest.mark.parametrize("size", ["8x8", "100x100"])
def test_poll_is_called_often_and_its_failure_is_kept(size: str) -> None:
    search = new_estimator(gridlock.game("claim", size).start())
    calls = []

    def poll() -> None:
        calls.append(search.nodes)
        if len(calls) == 3:
            raise KeyboardInterrupt

    search.poll = poll
    search.think(1 << 40)
    assert len(calls) == 3
    assert isinstance(search.failure, KeyboardInterrupt)
    assert search.nodes <= 3 * 256


def test_misere_play_is_not_estimated() -> None:
    game = gridlock.game("claim")
    backend = backend_of(game, is_misere=True)
    with pytest.raises(RulebookError, match="misere"):
        backend.new_estimator(game.start(), memoryview(array("q", [0])), MEMORY, 1)
