from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from gridlock import StoreError, read_records
from gridlock.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run


@pytest.fixture
def store(games_folder: Path) -> Store:
    return Store(games_folder)


def play(run: Run, store: Store, *options: str, typed: str = "1,2\n", age: int = 0) -> str:
    """Play a game of duel on three cells, some days ago, and return its name."""
    before = {path for _, path in store.files()}
    run("play", "duel", "--size", "1x3", *options, typed=typed)
    (path,) = {path for _, path in store.files()} - before
    time = 10**9 - 86400 * age
    os.utime(path, (time, time))
    return path.stem


def test_nothing_played_yet_is_said(run: Run) -> None:
    assert run("history").out == "No game has been played yet; gridlock play GAME starts one.\n"
    assert run("history", "--json").out == "[]\n"
    assert run("history", "--rulebook", "duel").out == "There is no such game.\n"


def test_games_are_listed_newest_first_and_those_of_programs_on_demand(
    run: Run, store: Store
) -> None:
    won = play(run, store, "--p2", "random")
    open_one = play(run, store, "--size", "5x5", age=1)
    programs = play(run, store, "--p1", "random", "--p2", "random", age=2)
    head, *rows = run("history").out.splitlines()
    assert head.split() == ["name", "size", "opponent", "result", "moves", "played"]
    assert [row.split()[:6] for row in rows] == [
        [won, "1x3", "random", "you", "won", "1"],
        [open_one, "5x5", "human", "unfinished", "1", "2001-09-08"],
    ]
    assert programs in run("history", "--computers").out


def test_options_choose_among_the_games(run: Run, store: Store) -> None:
    won = play(run, store, "--p2", "random")
    lost = play(run, store, "--p2", "computer:2", typed="resign\n", age=1)
    going_on = play(run, store, "--size", "5x5", age=2)

    def names(*options: str) -> list[str]:
        return [game["name"] for game in json.loads(run("history", *options, "--json").out)]

    assert names() == [won, lost, going_on]
    assert names("--limit", "1") == [won]
    assert names("--result", "lost") == [lost]
    assert names("--unfinished") == [going_on]
    assert names("--finished", "--opponent", "computer:2") == [lost]
    assert names("--size", "5x5") == [going_on]
    assert names("--rulebook", "DUEL", "--since", "2001-09-09") == [won]
    assert names("--rulebook", "trail") == []


def test_json_has_everything_that_the_tags_say(run: Run, store: Store) -> None:
    name = play(run, store, "--p2", "random")
    (game,) = json.loads(run("history", "--json").out)
    assert game.pop("played")[:10] == "2001-09-09"
    assert [one.pop("date")[:2] for one in game["games"]] == ["20"]
    assert game == {
        "name": name,
        "file": str(store.finished_folder / f"{name}.txt"),
        "game": "duel",
        "size": "1x3",
        "players": ["human", "random"],
        "finished": True,
        "result": "won",
        "games": [{"result": 1, "termination": None, "moves": 1}],
    }


def test_a_long_list_ends_with_how_to_see_the_rest(run: Run, store: Store) -> None:
    for age in range(3):
        play(run, store, age=age)
    result = run("history", "--limit", "2")
    assert len(result.out.splitlines()) == 1 + 2
    assert result.err == "There are older games: --limit 20 shows more of them.\n"


def test_one_game_is_shown_by_its_name_and_as_the_last(run: Run, store: Store) -> None:
    name = play(run, store, "--p2", "random")
    shown = run("history", name)
    assert shown.out.startswith(f"{name}\nLocked Grid Duel, 1x3, 20")
    assert "human against random, Player A begins\nMoves: 1,2\nPosition: " in shown.out
    assert shown.out.endswith("1 [L] [A] [L]\n\nPlayer A wins the game!\n")
    assert run("history", "last").out == shown.out
    (game,) = json.loads(run("history", name, "--json").out)
    assert (game["name"], game["games"][0]["moves"]) == (name, ["1,2"])


def test_every_game_of_a_series_is_shown(run: Run, store: Store) -> None:
    name = play(run, store, "--rounds", "2", typed="1,2\nresign\n")
    out = run("history", name).out
    assert f"{name}, game 1 of 2\n" in out
    assert f"{name}, game 2 of 2\n" in out
    assert "Moves: none yet" in out


def test_games_are_exported_as_records_oldest_first(run: Run, store: Store, tmp_path: Path) -> None:
    play(run, store, "--p2", "random")
    older = play(run, store, age=1)
    file = tmp_path / "all.txt"
    exported = run("history", "--export", str(file))
    assert (exported.code, exported.err) == (0, f"2 games exported to '{file}'.\n")
    assert [record.players[1] for record in read_records(file.read_text())] == ["human", "random"]
    one = run("history", older, "--export", "-").out
    assert one == (store.finished_folder / f"{older}.txt").read_text()
    again = run("history", older, "--export", str(file))
    assert (again.code, again.err) == (
        1, f"gridlock: '{file}' exists already; choose another name\n",
    )  # fmt: skip


