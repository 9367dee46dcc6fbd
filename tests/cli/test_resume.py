from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import RULEBOOKS
from gridlock.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run


LIST = "gridlock resume --list shows the games"


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_game_goes_on_where_it_was_left(name: str, run: Run) -> None:
    game = gridlock.game(name)
    position, typed = game.start(2), []
    while position.winner is None:
        cell = position.legal_cells()[-1]
        typed.append(game.name(cell))
        position = position.play(cell)
    whole = run("play", name, "--first", "2", typed="\n".join([*typed, ""])).out
    run("play", name, "--first", "2", typed="\n".join([*typed[:3], ""]))
    rest = run("resume", typed="\n".join([*typed[3:], ""]))
    assert rest.code == 0
    where = "in the middle of move 2" if name == "race" else "after move 3"
    assert rest.err == f"Resuming {name} {game.grid} {where}.\n"
    assert rest.out.splitlines()[-12:] == whole.splitlines()[-12:]
    assert run("resume").code == 1


def test_a_resumed_game_shows_its_board_first(run: Run) -> None:
    run("play", "claim", typed="2 2\n")
    out = run("resume").out
    assert out.startswith("\nCurrent Grid:\n   0   1   2   3   4\n0 [ ]")
    assert "Welcome" not in out
    assert "Player 2's Turn (O).\nEnter the row and column of the cell you want to claim: " in out


def test_a_series_goes_on_with_its_score_and_players(run: Run) -> None:
    arguments = ("play", "duel", "--size", "1x3", "--rounds", "3", "--p2", "random", "--seed", "2")
    run(*arguments, typed="1,2\n")
    resumed = run("resume", typed="resign\nresign\n")
    assert resumed.out.startswith("Game 2 of 3.")
    assert resumed.out.endswith(
        "Score: Player A 1, Player B 2.\nPlayer B wins the series, 2 to 1!\n"
    )


def test_between_two_games_a_series_goes_on_with_the_next(run: Run) -> None:
    run("play", "claim", "--size", "1x1", "--rounds", "2", typed="0 0\n")
    out = run("resume", typed="0 0\n").out
    assert out.startswith("Game 2 of 2.\nWelcome to Gridlock!")
    assert out.endswith("The series is a tie, 1 to 1.\n")


def test_the_newest_game_comes_first_and_any_other_by_its_name(
    run: Run, games_folder: Path
) -> None:
    store = Store(games_folder)
    for age, name in enumerate(("race", "duel", "trail")):
        move = gridlock.game(name).name(1)
        run("play", name, typed=f"{move}\n")
        newest = store.unfinished_folder / f"{store.unfinished()[0]}.txt"
        os.utime(newest, (10**9 - age, 10**9 - age))
    names = store.unfinished()
    assert [name.split("-")[0] for name in names] == ["race", "duel", "trail"]
    assert "Resuming race 4x4" in run("resume").err
    assert "Resuming trail 4x4" in run("resume", names[2]).err


def test_the_list_shows_all(run: Run, tmp_path: Path) -> None:
    assert run("resume", "--list").out == "There is no unfinished game.\n"
    assert json.loads(run("resume", "--list", "--json").out) == []
    run("play", "duel", "--size", "1x3", "--rounds", "3", typed="1,2\n1,1\n")
    run("play", "race", "--p2", "random", typed="0 1\n1 0\n")
    out = run("resume", "--list").out
    heading, *lines = out.splitlines()
    assert heading.split() == ["name", "size", "players", "game", "score", "moves"]
    assert [re.split(" {3,}", line)[1:] for line in lines] == [
        ["4x4", "human and random", "1", "2"],
        ["1x3", "human and human", "2 of 3", "1 to 0", "1"],
    ]
    race, duel = json.loads(run("resume", "--list", "--json").out)
    assert race["moves"] == 4
    assert (race["game"], race["size"], race["players"]) == ("race", "4x4", ["human", "random"])
    assert (duel["round"], duel["score"], duel["moves"]) == (2, [1, 0], 1)


