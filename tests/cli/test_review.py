from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from gridlock.engine import Engine
from gridlock.puzzles.progress import ProgressFile
from gridlock.search.analysis import Value
from gridlock.search.review import Review, unreviewed

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from gridlock import Record
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
        "Move 1: Player A gave the win away with 1,2: 1,3 would have won.\n"
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
    assert "Player A: 0 moves, and resigned in a won position." in out


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
                        "estimate_before": None,
                        "estimate_after": None,
                        "mistake": True,
                        "doubtful": False,
                        "better": ["1,3"],
                        "punishment": ["1,4"],
                    }
                ],
                "summary": {
                    "1": {
                        "actions": 1,
                        "won_positions": 1,
                        "mistakes": 1,
                        "doubtful": 0,
                        "resigned_a_win": False,
                    },
                    "2": {
                        "actions": 0,
                        "won_positions": 0,
                        "mistakes": 0,
                        "doubtful": 0,
                        "resigned_a_win": False,
                    },
                },
            }
        ]
    }


def test_what_was_probably_a_mistake_is_told_apart(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def review(_: Engine, record: Record, **__: object) -> Review:
        first, second = unreviewed(record).actions
        first = replace(first, estimate_before=0.7123, estimate_after=0.381)
        second = replace(second, estimate_before=0.6, estimate_after=0.6)
        return Review(record, (first, second), Value.UNKNOWN, "not solved within 60 s")

    monkeypatch.setattr(Engine, "review", review)
    file = _write(tmp_path, "1,2 1,4", "2")
    assert run("review", file).out == (
        "No won position was given away, as far as the moves could be solved.\n"
        "By estimates, not facts:\n"
        "    Move 1: Player A probably went wrong with 1,2 (about 71% before, 38% after).\n"
        "Player A: 1 move, never in a position known to be won; 1 move could only be estimated: "
        "1 probable mistake.\n"
        "Player B: 1 move, never in a position known to be won; 1 move could only be estimated: "
        "no probable mistake.\n"
    )
    (game,) = json.loads(run("review", file, "--json").out)["games"]
    first, second = game["actions"]
    assert (first["estimate_before"], first["estimate_after"]) == (0.712, 0.381)
    assert (first["doubtful"], first["mistake"], second["doubtful"]) == (True, False, False)
    assert [game["summary"][player]["doubtful"] for player in "12"] == [1, 0]
    assert [game["summary"][player]["mistakes"] for player in "12"] == [0, 0]


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
    assert out.startswith(
        "Move 1: Player 1 gave the win away by blocking 1,0: 1,1 would have won.\n"
        "    It loses to 0,2/1,1 0,0/0,1 1,2/0,2.\n"
    )


def test_moves_that_could_not_be_solved_are_not_judged(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "claim.txt"
    file.write_text('[Game "claim"] [Size "7x9"] [First "1"] [Result "*"]\n\n0,0 0,5\n')
    out = run("review", str(file), "--time", "0.05").out
    assert out.startswith("No won position was given away, as far as the moves could be solved.\n")
    assert "Player 1 (X): 1 move, never in a position known to be won; 1 move could" in out
    assert "gave the win away" not in out


def test_a_mistake_whose_better_cells_are_not_found_in_time_is_told_without_them(
    run: Run, tmp_path: Path
) -> None:
    file = str(tmp_path / "game.txt")
    players = ("--p1", "random", "--p2", "random", "--seed", "2")
    run("play", "occupation", "--size", "8x8", *players, "--record", file)
    result = run("review", file, "--time", "1")
    assert (result.code, result.err) == (0, "")
    assert "gave the win away" in result.out


def test_the_mistakes_of_people_are_said_to_come_back_where_they_are_kept(
    run: Run, tmp_path: Path, games_folder: Path
) -> None:
    file = tmp_path / "own.txt"
    file.write_text('[Game "duel"]\n[Size "1x5"]\n[Player1 "human"]\n\n1,2 1,4\n')
    said = "Your mistakes come back as puzzles: gridlock puzzle --mistakes"
    assert run("review", str(file)).out.splitlines()[-1] == said
    (mistake,) = ProgressFile(games_folder).read().mistakes
    assert mistake.winning == "1,3"
    assert said not in run("review", _write(tmp_path, "1,2 1,4")).out  # Ann and Bob are others
    shutil.rmtree(games_folder)
    games_folder.touch()  # where the folder should be
    result = run("review", str(file))
    assert result.code == 0
    assert said not in result.out
    assert len(result.error_lines) == 1
