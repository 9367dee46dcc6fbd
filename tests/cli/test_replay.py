from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

RACE = """\
[Game "race"]
[Size "2x3"]
[First "1"]
[Player1 "Ann"]
[Player2 "Bob"]
[Date "2026.11.15"]
[Result "2"]
[Termination "resignation"]

0,1/1,0 0,2
"""
SHOWN = """\
GridLock: A Two-Player Turn-Based Strategy Game, 2x3, 2026.11.15: Ann against Bob, Player 1 begins

P1  .  .
 .  . P2

Move 1 of 2: Player 1 0,1/1,0

 . P1  .
 X  . P2

Move 2 of 2: Player 2 0,2

 . P1 P2
 X  .  .

Player 2 wins! (resignation)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "race.txt"
    path.write_text(RACE)
    return path


def test_a_pipe_gets_all_positions_at_once(run: Run, file: Path) -> None:
    result = run("replay", str(file))
    assert (result.code, result.out, result.err) == (0, SHOWN, "")


def test_at_shows_one_position(run: Run, file: Path) -> None:
    begin, first, last = 0, SHOWN.index("Move 1"), SHOWN.index("Move 2")
    assert run("replay", str(file), "--at", "0").out == SHOWN[begin:first]
    assert run("replay", str(file), "--at", "1").out == SHOWN[first:last]
    assert run("replay", str(file), "--at", "2").out == SHOWN[last:]


def test_a_file_of_several_games_is_shown_game_by_game(run: Run, file: Path) -> None:
    file.write_text(RACE + "\n" + RACE.replace('"2"', '"*"').replace("[Termination", "[Other"))
    unfinished = SHOWN.replace("Player 2 wins! (resignation)", "The game is unfinished.")
    assert run("replay", str(file)).out == f"Game 1 of 2\n{SHOWN}Game 2 of 2\n{unfinished}"
    assert run("replay", str(file), "--game", "1").out == f"Game 1 of 2\n{SHOWN}"


def test_json_holds_moves_and_positions(run: Run, file: Path) -> None:
    file.write_text(RACE.replace("\n\n", '\n[Event "Test"]\n\n'))
    (game,) = json.loads(run("replay", str(file), "--json", "--at", "1").out)["games"]
    assert game == {
        "game": "race",
        "size": "2x3",
        "first": 1,
        "players": ["Ann", "Bob"],
        "date": "2026.11.15",
        "result": 2,
        "termination": "resignation",
        "tags": {"Event": "Test"},
        "moves": ["0,1", "1,0"],
        "positions": ["1../..2 1 move", ".1./..2 1 block", ".1./#.2 2 move"],
    }


def test_an_illegal_move_is_named_with_its_number_and_the_reason(run: Run, file: Path) -> None:
    file.write_text(RACE.replace("0,2", "1,1 1,0"))
    result = run("replay", str(file))
    assert (result.code, result.out) == (1, "")
    assert result.err == f"gridlock: '{file}' is damaged: move 2 is illegal: 1,0 is blocked\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("{}", "--at", "3"), 2, "Invalid value for '--at': "),
        (("{}", "--at", "-1"), 2, "Invalid value for '--at': "),
        (
            ("{}", "--game", "2"),
            2,
            "Invalid value for '--game': 2 is not from 1 to 1 (see",
        ),
        (("none.txt",), 1, "cannot read 'none.txt': No such file or directory"),
        (("/",), 1, "cannot read '/': Is a directory"),
        ((), 2, "Missing argument 'GAME-OR-FILE' (see gridlock replay --help)"),
    ],
)
def test_wrong_use_gets_one_line(
    run: Run, file: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    result = run("replay", *(argument.format(file) for argument in arguments))
    assert result.code == code
    assert result.err.startswith(f"gridlock: {message}")
    assert len(result.error_lines) == 1
