from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import OptionList

from tests.conftest import run_in_process

if TYPE_CHECKING:
    from pathlib import Path

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
        assert race.endswith("race 4x4 human - human 0 to 0")
        assert duel.endswith("duel 5x5 human - computer:2 2 moves")
        assert trail.endswith("trail 1x1 human - human 1 move, X won")
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
        assert rows(driver)[1].endswith("race 4x4 human - human 3 moves")

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
    (file,) = store.finished()
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
