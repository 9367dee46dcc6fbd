"""Positions with more cells than a word has bits, searched as sets of two words."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridlock
from gridlock.search.kernel.bits import CELLS, hash_cells
from gridlock.search.settings import Settings
from gridlock.search.solver import Solver
from gridlock.search.theorems import Theorem
from tests.oracle import solver as oracle
from tests.search.test_sums import WAYS, is_split, large_positions

if TYPE_CHECKING:
    from gridlock import Position


@st.composite
def scattered(draw: st.DrawFn) -> Position:
    """Return a position on a large board with a few open cells, of either word and between them."""
    name = draw(st.sampled_from(["occupation", "duel", "claim", "trail"]))
    game = gridlock.game(name, draw(st.sampled_from(["9x9", "7x13", "11x11", "2x40"])))
    columns, count = game.grid.columns, game.grid.cell_count
    near = [c + d for c in (CELLS - 1, count - 1) for d in (0, -1, -columns, -columns - 1, 1, 2)]
    chosen = draw(st.sets(st.sampled_from([c for c in near if c < count]), min_size=3, max_size=8))
    marks = {cell: draw(st.sampled_from("...12")) for cell in chosen}
    if name == "trail":
        marks = dict.fromkeys(chosen, ".")
    rows = [
        "".join(marks.get(row * columns + column, "#") for column in range(columns))
        for row in range(game.grid.rows)
    ]
    return game.position(f"{'/'.join(rows)} {draw(st.sampled_from('12'))} -")


@settings(max_examples=150)
@given(position=scattered(), use=st.sampled_from(WAYS), threads=st.integers(1, 2))
def test_sets_of_two_words_are_worth_what_the_oracle_says(
    position: Position, use: Theorem, threads: int
) -> None:
    solver = Solver(
        position.game, Settings(memory=1 << 18, threads=threads), use=use & ~Theorem.MATCHING
    )
    won, distance = oracle.solve(position)
    assert (solver.wins(position), solver.distance(position)) == (won, distance)
    for cell in position.legal_cells():
        assert solver.wins_by(position, cell) == oracle.solve_action(position, cell)[0]
    if solver.backend.is_impartial and Theorem.NIMBERS in use:
        assert solver.nimber(position) == oracle.grundy(position)
    if solver.backend.has_numbers and Theorem.NUMBERS in use:
        assert solver.number(position) == oracle.value_of(position)


def path_nimbers(most: int) -> list[int]:
    """Return the Grundy values of duel on a single row, by the octal game 0.137."""
    values: list[int] = []
    for cells in range(most + 1):
        ends = {values[max(0, cells - 2)]} if cells else set[int]()
        inner = {values[left] ^ values[cells - 3 - left] for left in range(max(0, cells - 2))}
        values.append(min(set(range(len(ends | inner) + 1)) - ends - inner))
    return values


def test_a_row_of_up_to_a_hundred_cells_has_the_values_of_an_octal_game() -> None:
    values = path_nimbers(100)
    assert values[:14] == [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4]
    for columns in (64, 65, 80, 100):
        solver = Solver(gridlock.game("duel", f"1x{columns}"))
        assert solver.nimber(solver.game.start()) == values[columns]


@pytest.mark.parametrize(
    ("name", "size", "plies"),
    [("occupation", "10x10", 17), ("duel", "11x11", 13), ("claim", "10x10", 16)],
)
def test_what_fits_into_words_is_worth_the_same_in_two(
    name: str, size: str, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for position in large_positions(name, size, plies, 7, 4):
        with monkeypatch.context() as patched:
            for module in ("boards", "sums"):
                patched.setattr(f"gridlock.search.backends.{module}.MOST_CELLS", CELLS)
            solver = Solver(position.game)
            if is_split(solver, position):
                found.append((position, solver.wins(position)))
    assert found
    for position, won in found:
        assert Solver(position.game).wins(position) == won


def test_a_large_region_is_searched_where_few_of_its_cells_are_linked() -> None:
    duel = gridlock.game("duel", "9x9")
    assert not Solver(duel).can_search(duel.start())
    wide = gridlock.game("duel", "11x9")
    rows = "/".join([".........", "#.#.#.#.#"] * 5 + ["........."])
    assert Solver(wide).can_search(wide.position(f"{rows} 1 -"))


def test_two_hashes_tell_sets_of_two_words_apart_and_one_word_is_its_own() -> None:
    rng = random.Random(1)
    sets = {rng.getrandbits(120) for _ in range(2000)} | {1 << bit for bit in range(64, 128)}
    pairs = {(hash_cells(one, one, 1), hash_cells(one, one, 2)) for one in sets}
    assert len(pairs) == len(sets)
    assert hash_cells(5, 7, 1) == 5
