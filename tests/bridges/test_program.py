"""Programs as players: what they may do wrong, and what becomes of them."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import Limit
from gridlock.bridges import program
from gridlock.bridges.process import LONGEST_LINE, NoAnswerError, Process, ProcessEndedError
from gridlock.clock import Clock
from gridlock.errors import FaultError, NotationError
from gridlock.match import Match, play_match
from gridlock.model import Player
from gridlock.players import Seat, check_name, is_program, make, names
from gridlock.record import CLOCK, CRASH, HANG, ILLEGAL, Record, read_record
from tests.bridges.faulty import is_alive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock.players import Bot
    from tests.conftest import Run

FAULTY = Path(__file__).parent / "faulty.py"
SEARCH_BOT = Path(__file__).parents[2] / "examples" / "search_bot.py"


def command(mode: str) -> str:
    return f"engine:{sys.executable} {FAULTY} {mode}"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "engine.log"


@pytest.fixture
def bots(log: Path) -> Iterator[Makes]:
    makes = Makes(log)
    yield makes
    for bot in makes.made:
        bot.close()


class Makes:
    """Makes players, which are closed in the end."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self.made: list[Bot] = []

    def __call__(self, mode: str, limit: Limit | None = None) -> Bot:
        who = mode if mode.partition(":")[0] in ("random", "engine") else command(mode)
        self.made.append(make(who, Seat(limit=limit, log=self._log)))
        return self.made[-1]


def play(one: Bot, two: Bot, clock: Clock | None = None, size: str = "3x3") -> Record:
    match = Match(Record(gridlock.game("duel", size)), lambda _: None)
    play_match(match, (one, two), clock)
    return read_record(str(match.record))


def child_in(log: Path) -> int:
    return int(log.read_text().split("child ")[1].split()[0])


def test_a_program_plays_whole_games_one_after_the_other(bots: Makes) -> None:
    one, two = bots("good"), bots("random")
    for size in ("3x3", "4x4", "4x4"):
        record = play(one, two, size=size)
        assert record.termination is None
        assert record.result is not None
    assert play(two, one, Clock(60, 1)).termination is None


@pytest.mark.parametrize(
    ("mode", "termination", "words"),
    [
        ("crash", CRASH, "it has ended with exit code 3"),
        ("hang", HANG, "it does not answer"),
        ("flood", HANG, "it does not answer"),
        ("endless-line", ILLEGAL, f"a line of its output is longer than {LONGEST_LINE} bytes"),
        ("illegal", ILLEGAL, "'bestmove 99,99' is no legal move"),
        ("garbage", ILLEGAL, "'bestmove over there' is no legal move"),
        ("mute", HANG, "it does not answer"),
    ],
)
def test_a_program_that_goes_wrong_loses_and_the_record_says_why(
    mode: str, termination: str, words: str, bots: Makes, monkeypatch: pytest.MonkeyPatch
) -> None:
    if termination == HANG:
        monkeypatch.setattr(program, "PATIENCE", 1.0)
    bot = bots(mode)
    with pytest.raises(FaultError, match=words) as fault:
        bot.choose(gridlock.game("duel", "3x3").start())
    assert fault.value.termination == termination


def test_a_program_that_crashed_is_started_anew_for_the_next_game(bots: Makes) -> None:
    bot = bots("crash")
    for _ in range(2):
        record = play(bots("random"), bot)
        assert (record.result, record.termination) == (Player.ONE, CRASH)
        assert len(record.moves) == 1


def test_an_illegal_move_of_a_bot_in_this_process_loses_too(bots: Makes) -> None:
    class Stubborn(type(bots("random"))):  # type: ignore[misc]
        def choose(self, position: object, clock: object = None) -> int:
            return 0

    record = play(Stubborn(None), Stubborn(None))
    assert (record.result, record.termination) == (Player.ONE, ILLEGAL)


def test_a_program_that_lets_its_clock_run_out_loses_on_time(bots: Makes) -> None:
    record = play(bots("random"), bots("hang"), Clock(0.3))
    assert (record.result, record.termination) == (Player.ONE, CLOCK)


