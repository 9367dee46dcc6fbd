from __future__ import annotations

import re
from typing import TYPE_CHECKING

from textual.widgets import OptionList

from tests.conftest import run_in_process

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver


def rows(driver: Driver) -> list[str]:
    options = driver.app.screen.query_one(OptionList)
    return [" ".join(str(option.prompt).split()) for option in options.options]


def test_games_of_the_command_line_are_listed_and_resume(drive: Drive, store: Store) -> None:
    run_in_process("play", "duel", "--p2", "computer:2", typed="3,3\n")
    run_in_process("play", "race", "--rounds", "3", typed="0 1\n")
    run_in_process("play", "trail", "--size", "1x1", typed="1,1\n")

    async def scenario(driver: Driver) -> None:
        await driver.press("o")
        unfinished, race, duel, finished, trail = rows(driver)
        assert (unfinished, finished) == ("Unfinished: 2", "Finished: 1")
        assert re.fullmatch(r"today \d\d:\d\d race 4x4 human 0 to 0 so far", race)
        assert duel.endswith("duel 5x5 computer:2 unfinished, 2 moves")
        assert trail.endswith("trail 1x1 human X won, 1 move")
        await driver.press("enter")
        assert "game 1 of 3" in driver.text("#top")
        await driver.press("down", "enter", "escape")
        await driver.press("j", "enter")
        assert "duel 5x5" in driver.text("#top")
        await driver.press("escape")
        await driver.press("j", "enter")
        assert "trail 1x1 review, move 1 of 1" in driver.text("#top")

    drive(scenario)
    resumed = run_in_process("resume", "--list").out
    assert "race" in resumed
    assert "duel" in resumed


def test_the_moves_of_a_race_are_counted_turn_by_turn(drive: Drive) -> None:
    run_in_process("play", "race", typed="move 0 1\nblock 1 0\nmove 3 2\nblock 2 3\nmove 0 2\n")

    async def scenario(driver: Driver) -> None:
        await driver.press("o")
        assert rows(driver)[1].endswith("race 4x4 human unfinished, 3 moves")

    drive(scenario)


def test_no_game_at_all_is_said(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("o")
        assert driver.text("#message") == "No game is kept yet. Press f to open a file."
        await driver.press("enter", "escape")
        assert driver.app.screen.query("#form")

    drive(scenario)


def test_a_damaged_game_is_listed_as_such_and_left_alone(drive: Drive, store: Store) -> None:
    store.unfinished_folder.mkdir(parents=True)
    (store.unfinished_folder / "bad.txt").write_text("[red]rubbish[/red]")

    async def scenario(driver: Driver) -> None:
        await driver.press("o")
        assert rows(driver)[1] == "bad.txt is damaged; Enter says how"
        await driver.press("enter")
        assert "is damaged" in driver.text("#message")

    drive(scenario)
    assert (store.unfinished_folder / "bad.txt").read_text() == "[red]rubbish[/red]"


def test_a_game_that_is_played_elsewhere_is_left_alone(drive: Drive, store: Store) -> None:
    run_in_process("play", "duel", typed="3,3\n")
    with store.open(store.unfinished()[0]):

        async def scenario(driver: Driver) -> None:
            await driver.press("o", "enter")
            assert "is being played elsewhere" in driver.text("#message")

        drive(scenario)


def test_a_file_is_opened_by_its_name(drive: Drive, tmp_path: Path, store: Store) -> None:
    run_in_process("play", "duel", "--record", str(tmp_path / "going.txt"), typed="3,3\n")
    run_in_process(
        "play", "duel", "--size", "1x1", "--record", str(tmp_path / "over.txt"), typed="1,1\n"
    )

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "f")
        await driver.type("over.txt")
        await driver.press("enter")
        assert "review" in driver.text("#top")
        await driver.press("escape", "f")
        await driver.type("going.txt")
        await driver.press("enter")
        assert driver.moves == "1 3,3"
        await driver.type("1,1")
        await driver.press("enter", "escape", "f")
        await driver.type("none.txt")
        await driver.press("enter")
        assert driver.text("#message").startswith("Cannot read 'none.txt'")

    drive(scenario)
    assert len(store.unfinished()) == 2
    assert "3,3 1,1" not in (tmp_path / "going.txt").read_text()


def test_names_in_a_record_are_shown_as_they_are(drive: Drive, tmp_path: Path) -> None:
    run_in_process("play", "duel", "--record", str(tmp_path / "game.txt"), typed="3,3\n")
    file = tmp_path / "game.txt"
    file.write_text(file.read_text().replace('Player1 "human"', 'Player1 "[bold]Ann[/x]"'))

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "f")
        await driver.type("game.txt")
        await driver.press("enter")
        assert "[bold]Ann[/x]" in driver.text("#players")

    drive(scenario)


