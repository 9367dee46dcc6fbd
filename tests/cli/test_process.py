"""What only a real process shows: signals, pipes, terminals, full disks."""

from __future__ import annotations

import codecs
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
from typing import IO, TYPE_CHECKING

import pytest

import gridlock
from gridlock.preferences import Preferences
from gridlock.setup import Setup
from gridlock.store import Store
from tests.conftest import run_in_process, save_preferences

if TYPE_CHECKING:
    from pathlib import Path

WITHOUT_COVERAGE = {name: os.environ[name] for name in os.environ if "COVERAGE" not in name}
GRIDLOCK = [sys.executable, "-m", "gridlock"]
PATIENCE = 30  # seconds, before a process that should have answered is given up

pytestmark = pytest.mark.usefixtures("games_folder")


def heed_ctrl_c() -> None:
    """Let a child notice Ctrl-C even where the tests themselves run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*GRIDLOCK, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_ctrl_c,
    )


def read_until(stream: IO[bytes], text: bytes) -> bytes:
    """Read until a text has come."""
    seen = b""
    while text not in seen:
        ready, _, _ = select.select([stream], [], [], PATIENCE)
        assert ready, seen
        piece = os.read(stream.fileno(), 4096)
        assert piece, seen
        seen += piece
    return seen


def type_line(process: subprocess.Popen[bytes], line: str) -> None:
    assert process.stdin
    process.stdin.write(f"{line}\n".encode())
    process.stdin.flush()


def test_kill_9_loses_no_confirmed_move() -> None:
    for moves in (1, 2, 3):
        process = start("play", "duel")
        assert process.stdout
        for number, cell in enumerate(("3,3", "1,1", "5,5")[:moves]):
            type_line(process, cell)
            read_until(process.stdout, f"You placed '{'AB'[number % 2]}' at ({cell}).".encode())
        process.kill()
        process.communicate()
        result = run_in_process("resume", typed="moves\nresign\n")
        assert f"Resuming duel 5x5 after move {moves}.\n" in result.err
        assert f"Moves: {' '.join(('3,3', '1,1', '5,5')[:moves])}\n" in result.out


def test_a_game_being_played_is_not_resumed_elsewhere() -> None:
    process = start("play", "duel")
    assert process.stdout
    type_line(process, "3,3")
    read_until(process.stdout, b"Player B's turn.")
    result = run_in_process("resume")
    assert result.code == 1
    assert re.match(r"gridlock: the game duel-\S+ is being played elsewhere\n", result.err)
    process.kill()
    process.communicate()
    assert "Resuming duel 5x5 after move 1." in run_in_process("resume").err


def test_ctrl_c_ends_politely_and_keeps_the_game() -> None:
    process = start("play", "claim")
    assert process.stdout
    type_line(process, "2 2")
    read_until(process.stdout, b"want to claim: ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert (out, err) == (b"\n", b"The game is kept. To go on: gridlock resume\n")


@pytest.mark.parametrize(
    "command", [("games",), ("rules", "duel"), ("--help",), ("play", "duel", "--p1", "random")]
)
def test_a_closed_pipe_is_no_error(command: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run(
        [*GRIDLOCK, *command], stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert process.stderr == b""
    assert process.returncode == 141


def test_ctrl_c_in_a_pipe_that_has_ended_still_says_that_the_game_is_kept() -> None:
    with start("play", "claim") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        type_line(process, "2 2")
        read_until(process.stdout, b"want to claim: ")
        process.stdout.close()
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        assert process.stderr.read() == b"The game is kept. To go on: gridlock resume\n"


def test_output_that_cannot_be_written_is_one_line() -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        process = subprocess.run([*GRIDLOCK, "games"], stdout=full, stderr=subprocess.PIPE)
    assert process.returncode == 1
    assert process.stderr == b"gridlock: cannot write the output: No space left on device\n"


def test_closed_streams_are_no_error() -> None:
    command = " ".join(GRIDLOCK)
    process = subprocess.run(
        ["sh", "-c", f"{command} play duel <&- ; {command} games >&- ; {command} play 2>&-"],
        capture_output=True,
    )
    assert process.returncode == 2
    assert process.stderr == b""
    assert b"Available cells" in process.stdout


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_any_bytes_may_be_typed(encoding: str) -> None:
    typed = bytes(byte for byte in range(256) if byte not in b"\r\n") + b"\n\xff\xfe\n3,3\n\x00\n"
    process = subprocess.run(
        [*GRIDLOCK, "play", "occupation"],
        input=typed + b"x" * 1_000_000 + b"\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert process.returncode == 0
    assert process.stdout.count(b"Invalid move! Enter a row and a column") == 4
    assert process.stdout.count(b"Player B, enter your move") == 3
    assert process.stderr == b"The game is kept. To go on: gridlock resume\n"


def test_a_full_disk_stops_the_game_before_the_move_is_confirmed(games_folder: Path) -> None:
    """The limit on file sizes stands in for a disk that has room for one move only."""

    def limit_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (140, 140))

    process = subprocess.run(
        [*GRIDLOCK, "play", "duel", "--size", "9x9"],
        input="".join(f"{row},{column}\n" for row in (1, 3, 5) for column in range(1, 10, 2)),
        capture_output=True,
        text=True,
        preexec_fn=limit_files,
        env={**WITHOUT_COVERAGE, "GRIDLOCK_DATA": str(games_folder)},
    )
    assert process.returncode == 1
    lines = process.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].endswith(": File too large; this was not carried out, all before it is kept")
    (file,) = (games_folder / "unfinished").glob("*.txt")
    kept = gridlock.read_record(file.read_text()).moves
    assert process.stdout.count("You placed") == len(kept) > 3


def test_a_folder_that_cannot_be_written_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDLOCK_DATA", "/dev/null/games")
    result = run_in_process("play", "duel", typed="3,3\n")
    assert (result.code, result.out) == (1, "")
    assert result.err == (
        "gridlock: cannot keep games in '/dev/null/games': Not a directory; "
        "set GRIDLOCK_DATA to a folder that can be written\n"
    )


class Terminal:
    """A process in a terminal of its own."""

    def __init__(self, *arguments: str, term: str = "xterm") -> None:
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:  # pragma: no cover
            heed_ctrl_c()
            os.execvpe(GRIDLOCK[0], [*GRIDLOCK, *arguments], {**os.environ, "TERM": term})
        self.seen = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def wait_for(self, text: str) -> str:
        """Return what was shown up to and with a text."""
        while text not in self.seen:
            assert self._read(PATIENCE), self.seen
        shown, self.seen = self.seen.split(text, 1)
        return shown + text

    def _read(self, seconds: float) -> bool:
        """Take in what is shown next; tell whether anything was in time."""
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if ready:
            self.seen += self._decoder.decode(os.read(self.descriptor, 4096))
        return bool(ready)

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def kill(self) -> None:
        """End the process as a power cut would."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.descriptor)

    def end(self, key: str = "") -> int:
        """Return the exit code of a process that ends by itself, or by a key.

        The key is pressed until it is heeded: a Ctrl-C that comes just as a prompt is about to
        wait is noticed only with the next key.
        """
        for _ in range(PATIENCE):
            try:
                self.type(key)
                while self._read(1):
                    pass
            except OSError:  # Linux ends a terminal so
                break
        else:
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(status)


