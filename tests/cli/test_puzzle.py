from __future__ import annotations

import shlex
from datetime import date
from typing import TYPE_CHECKING

import pytest

from gridlock import read_record
from gridlock.puzzles import sentences
from gridlock.puzzles.collection import daily_puzzle, puzzles_of
from gridlock.puzzles.progress import Mistake, ProgressFile
from gridlock.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock.puzzles.puzzle import Puzzle
    from tests.conftest import Run


def solution(puzzle: Puzzle) -> str:
    """Return what somebody types who solves a puzzle at once."""
    moves = zip(puzzle.positions(), puzzle.line, strict=False)
    cells = [cell for position, cell in moves if position.mover is puzzle.solver]
    return "".join(f"{puzzle.position.game.name(cell)}\n" for cell in cells)


def wrong_cell(puzzle: Puzzle) -> str:
    cells = puzzle.position.legal_cells()
    return puzzle.position.game.name(next(cell for cell in cells if cell != puzzle.line[0]))


@pytest.fixture
def puzzle() -> Puzzle:
    return next(puzzle for puzzle in puzzles_of("duel") if len(puzzle.line) == 3)


def test_a_puzzle_is_solved(run: Run, puzzle: Puzzle, games_folder: Path) -> None:
    result = run("puzzle", puzzle.id, typed=solution(puzzle))
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    game = puzzle.position.game
    assert lines[0] == f"Puzzle {puzzle.id}, {game.grid}, rated {puzzle.rating}"
    symbol, other = (game.rulebook.symbol(who) for who in (puzzle.solver, puzzle.solver.opponent))
    assert f"{symbol} is to take a cell: exactly one wins. 2 to find." in lines
    assert f"Right. {other} answers {game.name(puzzle.line[1])}." in lines
    assert f"{symbol} is to take a cell: exactly one wins. It is the last one." in lines
    progress = ProgressFile(games_folder).read()
    end = puzzle.positions()[-1]
    assert lines[-4:] == [
        "Solved!",
        f"Your puzzle rating: {progress.rating} ({progress.rating.rating - 1500:+.0f}).",
        f'To play on: gridlock play duel --position "{end}" --p{puzzle.solver.opponent} computer',
        f"GridLock puzzle {puzzle.id} · duel {game.grid}, rated {puzzle.rating} · ✓",
    ]
    assert progress.seen == {puzzle.id: True}


def test_the_board_has_dots_on_the_cells_to_choose_from(run: Run, puzzle: Puzzle) -> None:
    board = run("puzzle", puzzle.id, typed="quit\n").out.split("\n\n")[1]
    position = puzzle.position
    rows = [line.split()[1:] for line in board.splitlines()[1:]]
    drawn = [square for row in rows for square in row]
    assert [cell for cell, square in enumerate(drawn) if square == "."] == list(
        position.legal_cells()
    )
    assert drawn.count("A") == position.marks(type(position.mover).ONE).bit_count()


def test_a_wrong_cell_is_refuted_and_counts_at_once(
    run: Run, puzzle: Puzzle, games_folder: Path
) -> None:
    wrong = wrong_cell(puzzle)
    result = run("puzzle", puzzle.id, typed=f"{wrong}\nquit\n")
    assert f"\n{wrong} does not win: it loses to " in result.out
    assert ProgressFile(games_folder).read().seen == {puzzle.id: False}
    again = run("puzzle", puzzle.id, typed=f"{wrong}\n{wrong}\n{solution(puzzle)}")
    assert again.out.splitlines()[-3] == "Solved, after 2 wrong tries."
    assert again.out.splitlines()[-1].endswith(" · ✗✗✓")
    assert ProgressFile(games_folder).read().seen == {puzzle.id: False}


@pytest.mark.parametrize(
    ("typed", "said"),
    [("x", "'x' is not a cell: "), ("99,1", "'99,1' is outside the board: "), ("", "'' is not a ")],
)
def test_what_is_no_move_is_explained_and_no_mistake(
    run: Run, puzzle: Puzzle, games_folder: Path, typed: str, said: str
) -> None:
    result = run("puzzle", puzzle.id, typed=f"{typed}\n")
    assert f"\n{said}" in result.out
    assert ProgressFile(games_folder).read().seen == {}


