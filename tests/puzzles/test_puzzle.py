from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gridlock import RULEBOOKS, Game, Grid, IllegalMoveError, Player
from gridlock.puzzles.collection import find_puzzle, puzzles_of
from gridlock.puzzles.puzzle import Attempt, Puzzle, choices, find_line, winning_cells
from gridlock.search.settings import Settings
from gridlock.search.solver import Solver
from tests.oracle.solver import solve, solve_action

if TYPE_CHECKING:
    from gridlock import Position

FEW = 10


@pytest.mark.parametrize("game_id", RULEBOOKS)
def test_every_puzzle_is_solved_anew(game_id: str) -> None:
    solvers = solvers_of(game_id)
    for puzzle in puzzles_of(game_id):
        assert puzzle.position.legal.bit_count() > 1, puzzle.id
        assert choices(puzzle) >= 2, puzzle.id
        for position, cell in zip(puzzle.positions(), puzzle.line, strict=False):
            if position.mover is puzzle.solver:
                winning = winning_cells(solvers[position.game], position)
                assert winning == [cell], puzzle.id


@pytest.mark.long
@pytest.mark.parametrize("game_id", RULEBOOKS)
def test_every_line_is_the_one_with_the_longest_resistance(game_id: str) -> None:
    solvers = solvers_of(game_id)
    for puzzle in puzzles_of(game_id):
        assert find_line(solvers[puzzle.position.game], puzzle.position) == puzzle.line, puzzle.id


@pytest.mark.parametrize("game_id", RULEBOOKS)
def test_a_plain_search_of_the_smallest_finds_the_same(game_id: str) -> None:
    for puzzle in sorted(puzzles_of(game_id), key=lambda puzzle: open_cells(puzzle.position))[:FEW]:
        check(puzzle)


def solvers_of(game_id: str) -> dict[Game, Solver]:
    games = {puzzle.position.game for puzzle in puzzles_of(game_id)}
    return {game: Solver(game, Settings(threads=1)) for game in games}


def open_cells(position: Position) -> int:
    taken = position.marks(Player.ONE) | position.marks(Player.TWO) | position.blocked
    closed = position.closed_to(Player.ONE) & position.closed_to(Player.TWO)
    return (position.game.grid.full & ~taken & ~closed).bit_count()


def check(puzzle: Puzzle) -> None:
    """Check the definition of a puzzle by trying everything."""
    *before, last = puzzle.positions()
    for position, cell in zip(before, puzzle.line, strict=True):
        outcomes = {other: solve_action(position, other) for other in position.legal_cells()}
        if position.mover is puzzle.solver:
            winning = [other for other, (is_won, _) in outcomes.items() if is_won]
            assert winning == [cell], puzzle.id
        else:
            assert solve(position)[0] is False, puzzle.id
            longest = max(distance for _, distance in outcomes.values())
            assert outcomes[cell][1] == longest, puzzle.id
    if last.winner is None:
        assert solve(last)[0] is (last.mover is puzzle.solver), puzzle.id


@pytest.fixture
def puzzle() -> Puzzle:
    """A puzzle with an answer in between."""
    return next(puzzle for puzzle in puzzles_of("duel") if len(puzzle.line) == 3)


def test_an_attempt_goes_along_the_line_to_its_end(puzzle: Puzzle) -> None:
    attempt = Attempt.at(puzzle)
    assert (attempt.left, attempt.answer, attempt.is_solved) == (2, (), False)
    attempt = attempt.try_(puzzle.line[0])
    assert (attempt.left, attempt.answer, attempt.is_solved) == (1, puzzle.line[1:2], False)
    assert attempt.position == puzzle.positions()[2]
    attempt = attempt.try_(puzzle.line[2])
    assert (attempt.left, attempt.is_solved, attempt.mistakes) == (0, True, 0)


def test_a_wrong_cell_is_counted_and_changes_nothing_else(puzzle: Puzzle) -> None:
    wrong = next(cell for cell in puzzle.position.legal_cells() if cell != puzzle.line[0])
    attempt = Attempt.at(puzzle).try_(wrong)
    assert attempt == Attempt(puzzle, puzzle.position, 0, 1)


def test_a_cell_that_the_rules_refuse_is_no_try(puzzle: Puzzle) -> None:
    taken = puzzle.position.marks(puzzle.solver).bit_length() - 1
    with pytest.raises(IllegalMoveError):
        Attempt.at(puzzle).try_(taken)


def test_in_race_a_turn_takes_two_finds_and_the_answer_two_cells() -> None:
    puzzle = next(
        puzzle
        for puzzle in puzzles_of("race")
        if puzzle.position.phase == "move" and len(puzzle.line) > 4
    )
    attempt = Attempt.at(puzzle).try_(puzzle.line[0])
    assert (attempt.played, attempt.answer, attempt.position.phase) == (1, (), "block")
    attempt = attempt.try_(puzzle.line[1])
    assert (attempt.played, attempt.answer) == (4, puzzle.line[2:4])


def test_of_several_winning_cells_each_may_be_last() -> None:
    game = find_puzzle("duel-1").position.game
    position = game.start()
    puzzle = Puzzle("duel mistake", position, (0,), 0, (), (0, 1))
    assert Attempt.at(puzzle).try_(1).is_solved
    assert Attempt.at(puzzle).try_(1).puzzle.line == (1,)  # what was found is what is shown
    assert Attempt.at(puzzle).try_(2).mistakes == 1


@pytest.mark.parametrize(
    "text",
    [
        "...../...../..1../...../..... 2 -",  # lost
        "1..../...../...../...../....2 1 -",  # several cells win, but not half of them
    ],
)
def test_a_position_that_asks_for_nothing_is_no_puzzle(text: str) -> None:
    game = Game(RULEBOOKS["occupation"], Grid(5, 5))
    assert find_line(Solver(game), game.position(text)) is None
