"""Gymnasium's own checks, and that its environments are the games."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import gridlock
from gridlock import RULEBOOKS, Game, IllegalMoveError, NotationError, Player, Position
from gridlock.bridges import observation
from gridlock.bridges.batch import ArrayError
from gridlock.bridges.gymnasium import AGENT, OPPONENT, GridlockEnv, GridlockVectorEnv
from gridlock.players import Bot

OWN_GAME = gridlock.placement(own="knight", opponent="king 2,0", follow="line", size="3x4")
GAMES = [*map(gridlock.game, RULEBOOKS), OWN_GAME]


class First(Bot):
    """Chooses the first legal cell, and counts its games."""

    def __init__(self) -> None:
        self.games = 0
        self.is_closed = False

    def new_game(self, game: Game) -> None:
        self.games += 1

    def choose(self, position: Position, clock: object = None) -> int:
        assert position.mover is OPPONENT
        return position.legal_cells()[0]

    def close(self) -> None:
        self.is_closed = True


# ---------------------------------------------------------------------- one game


@pytest.mark.parametrize("name", RULEBOOKS)
def test_gymnasiums_own_check_passes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(
        f"gridlock/{name.capitalize()}-v0",
        size="3x3",
        opponent="computer:3",
        first="random",
        render_mode="human",
    )
    check_env(env.unwrapped)
    check_env(GridlockEnv(name), skip_render_check=True)


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("first", [1, 2])
def test_an_episode_is_a_game_against_the_opponent(game: Game, first: int) -> None:
    env, bot = GridlockEnv(game, opponent=First(), first=first), First()
    rng = np.random.default_rng(1)
    for _ in range(3):
        seen, info = env.reset()
        position = _answered(game.start(first), bot)
        is_over = False
        while not is_over:
            assert env.position == position
            assert np.array_equal(seen, observation.planes(position, AGENT))
            assert tuple(env.valid_moves()) == position.legal_cells()
            assert np.array_equal(np.flatnonzero(env.action_masks()), position.legal_cells())
            assert np.array_equal(info["action_mask"], env.action_masks())
            assert env.action_masks().dtype == np.bool_
            cell = int(rng.choice(position.legal_cells()))
            position = _answered(position.play(cell), bot)
            seen, reward, is_over, is_cut, info = env.step(cell)
            assert is_over == (position.winner is not None)
            assert not is_cut
            assert reward == {None: 0.0, AGENT: 1.0, OPPONENT: -1.0}[position.winner]
        assert np.array_equal(seen, observation.planes(position, AGENT))
        assert env.valid_moves() == []


def _answered(position: Position, bot: Bot) -> Position:
    while position.winner is None and position.mover is Player.TWO:
        position = position.play(bot.choose(position))
    return position


def test_the_same_seed_is_the_same_game() -> None:
    env = GridlockEnv("claim", opponent="random", first="random")

    def play(seed: int) -> list[Any]:
        seen, _ = env.reset(seed=seed)
        return [seen, *(env.step(env.valid_moves()[-1])[0] for _ in range(3))]

    assert data_equivalence(play(5), play(5))
    assert not all(data_equivalence(play(5), play(seed)) for seed in range(5))
    beginners = {env.reset(seed=seed)[0][:2].sum() for seed in range(20)}
    assert beginners == {0, 1}  # nobody has moved yet, or the opponent has


def test_an_illegal_action_loses_and_the_reason_is_told() -> None:
    env = GridlockEnv("duel", "3x3", opponent=First())
    env.reset()
    env.step(4)
    seen, reward, is_over, _, info = env.step(4)
    assert (reward, is_over) == (-1.0, True)
    assert info["illegal"] == "2,2 is already taken"
    assert np.array_equal(seen, observation.planes(env.position, AGENT))


def test_an_opponent_that_breaks_the_rules_is_not_blamed_on_the_agent() -> None:
    class Cheat(First):
        def choose(self, position: Position, clock: object = None) -> int:
            return 99

    env = GridlockEnv("duel", opponent=Cheat())
    env.reset()
    with pytest.raises(IllegalMoveError, match="^cell 99 is outside the 5x5 board$"):
        env.step(0)
    many = GridlockVectorEnv(2, game="duel", opponent=Cheat())
    many.reset()
    with pytest.raises(IllegalMoveError, match="^game 0: cell 99 is outside the 5x5 board$"):
        many.step([0, 1])


def test_a_game_that_the_opening_decides_is_lost_by_the_first_step() -> None:
    env = GridlockEnv("duel", "1x2", first=2)
    env.reset()
    assert env.valid_moves() == []
    assert env.step(0)[1:3] == (-1.0, True)


def test_a_step_needs_a_game_in_progress() -> None:
    env = GridlockEnv("duel", "1x1")
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    assert env.step(0)[1:3] == (1.0, True)
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_bots_hear_of_each_game_and_of_the_end() -> None:
    bot = First()
    env = GridlockEnv("trail", opponent=bot)
    env.reset()
    env.reset()
    env.close()
    assert (bot.games, bot.is_closed) == (2, True)


@pytest.mark.parametrize("kind", [GridlockEnv, lambda **options: GridlockVectorEnv(2, **options)])
def test_what_makes_no_sense_is_refused(kind: Any) -> None:
    with pytest.raises(NotationError, match="^1 .the agent., 2 .the opponent. or 'random' begins"):
        kind(game="duel", first="toss")
    with pytest.raises(NotationError, match="^there is no render mode 'film'"):
        kind(game="duel", render_mode="film")
    with pytest.raises(NotationError, match="^there is no player 'computer:9'"):
        kind(game="duel", opponent="computer:9")
    with pytest.raises(NotationError, match="^the size '5' is not rows x columns"):
        kind(game="duel", size="5")


def test_rendering_without_a_mode_is_warned_of() -> None:
    env = GridlockEnv("duel")
    env.reset()
    with pytest.warns(UserWarning, match="without a render mode"):
        assert env.render() is None


def test_a_game_of_ones_own_is_made_by_name_too() -> None:
    env = gymnasium.make("gridlock/Game-v0", game=OWN_GAME)
    assert env.unwrapped.game == OWN_GAME  # type: ignore[attr-defined]
    name = "gridlock.bridges.gymnasium:gridlock/Duel-v0"  # which imports the module
    assert gymnasium.make(name).action_space == gymnasium.spaces.Discrete(25)


# ---------------------------------------------------------------------- many games


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("first", [1, 2])
def test_many_games_are_the_same_as_gymnasiums_own_vector_of_single_ones(
    game: Game, first: int
) -> None:
    """Both begin games anew with the next step, the default of Gymnasium."""
    options: dict[str, Any] = {"game": game, "first": first}
    many = gymnasium.make_vec("gridlock/Game-v0", 4, opponent=First(), **options)
    single = SyncVectorEnv([lambda: GridlockEnv(opponent=First(), **options)] * 4)
    assert isinstance(many.unwrapped, GridlockVectorEnv)
    for space in (
        "observation_space", "action_space", "single_observation_space", "single_action_space",
    ):  # fmt: skip
        assert getattr(many, space) == getattr(single, space)
    assert many.metadata["autoreset_mode"] is single.metadata["autoreset_mode"]
    (seen, info), (expected, expected_info) = many.reset(seed=1), single.reset(seed=1)
    rng = np.random.default_rng(2)
    ended = 0
    for _ in range(40):
        assert data_equivalence(seen, expected)
        assert np.array_equal(info["action_mask"], expected_info["action_mask"])
        assert seen in many.observation_space
        mask = info["action_mask"]
        actions = (mask * rng.random(mask.shape)).argmax(axis=1)
        if rng.random() < 0.1:
            actions[0] = rng.integers(mask.shape[1])  # which may be illegal
        seen, rewards, terminated, truncated, info = many.step(actions)
        expected, *others, expected_info = single.step(actions)
        for found, other in zip((rewards, terminated, truncated), others, strict=True):
            assert data_equivalence(found, other)
        assert set(np.flatnonzero(info.get("illegal", []))) == set(
            np.flatnonzero(expected_info.get("_illegal", []))
        )
        ended += terminated.sum()
    assert ended > 4
    many.close()


def test_random_opponents_play_in_the_kernel_and_can_be_seeded() -> None:
    def play(seed: int) -> list[Any]:
        env = gymnasium.make_vec("gridlock/Race-v0", 20, first="random")
        _, info = env.reset(seed=seed)
        results = []
        for _ in range(25):
            _, rewards, *_, info = env.step(info["action_mask"].argmax(axis=1))
            results.append(rewards)
        env.close()
        return results

    one = play(3)
    assert data_equivalence(one, play(3))
    assert not data_equivalence(one, play(4))
    assert {-1.0, 0.0, 1.0} == set(np.unique(one))


def test_actions_that_are_no_cells_are_refused() -> None:
    env = GridlockEnv("duel")
    env.reset()
    with pytest.raises(TypeError, match="integer"):
        env.step(1.5)
    many = GridlockVectorEnv(3, game="duel")
    many.reset()
    with pytest.raises(ArrayError, match=r"^actions has the shape \(2,\), not \(3,\)$"):
        many.step([1, 2])
    with pytest.raises(ArrayError, match="^actions are whole numbers, not float64$"):
        many.step([1.0, 2.0, 3.0])


def test_many_games_say_how_they_begin_anew() -> None:
    assert GridlockVectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
