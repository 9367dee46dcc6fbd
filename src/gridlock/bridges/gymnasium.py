"""Gymnasium: every game for one agent against any player of the registry.

    import gymnasium
    import gridlock.bridges.gymnasium
    env = gymnasium.make("gridlock/Duel-v0", size="5x5", opponent="computer:3", first="random")

``make_vec`` makes many of them on the batch kernel.  For a game of your own there is
``gymnasium.make("gridlock/Game-v0", game=…)``.
"""

from __future__ import annotations

import random
from operator import index
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from gridlock import players
from gridlock.bridges import observation
from gridlock.bridges.batch import RANDOM, Batch, game_on
from gridlock.errors import IllegalMoveError, NotationError
from gridlock.model import Player
from gridlock.rulebooks.catalogue import RULEBOOKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gridlock.grid import Grid
    from gridlock.model import Game, Position, Rulebook

    Planes = NDArray[np.int8]
    Step = tuple[Planes, float, bool, bool, dict[str, Any]]
    VectorStep = tuple[
        Planes, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]

AGENT, OPPONENT = Player
_SEEDS = 1 << 62


def _check(first: int | str, render_mode: str | None, modes: tuple[str, ...]) -> None:
    if first not in (1, 2, RANDOM):
        raise NotationError(f"1 (the agent), 2 (the opponent) or {RANDOM!r} begins, not {first!r}")
    if render_mode not in (None, *modes):
        raise NotationError(f"there is no render mode {render_mode!r}: choose {', '.join(modes)}")


class _Opponent:
    """A player of the registry, or any bot, with a source of chance that can be seeded."""

    def __init__(self, who: str | players.Bot) -> None:
        self._rng = random.Random()
        self.is_random = who == players.RANDOM
        self._bot = players.make(who, players.Seat(self._rng)) if isinstance(who, str) else who

    def seed(self, seed: int) -> None:
        self._rng.seed(seed)

    def new_game(self, game: Game) -> None:
        self._bot.new_game(game)

    def choose(self, position: Position) -> int:
        return self._bot.choose(position)

    def close(self) -> None:
        self._bot.close()