def test_a_program_that_overdraws_its_time_per_turn_loses_on_time(
    bots: Makes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "TURN_PATIENCE", 0.2)
    record = play(bots("random"), bots("hang", Limit(seconds=0.05)))
    assert (record.result, record.termination) == (Player.ONE, CLOCK)


def test_standard_error_goes_to_a_log(bots: Makes, log: Path) -> None:
    play(bots("random"), bots("crash"))
    assert log.read_text() == "I am about to crash\n"


def test_a_log_does_not_grow_for_ever(
    bots: Makes, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridlock.bridges.process.LARGEST_LOG", 10)
    for _ in range(2):
        play(bots("random"), bots("crash"))
    assert log.read_text() == "I am about to crash\n"


@pytest.mark.skipif(not Path("/proc").exists(), reason="it looks at processes as Linux shows them")
def test_what_a_program_leaves_behind_is_ended_with_it(bots: Makes, log: Path) -> None:
    bot = bots("children")
    bot.choose(gridlock.game("duel", "3x3").start())
    child = child_in(log)
    assert is_alive(child)
    bot.close()
    deadline = time.monotonic() + 60
    while is_alive(child):  # it was killed, but the system takes a moment
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc").exists(), reason="it looks at processes as Linux shows them")
@pytest.mark.parametrize("mode", ["ignores-quit", "good"])
def test_a_program_ends_when_it_is_closed(mode: str, bots: Makes) -> None:
    bot = bots(mode)
    bot.choose(gridlock.game("duel", "3x3").start())
    assert isinstance(bot, program.Program)
    assert bot._process
    pid = bot._process.pid
    assert is_alive(pid)
    bot.close()
    bot.close()
    assert not is_alive(pid)
    with pytest.raises(FaultError, match="it was closed"):
        bot.choose(gridlock.game("duel", "3x3").start())


def test_a_program_that_thinks_can_be_closed_by_another_thread(bots: Makes) -> None:
    bot = bots("hang", Limit(seconds=600))
    faults: list[FaultError] = []
    is_asked = threading.Event()

    def ask() -> None:
        try:
            bot.choose(gridlock.game("duel", "3x3").start())
        except FaultError as fault:
            faults.append(fault)

    assert isinstance(bot, program.Program)
    bot._seat = Seat(
        limit=Limit(seconds=600), log=bot._seat.log, on_progress=lambda _: is_asked.set()
    )
    asking = threading.Thread(target=ask)
    asking.start()
    assert is_asked.wait(60)
    bot.close()
    asking.join(60)
    assert [fault.termination for fault in faults] == [CRASH]


def test_a_program_can_be_told_to_move_now(bots: Makes) -> None:
    bot = bots(f"engine:{sys.executable} {SEARCH_BOT}", Limit(seconds=600))
    told: list[int] = []

    def hurry(progress: gridlock.Progress) -> None:
        told.append(progress.nodes)
        bot.stop()

    assert isinstance(bot, program.Program)
    bot._seat = Seat(limit=Limit(seconds=600), log=bot._seat.log, on_progress=hurry)
    start = gridlock.game("duel", "3x3").start()
    assert start.is_legal(bot.choose(start))


def test_limits_are_passed_on() -> None:
    assert program._limits(Limit(seconds=0.25), None) == "movetime 250"
    assert program._limits(Limit(nodes=7), None) == "nodes 7"
    assert program._limits(Limit(depth=3), None) == "depth 3"
    clock = Clock(2, 0.5)
    assert program._limits(Limit(), clock) == "p1time 2000 p2time 2000 p1inc 500 p2inc 500"


def test_our_own_engine_plays_a_game_of_ones_own(bots: Makes, log: Path) -> None:
    game = gridlock.placement("king", "king", size="3x3", symbols=["+", '"'], id="far-apart")
    bot = bots(f"engine:{sys.executable} -m gridlock ugi")
    start = game.start()
    assert start.play(bot.choose(start)).winner is Player.ONE  # the middle closes everything
    bot.close()
    assert log.read_text() == ""


@pytest.mark.parametrize(
    ("who", "text"),
    [
        ("engine", "there is no command: write engine:COMMAND"),
        ("engine:", "there is no command"),
        ("engine:no-such-program --fast", "there is no program 'no-such-program'"),
        ("engine:'oops", "cannot be read: No closing quotation"),
    ],
)
def test_a_command_that_cannot_be_run_is_no_player(who: str, text: str) -> None:
    with pytest.raises(NotationError, match=text):
        check_name(who)


def test_engines_are_players_by_our_own_plug() -> None:
    assert "engine" in names()
    assert is_program(command("good"))
    assert check_name(command("good")) == command("good")


def test_a_program_that_cannot_be_started_has_crashed(bots: Makes, tmp_path: Path) -> None:
    script = tmp_path / "empty"
    script.write_text("")
    script.chmod(0o755)
    with pytest.raises(FaultError, match="cannot start") as fault:
        bots(f"engine:{script}").choose(gridlock.game("duel").start())
    assert fault.value.termination == CRASH


def test_a_process_that_does_not_read_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    process = Process([sys.executable, "-c", "import time; time.sleep(3600)"], tmp_path / "log")
    try:
        with pytest.raises(NoAnswerError, match="it does not read what it is told"):
            process.send("x" * (1 << 20), 0.1)
    finally:
        process.close(politely=False)


def test_how_a_process_ended_is_told(tmp_path: Path) -> None:
    for code, words in (
        ("import os; os.kill(os.getpid(), 9)", "it was ended by SIGKILL"),
        ("import os, time; os.close(1); time.sleep(60)", "it has closed its output"),
    ):
        process = Process([sys.executable, "-c", code], tmp_path / "log")
        with pytest.raises(ProcessEndedError, match=words):
            process.read(time.monotonic() + 60)
        process.close(politely=False)


def test_a_person_plays_a_program_at_the_prompt(run: Run) -> None:
    result = run("play", "duel", "--size", "1x2", "--p2", command("good"), typed="1,1\n")
    assert result.code == 0
    assert result.out.endswith("No valid moves available.\nPlayer A wins the game!\nYou win!\n")


def test_a_program_that_crashes_at_the_prompt_loses(run: Run, games_folder: Path) -> None:
    result = run("play", "duel", "--size", "3x3", "--p2", command("crash"), typed="1,1\n")
    assert result.code == 0
    assert "…': it has ended with exit code 3.\nPlayer A wins the game!" in result.out
    (file,) = games_folder.glob("**/*.txt")
    assert '[Termination "crash"]' in file.read_text()
    assert (games_folder / "engine.log").read_text() == "I am about to crash\n"


def test_a_file_from_elsewhere_starts_no_program(
    run: Run, tmp_path: Path, games_folder: Path
) -> None:
    mark = tmp_path / "was-here"
    game = gridlock.game("duel", "3x3")
    file = tmp_path / "game.txt"
    file.write_text(str(Record(game, players=("human", f"engine:touch {mark}"), moves=(0,))))
    result = run("resume", str(file), typed="quit\n")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("gridlock: a file cannot start a program, such as 'touch ")
    assert not mark.exists()
    assert not list(games_folder.glob("**/*.txt"))


def test_ones_own_game_against_a_program_goes_on(run: Run, games_folder: Path) -> None:
    run("play", "duel", "--size", "3x3", "--p2", command("good"), typed="1,1\nquit\n")
    result = run("resume", typed="resign\n")
    assert (result.code, "You lose." in result.out) == (0, True)
    run("play", "duel", "--size", "3x3", "--p2", command("good"), typed="1,1\nquit\n")
    (file,) = games_folder.glob("**/unfinished/*.txt")
    file.write_text(file.read_text().replace(sys.executable, "/gone"))
    result = run("resume", typed="resign\n")
    assert (result.code, result.out) == (1, "")
    assert "there is no program '/gone'" in result.err