def test_a_dumb_terminal_stays_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal = Terminal("play", "duel", "--size", "1x1", term="dumb")
    terminal.wait_for("(1-1): ")
    terminal.type("1,1\n")
    assert "[A]" in terminal.wait_for("Player A wins the game!")
    assert terminal.end() == 0


def test_gridlock_alone_in_a_terminal_opens_the_app() -> None:
    terminal = Terminal()
    terminal.wait_for("Puzzles")
    terminal.type("p")
    terminal.wait_for("A: take a cell.")
    assert terminal.end("\x11") == 0


def test_a_game_of_the_app_outlives_kill_9_and_resumes_anywhere(games_folder: Path) -> None:
    save_preferences(Store(games_folder), Preferences(setup=Setup(opponent="human")))
    terminal = Terminal()
    terminal.wait_for("Puzzles")
    terminal.type("\r")
    terminal.wait_for("A: take a cell.")
    terminal.type("3,3\r")
    terminal.wait_for("B: take a cell.")
    terminal.kill()
    result = run_in_process("resume", typed="quit\n")
    assert "Resuming occupation 5x5 after move 1." in result.err
    terminal = Terminal()
    terminal.wait_for("o: 1 unfinished game")
    terminal.type("o")
    terminal.wait_for("1 move")
    terminal.type("\r")
    terminal.wait_for("B: take a cell.")
    assert terminal.end("\x11") == 0