def test_a_saved_file_goes_on_and_is_left_as_it_is(
    run: Run, tmp_path: Path, games_folder: Path
) -> None:
    file = tmp_path / "saved.txt"
    run("play", "duel", "--size", "1x4", typed=f"1,1\nsave {file}\nresign\n")
    before = file.read_text()
    result = run("resume", str(file), typed="1,3\n")
    assert result.out.endswith("Player B wins the game!\n")
    assert file.read_text() == before
    assert len(list((games_folder / "finished").iterdir())) == 2


def test_a_game_of_ones_own_goes_on_without_its_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "knights.toml"
    file.write_text('opponent = "knight"\nsize = "3x3"')
    run("play", str(file), typed="1,1\n")
    file.unlink()
    result = run("resume", typed="2,3\n")
    assert "Resuming knights 3x3" in result.err
    assert "The cell is closed by an opponent's cell." in result.out


def test_a_damaged_game_is_named_kept_and_passed_over(run: Run, games_folder: Path) -> None:
    run("play", "race", typed="0 1\n")
    run("play", "duel", typed="3,3\n")
    (file,) = (games_folder / "unfinished").glob("duel*")
    damaged = file.read_text().replace("3,3", "9,9")
    file.write_text(damaged)
    result = run("resume")
    assert f"gridlock: '{file}' is damaged: move 1: '9,9' is outside the board" in result.err
    assert "it is left as it is\nResuming race 4x4 in the middle of move 1.\n" in result.err
    named = run("resume", file.stem)
    assert named.code == 1
    assert len(named.error_lines) == 1
    listed = run("resume", "--list")
    assert "race" in listed.out
    assert f"gridlock: '{file}' is damaged" in listed.err
    assert file.read_text() == damaged


def test_a_game_that_ended_before_it_was_moved_is_put_away(run: Run, games_folder: Path) -> None:
    run("play", "duel", "--size", "1x1", typed="1,1\n")
    (file,) = (games_folder / "finished").iterdir()
    file.rename(games_folder / "unfinished" / file.name)
    assert run("resume", "--list").out == "There is no unfinished game.\n"
    result = run("resume")
    assert (result.code, len(result.error_lines)) == (1, 1)
    assert [path.name for path in (games_folder / "finished").iterdir()] == [file.name]
    file.rename(games_folder / "unfinished" / file.name)
    assert "is over; see gridlock replay" in run("resume", file.stem).err
    assert [path.name for path in (games_folder / "finished").iterdir()] == [file.name]


def test_the_file_of_an_unfinished_game_is_that_game(run: Run, games_folder: Path) -> None:
    run("play", "duel", "--size", "1x4", typed="1,1\n")
    (file,) = (games_folder / "unfinished").glob("*.txt")
    assert run("resume", str(file), typed="1,3\n").code == 0
    assert run("resume", "--list").out == "There is no unfinished game.\n"


def test_a_file_that_is_no_text_is_passed_over(run: Run, games_folder: Path) -> None:
    run("play", "duel", typed="3,3\n")
    (games_folder / "unfinished" / "bad.txt").write_bytes(b"\xff\xfe")
    result = run("resume", typed="resign\n")
    assert "bad.txt': it is not a text in UTF-8\nResuming duel 5x5 after move 1." in result.err
    assert "there is no other unfinished game" in run("resume").err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 1, "there is no unfinished game to resume; gridlock play GAME starts one"),
        (("none",), 1, f"there is no unfinished game and no file 'none': {LIST}"),
        (("",), 1, f"there is no unfinished game and no file '': {LIST}"),
        (
            ("x" * 300,),
            1,
            f"there is no unfinished game and no file '{'x' * 59}…': {LIST}",
        ),
        (
            ("--list", "duel"),
            2,
            "--list goes with no other option than --json (see gridlock resume --help)",
        ),
        (("--json",), 2, "--json needs --list (see gridlock resume --help)"),
    ],
)
def test_wrong_use_gets_one_line(
    run: Run, arguments: tuple[str, ...], code: int, message: str
) -> None:
    result = run("resume", *arguments)
    assert (result.code, result.out, result.err) == (code, "", f"gridlock: {message}\n")


def test_a_finished_file_cannot_go_on(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "over.txt"
    run("play", "duel", "--size", "1x1", "--record", str(file), typed="1,1\n")
    result = run("resume", str(file))
    assert result.code == 1
    assert result.err == f"gridlock: the game in '{file}' is over; see gridlock replay --help\n"