def test_damaged_games_are_named_and_nothing_else_is_lost(
    run: Run, store: Store, tmp_path: Path
) -> None:
    name = play(run, store)
    bad = store.finished_folder / "bad.txt"
    bad.write_text("rubbish")
    illegal = store.finished_folder / "illegal.txt"
    illegal.write_text('[Game "duel"]\n\n1,1 1,1\n')
    listed = run("history")
    assert listed.code == 0
    assert name in listed.out
    assert listed.error_lines == [
        f"gridlock: '{bad}' is damaged: line 1 is not a record's: 'rubbish'; it is left as it is"
    ]
    exported = run("history", "--export", str(tmp_path / "all.txt"))
    assert f"gridlock: '{illegal}' is damaged: move 2 is illegal" in exported.err
    assert "1 game exported" in exported.err
    shown = run("history", "bad")
    assert (shown.code, len(shown.error_lines)) == (1, 1)
    assert run("history", "bad", "illegal", "--delete", "--yes").code == 0
    assert not bad.exists()
    assert not illegal.exists()


@pytest.mark.parametrize(("typed", "is_deleted"), [("y\n", True), ("\n", False), ("", False)])
def test_deleting_asks_first(typed: str, is_deleted: bool, run: Run, store: Store) -> None:
    name = play(run, store)
    result = run("history", name, "--delete", typed=typed)
    assert result.out.startswith(f"Delete {name} for good? [y/N] ")
    assert result.err == (f"Deleted {name}.\n" if is_deleted else "gridlock: nothing is deleted\n")
    assert result.code == (0 if is_deleted else 1)
    assert (store.find(name) is None) is is_deleted


def test_what_options_choose_is_deleted_and_nothing_else(run: Run, store: Store) -> None:
    play(run, store, "--p2", "random")
    play(run, store, "--p2", "random", age=1)
    kept = play(run, store, "--size", "5x5", age=2)
    assert run("history", "--finished", "--delete", "--yes").err == "Deleted 2 games.\n"
    assert [path.stem for _, path in store.files()] == [kept]
    nothing = run("history", "--finished", "--delete", "--yes")
    assert (nothing.code, nothing.err) == (1, "gridlock: there is no such game to delete\n")
    assert run("history", "--finished", "--export", "-").code == 1


def test_a_game_that_is_being_played_is_not_deleted(run: Run, store: Store) -> None:
    name = play(run, store, "--size", "5x5")
    with store.open(name):
        result = run("history", name, "--delete", "--yes")
    assert result.code == 1
    assert result.error_lines == [
        f"gridlock: the game {name} is being played elsewhere",
        "gridlock: 1 game could not be deleted",
    ]
    assert store.unfinished() == [name]


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (("nothing",), 1, "there is no game 'nothing': gridlock history lists the games"),
        (("last",), 1, "there is no last game: nothing has been played yet"),
        (("last", "--finished"), 2, "names and options that choose games exclude each other"),
        (
            ("--export", "-", "--json"),
            2,
            "--export and --delete each go alone, without --results or --json",
        ),
        (("--results", "--limit", "3"), 2, "--results goes with no NAME and no --limit"),
        (("--yes",), 2, "--yes needs --delete"),
        (("--delete",), 2, "--delete needs a NAME, or options that choose games"),
        (("--since", "soon"), 2, "'soon' is not a date such as 2026-11-18"),
        (("--limit", "0"), 2, "'0' is not a number of games such as 50"),
        (("--rulebook", "dule"), 2, "there is no game 'dule': did you mean duel?"),
        (("--result", "win"), 2, "'win' is not one of 'won', 'lost'. Did you mean won?"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...], code: int, error: str, run: Run) -> None:
    result = run("history", *arguments)
    assert (result.code, len(result.error_lines)) == (code, 1)
    assert error in result.err


def test_other_commands_take_the_name_of_a_game_or_last(run: Run, store: Store) -> None:
    name = play(run, store, "--p2", "random")
    for source in (name, "last", str(store.find(name))):
        assert run("replay", source, "--at", "1").out.endswith("Player A wins the game!\n")
        assert run("review", source).out.startswith("No won position was given away.")
        assert run("analyse", "--record", source).out.startswith("Locked Grid Duel, 1x3\n")
    for command in (("replay",), ("review",), ("analyse", "--record")):
        wrong = run(*command, name[:-1])
        assert (wrong.code, wrong.err) == (
            1, f"gridlock: there is no game '{name[:-1]}': did you mean {name}?\n",
        )  # fmt: skip
    nothing = run("analyse")
    assert nothing.code == 2
    assert "name a GAME, or a played one by --record" in nothing.err


