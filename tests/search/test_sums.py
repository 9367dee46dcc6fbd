"""Positions that are solved region by region, as those are that are searched whole."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import gridlock
from gridlock.errors import LimitError, SizeError
from gridlock.rulebooks.placement import PlacementPosition
from gridlock.search.analysis import Value, analyse
from gridlock.search.backends.plain import PlainBackend
from gridlock.search.settings import Settings
from gridlock.search.solver import Solver
from gridlock.search.theorems import ALL, Theorem
from tests.oracle import solver as oracle
from tests.search.test_solver import small_positions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock import Game, Position

WAYS = [
    ALL,
    ALL & ~Theorem.MIRROR,
    ALL & ~Theorem.BOUNDS,
    ALL & ~Theorem.NIMBERS,
    ALL & ~Theorem.NUMBERS,
    ALL & ~Theorem.REGIONS,
]


MOST_OPEN = 9  # cells that are enough for several regions, and few enough for the oracle


def limit_to(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the kernel know no more cells than these, so that small positions are large ones."""
    for module in ("placement", "sums"):
        monkeypatch.setattr(f"gridlock.search.backends.{module}.CELLS", cells)
    for module in ("boards", "sums"):
        monkeypatch.setattr(f"gridlock.search.backends.{module}.MOST_CELLS", cells)


def open_cells(position: Position) -> int:
    one, two = cast("PlacementPosition", position).still_open
    return (one | two).bit_count()


def is_split(solver: Solver, position: Position) -> bool:
    return solver.can_search(position) and not solver.can_measure(position)


def random_position(game: Game, plies: int, rng: random.Random) -> Position:
    while True:
        position = game.start()
        for _ in range(plies):
            if position.winner is None:
                position = position.play(rng.choice(position.legal_cells()))
        if position.winner is None:
            return position


@pytest.mark.parametrize("use", WAYS, ids=str)
@pytest.mark.parametrize("cells", [1, 3, 5])
@settings(max_examples=40)
@given(position=small_positions, threads=st.integers(1, 2))
def test_a_sum_is_worth_what_the_oracle_says(
    position: Position, cells: int, use: Theorem, threads: int
) -> None:
    assume(isinstance(position, PlacementPosition) and position.winner is None)
    assume(open_cells(position) <= MOST_OPEN)
    whole = Solver(position.game)
    has_numbers, is_impartial = whole.backend.has_numbers, whole.backend.is_impartial
    number = whole.number(position) if has_numbers else None
    with pytest.MonkeyPatch.context() as monkeypatch:
        limit_to(cells, monkeypatch)
        solver = Solver(position.game, Settings(memory=1 << 18, threads=threads), use=use)
        if not solver.can_search(position):
            assert open_cells(position) + (position.detail != "-") > cells
            return
        won, distance = oracle.solve(position)
        assert solver.wins(position) == won
        assert solver.probe(position) in (won, None)
        legal = position.legal_cells()
        winning = {cell for cell in legal if oracle.solve_action(position, cell)[0]}
        found = solver.winning_cell(position)
        assert found in winning if winning else found is None
        assert {cell for cell in legal if solver.wins_by(position, cell)} == winning
        if solver.can_measure(position):
            assert solver.distance(position) == distance
        else:
            with pytest.raises(SizeError):
                solver.distance(position)
        if is_impartial and Theorem.NIMBERS in use:
            assert solver.nimber(position) == oracle.grundy(position)
        if has_numbers and Theorem.NUMBERS in use:
            assert solver.number(position) == number


