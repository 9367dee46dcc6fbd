"""What can be typed at a prompt beside moves, series, and whose turn it is."""

from __future__ import annotations

import json
import re
import signal
from typing import TYPE_CHECKING, Any

import pytest

import gridlock
from gridlock import RULEBOOKS
from gridlock.cli.console import EndOfInput
from gridlock.cli.dialogues.duel import DuelDialogue
from gridlock.engine import Engine
from gridlock.match import Match
from gridlock.search.analysis import analyse
from tests.oracle.dialogue import tidy

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock import Position
    from gridlock.search.analysis import Analysis
    from gridlock.search.solver import Solver
    from tests.conftest import Run

PROMPTS = {
    "occupation": "Player A, enter your move (row,column): ",
    "duel": "Enter the row number (1-5): ",
    "claim": "Enter the row and column of the cell you want to claim (e.g., '2 2'): ",
    "trail": "Player 1 (X), enter your move (row,column): ",
    "race": "Player 1, enter your move (e.g., 'move 0 1'): ",
}
every_game = pytest.mark.parametrize("name", RULEBOOKS)


def test_every_rulebook_is_tried() -> None:
    assert set(PROMPTS) == set(RULEBOOKS)


@every_game
def test_help_names_every_word_and_the_question_comes_again(name: str, run: Run) -> None:
    out = run("play", name, typed="HELP\n").out
    how_to = {
        "duel": "Type the row and then the column, or both at once: 1,1, 1 1 or (1,1).",
        "claim": "Type a cell as its row and column: 0,0, 0 0 or (0,0).",
        "race": "Type move or block, a row and a column: move 0 1. The word may be left out.",
    }.get(name, "Type a cell as its row and column: 1,1, 1 1 or (1,1).")
    assert f"HELP\n{how_to}\nYou can also type\n" in out
    for word in ("help", "hint", "moves", "undo", "save FILE", "rules", "resign", "quit"):
        assert f"\n  {word} " in out
    assert out.count(PROMPTS[name]) == 2


@every_game
def test_moves_names_the_legal_cells(name: str, run: Run) -> None:
    game = gridlock.game(name)
    names = ", ".join(f"({name})" for name in game.names(game.start().legal))
    assert f"\nYou may choose {names}.\n" in run("play", name, typed="moves\n").out


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("occupation", "3,3 wins: after 3,3 every answer can be mirrored through the centre."),
        ("duel", "3,3 wins: after 3,3 every answer can be mirrored through the centre."),
        ("claim", "0,0 holds out longest, but loses in 14; no cell wins."),
        ("trail", "1,1 loses in 12; no cell wins."),
        ("race", "0,1 wins in 22."),
    ],
)
def test_hint_names_the_best_cell_and_says_why(name: str, hint: str, run: Run) -> None:
    out = run("play", name, "--time-per-move", "60", typed="hint\n").out
    assert f"\nHint: {hint}\n" in out


def test_a_hint_on_a_board_that_cannot_be_solved_is_an_estimate(run: Run) -> None:
    out = run("play", "claim", "--size", "9x9", "--time-per-move", "0.1", typed="hint\n").out
    assert re.search(r"\nHint: \d,\d looks best: an estimate gives it about \d+%\.\n", out)