def test_a_hint_is_free_and_the_solution_is_not(
    run: Run, puzzle: Puzzle, games_folder: Path
) -> None:
    result = run("puzzle", puzzle.id, typed="hint\nquit\n")
    assert sentences.clue(puzzle) in result.out
    assert ProgressFile(games_folder).read().seen == {}
    result = run("puzzle", puzzle.id, typed="solution\n")
    game = puzzle.position.game
    assert f"The solution: {' '.join(map(game.name, puzzle.line))}." in result.out
    assert ProgressFile(games_folder).read().seen == {puzzle.id: False}


def test_a_puzzle_that_is_over_is_played_on_as_it_says(
    run: Run, puzzle: Puzzle, games_folder: Path
) -> None:
    for typed, position in (
        (solution(puzzle), puzzle.positions()[-1]),
        ("solution\n", puzzle.position),
    ):
        lines = run("puzzle", puzzle.id, typed=typed).out.splitlines()
        (line,) = (line for line in lines if line.startswith("To play on: "))
        assert run(*shlex.split(line)[4:], typed="resign\n").code == 0
        record = read_record(Store(games_folder).files()[0][1].read_text())
        assert record.setup == position
        assert record.players[puzzle.solver - 1] == "human"
        assert record.players[puzzle.solver.opponent - 1] == "computer"


def test_a_puzzle_that_ends_the_game_is_played_anew(run: Run) -> None:
    puzzle = next(
        puzzle for puzzle in puzzles_of("race") if puzzle.positions()[-1].winner is not None
    )
    out = run("puzzle", puzzle.id, typed=solution(puzzle)).out
    assert f'gridlock play race --position "{puzzle.position}"' in out


def test_one_puzzle_comes_after_the_other(run: Run, games_folder: Path) -> None:
    result = run("puzzle", "claim", typed="solution\ny\nsolution\nn\n")
    titles = [line for line in result.out.splitlines() if line.startswith("Puzzle claim-")]
    assert len(set(titles)) == 2
    assert len(ProgressFile(games_folder).read().seen) == 2


def test_the_puzzle_of_the_day_makes_a_streak(run: Run, games_folder: Path) -> None:
    today = date.today()
    result = run("puzzle", "--daily", typed=solution(daily_puzzle(today)))
    assert result.out.splitlines()[-1].startswith(f"GridLock daily {today} · ")
    assert ProgressFile(games_folder).read().daily_streak(today) == 1
    report = run("puzzle", "--progress").out
    assert "Daily puzzles in a row: 1\n" in report
    assert "Solved at first sight:  1 of 1\n" in report


def test_mistakes_of_ones_own_are_set_when_they_are_due(run: Run, games_folder: Path) -> None:
    result = run("puzzle", "--mistakes")
    assert (result.code, result.error_lines) == (
        1,
        ["gridlock: no mistake of yours is due: gridlock review finds those of a game"],
    )
    position = "...../...../..1../...../..... 2 -"
    mistake = Mistake("duel", position, "1,2 2,4", date.today().isoformat())
    ProgressFile(games_folder).update(lambda now: now.with_mistakes([mistake]))
    result = run("puzzle", "--mistakes", typed="2,4\n")
    assert "B is to take a cell, and can win: find how." in result.out
    assert "Solved!" in result.out
    assert ProgressFile(games_folder).read().mistakes[0].solved == 1
    assert run("puzzle", "--mistakes").code == 1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["duel", "--daily"], "a game or a puzzle, --daily and --mistakes exclude each other"),
        (["duel-1", "--theme", "split"], "--theme goes with a game, or alone"),
        (["chess"], "there is no puzzle 'chess': an id is a rulebook and a number"),
        (["duel-9999"], "there is no puzzle 'duel-9999': those of duel go from duel-1 to duel-"),
    ],
)
def test_wrong_use_is_one_line(run: Run, arguments: list[str], error: str) -> None:
    result = run("puzzle", *arguments)
    assert result.code in (1, 2)
    assert len(result.error_lines) == 1
    assert error in result.err