@pytest.mark.parametrize("name", ["occupation", "duel", "claim"])
@pytest.mark.parametrize(("size", "cells"), [("5x5", 7), ("6x6", 12)])
def test_positions_of_a_game_are_worth_the_same_in_parts_as_whole(
    name: str, size: str, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = gridlock.game(name, size)
    rng = random.Random(1)
    whole = Solver(game)
    positions = [random_position(game, rng.randrange(3, 10), rng) for _ in range(150)]
    values = [{c: whole.wins_by(p, c) for c in p.legal_cells()} for p in positions]
    limit_to(cells, monkeypatch)
    parts = Solver(game)
    split = 0
    for position, value in zip(positions, values, strict=True):
        if is_split(parts, position):
            split += 1
            assert {c: parts.wins_by(position, c) for c in value} == value
            analysis = analyse(position, solver=parts)
            assert {action.cell: action.value is Value.WIN for action in analysis.actions} == value
    assert split > 5


def test_a_plain_search_agrees_with_a_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(2)
    for name in ("occupation", "duel", "claim"):
        game = gridlock.game(name, "4x4")
        plain = Solver(game)
        plain.backend = PlainBackend(game)
        with monkeypatch.context() as patched:
            limit_to(7, patched)
            solver = Solver(game)
            for _ in range(40):
                position = random_position(game, rng.randrange(1, 5), rng)
                if solver.can_search(position):
                    assert solver.wins(position) == plain.wins(position)


LARGE = [
    ("occupation", "10x10", 17),
    ("duel", "11x11", 13),
    ("claim", "10x10", 16),
    ("duel", "8x20", 17),
]  # fmt: skip
"""Games whose random positions after so many moves are mostly too large to be searched whole."""


def large_positions(name: str, size: str, plies: int, seed: int, count: int) -> Iterator[Position]:
    rng = random.Random(seed)
    game = gridlock.game(name, size)
    while count:
        position = random_position(game, plies, rng)
        if is_split(Solver(game), position):
            count -= 1
            yield position


def lead_after(position: Position, cell: int) -> int:
    """Return how many more cells are open to the mover than to the other after taking a cell."""
    still_open = cast("PlacementPosition", position.play(cell)).still_open
    mine, theirs = (still_open[player - 1] for player in (position.mover, position.mover.opponent))
    return mine.bit_count() - theirs.bit_count()


@pytest.mark.parametrize(("name", "size", "plies"), LARGE)
@pytest.mark.parametrize("strategy", ["random", "greedy"])
def test_a_win_that_was_proved_in_parts_is_won_to_the_end(
    name: str, size: str, plies: int, strategy: str
) -> None:
    rng = random.Random(3)
    for start in large_positions(name, size, plies, 4, 2):
        solver = Solver(start.game)
        position = start
        with solver.within(60):
            winner = position.mover if solver.wins(position) else position.mover.opponent
            while position.winner is None:
                if position.mover is winner:
                    cell = solver.winning_cell(position)
                    assert cell is not None
                elif strategy == "random":
                    cell = rng.choice(position.legal_cells())
                else:
                    cell = max(position.legal_cells(), key=partial(lead_after, position))
                position = position.play(cell)
        assert position.winner is winner


def test_what_is_searched_in_parts_has_values_and_no_distances() -> None:
    (position,) = large_positions("duel", "11x11", 14, 5, 1)
    analysis = analyse(position, 60)
    assert analysis.value is not Value.UNKNOWN
    assert all(action.value is not Value.UNKNOWN for action in analysis.actions)
    solver = Solver(position.game)
    assert (analysis.value is Value.WIN) == solver.wins(position)
    with pytest.raises(SizeError, match="more than 64 cells are open"):
        solver.distance(position)
    with pytest.raises(SizeError, match="more than 64 cells are open"):
        solver.forced(position, 3)
    assert all(action.distance is None for action in analysis.actions)
    assert analysis.distance is None
    assert analysis.limit == "not solved: more than 64 cells are open"


def test_lone_cells_decide_without_a_search() -> None:
    game = gridlock.placement(own="cell", opponent="cell", size="9x9")
    for use in (ALL, ALL & ~Theorem.MIRROR & ~Theorem.NIMBERS & ~Theorem.NUMBERS):
        solver = Solver(game, use=use)
        assert solver.wins(game.start())
        assert not solver.wins(game.start().play(0))
        assert solver.progress.nodes == 0


def test_neither_misere_play_nor_moves_that_follow_have_regions() -> None:
    rows = "/".join(["....#....#....#....#"] * 8)
    for game, is_misere in (
        (gridlock.game("duel", "8x20"), True),
        (gridlock.placement(own="orthogonal", follow="king", size="8x20"), False),
    ):
        position = game.position(f"{rows} 1 -")
        assert not Solver(game, is_misere=is_misere).can_search(position)
    duel = gridlock.game("duel", "8x20")
    assert Solver(duel).can_search(duel.position(f"{rows} 1 -"))
    assert not Solver(duel, use=ALL & ~Theorem.REGIONS).can_search(duel.position(f"{rows} 1 -"))


def test_regions_of_occupation_are_searched_together_so_they_may_be_too_many() -> None:
    game = gridlock.game("occupation", "8x20")
    rows = "/".join(["....#....#....#....#"] * 8)
    position = game.position(f"{rows} 1 -")
    assert not Solver(game, use=ALL & ~Theorem.MIRROR).can_search(position)
    with pytest.raises(SizeError):
        Solver(game, use=ALL & ~Theorem.MIRROR).wins(position)


def test_tables_of_several_boards_stay_within_the_memory() -> None:
    (position,) = large_positions("duel", "11x11", 14, 5, 1)
    for memory in (1 << 16, 1 << 20, 1 << 28):
        solver = Solver(position.game, Settings(memory=memory))
        expected = Solver(position.game).wins(position)
        assert solver.wins(position) == expected
        assert sum(desk.size for desk in solver._desks) <= memory
        nodes = solver.progress.nodes
        solver.wins(position)
        assert solver.progress.nodes >= nodes


def test_a_search_in_parts_ends_when_the_time_does() -> None:
    game = gridlock.game("claim", "8x20")
    rows = "/".join(["........#.........#."] * 8)
    solver = Solver(game, use=ALL & ~Theorem.MIRROR)
    position = game.position(f"{rows} 1 -")
    with pytest.raises(LimitError), solver.within(0.2):
        solver.wins(position)


@pytest.mark.parametrize(
    ("name", "size", "moves", "use"),
    [
        ("occupation", "7x7", (0,), ALL),
        ("duel", "6x7", (0,), ALL),
        ("claim", "5x7", (0, 9), ALL),
        ("race", "5x5", (), ALL),
        ("trail", "4x5", (0,), ALL & ~Theorem.MATCHING),
    ],
)
def test_after_a_proof_the_winning_cell_takes_no_search(
    name: str, size: str, moves: tuple[int, ...], use: Theorem
) -> None:
    position = gridlock.game(name, size).start().replay(moves)[-1]
    solver = Solver(position.game, use=use)
    assert solver.wins(position)
    nodes = solver.progress.nodes
    assert nodes > 0
    cell = solver.winning_cell(position)
    assert solver.progress.nodes - nodes < 20
    assert cell is not None
    assert Solver(position.game, use=use).wins_by(position, cell)


def test_what_is_not_known_without_a_search_is_not_said() -> None:
    for name, size in (("occupation", "7x7"), ("duel", "7x7"), ("claim", "6x6"), ("race", "5x5")):
        start = gridlock.game(name, size).start()
        solver = Solver(start.game, use=ALL & ~Theorem.MIRROR)
        assert solver.probe(start) is None
        assert solver.probe(start) in (None, solver.wins(start))
    (position,) = large_positions("duel", "11x11", 14, 5, 1)
    assert Solver(position.game).probe(position) is None


def test_values_that_regions_cannot_tell_are_refused() -> None:
    rows = "/".join(["....#....#....#....#"] * 8)
    for name, theorem, ask in (
        ("duel", Theorem.NIMBERS, Solver.nimber),
        ("claim", Theorem.NUMBERS, Solver.number),
    ):
        game = gridlock.game(name, "8x20")
        position = game.position(f"{rows} 1 -")
        with pytest.raises(SizeError, match="more than 64 cells are open"):
            ask(Solver(game, use=ALL & ~theorem & ~Theorem.MIRROR), position)
