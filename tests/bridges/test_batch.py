"""Many games at once are the same games as one at a time."""

from __future__ import annotations

import gc
import importlib.util
import threading
import tracemalloc
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridlock
from gridlock import (
    RULEBOOKS,
    Game,
    Grid,
    IllegalMoveError,
    Player,
    Position,
    RulebookError,
    SizeError,
)
from gridlock.bridges import batch as batch_module
from gridlock.bridges.batch import ArrayError, Batch, random_states
from gridlock.grid import cells_of, mask_of
from gridlock.search.batching import batching_of
from gridlock.search.kernel import batch as kernel
from gridlock.search.kernel.bits import GAME
from tests.conftest import examples
from tests.strategies import games, positions
from tests.toy import DOMINO

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray


def _interpret() -> ModuleType:
    """Return the kernel as it is where nothing is compiled."""
    path = Path(batch_module.__file__).parents[1] / "search" / "kernel" / "batch.py"
    spec = importlib.util.spec_from_file_location(f"{kernel.__package__}.interpreted_batch", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


KERNELS = {"compiled": kernel, "interpreted": _interpret()}


@pytest.fixture(params=list(KERNELS))
def core(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let batches run on the compiled kernel, and on the interpreted one."""
    monkeypatch.setattr(batch_module, "kernel", KERNELS[request.param])
    return str(request.param)


def _has_start(game: Game) -> bool:
    return game.grid.cell_count <= 64 and game.start().winner is None


batchable = games.filter(_has_start)


def _planes(position: Position, viewer: Player) -> NDArray[np.int8]:
    """Return the planes of a position, cell by cell."""
    grid = position.game.grid
    masks = batching_of(position.game).masks(position, viewer)
    planes = np.zeros((len(masks), grid.rows, grid.columns), np.int8)
    for plane, mask in zip(planes, masks, strict=True):
        for cell in cells_of(mask):
            plane[grid.place(cell)] = 1
    return planes


def _check(batch: Batch, expected: list[Position]) -> None:
    """Check that a batch is at some positions, and shows them as they are."""
    seen = {player: batch.observe(player).copy() for player in Player}
    planes = batch.observe()
    for number, position in enumerate(expected):
        for player in Player:
            assert (seen[player][number] == _planes(position, player)).all()
        assert batch.position(number) == position
        assert batch.position(number).legal == position.legal
        assert mask_of(np.flatnonzero(batch.legal[number]).tolist()) == position.legal
        assert batch.movers[number] == position.mover
        assert batch.over[number] == (position.winner is not None)
        assert (planes[number] == _planes(position, position.mover)).all()


# ---------------------------------------------------------------------- the rules


@pytest.mark.usefixtures("core")
@examples(100)
@given(game=batchable, first=st.sampled_from([1, 2]), seed=st.integers(0, 2**63 - 1))
def test_every_step_is_that_of_the_rules(game: Game, first: int, seed: int) -> None:
    batch = Batch(game, 3, first=first, seed=seed, autoreset=False)
    expected = [game.start(first)] * 3
    _check(batch, expected)
    while not batch.over.all():
        actions = batch.sample()
        winners = batch.step(actions)
        for number, (position, action) in enumerate(zip(expected, actions.tolist(), strict=True)):
            if position.winner is None:
                expected[number] = position.play(action)
                assert winners[number] == (expected[number].winner or 0)
            else:
                assert action == -1
                assert winners[number] == 0
        _check(batch, expected)


@pytest.mark.usefixtures("core")
@examples(100)
@given(position=positions.filter(lambda position: position.game.grid.cell_count <= 64))
def test_games_can_go_on_from_any_position(position: Position) -> None:
    if not _has_start(position.game):
        return
    batch = Batch(position.game, 2, autoreset=False)
    batch.place([position, position.game.start()])
    _check(batch, [position, position.game.start()])
    if position.winner is None:
        cell = position.legal_cells()[-1]
        batch.step([cell, batch.sample()[1]])
        assert batch.position(0) == position.play(cell)


@pytest.mark.parametrize("name", RULEBOOKS)
@pytest.mark.parametrize("size", ["8x8", "1x7", "7x1", "2x32", "3x5"])
def test_boards_of_up_to_64_cells_play_to_the_end(core: str, name: str, size: str) -> None:
    game = gridlock.game(name, size)
    batch = Batch(game, 2, seed=4, autoreset=False)
    expected = [game.start()] * 2
    while not batch.over.all():
        actions = batch.sample()
        batch.step(actions)
        expected = [
            position if position.winner else position.play(cell)
            for position, cell in zip(expected, actions.tolist(), strict=True)
        ]
    _check(batch, expected)


def test_holes_in_a_board_stay_holes(core: str) -> None:
    game = gridlock.game("occupation", "2x3")
    position = game.position("#.1/... 2 -")
    batch = Batch(game)
    batch.place([position])
    assert str(batch.position(0)) == str(position)
    assert batch.position(0).blocked == 1


@pytest.mark.parametrize(("text", "cell"), [(".../..1/2.. 1 move", 8), (".2./..1/... 2 move", 0)])
def test_a_step_onto_the_goal_wins_at_once(core: str, text: str, cell: int) -> None:
    game = gridlock.game("race", "3x3")
    position = game.position(text)
    batch = Batch(game, autoreset=False)
    batch.place([position])
    assert batch.step([cell]).tolist() == [position.mover]
    assert position.play(cell).winner is position.mover
    _check(batch, [position.play(cell)])


# ---------------------------------------------------------------------- restarts and chance


def test_games_that_end_begin_anew_in_the_same_step(core: str) -> None:
    batch = Batch("duel", 8, size="2x2", seed=1)
    winners = []
    for _ in range(2):
        assert not batch.over.any()
        winners.append(batch.step(batch.sample()).copy())
    game = batch.game
    assert set(winners[0].tolist()) == {0}  # a cell of a 2x2 board closes all but the far corner
    assert set(winners[1].tolist()) == {2}
    assert [batch.position(number) for number in range(8)] == [game.start()] * 8


def test_a_game_that_was_over_begins_anew_whatever_its_action(core: str) -> None:
    game = gridlock.game("duel", "1x2")
    batch = Batch(game)
    batch.place([game.start().play(0)])
    assert batch.over.all()
    assert batch.step([99]).tolist() == [0]
    assert batch.position(0) == game.start()


def test_the_same_seeds_play_the_same_games_and_others_do_not(core: str) -> None:
    def play(seed: int | list[int]) -> list[list[int]]:
        batch = Batch("claim", 4, seed=seed, first="random")
        games = []
        for _ in range(9):
            games.append(batch.sample().tolist())
            batch.step(games[-1])
        return games

    assert play(7) == play(7) == play([7, 8, 9, 10])
    assert play(7) != play(8)
    one, other = np.array(play(7)).T, np.array(play(8)).T
    assert (one[1:] == other[:-1]).all()  # game 1 of seed 7 is game 0 of seed 8


def test_who_begins_may_be_left_to_chance(core: str) -> None:
    batch = Batch("occupation", 400, first="random", seed=1)
    assert 150 < (batch.movers == 1).sum() < 250
    assert set(Batch("occupation", 5, first=2).movers.tolist()) == {2}


def test_some_games_can_be_begun_anew(core: str) -> None:
    batch = Batch("trail", 3, seed=1)
    batch.step(batch.sample())
    kept = batch.position(1)
    batch.reset([True, False, True])
    assert [batch.position(number) for number in range(3)] == [
        batch.game.start(),
        kept,
        batch.game.start(),
    ]


def test_only_chosen_games_are_stepped(core: str) -> None:
    batch = Batch("claim", 3, seed=1, autoreset=False)
    batch.step([0, 12, 99], [True, True, False])
    game = batch.game
    played = [game.start().play(0), game.start().play(12), game.start()]
    assert [batch.position(number) for number in range(3)] == played
    with pytest.raises(IllegalMoveError, match="^game 2: "):
        batch.step([99, 0, 99], [False, True, True])


def test_samples_are_uniform(core: str) -> None:
    batch = Batch("trail", 3000, seed=0)
    counts = np.bincount(batch.sample(), minlength=16)
    assert counts.sum() == 3000
    assert 120 < counts.min() <= counts.max() < 260  # 187 each, with a deviation of 13


def test_without_a_seed_batches_differ() -> None:
    batches = [Batch("claim", 20) for _ in range(2)]
    assert (batches[0].sample() != batches[1].sample()).any()


# ---------------------------------------------------------------------- playouts


def test_playouts_count_the_wins_of_the_mover_and_leave_the_games_alone(core: str) -> None:
    game = gridlock.game("duel", "3x3")
    start = game.start()
    won, lost = start.play(0), start.play(4)
    positions = [start, won, lost, lost.play(0).play(2).play(6).play(8)]
    batch = Batch(game, 4, autoreset=False, seed=3)
    batch.place(positions)
    wins = batch.playouts(300)
    assert [batch.position(number) for number in range(4)] == positions
    assert positions[3].winner is not None
    assert wins[3] == 0
    assert wins[2] == 0  # after the centre the four corners are left, whatever is played
    chance = _chance(start)
    assert abs(wins[0] / 300 - chance) < 0.12
    assert batch.playouts().max() <= 1


def _chance(position: Position) -> float:
    """Return how likely the mover wins if both choose at random."""
    if position.winner is not None:
        return float(position.winner is position.mover)
    cells = position.legal_cells()
    return sum(1 - _chance(position.play(cell)) for cell in cells) / len(cells)


# ---------------------------------------------------------------------- copies


def test_a_copy_of_the_state_brings_everything_back(core: str) -> None:
    batch = Batch("race", 5, seed=2)
    for _ in range(3):
        batch.step(batch.sample())
    state, seen = batch.state.copy(), batch.observe().copy()
    first = [batch.step(batch.sample()).copy() for _ in range(30)]
    batch.restore(state)
    assert (batch.observe() == seen).all()
    again = [batch.step(batch.sample()).copy() for _ in range(30)]
    assert np.array_equal(first, again)


@pytest.mark.parametrize(
    ("name", "word", "value"),
    [("duel", 0, 1 << 25), ("duel", 6, 1 << 63), ("trail", 5, 17 << 8), ("race", 1, 0),
     ("race", 0, 3)],
)  # fmt: skip
def test_words_that_no_game_has_are_refused(name: str, word: int, value: int) -> None:
    batch = Batch(name, 3)
    state = batch.state.copy()
    batch.restore(state)
    state[1, word] = value
    with pytest.raises(ArrayError, match=f"^this is no state of {name} .x.$"):
        batch.restore(state)


def test_seeds_may_be_of_any_whole_type(core: str) -> None:
    expected = Batch("claim", 2, seed=[3, 4]).sample().tolist()
    for kind in (np.int8, np.uint16, np.int32, np.uint64):
        assert Batch("claim", 2, seed=np.array([3, 4], kind)).sample().tolist() == expected
    assert Batch("claim", 1, seed=2**64 - 1).sample() is not None


def test_children_are_all_positions_after_one_action(core: str) -> None:
    batch = random_states("race", 6, size="3x3", seed=5)
    children, parents, actions = batch.children()
    expected = [
        (number, cell, batch.position(number).play(cell))
        for number in range(6)
        for cell in batch.position(number).legal_cells()
    ]
    found = [
        (parent, action, children.position(number))
        for number, (parent, action) in enumerate(
            zip(parents.tolist(), actions.tolist(), strict=True)
        )
    ]
    assert found == expected


def test_random_states_come_from_anywhere_in_a_game_but_its_end() -> None:
    batch = random_states("claim", 2000, size="3x3", seed=1)
    assert not batch.over.any()
    taken = [batch.position(number).marks(Player.ONE).bit_count() for number in range(200)]
    assert set(taken) >= {0, 1, 2}
    assert {batch.position(number).mover for number in range(20)} == set(Player)
    assert np.array_equal(batch.state, random_states("claim", 2000, size="3x3", seed=1).state)


def test_nothing_is_copied() -> None:
    batch = Batch("duel", 100, seed=1)
    legal, winners, planes = batch.legal, batch.winners, batch.observe()
    batch.step(batch.sample())
    assert batch.legal is legal
    assert batch.step(batch.sample()) is winners
    assert batch.observe() is planes
    assert legal.base is not None
    assert planes.shape == (100, 4, 5, 5)
    assert planes.dtype == legal.dtype == np.int8


# ---------------------------------------------------------------------- what is refused


def test_an_illegal_action_is_named_and_changes_nothing(core: str) -> None:
    batch = Batch("claim", 3, seed=1)
    batch.step([12, 12, 12])
    before = batch.state.copy()
    with pytest.raises(IllegalMoveError, match="^game 1: 2,2 is already taken$") as refused:
        batch.step([0, 12, 99])
    assert refused.value.code == "taken"
    assert refused.value.position == batch.position(1)
    assert np.array_equal(batch.state, before)
    with pytest.raises(IllegalMoveError, match="^game 2: cell 99 is outside the 5x5 board$"):
        batch.step([0, 0, 99])
    with pytest.raises(IllegalMoveError, match="^game 0: cell -1 is outside the 5x5 board$"):
        batch.step([-1, 0, 0])
    with pytest.raises(IllegalMoveError, match="outside"):
        batch.step([2**40, 0, 0])


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        ([0, 1], r"actions has the shape \(2,\), not \(3,\)"),
        (4, r"actions has the shape \(\), not \(3,\)"),
        ([[0], [1], [2]], r"actions has the shape \(3, 1\), not \(3,\)"),
        ([0.0, 1.0, 2.0], "actions are whole numbers, not float64"),
        (["a", "b", "c"], "actions are whole numbers, not <U1"),
        ([True, False, True], "actions are whole numbers, not bool"),
    ],
)
def test_actions_of_another_shape_or_type_are_refused(actions: object, why: str) -> None:
    with pytest.raises(ArrayError, match=f"^{why}$"):
        Batch("duel", 3).step(actions)  # type: ignore[arg-type]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ArrayError, match="^a batch has 1 to 16,777,216 games, not 0$"):
        Batch("duel", 0)
    with pytest.raises(ArrayError, match="^1, 2 or 'random' begins, not 3$"):
        Batch("duel", first=3)
    with pytest.raises(SizeError, match="^a batch takes boards of at most 64 cells, not 5x13$"):
        Batch("duel", size="5x13")
    with pytest.raises(RulebookError, match="^race 1x2 is over at the start$"):
        Batch("race", size="1x2")
    with pytest.raises(RulebookError, match="^the positions of domino cannot be written as words$"):
        Batch(Game(DOMINO, Grid(2, 2)))
    batch = Batch("duel", 2)
    for seed in (-1, 0.5, [[1]], [1, -1]):
        with pytest.raises(ArrayError, match="^a seed is a whole number from 0 up"):
            batch.reset(seed=seed)
    with pytest.raises(ArrayError, match=r"^seed has the shape \(3,\), not \(2,\)$"):
        batch.reset(seed=[1, 2, 3])
    with pytest.raises(ArrayError, match="^which games is an array of bool, not of int"):
        batch.reset([0, 1])
    with pytest.raises(ArrayError, match="^2 games need as many positions, not 1$"):
        batch.place([batch.game.start()])
    with pytest.raises(RulebookError, match="cannot hold <Game claim 5x5>"):
        batch.place([gridlock.game("claim").start()] * 2)
    with pytest.raises(ArrayError, match=r"^a state is an array of uint64 of shape \(2, 8\)"):
        batch.restore(np.zeros((2, 8)))
    with pytest.raises(ArrayError, match="^player 1 or 2 sees the planes, or None .*: not 3$"):
        batch.observe(3)
    with pytest.raises(ArrayError, match="^choose one game at least"):
        batch.select(np.array([False, False]))
    assert repr(batch) == "<Batch of 2 duel 5x5>"


# ---------------------------------------------------------------------- threads and memory


def test_batches_run_beside_each_other() -> None:
    """Each thread has its own batch; what they play does not depend on the others."""
    alone = _play_many(5)
    found: dict[int, NDArray[np.uint64]] = {}
    threads = [
        threading.Thread(target=lambda name=name: found.update({name: _play_many(5)}))
        for name in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(state, alone) for state in found.values())
    assert len(found) == 4


def _play_many(seed: int) -> NDArray[np.uint64]:
    batch = Batch("race", 500, seed=seed)
    for _ in range(50):
        batch.step(batch.sample())
    return batch.state.copy()


def test_ten_million_steps_take_no_more_memory_than_a_few() -> None:
    batch = Batch("duel", 4096, seed=1)

    def play(steps: int) -> int:
        for _ in range(steps):
            batch.step(batch.sample())
            batch.observe()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = play(5)
        after = play(2442)  # 1e7 steps
    finally:
        tracemalloc.stop()
    assert after - before < 10_000


def test_a_batch_is_freed_with_its_last_reference() -> None:
    batch = Batch("race", 1000)
    gone: list[weakref.ref[Any]] = [
        weakref.ref(batch),
        weakref.ref(batch.winners),
        weakref.ref(batch.state.base),
    ]
    gc.disable()
    try:
        del batch
        assert [ref() for ref in gone] == [None] * 3
    finally:
        gc.enable()


def test_a_game_is_as_many_words_as_everybody_thinks() -> None:
    assert Batch("duel", 3).state.shape == (3, GAME)