def test_a_file_in_the_folder_needs_no_ending(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "written").write_text('[Game "duel"]\n')
    assert run("replay", "written").code == 0


def test_the_last_game_can_be_resumed(run: Run, store: Store) -> None:
    play(run, store, "--size", "5x5")
    assert "Resuming duel 5x5 after move 1." in run("resume", "last").err


def test_games_of_rules_that_are_gone_can_still_be_chosen(run: Run, store: Store) -> None:
    store.finished_folder.mkdir(parents=True)
    (store.finished_folder / "mine-20261118-120000.txt").write_text('[Game "mine"]\n')
    assert "mine-20261118-120000" in run("history", "--rulebook", "mine").out


def win(run: Run, store: Store, count: int) -> None:
    """Win some games against the computer, at its fourth level."""
    for age in range(count):
        play(run, store, "--p2", "computer:4", age=age)


def test_results_are_a_table_and_a_picture(run: Run, store: Store) -> None:
    win(run, store, 3)
    play(run, store, "--p2", "computer:3", typed="resign\n", age=3)
    out = run("history", "--results").out
    table, _, picture = out.partition("\n\n● won  ○ lost, the latest on the right\n\n")
    assert [line.split() for line in table.splitlines()] == [
        ["game", "size", "level", "games", "won", "lost", "share", "last", "ten"],
        ["duel", "1x3", "4", "3", "3", "0", "100%", "●●●"],
        ["duel", "1x3", "3", "1", "0", "1", "0%", "○"],
    ]
    assert picture == (
        "duel 1x3: 4 games, 3 won\n\n"
        "level 4 │  ●●●\n"
        "      3 │ ○\n"
        "        └───────────────────────────\n"
        "          06 Sep 2001 to 09 Sep 2001\n\n"
        "You won 3 of the last 3 games at level 4: try level 5.\n"
    )
    assert run("history", "--results", "--opponent", "computer:3").out.startswith("game")
    nothing = run("history", "--results", "--rulebook", "trail").out
    assert nothing == "There is no finished game against the computer to show.\n"


def test_results_for_a_program(run: Run, store: Store) -> None:
    win(run, store, 3)
    (game,) = json.loads(run("history", "--results", "--json").out)
    assert [result.pop("played")[:10] for result in game["results"]] == [
        "2001-09-07", "2001-09-08", "2001-09-09",
    ]  # fmt: skip
    assert game == {
        "game": "duel",
        "size": "1x3",
        "levels": [{"level": 4, "games": 3, "won": 3}],
        "proposed_level": 5,
        "results": [{"level": 4, "won": True}] * 3,
    }


def test_another_level_is_proposed_when_a_game_ends(run: Run, store: Store) -> None:
    win(run, store, 2)
    arguments = ("play", "duel", "--size", "1x3")
    proposal = "You win!\nYou won 3 of the last 3 games at level 4: try level 5.\n"
    assert run(*arguments, "--p2", "computer:4", typed="1,2\n").out.endswith(proposal)
    assert run(*arguments, "--p2", "random", typed="1,2\n").out.endswith("You win!\n")
    assert run(*arguments, typed="1,2\n").out.endswith("Player A wins the game!\n")


def test_nothing_is_proposed_where_the_results_cannot_be_read(
    run: Run, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    win(run, store, 2)

    def fail(_: Store) -> None:
        raise StoreError("cannot read")

    monkeypatch.setattr("gridlock.store.Store.files", fail)
    result = run("play", "duel", "--size", "1x3", "--p2", "computer:4", typed="1,2\n")
    assert (result.code, result.out[-9:]) == (0, "You win!\n")


def test_the_computer_adapts_and_the_record_says_its_level(run: Run, store: Store) -> None:
    win(run, store, 3)
    result = run("play", "duel", "--size", "1x3", "--p1", "Computer:AUTO", typed="")
    assert result.err == "Player 1 is the computer, level 5.\n"
    newest = store.files()[0][1]
    assert read_records(newest.read_text())[0].players == ("computer:5", "human")


def test_a_name_that_no_file_can_have_is_one_line(run: Run) -> None:
    for name in ("x" * 5000, "\0", ""):
        result = run("replay", name)
        assert (result.code, len(result.error_lines)) == (1, 1)


def test_a_finished_game_is_not_resumed_but_shown(run: Run, store: Store) -> None:
    name = play(run, store)
    result = run("resume", name)
    assert (result.code, result.err) == (
        1, f"gridlock: the game {name} is over: gridlock replay {name} shows it\n",
    )  # fmt: skip
