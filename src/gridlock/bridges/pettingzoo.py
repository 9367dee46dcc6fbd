"""PettingZoo: every game as an AEC environment, with the conventions of its own board games.

    from gridlock.bridges import pettingzoo
    env = pettingzoo.env("duel", size="5x5")

Where PettingZoo has a registry, importing this module adds to it: ``make("aec",
"gridlock/duel-v0")``.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np
import pettingzoo
from gymnasium import logger, spaces
from gymnasium.utils import EzPickle
from pettingzoo.utils import wrappers

from gridlock.bridges import observation
from gridlock.bridges.batch import game_on
from gridlock.errors import NotationError
from gridlock.model import Player
from gridlock.rulebooks.catalogue import RULEBOOKS

if TYPE_CHECKING:
    from gridlock.grid import Grid
    from gridlock.model import Game, Position, Rulebook

VERSION = 0

AGENTS = {Player.ONE: "player_1", Player.TWO: "player_2"}


def env(
    game: str | Rulebook | Game,
    size: str | Grid | None = None,
    first: int = 1,
    render_mode: str | None = None,
) -> pettingzoo.AECEnv:
    """Return an environment in PettingZoo's wrappers: an illegal action loses the game."""
    wrapped = raw_env(game, size, first, render_mode)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(pettingzoo.AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801 - its usual name
    """A game for two agents, ``player_1`` and ``player_2``.

    An observation has planes (rows, columns, planes) as the agent sees them, named by ``planes``,
    and the mask of legal actions, all zero for the agent who is not to move.  An action is a cell.
    In race a turn is two actions of the same agent.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class has it
        "render_modes": list(observation.RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str | Rulebook | Game,
        size: str | Grid | None = None,
        first: int = 1,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        EzPickle.__init__(self, game, size, first, render_mode)
        self.game = game_on(game, size)
        if render_mode not in (None, *observation.RENDER_MODES):
            modes = ", ".join(observation.RENDER_MODES)
            raise NotationError(f"there is no render mode {render_mode!r}: choose {modes}")
        self.metadata = {**self.metadata, "name": f"{self.game.rulebook.id}_v{VERSION}"}
        self.render_mode = render_mode
        self.planes = observation.plane_names(self.game)
        self._start = self.game.start(first)
        self.position: Position = self._start
        self.possible_agents = list(AGENTS.values())
        self.agents: list[str] = []
        grid = self.game.grid
        self.action_spaces = {
            agent: spaces.Discrete(grid.cell_count) for agent in self.possible_agents
        }
        shape = (grid.rows, grid.columns, len(self.planes))
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.int8),
                    "action_mask": spaces.Box(0, 1, (grid.cell_count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return what an agent may choose from: all cells."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin anew; there is no chance in these games, so the seed does not matter."""
        self.position = self._start
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = AGENTS[self.position.mover]
        self._conclude()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees: planes as they see them, and what they may choose."""
        viewer = Player.ONE if agent == AGENTS[Player.ONE] else Player.TWO
        is_to_move = agent == self.agent_selection and viewer is self.position.mover
        legal = observation.legal_mask(self.position)
        return {
            "observation": np.moveaxis(observation.planes(self.position, viewer), 0, -1).copy(),
            "action_mask": legal if is_to_move else np.zeros_like(legal),
        }

    def step(self, action: Any) -> None:
        """Let the agent who is to move choose a cell; when the game is over, remove them."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.position = self.position.play(index(action))
        self._clear_rewards()
        self.agent_selection = AGENTS[self.position.mover]
        self._conclude()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _conclude(self) -> None:
        """Give out rewards if the game is over."""
        if (winner := self.position.winner) is not None:
            self.rewards = {AGENTS[player]: 1 if player is winner else -1 for player in Player}
            self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> Any:
        """Return the picture or the text of the position, or print the text."""
        if self.render_mode is None:
            logger.warn("render was called without a render mode")
            return None
        return observation.render(self.position, self.render_mode)

    def close(self) -> None:
        """Release nothing: there is no window."""


if hasattr(pettingzoo, "register"):
    for _id in RULEBOOKS:
        pettingzoo.register(
            "aec", f"gridlock/{_id}-v{VERSION}", f"{__name__}:env", kwargs={"game": _id}
        )
