from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridlock
from gridlock import RULEBOOKS, Player, Position
from gridlock.errors import LimitError
from gridlock.players import Seat, bot_of
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL, levels
from gridlock.search.analysis import Analysis, Value, analyse, look_for_win
from gridlock.search.estimating import Estimate, Estimation
from gridlock.search.levels import choose
from gridlock.search.solver import Progress, Solver
from tests.search.test_solver import small_positions

ALL_LEVELS = range(LOWEST_LEVEL, HIGHEST_LEVEL + 1)


class Fixed(random.Random):
    """Chance that always draws the same part of one; everything else is as the seed says."""

    def __init__(self, part: float, seed: int = 1) -> None:
        super().__init__(seed)
        self.random = lambda: part  # type: ignore[method-assign]


def wins_with_turn(position: Position, player: Player) -> bool:
    """Tell by the rules alone whether a player has won, or can with what is left of the turn."""
    if position.winner is not None or position.mover is not player:
        return position.winner is player
    return any(wins_with_turn(position.play(cell), player) for cell in position.legal_cells())


def loses_with_next_turn(position: Position, player: Player) -> bool:
    """Tell by the rules alone whether the other player wins with their next turn."""
    if position.winner is not None or position.mover is not player:
        return wins_with_turn(position, player.opponent)
    return all(loses_with_next_turn(position.play(cell), player) for cell in position.legal_cells())


def near_choices(position: Position) -> set[int]:
    """Return the cells that whoever sees what is near chooses from: wins, or what does not lose."""
    cells = set(position.legal_cells())
    wins = {cell for cell in cells if wins_with_turn(position.play(cell), position.mover)}
    safe = {c for c in cells if not loses_with_next_turn(position.play(c), position.mover)}
    return wins or safe or cells


@lru_cache
def near_decisions(name: str, size: str) -> list[Position]:
    """Return positions of random games in which not all cells are as good, seen from near by."""
    found: list[Position] = []
    rng = random.Random(f"{name} {size}")
    while len(found) < 3:
        positions = [gridlock.game(name, size).start()]
        while positions[-1].winner is None:
            positions.append(positions[-1].play(rng.choice(positions[-1].legal_cells())))
        found += [
            position
            for position in positions[-6:-1]
            if len(near_choices(position)) < len(position.legal_cells())
        ]
    return found


@settings(max_examples=60)
@given(small_positions, st.sampled_from(ALL_LEVELS), st.randoms(use_true_random=False))
def test_every_level_chooses_a_legal_cell(
    position: Position, level: int, rng: random.Random
) -> None:
    if position.winner is None:
        assert position.is_legal(choose(Solver(position.game), position, level, rng))


@settings(max_examples=40)
@given(small_positions, st.randoms(use_true_random=False))
def test_the_highest_level_wins_soonest(position: Position, rng: random.Random) -> None:
    analysis = analyse(position, with_lines=False)
    if analysis.value is Value.WIN:
        cell = choose(Solver(position.game), position, HIGHEST_LEVEL, rng)
        assert analysis.action(cell).distance == analysis.distance


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


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claim", "...../...../...../...../..... 1 -"),
        ("duel", "...../...../..1../...../..... 2 -"),
        ("trail", "..../1.../2.../.... 1 3,1"),
    ],
)
def test_a_lost_highest_level_leaves_most_ways_to_go_wrong(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    """In the last two games the longest resistance would leave fewer."""
    monkeypatch.setattr(levels, "_TRAP_SECONDS", 60.0)
    monkeypatch.setattr(levels, "_TRAP_TURNS", 1)
    position = gridlock.game(name).position(text)
    solver = Solver(position.game)
    assert not solver.wins(position)
    wrong = {}
    for cell in position.legal_cells():
        after = position.play(cell)
        values = [solver.wins_by(after, answer) for answer in after.legal_cells()]
        wrong[cell] = values.count(False) / len(values)
    assert wrong[choose(solver, position, HIGHEST_LEVEL, random.Random(1))] == max(wrong.values())


def test_of_equal_traps_the_longest_resistance_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "_TRAP_SECONDS", 60.0)
    monkeypatch.setattr(levels, "_TRAP_TURNS", 1)
    position = gridlock.game("trail", "5x5").position(".12../...../...../...../..... 1 1,3")
    analysis = analyse(position)
    assert analysis.value is Value.LOSS
    assert len({action.distance for action in analysis.actions}) > 1
    cell = choose(Solver(position.game), position, HIGHEST_LEVEL, random.Random(1))
    assert analysis.action(cell).distance == analysis.distance


def test_a_trap_for_which_there_is_no_time_is_what_estimates_find_hard_to_see_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def give_up(*_: object) -> float:
        raise LimitError("not solved within 0 s")

    monkeypatch.setattr(levels, "_hope", give_up)
    position = gridlock.game("occupation").position("...../...../..1../...../..... 2 -")
    hardest = position.game.cell("1,5")
    chances = {
        cell: Estimate(cell, 0.4 if cell == hardest else 0.1, 50, 0)
        for cell in position.legal_cells()
    }
    monkeypatch.setattr(Estimation, "estimates", lambda _: chances)
    solver = Solver(position.game)
    assert not solver.wins(position)
    assert choose(solver, position, HIGHEST_LEVEL, random.Random(1)) == hardest


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


