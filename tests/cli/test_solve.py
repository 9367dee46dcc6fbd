from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import LimitError
from gridlock.search.solver import Solver
from tests.conftest import variants

if TYPE_CHECKING:
    from gridlock import Position
    from tests.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ("occupation",),
            [
                "occupation 5x5: Player A, who moves first, wins.",
                "Proved by mirror play.",
                "Winning first cells: 3,3",
            ],
        ),
        (
            ("duel", "--size", "1x5"),
            [
                "duel 1x5: Player A, who moves first, wins.",
                "Proved by mirror play.",
                "Winning first cells: 1,3",
                "Grundy value: 3",
            ],
        ),
        (("claim",), ["claim 5x5: Player 2 (O), who moves second, wins.", "Value: 0"]),
        (
            ("claim", "--size", "1x1"),
            [
                "claim 1x1: Player 1 (X), who moves first, wins.",
                "Winning first cells: 0,0",
                "Value: *",
            ],
        ),
        (
            ("duel", "--size", "1x1", "--misere"),
            ["duel 1x1 misere: Player B, who moves second, wins."],
        ),
        (("race", "--size", "3x4"), ["race 3x4: Player 2, who moves second, wins."]),
    ],
)
def test_who_wins_with_which_cells_and_the_value(
    run: Run, arguments: tuple[str, ...], lines: list[str]
) -> None:
    result = run("solve", *arguments)
    assert (result.code, result.err) == (0, "")
    said = result.out.splitlines()
    if said[-1] not in lines:
        statistics = r"[\d,]+ nodes?, [\d,]+ nodes/s, table \d+% full, [\d.]+ s"
        assert re.fullmatch(statistics, said.pop())
    assert said == lines


def test_json_has_the_same_facts(run: Run) -> None:
    found = json.loads(run("solve", "duel", "--size", "1x5", "--json").out)
    assert found.pop("nodes") > 0
    assert found.pop("seconds") >= 0
    assert found == {
        "game": "duel",
        "size": "1x5",
        "misere": False,
        "value": "win",
        "theorem": "mirror",
        "winning": ["1,3"],
        "unsolved": [],
        "grundy": 3,
        "number": None,
        "limit": None,
    }


def test_what_is_not_solved_in_time_is_said_and_fails(run: Run) -> None:
    result = run("solve", "claim", "--size", "7x9", "--time", "0.05", "--threads", "2")
    assert result.code == 1
    assert result.out.startswith("claim 7x9: not solved within 0.05 s.\n")
    found = json.loads(run("solve", "claim", "--size", "7x9", "--time", "0.05", "--json").out)
    assert (found["value"], found["winning"], found["theorem"]) == ("unknown", [], None)
    assert len(found["unsolved"]) == 63
    assert found["limit"] == "not solved within 0.05 s"


TOO_LARGE = "could not be worked out: more than 64 cells are open."


@pytest.mark.parametrize(
    ("game", "size", "code", "lines"),
    [
        (
            "duel", "9x9", 0,
            [
                "duel 9x9: Player A, who moves first, wins.",
                "Proved by mirror play.",
                "Winning first cells: 5,5",
                f"80 first cells and the Grundy value {TOO_LARGE}",
            ],
        ),
        (
            "occupation", "10x10", 0,
            [
                "occupation 10x10: Player A, who moves first, wins.",
                "Proved by mirror play.",
                "Winning first cells: 5,5 5,6 6,5 6,6",
                f"96 first cells {TOO_LARGE}",
            ],
        ),
        (
            "duel", "10x10", 0,
            [
                "duel 10x10: Player B, who moves second, wins.",
                "Proved by mirror play.",
                "Grundy value: 0",
            ],
        ),
        (
            "claim", "10x12", 0,
            [
                "claim 10x12: Player 2 (O), who moves second, wins.",
                "Proved by mirror play.",
                "Value: 0",
            ],
        ),
        (
            "trail", "8x9", 0,
            [
                "trail 8x9: Player 2 (O), who moves second, wins.",
                "Proved by matching the cells in pairs.",
            ],
        ),
        ("claim", "9x9", 1, ["claim 9x9: not solved: more than 64 cells are open."]),
        ("race", "9x9", 1, ["race 9x9: not solved: more than 64 cells are open."]),
    ],
)  # fmt: skip
def test_what_theorems_prove_of_boards_that_cannot_be_searched(
    run: Run, game: str, size: str, code: int, lines: list[str]
) -> None:
    result = run("solve", game, "--size", size)
    assert result.code == code
    assert result.out.splitlines() == lines


