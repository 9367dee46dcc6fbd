from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

import pytest

from gridlock import RULEBOOKS, Game, Grid
from gridlock.lab import difficulty, mining
from gridlock.lab.mining import Find, Mine, choose, read_find
from gridlock.lab.themes import themes_of
from gridlock.puzzles.collection import puzzles_of
from gridlock.puzzles.puzzle import find_line
from gridlock.search.analysis import best_line
from gridlock.search.solver import Solver

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock.puzzles.puzzle import Puzzle

SMALL = Game(RULEBOOKS["race"], Grid(4, 4))  # where there are many puzzles


def test_what_was_found_is_kept_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mining, "_TURN", 0)
    mine, rng = Mine(SMALL, tmp_path), random.Random(1)
    while mine.dig(rng) < 2:
        pass
    again = Mine(SMALL, tmp_path)
    assert again.finds == mine.finds
    count = again.dig(random.Random(1))  # the games of the first mine: nothing new in them
    assert count == len({str(find.puzzle.position) for find in again.finds})
    for find in again.finds:
        assert find_line(Solver(SMALL), find.puzzle.position) == find.puzzle.line
        assert read_find(str(find)) == find


def test_ctrl_c_loses_nothing_that_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = Find(puzzles_of("race")[0], results(1))

    def look_at(mine: Mine, _: object) -> Find:
        if mine.finds:
            raise KeyboardInterrupt
        return find

    monkeypatch.setattr(Mine, "_look_at", look_at)
    with pytest.raises(KeyboardInterrupt):
        Mine(SMALL, tmp_path).dig(random.Random(1))
    assert Mine(SMALL, tmp_path).finds == [find]


def test_the_command_writes_files_for_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finds = [Find(puzzle, dict.fromkeys(difficulty.SOLVERS, n % 7))
             for n, puzzle in enumerate(puzzles_of("race"))]  # fmt: skip
    (tmp_path / "race-4x4.jsonl").write_text("".join(f"{find}\n" for find in finds))
    (tmp_path / "data").mkdir()
    monkeypatch.setattr(mining, "files", lambda _: tmp_path)
    monkeypatch.setattr(sys, "argv", ["mining", str(tmp_path), "--choose", "--games", "race"])
    mining.main()
    written = (tmp_path / "data" / "race.jsonl").read_text().splitlines()
    assert f"race: {len(written)} puzzles" in capsys.readouterr().out
    assert mining._CHOSEN <= len(written) <= len(finds)


def test_the_command_digs_until_there_are_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mining, "_TURN", 0)
    monkeypatch.setattr(mining, "_ENOUGH", 1)
    monkeypatch.setattr(mining, "SIZES", {"race": ("4x4",)})
    monkeypatch.setattr(sys, "argv", ["mining", str(tmp_path / "new"), "--games", "race"])
    mining.main()
    assert Mine(SMALL, tmp_path / "new").finds
    assert "race 4x4: " in capsys.readouterr().err


def results(share: float) -> dict[str, int]:
    return dict.fromkeys(difficulty.SOLVERS, round(share * difficulty.TRIES))


def test_who_is_solved_less_often_is_rated_higher() -> None:
    shares = [0, 0.2, 0.5, 0.8, 1]
    ratings = difficulty.rate([results(share) for share in shares])
    assert ratings == sorted(ratings, reverse=True)
    assert len(set(ratings)) == len(ratings)


def test_ratings_differ_as_the_odds_of_a_solver_do() -> None:
    """By the model a puzzle that is solved ten times less often, in odds, is 400 points harder."""
    tries = 1100
    one, other = (dict.fromkeys(difficulty.SOLVERS, won) for won in (1000, 550))
    easy, hard = difficulty.rate([one, other], tries=tries)
    assert hard - easy == pytest.approx(400, abs=10)


def test_each_solver_tries_the_whole_line() -> None:
    puzzle = puzzles_of("occupation")[0]
    solver = Solver(puzzle.position.game)
    found = difficulty.measure(solver, puzzle)
    assert found == difficulty.measure(Solver(puzzle.position.game), puzzle)
    assert set(found) == set(difficulty.SOLVERS)
    assert found["3000 nodes"] > found["level 1"]


def test_puzzles_are_chosen_from_every_size_and_rating() -> None:
    finds = [Find(puzzle, results(n % 7 / 6)) for n, puzzle in enumerate(puzzles_of("duel"))]
    [found] = choose(finds).values()
    sizes = {find.puzzle.position.game.grid for find in finds}
    assert {puzzle.position.game.grid for puzzle in found} == sizes
    assert len({puzzle.rating for puzzle in found}) == 7


def with_theme(game_id: str, theme: str) -> Puzzle:
    return next(puzzle for puzzle in puzzles_of(game_id) if theme in puzzle.themes)


@pytest.mark.parametrize("game_id", RULEBOOKS)
def test_themes_are_found_anew(game_id: str) -> None:
    for puzzle in puzzles_of(game_id)[::10]:
        assert themes_of(Solver(puzzle.position.game), puzzle) == puzzle.themes


@pytest.mark.parametrize("theme", ["dash", "trap"])
def test_a_dash_ends_on_the_goal_and_a_trap_does_not(theme: str) -> None:
    puzzle = with_theme("race", theme)
    last = puzzle.positions()[-1]
    end = last.replay(best_line(Solver(last.game), last))[-1]
    goal = end.goal(puzzle.solver)
    assert goal is not None
    assert end.winner is puzzle.solver
    assert (end.marks(puzzle.solver) == 1 << goal) is (theme == "dash")


def test_where_parity_decides_the_loser_cannot_change_how_many_actions_are_left() -> None:
    puzzle = with_theme("duel", "parity")
    rng = random.Random(1)
    for _ in range(20):
        position = puzzle.positions()[-1]
        while position.winner is None:
            position = position.play(rng.choice(position.legal_cells()))
        assert position.winner is puzzle.solver
