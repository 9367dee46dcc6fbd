"""The games for OpenSpiel (2.0.2), solved by its own minimax and alpha-beta, played by its MCTS.

All are written in Python: the alpha-beta in C++ has no binding that Python could call.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyspiel  # type: ignore[import, unused-ignore]
from open_spiel.python.algorithms import (  # type: ignore[import, unused-ignore]
    mcts,
    minimax,
    minimax_solver,
)

from gridlock.players import Bot
from gridlock.rulebooks.race import MOVE

from . import Clock, Node, Race, Result, Rules, rules_of, timed

if TYPE_CHECKING:
    import random

    from gridlock import Position

GAME_TYPE = pyspiel.GameType(
    short_name="python_lock_out",
    long_name="Python Lock Out",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)


class LockOutGame(pyspiel.Game):  # type: ignore[misc]
    """The game that goes on from one position; its player 0 is the mover there.

    OpenSpiel's solver makes its game by name, so what is to be solved is kept with the class.
    """

    rules: ClassVar[Rules]
    clock: ClassVar[Clock]

    def __init__(self, _params: object = None) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.action_count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.longest,
        )
        super().__init__(GAME_TYPE, info, {})

    def new_initial_state(self) -> LockOutState:
        return LockOutState(self, self.rules.root, 0)


pyspiel.register_game(GAME_TYPE, LockOutGame)


class LockOutState(pyspiel.State):  # type: ignore[misc]
    """A position, with its player to move."""

    def __init__(self, game: LockOutGame, node: Node, player: int) -> None:
        super().__init__(game)
        self.game = game
        self.node = node
        self.player = player

    # OpenSpiel's own ``clone`` and ``child`` make deep copies; searches take nearly twice as long.

    def clone(self) -> LockOutState:
        return LockOutState(self.game, self.node, self.player)

    def child(self, action: int) -> LockOutState:
        child = self.clone()
        child.apply_action(action)
        return child

    def current_player(self) -> int:
        return self.player if self.node[0] else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return not self.node[0]

    def _legal_actions(self, _player: int) -> list[int]:
        return self.game.rules.moves(self.node)

    def _apply_action(self, action: int) -> None:
        self.game.clock.tick()
        self.node = self.game.rules.after(self.node, action)
        self.player = 1 - self.player

    def returns(self) -> list[float]:
        """Return -1 for the player who cannot move; only ever asked when the game is over."""
        return [-1.0, 1.0] if self.player == 0 else [1.0, -1.0]

    def __str__(self) -> str:
        return str(self.node)


def solve_alpha_beta(position: Position, seconds: float) -> Result:
    """Tell whether the mover wins, by alpha-beta, which remembers nothing."""
    LockOutGame.rules = rules_of(position)

    def search(clock: Clock) -> bool:
        LockOutGame.clock = clock
        value, _ = minimax.alpha_beta_search(
            LockOutGame(), maximum_depth=LockOutGame.rules.longest + 1, maximizing_player_id=0
        )
        return bool(value > 0)

    return timed(search, seconds)


def solve_minimax(position: Position, seconds: float) -> Result:
    """Tell whether the mover wins, by minimax, which tries every move but remembers positions."""
    LockOutGame.rules = rules_of(position)

    def search(clock: Clock) -> bool:
        if not LockOutGame.rules.root[0]:
            return False  # the solver takes no game that is over
        LockOutGame.clock = clock
        table = minimax_solver.MinimaxSolver(GAME_TYPE.short_name).solve()
        return bool(table[str(LockOutGame.rules.root)].value > 0)

    return timed(search, seconds)


class _Counting(mcts.RandomRolloutEvaluator):  # type: ignore[misc]
    """Random playouts, which are counted: a bot that has proved who wins ends early."""

    playouts = 0

    def evaluate(self, state: LockOutState) -> object:
        self.playouts += 1
        return super().evaluate(state)


class MctsPlayer(Bot):
    """OpenSpiel's MCTS bot, which proves what it can, with random playouts.

    It takes a number of playouts, not a time: as many as its last search did in so many seconds.
    """

    def __init__(self, seconds: float, rng: random.Random) -> None:
        self._seconds = seconds
        self._rng = rng
        self._rate = 100.0
        self.playouts = 0

    def choose(self, position: Position, clock: object = None) -> int:  # noqa: ARG002
        """Return a legal cell of a position that is not over."""
        LockOutGame.rules = rules_of(position)
        LockOutGame.clock = Clock(math.inf)
        game = LockOutGame()
        chance = np.random.RandomState(self._rng.getrandbits(31))
        evaluator = _Counting(random_state=chance)
        most = max(1, round(self._rate * self._seconds))
        bot = mcts.MCTSBot(game, math.sqrt(2), most, evaluator, random_state=chance)
        began = time.perf_counter()
        action = int(bot.step(game.new_initial_state()))
        if evaluator.playouts == most:
            self._rate = most / (time.perf_counter() - began)
        self.playouts += evaluator.playouts
        if not isinstance(LockOutGame.rules, Race):
            return action
        step, block = divmod(action, position.game.grid.cell_count)
        return step if position.phase == MOVE else block