def test_the_time_per_move_is_what_the_computer_gets(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def choose(_: Solver, position: Position, *rest: object) -> int:
        asked.append(rest[2])
        return position.legal_cells()[-1]

    monkeypatch.setattr("gridlock.search.levels.choose", choose)
    run("play", "duel", "--p2", "computer", "--time-per-move", "2.5", typed="3,3\n")
    run("resume", "--time-per-move", "7", typed="1,1\n")
    run("play", "duel", "--p2", "computer:1", typed="3,3\n")
    assert asked == [2.5, 7.0, None]


@pytest.mark.parametrize("seconds", ["0", "-1", "x", "nan", ""])
@pytest.mark.parametrize("command", [("play", "duel"), ("resume",)])
def test_a_time_per_move_that_is_none_is_refused(
    command: tuple[str, ...], seconds: str, run: Run
) -> None:
    result = run(*command, "--time-per-move", seconds)
    assert (result.code, result.out) == (2, "")
    (line,) = result.error_lines
    assert line.startswith(
        f"gridlock: Invalid value for '--time-per-move': '{seconds}' is not a number of seconds"
    )


def test_a_list_of_games_needs_no_time_per_move(run: Run) -> None:
    assert run("resume", "--list", "--time-per-move", "1").code == 2


def interrupting(monkeypatch: pytest.MonkeyPatch, times: int) -> list[Engine]:
    """Send so many Ctrl-C once a computer is thinking, without end; return who was stopped."""
    stopped: list[Engine] = []

    def stop(self: Engine) -> None:
        stopped.append(self)

    def choose(self: Engine, position: Position, *_: object, **options: Any) -> int:
        for _time in range(times):
            signal.raise_signal(signal.SIGINT)
            options["on_progress"](self.progress)
        return position.legal_cells()[-1]

    monkeypatch.setattr(Engine, "stop", stop)
    monkeypatch.setattr(Engine, "choose", choose)
    return stopped


def test_ctrl_c_makes_the_computer_move_now(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = interrupting(monkeypatch, 1)
    result = run("play", "duel", "--p2", "computer", typed="3,3\nmoves\n")
    assert result.code == 0
    assert "Moves: 3,3 5,5" in result.out
    assert len(stopped) == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_leaves(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupting(monkeypatch, 2)
    result = run("play", "duel", "--p2", "computer", typed="3,3\nmoves\n")
    assert result.code == 130
    stopped, kept = result.error_lines
    assert re.fullmatch(r"gridlock: stopped thinking after [\d.]+ s", stopped)
    assert kept == "The game is kept. To go on: gridlock resume"
    assert "Moves:" not in result.out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_where_no_person_plays_the_first_ctrl_c_leaves(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = interrupting(monkeypatch, 1)
    result = run("play", "duel", "--p1", "computer", "--p2", "computer")
    assert (result.code, stopped) == (130, [])


def test_ctrl_c_that_is_ignored_stays_ignored(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = interrupting(monkeypatch, 2)
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert run("play", "duel", "--p2", "computer", typed="3,3\n").code == 0
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, usual)
    assert stopped == []


@every_game
def test_rules_explains_the_game(name: str, run: Run) -> None:
    assert RULEBOOKS[name].rules.strip() in run("play", name, typed="rules\n").out


def test_moves_names_the_moves_so_far(run: Run) -> None:
    out = run("play", "race", "--size", "3x3", typed="moves\n0 1\n1 0\n1 2\nmoves\n").out
    assert "\nMoves: none yet\nYou may choose (0,1), (1,0).\n" in out
    assert "\nMoves: 0,1/1,0 1,2\nYou may choose (0,2), (1,1), (2,1), (2,2).\n" in out
    assert "\nPosition: .1./#.2/... 2 block\n" in out


def test_commands_work_at_the_second_question_and_after_a_refusal(run: Run) -> None:
    out = run("play", "duel", typed="3\nhint\n3\n3\n").out
    assert out.count("Enter the row number (1-5): ") == 3
    assert "You placed 'A' at (3,3)." in out
    out = run("play", "claim", typed="9 9\nundo\n2 2\n").out
    assert "Please enter a valid cell: undo\nYou have no turn to take back yet.\n" in out
    assert "You have claimed cell (2,2)." in out
    out = run("play", "trail", typed="9 9\nhelp\n2 2\n").out
    assert "adjacent to (2,2): " in out


def test_a_word_with_more_behind_it_is_no_command(run: Run) -> None:
    assert "Invalid move!" in run("play", "occupation", typed="resign now\n").out


@every_game
def test_undo_goes_back_to_ones_own_last_turn(name: str, run: Run) -> None:
    game = gridlock.game(name)
    position = game.start()
    typed: list[str] = []
    while len(typed) < 2 * game.rulebook.actions_per_turn:
        cell = position.legal_cells()[0]
        typed.append(game.name(cell))
        position = position.play(cell)
    result = run("play", name, typed="\n".join([*typed, "undo", "moves", "undo", ""]))
    assert "Back to your last turn." in result.out
    assert "Moves: none yet" in result.out
    assert "You have no turn to take back yet." in result.out


def test_undo_in_the_block_phase_takes_the_step_back(run: Run) -> None:
    out = run("play", "race", typed="0 1\nundo\nmoves\n").out
    assert "Moves: none yet\nYou may choose (0,1), (1,0)." in out


def test_undo_against_a_program_takes_its_turn_back_too(run: Run) -> None:
    out = run("play", "duel", "--p2", "random", typed="3,3\nundo\nmoves\n").out
    assert "Moves: none yet" in out


@every_game
def test_resign_gives_the_game_to_the_other(name: str, run: Run, games_folder: Path) -> None:
    result = run("play", name, typed="resign\n")
    lines = tidy(result.out.split("\n"))
    one, two = {
        "occupation": ("Player A", "Player B wins the game!"),
        "duel": ("Player A", "Player B wins the game!"),
        "claim": ("Player 1 (X)", "Player 2 (O) wins the game! Congratulations!"),
        "trail": ("Player 1 (X)", "Player 2 (O) wins the game!"),
        "race": ("Player 1", "Player 2 wins!"),
    }[name]
    assert lines[-2:] == [f"{one} resigns.", two]
    assert result.code == 0
    (record,) = (games_folder / "finished").iterdir()
    assert gridlock.read_record(record.read_text()).termination == "resignation"


@every_game
def test_quit_and_the_end_of_the_input_keep_the_game(
    name: str, run: Run, games_folder: Path
) -> None:
    game = gridlock.game(name)
    move = game.name(game.start().legal_cells()[0])
    for number, typed in enumerate((f"{move}\nquit\n", f"{move}\n", move), start=1):
        result = run("play", name, typed=typed)
        assert (result.code, result.err) == (0, "The game is kept. To go on: gridlock resume\n")
        assert len(list((games_folder / "unfinished").glob("*.txt"))) == number


def test_nothing_is_kept_of_a_game_without_a_move(run: Run, games_folder: Path) -> None:
    assert run("play", "duel", typed="quit\n").err == ""
    assert list((games_folder / "unfinished").iterdir()) == []


def test_save_writes_the_game_so_far(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "my game.txt"
    result = run("play", "duel", typed=f"3,3\nsave {file}\n1,1\nsave {file}\n5,5\n")
    assert result.out.count(f"Saved in '{file}'.") == 2
    record = gridlock.read_record(file.read_text())
    assert [record.game.name(cell) for cell in record.moves] == ["3,3", "1,1"]
    assert record.result is None


def test_save_shows_the_record_instead_of_writing_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = run("play", "duel", "--size", "1x4", typed="1,1\nsave -\n").out
    record = gridlock.read_record(out[out.index("[Game ") : out.rindex("1,1") + 3])
    assert record.moves == (0,)
    assert not (tmp_path / "-").exists()


def test_people_have_names_and_the_record_says_so(run: Run, games_folder: Path) -> None:
    plain = run("play", "duel", "--size", "1x1", typed="1,1\n").out
    named = run(
        "play", "duel", "--size", "1x1", "--p1", "human:Anna  Bell", "--p2", "Human:Ben",
        typed="1,1\n",
    )  # fmt: skip
    assert named.out == plain  # the words are the rulebook's
    (game,) = json.loads(run("history", "--opponent", "Ben", "--json").out)
    assert game["players"] == ["Anna Bell", "Ben"]
    assert "Anna Bell and Ben" in run("history").out


@pytest.mark.parametrize(
    ("who", "error"),
    [
        ("human:computer:3", "'computer:3' is what a program is called"),
        (f"human:{'x' * 21}", f"'{'x' * 21}' is longer than 20 characters"),
        ("human:", "there is no player 'human:'"),
    ],
)
def test_what_cannot_be_a_name_is_refused(run: Run, who: str, error: str) -> None:
    result = run("play", "duel", "--p1", who)
    assert (result.code, len(result.error_lines)) == (2, 1)
    assert error in result.err


def test_save_never_overwrites_another_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "precious.txt"
    file.write_text("precious")
    out = run("play", "duel", typed=f"3,3\nsave {file}\n").out
    assert f"Not saved: '{file}' exists already; choose another name.\n" in out
    assert file.read_text() == "precious"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("save", "Type save and the name of a file, for example save game.txt."),
        ("save /dev/null/x", "Not saved: cannot write '/dev/null/x': there is no such folder."),
        (
            "save ~nobody-of-this-name/x",
            "Not saved: cannot write '~nobody-of-this-name/x': ",
        ),
        ("save /", "Not saved: '/' exists already; choose another name."),
        ("save " + "x" * 300, f"Not saved: cannot write '{'x' * 300}': File name too long."),
        ("save a\x00b", "Not saved: cannot write 'a\\x00b': embedded null"),
    ],
)
def test_save_says_what_is_wrong(run: Run, typed: str, answer: str) -> None:
    result = run("play", "duel", typed=f"{typed}\n")
    assert f"\n{answer}" in result.out
    assert result.code == 0


def test_record_writes_every_move_as_it_is_played(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "duel", "--record", str(file), "--size", "1x4", typed="1,1\n")
    assert gridlock.read_record(file.read_text()).moves == (0,)
    again = run("resume", "--record", str(file), typed="1,3\n")
    assert again.code == 0
    record = gridlock.read_record(file.read_text())
    assert (record.moves, record.result) == ((0, 2), 2)


def test_a_record_that_cannot_be_written_is_named_before_the_game(run: Run) -> None:
    result = run("play", "duel", "--record", "/dev/null/x", typed="3,3\n")
    assert (result.code, result.out) == (1, "")
    assert result.err == "gridlock: cannot write '/dev/null/x': there is no such folder\n"


def test_a_record_that_somebody_else_writes_meanwhile_is_left_alone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.txt"
    play = Match.play

    def interfere(match: Match, cell: int) -> None:
        file.write_text("theirs")
        play(match, cell)

    monkeypatch.setattr(Match, "play", interfere)
    result = run("play", "duel", "--record", str(file), typed="3,3\n")
    assert result.code == 1
    assert result.err == (
        f"gridlock: '{file}' exists already; choose another name; the game itself is kept\n"
    )
    assert file.read_text() == "theirs"
    monkeypatch.undo()


def test_a_game_is_put_away_even_if_its_end_is_not_seen(
    run: Run, games_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(*_: object) -> None:
        raise EndOfInput

    monkeypatch.setattr(DuelDialogue, "close", break_off)
    run("play", "duel", "--size", "1x1", typed="1,1\n")
    assert len(list((games_folder / "finished").iterdir())) == 1


def test_record_never_overwrites_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("precious")
    for command in (("play", "duel"), ("resume",)):
        run("play", "duel", typed="3,3\n")
        result = run(*command, "--record", str(file), typed="1,1\n")
        assert result.code == 1
        assert f"gridlock: '{file}' exists already; choose another name\n" in result.err
        assert file.read_text() == "precious"


def test_first_decides_who_begins(run: Run) -> None:
    assert "Player B's turn." in run("play", "duel", "--first", "2").out
    assert "Player 2 (O), enter your move (row,column)" in run("play", "trail", "--first", "2").out


def test_a_toss_stands_when_the_game_is_resumed(run: Run, games_folder: Path) -> None:
    for seed in range(4):
        first = run("play", "duel", "--first", "toss", "--seed", str(seed)).out
        assert re.findall("Player .'s turn.", first) == re.findall(
            "Player .'s turn.", run("resume", typed="resign\n").out
        )


def test_a_toss_is_announced_and_kept(run: Run) -> None:
    firsts = set()
    for seed in range(8):
        out = run("play", "duel", "--first", "toss", "--seed", str(seed)).out
        announced = re.findall(r"The coin toss decides: Player (.) begins\.", out)
        assert [f"Player {name}'s turn." for name in announced] == re.findall(
            "Player .'s turn.", out
        )
        firsts.update(announced)
    assert firsts == {"A", "B"}


def test_a_series_counts_and_changes_the_starter(run: Run, games_folder: Path) -> None:
    result = run("play", "duel", "--size", "1x3", "--rounds", "3", typed="1,2\n1,1\n1,3\n1,2\n")
    lines = tidy(result.out.split("\n"))
    turns = [line for line in lines if line.endswith(("turn.", "of 3."))]
    assert turns == [
        "Game 1 of 3.", "Player A's turn.", "Player B's turn.",
        "Game 2 of 3.", "Player B's turn.", "Player A's turn.", "Player B's turn.",
        "Game 3 of 3.", "Player A's turn.", "Player B's turn.",
    ]  # fmt: skip
    scores = [line for line in lines if line.startswith("Score")]
    assert scores == [
        "Score: Player A 1, Player B 0.",
        "Score: Player A 2, Player B 0.",
        "Score: Player A 3, Player B 0.",
    ]
    assert lines[-1] == "Player A wins the series, 3 to 0!"
    (file,) = (games_folder / "finished").iterdir()
    assert len(gridlock.read_records(file.read_text())) == 3


def test_a_series_may_be_scored_by_cells_to_a_target(run: Run) -> None:
    out = run(
        "play", "duel", "--size", "1x3", "--target", "2", "--score", "cells", "--no-alternate",
        typed="1,1\n1,3\n1,1\n1,3\n",
    ).out  # fmt: skip
    assert "Game 1 (played to 2 points)." in out
    assert "Score: Player A 1, Player B 1." in out
    assert out.endswith("Score: Player A 2, Player B 2.\nThe series is a tie, 2 to 2.\n")
    assert "Player B's turn.\nAvailable cells: (1,1), (1,2)" not in out


@every_game
def test_every_game_can_be_a_series(name: str, run: Run) -> None:
    for score in ("wins",) if gridlock.RULEBOOKS[name].has_tokens else ("wins", "cells"):
        result = run(
            "play", name, "--p1", "random", "--p2", "random", "--rounds", "4", "--score", score,
            "--first", "toss", "--no-alternate", "--seed", "1",
        )  # fmt: skip
        assert result.code == 0
        assert result.out.count("The coin toss decides: ") == 4
        assert result.out.count("Score: ") == 4
        assert "series" in result.out.splitlines()[-1]


def test_a_resigned_game_of_a_series_counts(run: Run) -> None:
    out = run("play", "race", "--rounds", "2", typed="resign\nresign\n").out
    assert out.endswith("The series is a tie, 1 to 1.\n")


def test_a_board_on_which_nobody_can_move_is_over_at_once(run: Run, games_folder: Path) -> None:
    result = run("play", "race", "--size", "1x2")
    assert result.out == "\nP1 P2\n\nPlayer 1 has no legal moves left. Player 2 wins!\n"
    assert len(list((games_folder / "finished").iterdir())) == 1


def test_every_hint_that_is_interrupted_says_how_far_it_came(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes: list[int] = []

    def interrupted(
        position: Position, seconds: float, *, solver: Solver, with_lines: bool
    ) -> Analysis:
        before = solver.progress.nodes
        found = analyse(position, seconds, solver=solver, with_lines=with_lines)
        nodes.append(solver.progress.nodes - before)
        if len(nodes) == 2:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr("gridlock.search.analysis.analyse", interrupted)
    result = run("play", "claim", typed="hint\n0 0\nhint\n")
    assert result.code == 130
    stopped = re.search(r"gridlock: stopped thinking after ([\d,]+) nodes", result.err)
    assert stopped
    assert 0 < int(stopped[1].replace(",", "")) <= nodes[1]


@pytest.mark.parametrize("terms", [("--rounds", "2"), ("--target", "3")])
def test_race_is_not_scored_by_cells(run: Run, games_folder: Path, terms: tuple[str, str]) -> None:
    result = run("play", "race", *terms, "--score", "cells")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("gridlock: Invalid value for '--score': race cannot be scored by")
    assert not games_folder.exists()


def test_a_race_that_was_once_scored_by_cells_can_still_be_resumed(
    run: Run, games_folder: Path
) -> None:
    run("play", "race", "--rounds", "2", typed="move 0 1\n")
    (file,) = (games_folder / "unfinished").glob("*.txt")
    file.write_text(file.read_text().replace('[Score "wins"]', '[Score "cells"]'))
    result = run("resume", typed="resign\nresign\n")
    assert result.code == 0
    assert result.out.endswith("The series is a tie, 2 to 2.\n")


@every_game
def test_a_person_who_resigns_to_a_program_is_told_so(name: str, run: Run) -> None:
    for seat in ("--p1", "--p2"):
        out = run("play", name, seat, "random", "--seed", "1", typed="resign\n").out
        assert out.endswith("\nYou lose.\n")


def test_nobody_is_told_so_where_two_people_play_or_none(run: Run) -> None:
    for options in ((), ("--p1", "random", "--p2", "random")):
        out = run("play", "race", "--size", "1x2", *options).out
        assert out.endswith("Player 2 wins!\n")


def test_a_winner_by_the_rules_is_told_so_after_the_rulebooks_words(run: Run) -> None:
    out = run("play", "duel", "--size", "1x3", "--p2", "random", typed="1,2\n").out
    assert out.endswith("No valid moves available.\nPlayer A wins the game!\nYou win!\n")
    series = run("play", "duel", "--size", "1x1", "--p2", "random", "--rounds", "2", typed="1,1\n")
    assert [line for line in series.out.splitlines() if line.startswith("You ")] == [
        "You placed 'A' at (1,1).",
        "You win!",
        "You placed 'B' at (1,1).",
        "You lose.",
    ]


@every_game
def test_a_game_begins_where_moves_lead_and_its_record_says_so(name: str, run: Run) -> None:
    game = gridlock.game(name)
    position, moves = game.start(2), []
    for _ in range(2 * game.rulebook.actions_per_turn):
        cell = position.legal_cells()[0]
        moves.append(game.name(cell))
        position = position.play(cell)
    cell = position.legal_cells()[-1]
    result = run(
        "play", name, "--first", "2", "--moves", " ".join(moves), "--p1", "random",
        typed=f"{game.name(cell)}\nundo\nundo\nmoves\n",
    )  # fmt: skip
    assert result.code == 0
    assert "You have no turn to take back yet." in result.out
    (record,) = gridlock.read_records(run("history", "last", "--export", "-").out)
    assert (record.setup, record.first, record.moves) == (position, 2, ())
    shown = run("replay", "last", "--at", "0").out
    assert "begins, from a position that was set up" in shown
    assert run("resume", typed=f"{game.name(cell)}\nresign\n").out.endswith("You lose.\n")


def test_a_position_text_brings_its_board_and_shows_it_first(run: Run) -> None:
    result = run("play", "claim", "--position", "1../..2 1 -", typed="resign\n")
    assert "Current Grid:\n   0   1   2\n0 [X][ ][ ]\n1 [ ][ ][O]\n" in result.out


def test_a_game_can_begin_in_the_middle_of_a_turn(run: Run) -> None:
    position = "1.../..../..../...2 1 block"
    run("play", "race", "--position", position, typed="block 1 0\nmove 3 2\nblock 2 3\nmove 0 1\n")
    out = run("replay", "last").out
    assert "Move 1 of 3: Player 1 1,0\n" in out
    assert "Move 2 of 3: Player 2 3,2/2,3\n" in out
    assert "Move 3 of 3: Player 1 0,1\n" in out
    assert "Moves: 1,0 3,2/2,3 0,1\n" in run("resume", typed="moves\n").out
    actions = json.loads(run("review", "last", "--json").out)["games"][0]["actions"]
    assert [action["turn"] for action in actions] == [1, 2, 2, 3]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--moves", "1,1", "--position", "x"), "--moves and --position exclude each other"),
        (("--position", "1.. 2 -", "--first", "1"), "--position says by itself who is to move"),
        (("--moves", "1,1", "--first", "toss"), "--moves needs --first 1 or --first 2"),
        (("--moves", "9,9"), "Invalid value for '--moves': move 1"),
        (("--position", "rubbish"), "Invalid value for '--position'"),
        (("--size", "1x1", "--moves", "1,1"), "'--moves': the game is over there"),
        (("--position", ".1. 2 -"), "'--position': the game is over there"),
    ],
)
def test_a_beginning_that_makes_no_sense_is_refused(
    options: tuple[str, ...], error: str, run: Run
) -> None:
    result = run("play", "duel", *options)
    assert (result.code, len(result.error_lines)) == (2, 1)
    assert error in result.err
