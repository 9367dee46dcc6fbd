"""OpenSpiel: importing this module registers every game with it.

    import pyspiel
    import gridlock.bridges.openspiel
    game = pyspiel.load_game("gridlock_duel(rows=4,columns=4)")

``gridlock_placement`` has the three reaches as parameters too, written as in rule files; an empty
``follow`` is anywhere.  Player 0 is player 1, who begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from gridlock.bridges import observation
from gridlock.grid import Grid
from gridlock.model import Game, Player
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.rulebooks.custom import placement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gridlock.model import Position

PREFIX = "gridlock_"
PLACEMENT = "placement"

_SIZES = {name: rulebook.size for name, rulebook in RULEBOOKS.items()} | {PLACEMENT: Grid(5, 5)}
_REACHES = {"own": "cell", "opponent": "cell", "follow": ""}


def _game_type(name: str) -> pyspiel.GameType:
    reaches = _REACHES if name == PLACEMENT else {}
    size = _SIZES[name]
    return pyspiel.GameType(
        short_name=f"{PREFIX}{name}",
        long_name=f"GridLock {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rows": size.rows, "columns": size.columns, **reaches},
    )


GAME_TYPES = {name: _game_type(name) for name in _SIZES}


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of GridLock, as OpenSpiel sees it; there is a class for each, with its name."""

    name: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        name, size = self.name, _SIZES[self.name]
        given = {"rows": size.rows, "columns": size.columns, **_REACHES, **(params or {})}
        self.game = _make(name, given)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.grid.cell_count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # Every turn takes or blocks a cell.
            max_game_length=self.game.grid.cell_count * self.game.rulebook.actions_per_turn,
        )
        super().__init__(GAME_TYPES[name], info, dict(params or {}))

    def new_initial_state(self) -> OpenSpielState:
        """Return the start."""
        return OpenSpielState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Any:
        """Return what observes states: planes, or for perfect recall the history."""
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return Observer(self.game, params)
        return IIGObserverForPublicInfoGame(kind, params)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position, in ``position``."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.game.start()

    def current_player(self) -> int:
        """Return who is to move, 0 or 1."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position.mover - 1

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.position.legal == 0

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the loser, 0 before the end."""
        winner = self.position.winner
        if winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if winner is Player.ONE else [-1.0, 1.0]

    def _legal_actions(self, _player: int) -> list[int]:
        return list(self.position.legal_cells())

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        rulebook = self.position.game.rulebook
        return f"{rulebook.symbol(Player(player + 1))} {self.position.game.name(action)}"

    def __str__(self) -> str:
        return str(self.position)


class Observer:
    """Planes as a player sees them, and the text of the position."""

    def __init__(self, game: Game, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters, not {params}")
        shape = (len(observation.plane_names(game)), game.grid.rows, game.grid.columns)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Show a state."""
        self.dict["observation"][:] = observation.planes(state.position, Player(player + 1))

    def string_from(self, state: OpenSpielState, _player: int) -> str:
        """Return a state as a text."""
        return str(state)


def _make(name: str, given: Mapping[str, Any]) -> Game:
    """Return the game that parameters describe."""
    grid = Grid(given["rows"], given["columns"])
    if name in RULEBOOKS:
        return Game(RULEBOOKS[name], grid)
    own, opponent, follow = (given[reach] for reach in _REACHES)
    return placement(own=own, opponent=opponent, follow=follow or None, size=str(grid))


# OpenSpiel keeps these beyond the end of Python, which classes survive, and functions do not.
for _name, _type in GAME_TYPES.items():
    pyspiel.register_game(_type, type(f"{_name.title()}Game", (OpenSpielGame,), {"name": _name}))