@pytest.mark.parametrize("game", ["duel", "claim", "race"])
@pytest.mark.parametrize("size", ["24x24", "25x25"])
def test_what_is_said_of_boards_that_cannot_be_searched_does_not_depend_on_the_time(
    run: Run, game: str, size: str
) -> None:
    at_leisure = run("solve", game, "--size", size)
    assert run("solve", game, "--size", size, "--time", "0.001") == at_leisure


def test_json_names_the_theorem_and_what_is_not_solved(run: Run) -> None:
    result = run("solve", "duel", "--size", "9x9", "--json")
    found = json.loads(result.out)
    assert result.code == 0
    assert (found["value"], found["winning"], found["theorem"]) == ("win", ["5,5"], "mirror")
    assert len(found["unsolved"]) == 80
    assert "5,5" not in found["unsolved"]
    assert found["limit"] == "not solved: more than 64 cells are open"
    assert (found["grundy"], found["nodes"]) == (None, 0)
    found = json.loads(run("solve", "trail", "--size", "9x9", "--json").out)
    assert (found["value"], found["theorem"], found["unsolved"]) == ("win", "matching", [])
    assert len(found["winning"]) == 41


def test_what_is_proved_is_named_however_short_the_time(run: Run) -> None:
    result = run("solve", "occupation", "--size", "8x8", "--time", "1")
    assert result.code == 0
    assert "Winning first cells: 4,4 4,5 5,4 5,5" in result.out


def test_a_cell_that_is_proved_to_win_decides_though_the_start_was_given_up(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    wins = Solver.wins

    def give_up_the_start(solver: Solver, position: Position) -> bool:
        if position == solver.game.start():
            raise LimitError("not solved within 1 s")
        return wins(solver, position)

    monkeypatch.setattr(Solver, "wins", give_up_the_start)
    result = run("solve", "duel", "--size", "3x3", "--json")
    found = json.loads(result.out)
    assert (result.code, found["value"], found["winning"][0]) == (0, "win", "1,1")


def test_misere_play_is_searched_and_no_theorem_of_normal_play_is_used(run: Run) -> None:
    found = json.loads(run("solve", "duel", "--size", "4x4", "--misere", "--json").out)
    assert (found["value"], found["theorem"], found["unsolved"]) == ("win", None, [])
    result = run("solve", "duel", "--size", "9x9", "--misere")
    assert result.code == 1
    assert result.out == "duel 9x9 misere: not solved: more than 64 cells are open.\n"


SIZES = [
    "1x2",
    "2x2",
    "1x5",
    "2x3",
    "3x3",
    "4x4",
    "3x5",
    "3x4",
    "1x16",
    "9x9",
    "9x10",
    "10x10",
    "25x25",
]


@pytest.mark.parametrize("game", gridlock.RULEBOOKS)
@pytest.mark.parametrize("size", variants(*SIZES, quick=10))
def test_solve_and_analyse_agree(run: Run, game: str, size: str) -> None:
    solved = json.loads(run("solve", game, "--size", size, "--time", "60", "--json").out)
    seconds = "60" if gridlock.game(game, size).grid.cell_count <= 64 else "0.5"  # then estimates
    analysed = json.loads(run("analyse", game, "--size", size, "--time", seconds, "--json").out)
    assert solved["value"] == analysed["value"]
    values = {action["cell"]: action["value"] for action in analysed["actions"]}
    assert {cell for cell in values if values[cell] == "win"} == set(solved["winning"])
    assert {cell for cell in values if values[cell] == "unknown"} == set(solved["unsolved"])


def test_misere_is_for_placement_games(run: Run) -> None:
    result = run("solve", "race", "--misere")
    assert result.code == 2
    assert "--misere is for placement games, and race is not one" in result.err
