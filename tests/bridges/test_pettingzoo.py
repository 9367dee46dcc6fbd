"""PettingZoo's own tests, and that its environments are the games."""

from __future__ import annotations

import pickle
import warnings
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pettingzoo
import pytest
from hypothesis import given
from pettingzoo.test import api_test, render_test, seed_test

import gridlock
from gridlock import RULEBOOKS, Game, IllegalMoveError, NotationError, Player
from gridlock.bridges import pettingzoo as bridge
from gridlock.bridges.pettingzoo import AGENTS
from tests.conftest import examples
from tests.strategies import lines_of_play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock import Position

OWN_GAME = gridlock.placement(own="knight", opponent="king 2,0", follow="line", size="3x4")
GAMES = [*map(gridlock.game, RULEBOOKS), OWN_GAME, gridlock.game("race", "2x3")]


@pytest.fixture
def without_names() -> Iterator[None]:
    """Overlook two warnings, of which PettingZoo spares only environments it knows by name."""
    with warnings.catch_warnings():
        for text in ("Observation is not a NumPy array", "Observation space for each agent pro"):
            warnings.filterwarnings("ignore", text)
        yield


@pytest.mark.usefixtures("without_names")
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_pettingzoos_own_test_passes(game: Game) -> None:
    api_test(bridge.env(game), num_cycles=60)
    api_test(bridge.raw_env(game, first=2), num_cycles=20)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_seeds_and_pictures_pass_pettingzoos_tests(
    game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    seed_test(lambda: bridge.env(game), num_cycles=20)
    render_test(lambda render_mode: bridge.env(game, render_mode=render_mode))
    assert "to" in capsys.readouterr().out


@examples(60)
@given(line=lines_of_play())
def test_agents_see_every_position_as_it_is(line: list[Position]) -> None:
    start = line[0]
    env = bridge.raw_env(start.game, first=start.mover)
    env.reset()
    for before, position in pairwise(line):
        (cell,) = [cell for cell in before.legal_cells() if before.play(cell) == position][:1]
        env.step(cell)
        assert env.position == position
        _check(env, position)


def _check(env: Any, position: Position) -> None:
    grid = position.game.grid
    for player in Player:
        seen = env.observe(AGENTS[player])
        is_to_move = player is position.mover
        legal = position.legal_cells() if is_to_move else ()
        assert tuple(np.flatnonzero(seen["action_mask"])) == legal
        own, other = (seen["observation"][:, :, plane].reshape(-1) for plane in range(2))
        for cell in range(grid.cell_count):
            assert own[cell] == position.marks(player) >> cell & 1
            assert other[cell] == position.marks(player.opponent) >> cell & 1
    winner = position.winner
    for player in Player:
        expected = 0 if winner is None else 1 if winner is player else -1
        assert env.rewards[AGENTS[player]] == expected
        assert env.terminations[AGENTS[player]] == (winner is not None)
    assert env.agent_selection == AGENTS[position.mover]


def test_a_turn_of_race_is_two_actions_of_the_same_agent() -> None:
    env = bridge.env("race")
    env.reset()
    agents = []
    for action in (1, 4, 14):
        agents.append(env.agent_selection)
        env.step(action)
    assert agents == ["player_1", "player_1", "player_2"]
    assert env.agent_selection == "player_2"
    block = env.unwrapped.planes.index("block_phase")
    assert env.observe("player_2")["observation"][:, :, block].all()


def test_an_illegal_action_loses() -> None:
    env = bridge.env("duel")
    env.reset()
    env.step(12)
    env.step(12)
    assert env.rewards == {"player_1": 0, "player_2": -1}
    assert all(env.terminations.values())
    env.reset()
    assert env.observe("player_1")["action_mask"].all()


def test_without_the_wrapper_an_illegal_action_is_an_error() -> None:
    env = bridge.raw_env("duel")
    env.reset()
    with pytest.raises(IllegalMoveError, match="^cell 25 is outside the 5x5 board$"):
        env.step(25)


def test_the_registry_makes_every_game() -> None:
    for name in RULEBOOKS:
        env = pettingzoo.make("aec", f"gridlock/{name}-v0", size="3x3")
        env.reset()
        assert str(env) == f"{name}_v0"
        assert env.unwrapped.game == gridlock.game(name, "3x3")


def test_a_copy_is_an_environment_of_the_same_game() -> None:
    env = pickle.loads(pickle.dumps(bridge.raw_env("trail", "3x4", 2)))
    env.reset()
    assert env.position == gridlock.game("trail", "3x4").start(2)
    env.close()


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(NotationError, match="^there is no render mode 'film': choose ansi, human"):
        bridge.env("duel", render_mode="film")
    with pytest.raises(NotationError, match="^player 1 or 2 begins, not 3$"):
        bridge.env("duel", first=3)
    env = bridge.raw_env("duel")
    env.reset()
    with pytest.warns(UserWarning, match="without a render mode"):
        assert env.render() is None


def test_a_game_that_is_over_at_the_start_ends_at_once() -> None:
    env = bridge.env("race", "1x2")
    env.reset()
    assert env.last()[1:3] == (-1, True)
