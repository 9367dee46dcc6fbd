from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridlock
from gridlock import RULEBOOKS, Player, Position
from gridlock.errors import LimitError
from gridlock.players import Seat, bot_of
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL
from gridlock.search.analysis import Value, analyse
from gridlock.search.backends import backend_of
from gridlock.search.levels import _promising, choose
from gridlock.search.solver import Progress, Solver
from tests.search.test_solver import small_positions

levels = st.integers(LOWEST_LEVEL, HIGHEST_LEVEL)


def evaluate(position: Position, player: Player) -> float:
    return backend_of(position.game).evaluate(position, player)


@settings(max_examples=60)
@given(small_positions, levels, st.randoms(use_true_random=False))
def test_every_level_chooses_a_legal_cell(
    position: Position, level: int, rng: random.Random
) -> None:
    if position.winner is None:
        assert position.is_legal(choose(Solver(position.game), position, level, rng))


@settings(max_examples=60)
@given(small_positions, st.randoms(use_true_random=False))
def test_the_highest_level_wins_soonest_and_loses_latest(
    position: Position, rng: random.Random
) -> None:
    if position.winner is None:
        analysis = analyse(position)
        cell = choose(Solver(position.game), position, HIGHEST_LEVEL, rng)
        chosen = analysis.action(cell)
        assert (chosen.value, chosen.distance) == (analysis.value, analysis.distance)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_highest_level_never_gives_a_won_game_away(name: str) -> None:
    game = gridlock.game(name)
    solver = Solver(game)
    rng = random.Random(1)
    for level in (1, 5, 7):
        position = game.start()
        winner = position.mover if solver.wins(position) else position.mover.opponent
        while position.winner is None:
            strength = HIGHEST_LEVEL if position.mover is winner else level
            position = position.play(choose(solver, position, strength, rng))
        assert position.winner is winner


def test_of_lost_cells_the_highest_level_leaves_the_fewest_good_replies() -> None:
    position = gridlock.game("claim").start()
    solver = Solver(position.game)
    analysis = analyse(position, solver=solver)
    assert analysis.value is Value.LOSS
    longest = [action for action in analysis.actions if action.distance == analysis.distance]
    replies = {
        action.cell: len(analyse(position.play(action.cell), solver=solver).winning_cells())
        for action in longest
    }
    assert min(replies.values()) < max(replies.values())
    chosen = {choose(solver, position, HIGHEST_LEVEL, random.Random(seed)) for seed in range(9)}
    assert {replies[cell] for cell in chosen} == {min(replies.values())}


def test_a_level_is_repeatable_and_higher_ones_err_less() -> None:
    """At this start one cell of twenty-five wins, at a distance."""
    game = gridlock.game("occupation")
    position = game.start()
    solver = Solver(game)

    def hits(level: int) -> int:
        cells = [choose(solver, position, level, random.Random(seed)) for seed in range(30)]
        assert cells == [choose(solver, position, level, random.Random(seed)) for seed in range(30)]
        return cells.count(game.cell("3,3"))

    found = [hits(level) for level in (1, 4, 7, 8)]
    assert found == sorted(found)
    assert found[0] < 15
    assert found[-1] == 30


def test_every_level_takes_a_win_that_is_there() -> None:
    """Two cells of this duel are left apart: the middle of three closes all of them."""
    position = gridlock.game("duel", "1x6").position("1.#... 1 -")
    for level in range(LOWEST_LEVEL, HIGHEST_LEVEL + 1):
        cell = choose(Solver(position.game), position, level, random.Random(level))
        assert position.game.name(cell) == "1,5"


@pytest.mark.parametrize(
    ("distance", "sees", "overlooks", "name", "size", "text"),
    [
        (2, 2, 1, "trail", "3x4", "..../..21/..12 1 2,3"),
        (3, 3, 2, "claim", "1x7", "..1.... 2 -"),
        (4, 4, 3, "claim", "1x7", "....... 1 -"),
        *((5, 8, level, "claim", "1x7", "1...... 2 -") for level in (4, 5, 6, 7)),
    ],
)
def test_a_level_overlooks_only_what_is_not_near(
    distance: int, sees: int, overlooks: int, name: str, size: str, text: str
) -> None:
    """Here an odd distance is that of the only quick win, an even one that of a quick loss."""
    position = gridlock.game(name, size).position(text)
    solver = Solver(position.game)
    analysis = analyse(position, solver=solver)
    assert distance in (analysis.actions[0].distance, analysis.actions[-1].distance)

    def distances(level: int) -> set[int | None]:
        cells = [choose(solver, position, level, random.Random(seed)) for seed in range(60)]
        return {analysis.action(cell).distance for cell in cells}

    assert distances(sees) == {analysis.distance}
    assert len(distances(overlooks)) > 1