class GridlockEnv(gymnasium.Env[Any, Any]):
    """One game after the other against an opponent; the agent is player 1.

    An observation is the planes as the agent sees them (planes, rows, columns), an action a cell.
    In race a turn is two actions of the agent.  The reward is 1 for a win, -1 for a loss, else 0.

    An illegal action loses the game, and ``info["illegal"]`` says why it is illegal.  If the
    opponent begins and wins by its first turn, the first step ends the game, whatever the action.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class has it
        "render_modes": list(observation.RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str | Rulebook | Game,
        size: str | Grid | None = None,
        opponent: str | players.Bot = players.RANDOM,
        first: int | str = 1,
        render_mode: str | None = None,
    ) -> None:
        _check(first, render_mode, observation.RENDER_MODES)
        self.game = game_on(game, size)
        self.render_mode = render_mode
        self.planes = observation.plane_names(self.game)
        self._first = first
        self._opponent = _Opponent(opponent)
        self._position = self.game.start()
        self._is_over = True
        self.observation_space, self.action_space = _spaces(self.game)

    @property
    def position(self) -> Position:
        """The position that the agent sees."""
        return self._position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begin a new game; the opponent makes its move first if it begins."""
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._opponent.seed(int(self.np_random.integers(_SEEDS)))
        first = int(self.np_random.integers(1, 3)) if self._first == RANDOM else int(self._first)
        self._opponent.new_game(self.game)
        self._position = self._answered(self.game.start(first))
        self._is_over = False
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info()

    def step(self, action: Any) -> Step:
        """Choose a cell, and let the opponent answer."""
        if self._is_over:
            raise ResetNeeded("call reset before the first step, and after each game")
        illegal = {}
        if self._position.winner is None:
            try:
                self._position = self._position.play(index(action))
            except IllegalMoveError as error:
                illegal = {"illegal": str(error)}
            else:
                self._position = self._answered(self._position)
        winner = OPPONENT if illegal else self._position.winner
        self._is_over = winner is not None
        reward = 0.0 if winner is None else 1.0 if winner is AGENT else -1.0
        if self.render_mode == "human":
            self.render()
        return self._observe(), reward, self._is_over, False, {**self._info(), **illegal}

    def _answered(self, position: Position) -> Position:
        """Return the position after the opponent has acted until it is the agent's turn."""
        while position.winner is None and position.mover is OPPONENT:
            position = position.play(self._opponent.choose(position))
        return position

    def _observe(self) -> Planes:
        return observation.planes(self._position, AGENT)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": observation.legal_mask(self._position)}

    def valid_moves(self) -> list[int]:
        """Return the cells that the agent may choose."""
        return list(self._position.legal_cells())

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which cells the agent may choose, as sb3-contrib asks for it."""
        return observation.legal_mask(self._position).astype(np.bool_)

    def render(self) -> Any:
        """Return the picture or the text of the position, or print the text."""
        if self.render_mode is None:
            logger.warn("render was called without a render mode")
            return None
        return observation.render(self._position, self.render_mode)

    def close(self) -> None:
        """Close the opponent."""
        self._opponent.close()


class GridlockVectorEnv(VectorEnv[Any, Any, Any]):
    """Many of these games at once, on the batch kernel: boards of 64 cells at most.

    A game that has ended begins anew with the next step, which ignores its action (Gymnasium's
    ``AutoresetMode.NEXT_STEP``).  ``infos["action_mask"]`` has the legal actions of each game.

    ``random`` opponents play in the kernel; others are asked for one game after the other.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class has it
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str | Rulebook | Game,
        size: str | Grid | None = None,
        opponent: str | players.Bot = players.RANDOM,
        first: int | str = 1,
        render_mode: str | None = None,
    ) -> None:
        _check(first, render_mode, ())
        self.num_envs = num_envs
        self.batch = Batch(game, num_envs, size=size, first=first, autoreset=False)
        self.planes = self.batch.planes
        self._opponent = _Opponent(opponent)
        self._is_over = np.ones(num_envs, np.bool_)
        self.single_observation_space, self.single_action_space = _spaces(self.batch.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begin all games anew."""
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._opponent.seed(int(self.np_random.integers(_SEEDS)))
            self.batch.reset(seed=int(self.np_random.integers(_SEEDS)))
        self._begin(np.ones(self.num_envs, np.bool_))
        return self._observe(), self._info()

    def step(self, actions: Any) -> VectorStep:
        """Play one action in each game, and let the opponents answer."""
        chosen = self.batch.check_actions(actions)
        before = self._is_over
        cells = self.batch.legal.shape[1]
        inside = (chosen >= 0) & (chosen < cells)
        rows = np.arange(self.num_envs)
        is_legal = inside & (self.batch.legal[rows, np.where(inside, chosen, 0)] != 0)
        is_playing = ~before & ~self.batch.over
        self.batch.step(chosen, is_playing & is_legal)
        self._let_answer(is_playing & is_legal)
        lost = ~before & (self.batch.over & (self.batch.movers == AGENT) | is_playing & ~is_legal)
        won = ~before & self.batch.over & (self.batch.movers == OPPONENT)
        self._is_over = lost | won
        self._begin(before)
        rewards = won.astype(np.float64) - lost
        infos = self._info()
        if (is_playing & ~is_legal).any():
            infos["illegal"] = is_playing & ~is_legal
        return self._observe(), rewards, self._is_over.copy(), np.zeros_like(lost), infos

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Begin some games anew, and let the opponents move where they begin."""
        if which.any():
            self._opponent.new_game(self.batch.game)
            self.batch.reset(which)
            self._let_answer(which)
            self._is_over = self._is_over & ~which

    def _let_answer(self, which: NDArray[np.bool_]) -> None:
        """Let the opponents of some games act until it is the agent's turn."""
        while True:
            waiting = which & ~self.batch.over & (self.batch.movers == OPPONENT)
            if not waiting.any():
                return
            if self._opponent.is_random:
                actions = self.batch.sample()
            else:
                actions = np.full(self.num_envs, -1)
                for number in np.flatnonzero(waiting).tolist():
                    actions[number] = self._opponent.choose(self.batch.position(number))
            self.batch.step(actions, waiting)

    def _observe(self) -> Planes:
        return self.batch.observe(AGENT).copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.legal.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which cells the agent may choose in each game."""
        return self.batch.legal.astype(np.bool_)

    def close_extras(self, **_: Any) -> None:
        """Close the opponent."""
        self._opponent.close()


def _spaces(game: Game) -> tuple[spaces.Box, spaces.Discrete]:
    """Return what an agent observes, and what it may choose from."""
    grid = game.grid
    shape = (len(observation.plane_names(game)), grid.rows, grid.columns)
    return spaces.Box(0, 1, shape, np.int8), spaces.Discrete(grid.cell_count)


for _id in (*RULEBOOKS, "game"):
    gymnasium.register(
        f"gridlock/{_id.capitalize()}-v0",
        f"{__name__}:{GridlockEnv.__name__}",
        vector_entry_point=f"{__name__}:{GridlockVectorEnv.__name__}",
        kwargs={"game": _id} if _id in RULEBOOKS else {},
    )