def test_a_dumb_terminal_gets_help() -> None:
    terminal = Terminal(term="dumb")
    assert "Usage: gridlock" in terminal.wait_for("Commands:")
    assert terminal.end() == 0


def test_a_terminal_shows_the_players_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal = Terminal("play", "duel")
    terminal.wait_for("(1-5): ")
    terminal.type("3,3\n")
    assert "[\x1b[36m\x1b[1mA\x1b[0m]" in terminal.wait_for("Player B's turn.")
    assert terminal.end("\x03") == 130


def test_a_terminal_without_colour_stays_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal("play", "duel", "--size", "1x1")
    terminal.wait_for("(1-1): ")
    terminal.type("1\n1\n")
    assert "[A]" in terminal.wait_for("Player A wins the game!")
    assert terminal.end() == 0
    assert "To see it again: gridlock replay " in terminal.seen


def test_a_terminal_replays_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    file = tmp_path / "game.txt"
    run_in_process("play", "trail", "--size", "1x3", "--record", str(file), typed="1 1\n1 2\n1 3\n")
    terminal = Terminal("replay", str(file))
    assert "[ ][ ][ ]" in terminal.wait_for(" > ")
    for key, expected in (
        ("", "[X][ ][ ]"), ("3", "[X][O][X]"), ("b", "[X][O][ ]"), ("x", "There is no 'x' here."),
        ("99", "Player 1 (X) wins the game!"), ("-5", "[ ][ ][ ]"),
    ):  # fmt: skip
        terminal.type(f"{key}\n")
        assert expected in terminal.wait_for(" > ")
    terminal.type("q\n")
    assert terminal.end() == 0
    terminal = Terminal("replay", str(file))
    terminal.wait_for(" > ")
    assert terminal.end("\x04") == 0
    file.write_text(file.read_text() * 3)
    terminal = Terminal("replay", str(file))
    terminal.wait_for(" > ")
    terminal.type("3\n")
    terminal.wait_for(" > ")
    terminal.type("\n")
    assert "Game 2 of 3" in terminal.wait_for(" > ")
    terminal.type("q\n")
    assert terminal.end() == 0


def test_a_replay_into_a_file_asks_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run_in_process("play", "trail", "--size", "1x1", "--record", str(file), typed="1 1\n")
    main, side = pty.openpty()
    shown = subprocess.run(
        [*GRIDLOCK, "replay", str(file)], stdin=side, capture_output=True, timeout=PATIENCE
    ).stdout
    os.close(main)
    os.close(side)
    assert shown.endswith(b"Player 1 (X) wins the game!\n")


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_ends_a_long_search_with_one_line(threads: str) -> None:
    terminal = Terminal("solve", "claim", "--size", "7x9", "--threads", threads)
    terminal.wait_for(" nodes/s, table ")
    terminal.type("\x03")
    assert terminal.end() == 130
    summary = terminal.seen.rpartition("\x1b[K")[2].replace("^C", "")
    assert re.fullmatch(
        r"gridlock: stopped solving after [\d,]+ nodes, [\d,]+ nodes/s, table \d+% full, "
        r"[\d.]+ s\s*",
        summary,
    )


def test_ctrl_c_while_the_computer_thinks_makes_it_move_and_the_next_one_keeps_the_game() -> None:
    terminal = Terminal(
        "play", "occupation", "--size", "9x10", "--p2", "computer", "--time-per-move", "600"
    )
    terminal.wait_for("Player A, enter your move (row,column): ")
    terminal.type("3 4\n")
    terminal.wait_for("thinking: ")
    terminal.wait_for(" s; Ctrl-C: move now")
    terminal.type("\x03")
    terminal.wait_for("Player A, enter your move (row,column): ")
    assert terminal.end("\x03") == 130
    assert "The game is kept. To go on: gridlock resume" in terminal.seen