@pytest.mark.parametrize("level", range(LOWEST_LEVEL + 1, HIGHEST_LEVEL + 1))
@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_level_but_the_lowest_sees_what_is_near(name: str, level: int) -> None:
    """However careless it is, and on boards that can be searched as on those that cannot."""
    for size in ("4x4", "6x7", "9x9", "12x12"):
        for position in near_decisions(name, size):
            cell = choose(Solver(position.game), position, level, Fixed(0.0), 0.5)
            assert cell in near_choices(position)


def test_the_lowest_level_may_overlook_what_is_near() -> None:
    position = gridlock.game("duel", "1x6").position("1.#... 1 -")
    solver = Solver(position.game)
    chosen = {choose(solver, position, LOWEST_LEVEL, random.Random(seed)) for seed in range(30)}
    assert near_choices(position) < chosen


@pytest.mark.parametrize("level", range(LOWEST_LEVEL, HIGHEST_LEVEL))
def test_a_careless_turn_may_give_a_won_position_away(level: int) -> None:
    """After this first move most cells win, and none of them at once."""
    game = gridlock.game("claim")
    solver = Solver(game)
    position = game.start().play(0)
    chosen = {choose(solver, position, level, Fixed(0.0, seed)) for seed in range(30)}
    assert {solver.wins_by(position, cell) for cell in chosen} == {True, False}


def test_a_careful_turn_of_a_high_level_does_not() -> None:
    """At this start one cell of twenty-five wins, at a distance."""
    game = gridlock.game("occupation")
    solver = Solver(game)
    chosen = {choose(solver, game.start(), 7, Fixed(0.99, seed)) for seed in range(10)}
    assert chosen == {game.cell("3,3")}


def test_a_turn_on_a_larger_board_is_careless_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    think = Estimation.think

    def watch(self: Estimation, seconds: float | None = None, nodes: int = 0) -> None:
        looked.append(nodes)
        think(self, seconds, nodes)

    monkeypatch.setattr(Estimation, "think", watch)
    for size in ("3x3", "5x5", "10x10"):
        position = gridlock.game("occupation", size).start()
        choose(Solver(position.game), position, 4, Fixed(0.5))
    small, usual, large = looked
    assert small == usual < large


@pytest.mark.parametrize("name", RULEBOOKS)
@pytest.mark.parametrize("level", [1, 4, 8])
def test_the_computer_plays_on_boards_that_nobody_can_solve(name: str, level: int) -> None:
    game = gridlock.game(name, "12x12")
    solver = Solver(game)
    position = game.start()
    for _ in range(3):
        position = position.play(choose(solver, position, level, random.Random(1), 0.05))
    assert position.winner is None


def test_a_computer_without_a_level_plays_at_the_highest() -> None:
    """At this start one cell of twenty-five wins."""
    game = gridlock.game("occupation")
    player = bot_of("computer", Seat(random.Random(1)))
    assert player is not None
    assert game.name(player.choose(game.start())) == "3,3"


@pytest.mark.parametrize(
    ("seconds", "least", "most"), [(600.0, 420.0, 600.0), (1.0, 0.5, 1.0), (None, 1.0, 3.0)]
)
def test_the_highest_level_takes_the_time_it_is_given_or_three_seconds_at_most(
    monkeypatch: pytest.MonkeyPatch, seconds: float | None, least: float, most: float
) -> None:
    asked = []

    def watch(position: Position, solver: Solver, allowed: float, seed: int) -> Analysis:
        asked.append(allowed)
        return look_for_win(position, solver, 0.01, seed)

    monkeypatch.setattr(levels, "look_for_win", watch)
    position = gridlock.game("claim", "6x6").start()
    choose(Solver(position.game), position, HIGHEST_LEVEL, random.Random(1), seconds)
    assert least <= sum(asked) <= most


def test_a_search_that_is_not_done_in_time_still_leads_to_a_cell() -> None:
    position = gridlock.game("claim", "7x9").start()
    assert position.is_legal(choose(Solver(position.game), position, 8, random.Random(1), 0.01))


@pytest.mark.parametrize("size", ["7x9", "15x15"])
def test_the_highest_level_that_is_stopped_before_it_looks_ahead_still_chooses(
    monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    position = gridlock.game("claim", size).start()
    solver = Solver(position.game)
    near = levels._near

    def stop(*question: Any) -> dict[int, bool]:
        solver.stop()
        return near(*question)

    monkeypatch.setattr(levels, "_near", stop)
    assert position.is_legal(choose(solver, position, HIGHEST_LEVEL, random.Random(1)))


@pytest.mark.parametrize(
    ("name", "size", "level"),
    [("claim", "7x9", 4), ("claim", "7x9", 8), ("race", "6x6", 8), ("claim", "15x15", 8)],
)
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
