from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from gridlock.cli.analyse import _colour
from gridlock.cli.console import _COLOURS as PLAYERS
from gridlock.engine import Engine
from gridlock.search.analysis import Action, Analysis, Value

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock import Position
    from tests.conftest import Run

OCCUPATION = """\
GridLock: A Strategic Grid Occupation Game, 5x5

     1    2    3    4    5
1  L20  L20  L18  L20  L20
2  L20  L20  L18  L20  L20
3  L18  L18  W15  L18  L18
4  L20  L20  L18  L20  L20
5  L20  L20  L18  L20  L20

Player A wins in 15: only 3,3 wins; after 3,3 every answer can be mirrored through the centre.
"""


def test_the_board_shows_every_value_and_distance(run: Run) -> None:
    result = run("analyse", "occupation")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(OCCUPATION)
    line = result.out.splitlines()[-1]
    assert line.startswith("Best line: 3,3 ")
    assert len(line.split()) == 2 + 15


def test_json_is_one_object_with_every_action_best_first(run: Run) -> None:
    found = json.loads(run("analyse", "occupation", "--moves", "3,3", "--json").out)
    assert {key: found[key] for key in found if key != "actions"} == {
        "game": "occupation",
        "size": "5x5",
        "first": 1,
        "moves": ["3,3"],
        "position": "...../...../..1../...../..... 2 -",
        "mover": 2,
        "phase": "place",
        "winner": None,
        "value": "loss",
        "distance": 14,
        "estimate": None,
        "limit": None,
    }
    actions = found["actions"]
    assert len(actions) == 16
    assert actions[0]["cell"] == "1,2"
    assert {action["value"] for action in actions} == {"loss"}
    distances = [action["distance"] for action in actions]
    assert distances == sorted(distances, reverse=True)
    assert [len(action["line"]) for action in actions] == distances
    assert all(action["line"][0] == action["cell"] for action in actions)


def test_race_names_its_phase(run: Run) -> None:
    found = json.loads(run("analyse", "race", "--moves", "0,1", "--json").out)
    assert (found["phase"], found["mover"], found["value"]) == ("block", 1, "win")
    found = json.loads(run("analyse", "race", "--first", "2", "--json").out)
    assert (found["phase"], found["mover"], found["first"]) == ("move", 2, 2)
    assert "Player 1 wins in 22: 0,1 and 1,0 win." in run("analyse", "race").out


def test_the_best_line_of_race_is_written_turn_by_turn(run: Run) -> None:
    for moves, first in (("", r"\d,\d/\d,\d"), ("0,1", r"\d,\d")):
        out = run("analyse", "race", "--size", "3x3", "--moves", moves).out
        assert re.search(rf"\nBest line: {first}( \d,\d/\d,\d)* \d,\d(/\d,\d)?\n", out), out


def test_a_position_text_is_analysed(run: Run) -> None:
    out = run("analyse", "trail", "--position", "1../.2. 1 2,2").out
    assert out.splitlines()[2:5] == ["    1   2   3", "1   X  W3   .", "2  W1   O  W3"]
    out = run("analyse", "duel", "--size", "1x2", "--position", "1. 2 -").out
    assert "The game is over: Player A has won.\n" in out
    assert "1  A  .\n" in out
    out = run("analyse", "occupation", "--size", "1x3", "--position", "#.. 1 -").out
    assert "1   #  W1  W1\n\nPlayer A wins in 1: 1,2 and 1,3 win.\n" in out


def test_the_end_of_a_record_is_analysed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "claim", "--record", str(file), typed="2 2\n0 0\n")
    found = json.loads(run("analyse", "claim", "--record", str(file), "--json").out)
    assert found["moves"] == ["2,2", "0,0"]
    result = run("analyse", "duel", "--record", str(file))
    assert result.code == 2
    assert (
        f"'{file}' is not a game of duel but of claim 5x5: use gridlock analyse claim --record "
        f"{file} (see gridlock analyse --help)"
    ) in result.err
    file.write_text("nonsense")
    assert run("analyse", "claim", "--record", str(file)).code == 1


def write_small_record(folder: Path) -> str:
    file = folder / "small.txt"
    file.write_text('[Game "duel"]\n[Size "1x3"]\n[First "1"]\n[Result "*"]\n\n1,1\n')
    return str(file)


def test_a_record_says_the_size_itself(run: Run, tmp_path: Path) -> None:
    file = write_small_record(tmp_path)
    found = json.loads(run("analyse", "duel", "--record", file, "--json").out)
    assert (found["size"], found["position"]) == ("1x3", "1.. 2 -")


def test_a_record_may_be_named_with_its_size(run: Run, tmp_path: Path) -> None:
    file = write_small_record(tmp_path)
    found = json.loads(run("analyse", "duel", "--size", "1x3", "--record", file, "--json").out)
    assert found["size"] == "1x3"