def test_a_finished_game_among_the_unfinished_is_put_in_its_place(
    drive: Drive, store: Store
) -> None:
    run_in_process("play", "duel", "--size", "1x1", typed="1,1\n")
    (file,) = store.finished_folder.iterdir()
    file.replace(store.unfinished_folder / file.name)

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "enter")
        assert "review" in driver.text("#top")
        await driver.press("escape")
        assert rows(driver)[:2] == ["Unfinished: 0", "Finished: 1"]

    drive(scenario)


def test_a_kept_game_is_the_same_however_its_file_is_named(drive: Drive, store: Store) -> None:
    run_in_process("play", "duel", typed="3,3\n")

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "f")
        await driver.type(f"games/unfinished/{store.unfinished()[0]}.txt")
        await driver.press("enter")
        await driver.type("1,1")
        await driver.press("enter")

    drive(scenario)
    assert len(store.unfinished()) == 1


def test_the_rules_of_the_highlighted_game_are_shown(drive: Drive) -> None:
    run_in_process("play", "trail", typed="2,2\n")

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "i")
        assert "draw one trail together" in driver.screen_text

    drive(scenario)


def test_a_file_of_somebody_without_a_home_is_one_line(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("o", "f", "tilde", "n", "o", "enter")
        assert driver.text("#message").startswith("Cannot read '~no'")

    drive(scenario)


def test_enter_pressed_twice_opens_once(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("f", "x")
        driver.app.simulate_key("enter")
        driver.app.simulate_key("enter")
        await driver.idle()
        assert driver.text("#message").startswith("Cannot read ")

    drive(scenario)


def test_a_folder_that_cannot_be_read_is_said(drive: Drive, store: Store) -> None:
    store.folder.mkdir()
    store.unfinished_folder.write_text("no folder")

    async def scenario(driver: Driver) -> None:
        await driver.press("o")
        assert driver.text("#message").startswith("Cannot read ")

    drive(scenario)


def test_a_finished_game_is_replayed_from_its_beginning_without_values(
    drive: Drive, store: Store
) -> None:
    run_in_process("play", "duel", "--size", "1x5", "--p2", "random", typed="1,3\n1,1\n1,5\n")

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "r")
        assert "duel 1x5 replay, move 0 of 3" in driver.text("#top")
        assert driver.text("#message").startswith("] goes on, [ back.")
        assert driver.text("#line") == ""
        await driver.press("right_square_bracket", "v")
        assert "replay, move 1 of 3" in driver.text("#top")
        assert "loses in 2" in driver.text("#message")
        await driver.press("m")
        assert "review" in driver.text("#top")

    drive(scenario)


def test_a_series_is_replayed_from_its_first_game(drive: Drive) -> None:
    run_in_process("play", "duel", "--size", "1x1", "--rounds", "2", typed="1,1\n1,1\n")

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "r")
        assert "replay, game 1 of 2, move 0 of 1" in driver.text("#top")

    drive(scenario)


def test_a_game_is_deleted_after_a_question(drive: Drive, store: Store) -> None:
    run_in_process("play", "duel", typed="3,3\n")
    run_in_process("play", "trail", "--size", "1x1", typed="1,1\n")

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "d")
        assert f"Delete {store.unfinished()[0]} for good?" in driver.screen_text
        await driver.press("n")
        assert rows(driver)[0] == "Unfinished: 1"
        await driver.press("d", "y")
        assert rows(driver)[:2] == ["Unfinished: 0", "Finished: 1"]
        await driver.press("d", "y", "d", "r", "enter")
        assert rows(driver) == ["Unfinished: 0", "Finished: 0"]

    drive(scenario)
    assert store.files() == []


def test_a_game_that_is_played_elsewhere_is_not_deleted(drive: Drive, store: Store) -> None:
    run_in_process("play", "duel", typed="3,3\n")
    with store.open(store.unfinished()[0]):

        async def scenario(driver: Driver) -> None:
            await driver.press("o", "d", "y")
            assert "is being played elsewhere" in driver.text("#message")
            assert rows(driver)[0] == "Unfinished: 1"

        drive(scenario)


def test_a_damaged_game_is_not_replayed(drive: Drive, store: Store) -> None:
    store.finished_folder.mkdir(parents=True)
    (store.finished_folder / "bad.txt").write_text("rubbish")

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "r")
        assert "is damaged" in driver.text("#message")

    drive(scenario)


def test_games_between_programs_are_listed_on_demand(drive: Drive) -> None:
    run_in_process("play", "duel", "--size", "1x1", "--p1", "random", "--p2", "random")

    async def scenario(driver: Driver) -> None:
        await driver.press("o")
        assert rows(driver)[-1] == "Finished: 0"
        await driver.press("b")
        assert rows(driver)[-1].endswith("duel 1x1 random and random A won, 1 move")

    drive(scenario)


def test_of_many_finished_games_the_latest_are_listed(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridlock.tui.games._MOST_FINISHED", 1)
    for _ in range(2):
        run_in_process("play", "duel", "--size", "1x1", typed="1,1\n")

    async def scenario(driver: Driver) -> None:
        await driver.press("o")
        assert rows(driver)[1] == "Finished, the latest: 1"
        assert len(rows(driver)) == 3

    drive(scenario)
