from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

GAME = """\
[Game "duel"]
[Size "1x5"]
[First "1"]
[Player1 "Ann"]
[Player2 "Bob"]
[Date "2026.11.15"]
[Result "{result}"]
{more}
{moves}
"""


def _write(folder: Path, moves: str, result: str = "*", more: str = "") -> str:
    file = folder / "game.txt"
    file.write_text(GAME.format(moves=moves, result=result, more=more))
    return str(file)


def test_a_mistake_is_named_with_what_would_have_won_and_what_punishes_it(
    run: Run, tmp_path: Path
) -> None:
    result = run("review", _write(tmp_path, "1,2 1,4", "2"))
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "Move 1: Player A 1,2 gives the win away: 1,3 would have won.\n"
        "    It loses to 1,4.\n"
        "Player A: 1 move, in a won position once, gave it away once.\n"
        "Player B: 1 move, in a won position once, never gave it away.\n"
    )


def test_a_faultless_game_is_said_to_be_one(run: Run, tmp_path: Path) -> None:
    out = run("review", _write(tmp_path, "1,3 1,1 1,5", "1")).out
    assert out.startswith("No won position was given away.\n")


def test_resigning_a_won_position_is_told(run: Run, tmp_path: Path) -> None:
    file = _write(tmp_path, "", "2", '[Termination "resignation"]\n')
    out = run("review", file).out
    assert "Player A: 0 moves, never in a won position, and resigned in a won position." in out


def test_json_has_every_action(run: Run, tmp_path: Path) -> None:
    found = json.loads(run("review", _write(tmp_path, "1,2"), "--json").out)
    assert found == {
        "games": [
            {
                "game": "duel",
                "size": "1x5",
                "first": 1,
                "players": ["Ann", "Bob"],
                "result": None,
                "complete": True,
                "limit": None,
                "actions": [
                    {
                        "number": 1,
                        "turn": 1,
                        "player": 1,
                        "cell": "1,2",
                        "before": "win",
                        "after": "loss",
                        "mistake": True,
                        "better": ["1,3"],
                        "punishment": ["1,4"],
                    }
                ],
                "summary": {
                    "1": {
                        "actions": 1,
                        "won_positions": 1,
                        "mistakes": 1,
                        "resigned_a_win": False,
                    },
                    "2": {
                        "actions": 0,
                        "won_positions": 0,
                        "mistakes": 0,
                        "resigned_a_win": False,
                    },
                },
            }
        ]
    }


def test_several_games_are_reviewed_in_turn(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "series.txt"
    run(
        "play", "race", "--size", "3x3", "--p1", "computer:1", "--p2", "computer", "--seed", "4",
        "--rounds", "2", "--record", str(file),
    )  # fmt: skip
    out = run("review", str(file)).out
    assert out.startswith("Game 1 of 2\n")
    assert "Game 2 of 2\n" in out
    assert "Player 2: " in out
    assert run("review", str(file), "--game", "2").out == out[out.index("Game 2") :]
    assert run("review", str(file), "--game", "3").code == 2


def test_moves_in_race_name_their_phase(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "race.txt"
    file.write_text('[Game "race"] [Size "2x3"] [First "1"] [Result "*"]\n\n0,1/1,0\n')
    out = run("review", str(file)).out
    assert out.startswith("Move 1: Player 1 block 1,0 gives the win away: 1,1 would have won.\n")


def test_moves_that_could_not_be_solved_are_not_judged(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "claim.txt"
    file.write_text('[Game "claim"] [Size "7x9"] [First "1"] [Result "*"]\n\n0,0 0,5\n')
    out = run("review", str(file), "--time", "0.05").out
    assert "Player 1 (X): 1 move, never in a won position; 1 move could not be judged" in out