@pytest.mark.parametrize("size", ["5x5", "3x1"])
def test_a_record_of_another_size_is_refused(run: Run, tmp_path: Path, size: str) -> None:
    file = write_small_record(tmp_path)
    result = run("analyse", "duel", "--size", size, "--record", file)
    assert (result.code, result.out) == (2, "")
    assert result.error_lines == [
        f"gridlock: Invalid value for '--record': '{file}' is not a game of duel {size} but of "
        f"duel 1x3: use gridlock analyse duel --record {file} (see gridlock analyse --help)"
    ]


def estimates(monkeypatch: pytest.MonkeyPatch, *chances: float | None) -> None:
    """Let an analysis solve nothing, and give the cells these chances, in reading order."""

    def analyse(self: Engine, position: Position, **_: object) -> Analysis:
        found = [
            Action(cell, Value.UNKNOWN, None, (cell,), chance)
            for cell, chance in zip(position.legal_cells(), chances, strict=True)
        ]
        ranked = sorted(found, key=lambda action: -(action.estimate or 0))
        return Analysis(position, Value.UNKNOWN, None, tuple(ranked), "not solved within 10 s")

    monkeypatch.setattr(Engine, "analyse", analyse)


def test_what_is_not_solved_is_estimated_and_said_to_be(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    estimates(monkeypatch, 0.2, 0.634, None)
    result = run("analyse", "claim", "--size", "1x3")
    assert (result.code, result.err) == (0, "")
    assert result.out.endswith(
        "\n     0    1    2\n0  ~20  ~63    ?\n\n"
        "~63 is an estimate, not a fact: a chance of about 63%.\n"
        "Who wins could not be worked out within 10 s; an estimate gives Player 1 (X) about 63%, "
        "best with 0,1.\n"
    )
    found = json.loads(run("analyse", "claim", "--size", "1x3", "--json").out)
    assert (found["value"], found["distance"], found["estimate"]) == ("unknown", None, 0.634)
    assert found["limit"] == "not solved within 10 s"
    assert found["actions"][0] == {
        "cell": "0,1",
        "value": "unknown",
        "distance": None,
        "estimate": 0.634,
        "line": ["0,1"],
    }
    assert [action["estimate"] for action in found["actions"]] == [0.634, 0.2, None]


def test_estimates_have_colours_that_no_fact_has() -> None:
    facts = {_colour(Action(0, value, None, (0,))) for value in Value}
    guesses = {_colour(Action(0, Value.UNKNOWN, None, (0,), chance)) for chance in (0.3, 0.5)}
    assert len(guesses) == 2
    assert not guesses & {*facts, *PLAYERS}


def test_a_large_board_is_estimated(run: Run) -> None:
    found = json.loads(run("analyse", "claim", "--size", "9x9", "--time", "0.2", "--json").out)
    assert found["value"] == "unknown"
    assert found["estimate"] == found["actions"][0]["estimate"]
    assert 0 < found["estimate"] < 1
    assert found["limit"] == "not solved: more than 64 cells are open"


def test_a_board_on_which_all_is_solved_says_nothing_of_estimates(run: Run) -> None:
    assert "estimate" not in run("analyse", "duel").out


def test_a_large_trail_is_analysed_by_its_matching(run: Run) -> None:
    out = run("analyse", "trail", "--size", "99x99").out
    assert "Player 1 (X) wins: 1,1, 1,3, 1,5, 1,7, 1,9 and 4,896 more win" in out
    assert out.endswith("Some distances could not be worked out: more than 64 cells are open.\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threads", "0"), "Invalid value for '--threads': '0' is not a number from 1 to 256"),
        (("--threads", "x"), "Invalid value for '--threads': 'x' is not a number from 1 to 256"),
        (("--memory", "1K"), "Invalid value for '--memory': '1K' is not an amount from 1M to 1T"),
        (("--memory", "9T"), "Invalid value for '--memory': '9T' is not an amount from 1M to 1T"),
        (("--time", "-1"), "Invalid value for '--time': '-1' is not a number of seconds such as"),
        (("--time", "0"), "Invalid value for '--time': '0' is not a number of seconds such as"),
        (("--time", "nan"), "Invalid value for '--time': 'nan' is not a number of seconds"),
        (("--moves", "9,9"), "Invalid value for '--moves': move 1: '9,9' is outside the board"),
        (
            ("--moves", "3,3 3,3"),
            "Invalid value for '--moves': move 2 is illegal: 3,3 is",
        ),
        (("--position", "x"), "Invalid value for '--position': the position 'x' is not rows"),
        (("--moves", "", "--position", ""), "--moves, --position and --record exclude each other"),
        (("--first", "2", "--position", "1. 1 -"), "--position and --record say by themselves who"),
    ],
)
def test_absurd_options_get_one_clear_line(
    run: Run, options: tuple[str, ...], message: str
) -> None:
    result = run("analyse", "duel", *options)
    assert (result.code, result.out) == (2, "")
    assert result.error_lines[0].startswith(f"gridlock: {message}")
    assert len(result.error_lines) == 1


@pytest.mark.parametrize("memory", ["1M", "2m", "1048576", "64MB"])
def test_memory_is_written_in_many_ways(run: Run, memory: str) -> None:
    assert run("analyse", "duel", "--memory", memory, "--threads", "2").code == 0