@pytest.mark.parametrize("level", range(LOWEST_LEVEL, HIGHEST_LEVEL))
def test_a_careless_turn_is_a_mistake_wherever_one_can_be_made(level: int) -> None:
    """After this first move most cells win, and none of them at once."""
    careless = random.Random(1)
    careless.random = lambda: 0.0  # type: ignore[method-assign]
    game = gridlock.game("claim")
    solver = Solver(game)
    position = game.start().play(0)
    values = {cell: solver.wins_by(position, cell) for cell in position.legal_cells()}
    assert set(values.values()) == {True, False}
    assert not values[choose(solver, position, level, careless)]


@pytest.mark.parametrize("name", RULEBOOKS)
@pytest.mark.parametrize("who", ["computer", "computer:1", "computer:7"])
def test_the_computer_plays_on_boards_that_nobody_can_solve(name: str, who: str) -> None:
    game = gridlock.game(name, "12x12")
    player = bot_of(who, Seat(random.Random(1)))
    assert player is not None
    position = game.start()
    for _ in range(3):
        position = position.play(player.choose(position))
    assert position.winner is None


def test_a_search_that_is_not_done_in_time_still_leads_to_a_cell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = gridlock.game("claim", "7x9").start()
    assert position.is_legal(choose(Solver(position.game), position, 8, random.Random(1), 0.01))
    monkeypatch.setattr("gridlock.search.levels._PATIENCE", 6000)
    small = gridlock.game("occupation", "6x6").start()
    solver = Solver(small.game)
    cell = choose(solver, small, 8, random.Random(1), 0.01)
    assert solver.wins_by(small, cell)


def test_a_cell_that_is_seen_to_lose_gives_way_to_the_next_that_looks_good() -> None:
    position = gridlock.game("occupation").start()
    corner, side, middle = (position.game.cell(name) for name in ("1,1", "1,3", "3,3"))

    class SlowSolver(Solver):
        """Finds out in time only that the middle loses."""

        def wins_by(self, position: Position, cell: int) -> bool:
            if cell != middle:
                raise LimitError("not solved within a moment")
            return False

    cells = (corner, middle, side)
    looks = [evaluate(position.play(cell), position.mover) for cell in (middle, side, corner)]
    assert looks == sorted(looks, reverse=True)
    assert _promising(SlowSolver(position.game), position, cells, random.Random(1), 0.01) == side


def test_evaluating_is_room_for_oneself_less_room_for_the_other() -> None:
    occupation = gridlock.game("occupation")
    after = occupation.start().play(occupation.cell("3,3"))
    one, two = gridlock.Player
    assert evaluate(after, one) == 24 - 16 == -evaluate(after, two)
    trail = gridlock.game("trail").start().play(0)
    assert evaluate(trail, one) == -2
    race = gridlock.game("race")
    assert evaluate(race.start(), one) == 0
    stepped = race.start().play(race.cell("0,1"))
    assert evaluate(stepped, one) == (3 - 5) - (2 - 6) == -evaluate(stepped, two)
    over = gridlock.game("duel", "1x1").start().play(0)
    assert evaluate(over, one) > 100 > -100 > evaluate(over, two)


@pytest.mark.parametrize("level", [4, 8])
@pytest.mark.parametrize(("name", "size"), [("claim", "7x9"), ("race", "6x6"), ("claim", "15x15")])
def test_a_level_that_is_stopped_chooses_at_once_and_then_no_more(
    name: str, size: str, level: int
) -> None:
    position = gridlock.game(name, size).start()
    asked = 0

    def watch(_: Progress) -> None:
        nonlocal asked
        asked += 1
        if asked == 3:
            solver.stop()

    solver = Solver(position.game, watch=watch)
    assert position.is_legal(choose(solver, position, level, random.Random(1), 600.0))
    with pytest.raises(LimitError, match="^stopped$"):
        choose(solver, position, level, random.Random(1))
