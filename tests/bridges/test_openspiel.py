"""OpenSpiel's own tests and algorithms run on the games."""

from __future__ import annotations

import subprocess
import sys
import unittest
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from hypothesis import given
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import (
    generate_playthrough,
    mcts,
    minimax,
    minimax_solver,
    tabular_qlearner,
)
from open_spiel.python.observation import make_observation

import gridlock
from gridlock import RULEBOOKS, Grid, NotationError, Player, RulebookError
from gridlock.bridges import observation, openspiel
from gridlock.search.solver import Solver
from tests.conftest import examples
from tests.strategies import lines_of_play, rulebook_games

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock import Position

NAMES = [*RULEBOOKS, "placement"]


@pytest.mark.parametrize("name", NAMES)
def test_random_games_pass_openspiels_test(name: str) -> None:
    for size in ("", "(rows=1,columns=7)", "(rows=3,columns=4)"):
        game = pyspiel.load_game(f"gridlock_{name}{size}")
        pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_openspiels_own_api_test_passes() -> None:
    """It looks at all games that are registered when it is imported."""
    from open_spiel.integration_tests import api_test

    flags.FLAGS(["api_test", "--test_only_games=gridlock_.*"])
    suite = api_test.load_tests(unittest.TestLoader(), (), None)
    result = unittest.TestResult()
    suite.run(result)
    assert result.wasSuccessful(), result.errors + result.failures
    assert result.testsRun >= 5 * len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_playthrough_is_the_game_and_can_be_replayed(name: str, tmp_path: Path) -> None:
    written = f"gridlock_{name}(rows=2,columns=3)"
    text = generate_playthrough.playthrough(written, None, seed=3)
    file = tmp_path / "playthrough.txt"
    file.write_text(text, "utf-8")
    before, after = generate_playthrough.replay(str(file))
    assert before == after
    lines = text.splitlines()
    actions = [int(line.split()[1]) for line in lines if line.startswith("action: ")]
    shown = [line[2:] for line in lines if line.startswith("ObservationString(0)")]
    game = pyspiel.load_game(written).new_initial_state().position.game
    positions = game.start().replay(actions)
    assert len(shown) == len(positions)
    assert [line for line in lines if line in {f"# {position}" for position in positions}] == [
        f"# {position}" for position in positions
    ]
    assert positions[-1].winner is not None


@examples(40)
@given(line=lines_of_play(rulebook_games()))
def test_states_are_the_positions_of_the_game(line: list[Position]) -> None:
    """Of a game that player 1 begins, as OpenSpiel's player 0 does."""
    game = line[0].game
    start = game.start()
    state = _load(game.rulebook.id, game.grid).new_initial_state()
    observer = make_observation(state.get_game())
    position = start
    while True:
        assert str(state) == str(position)
        assert state.is_terminal() == (position.winner is not None)
        for player in Player:
            observer.set_from(state, player - 1)
            assert np.array_equal(
                observer.dict["observation"], observation.planes(position, player)
            )
        if position.winner is not None:
            break
        assert state.current_player() == position.mover - 1
        assert tuple(state.legal_actions()) == position.legal_cells()
        assert state.returns() == [0, 0]
        cell = position.legal_cells()[len(line) % len(position.legal_cells())]
        twin = state.clone()
        assert state.action_to_string(cell).endswith(f" {game.name(cell)}")
        state.apply_action(cell)
        assert str(twin) == str(position)
        position = position.play(cell)
    returns = state.returns()
    assert returns[position.winner - 1] == 1.0 == -returns[position.mover - 1]


def _load(name: str, grid: Grid) -> Any:
    return pyspiel.load_game(f"gridlock_{name}", {"rows": grid.rows, "columns": grid.columns})


@pytest.mark.parametrize("name", RULEBOOKS)
def test_alpha_beta_and_minimax_find_the_solvers_values(name: str) -> None:
    game = gridlock.game(name, "2x3")
    solver = Solver(game)
    value, _ = minimax.alpha_beta_search(_load(name, game.grid))
    assert (value > 0) == solver.wins(game.start())
    table = minimax_solver.MinimaxSolver(f"gridlock_{name}(rows=2,columns=3)").solve()
    assert len(table) >= 6
    for text, entry in table.items():
        position = game.position(text)
        assert entry.value == (1.0 if solver.wins(position) else -1.0)
        for cell in position.legal_cells():
            assert entry.action_values[cell] == (1.0 if solver.wins_by(position, cell) else -1.0)


def test_tabular_q_learning_learns_a_small_game() -> None:
    env = rl_environment.Environment(_load("duel", Grid(1, 5)), seed=1)
    np.random.seed(1)
    actions = env.action_spec()["num_actions"]
    agents = [tabular_qlearner.QLearner(player, actions) for player in (0, 1)]
    for _ in range(300):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    assert agents[0].step(env.reset(), is_evaluation=True).action == 2  # the only one that wins


def test_mcts_finds_the_only_move_that_wins() -> None:
    game = gridlock.game("duel", "1x3")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(5, rng)
    spiel = _load("duel", game.grid)
    bot = mcts.MCTSBot(spiel, 1.4, 100, evaluator, random_state=rng)
    assert bot.step(spiel.new_initial_state()) == 1


def test_a_placement_game_has_its_reaches_as_parameters() -> None:
    params = {"own": "king 2,0", "opponent": "knight", "follow": "line", "rows": 3, "columns": 4}
    state = pyspiel.load_game("gridlock_placement", params).new_initial_state()
    expected = gridlock.placement("king 2,0", "knight", "line", size="3x4")
    for action in (5, 4):
        state.apply_action(action)
    assert str(state) == str(expected.start().play(5).play(4))
    assert tuple(state.legal_actions()) == expected.start().play(5).play(4).legal_cells()
    with pytest.raises(RulebookError, match="^own: 'quen' is not a reach"):
        pyspiel.load_game("gridlock_placement(own=quen)")


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(NotationError, match="^the size '0x5' is not possible"):
        pyspiel.load_game("gridlock_duel(rows=0)")
    with pytest.raises(ValueError, match="^observations have no parameters"):
        openspiel.Observer(gridlock.game("duel"), {"a": 1})


def test_shimmys_wrapper_passes_pettingzoos_test() -> None:
    from pettingzoo.test import api_test
    from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

    with warnings.catch_warnings():
        # Shimmy says that tensors may hold any number, and keeps no name that PettingZoo knows.
        for text in ("Agent's m.* observation space value is -?infinity",):
            warnings.filterwarnings("ignore", text)
        for name in NAMES:
            size = {"rows": 3, "columns": 3}
            game = f"gridlock_{name}"
            api_test(OpenSpielCompatibilityV0(game_name=game, config=size), num_cycles=30)


def test_a_program_that_has_imported_the_games_ends_well() -> None:
    program = (
        "import gridlock.bridges.openspiel as o; import pyspiel; pyspiel.load_game('gridlock_duel')"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
