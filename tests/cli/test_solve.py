from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ("occupation",),
            [
                "occupation 5x5: Player A, who moves first, wins.",
                "Winning first cells: 3,3",
            ],
        ),
        (
            ("duel", "--size", "1x5"),
            [
                "duel 1x5: Player A, who moves first, wins.",
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
    assert result.out.splitlines()[:-1] == lines
    assert re.fullmatch(r"[\d,]+ nodes?, [\d,]+ nodes/s, table \d+% full, [\d.]+ s\n?",
                        result.out.splitlines()[-1])  # fmt: skip


def test_json_has_the_same_facts(run: Run) -> None:
    found = json.loads(run("solve", "duel", "--size", "1x5", "--json").out)
    assert found.pop("nodes") > 0
    assert found.pop("seconds") >= 0
    assert found == {
        "game": "duel",
        "size": "1x5",
        "misere": False,
        "value": "win",
        "winning": ["1,3"],
        "grundy": 3,
        "number": None,
        "limit": None,
    }


def test_what_is_not_solved_in_time_is_said_and_fails(run: Run) -> None:
    result = run("solve", "claim", "--size", "7x9", "--time", "0.05", "--threads", "2")
    assert result.code == 1
    assert result.out.startswith("claim 7x9: not solved within 0.05 s.\n")
    found = json.loads(run("solve", "claim", "--size", "7x9", "--time", "0.05", "--json").out)
    assert (found["value"], found["winning"]) == ("unknown", None)
    assert found["limit"] == "not solved within 0.05 s"


def test_a_theorem_may_answer_a_part_of_it(run: Run) -> None:
    result = run("solve", "duel", "--size", "10x10")
    assert result.code == 0
    assert result.out.splitlines()[:-1] == [
        "duel 10x10: Player B, who moves second, wins.",
        "Grundy value: 0",
    ]
    result = run("solve", "claim", "--size", "10x10")
    assert result.out.splitlines()[1] == "Value: 0"
    result = run("solve", "occupation", "--size", "9x9", "--json")
    found = json.loads(result.out)
    assert result.code == 1
    assert (found["value"], found["winning"]) == ("win", [])
    assert found["limit"] == "not solved: more than 64 cells are open"


def test_misere_is_for_placement_games(run: Run) -> None:
    result = run("solve", "race", "--misere")
    assert result.code == 2
    assert "--misere is for placement games, and race is none" in result.err
