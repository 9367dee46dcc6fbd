"""The Tab key: what bash, zsh and fish are offered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from tests.conftest import Run

COMPUTERS = [*(f"computer:{level}" for level in range(1, 9)), "computer:auto"]

in_every_shell = pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])


class Offered(Protocol):
    def __call__(self, shell: str, *words: str) -> list[str]: ...


@pytest.fixture
def offered(run: Run, monkeypatch: pytest.MonkeyPatch) -> Offered:
    """Return the words by which a shell could go on; the last one typed is unfinished."""

    def ask(shell: str, *words: str) -> list[str]:
        monkeypatch.setenv("_GRIDLOCK_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(["gridlock", *words]))
        monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words)))
        result = run()
        assert (result.code, result.err) == (0, "")
        lines = result.out.splitlines()
        if shell == "zsh":
            return lines[1::3]
        return [line.partition(",")[2].partition("\t")[0] for line in lines if line]

    return ask


@in_every_shell
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("pl",), ["play"]),
        (("re",), ["resume", "replay", "review"]),
        (("play", ""), ["occupation", "duel", "claim", "trail", "race"]),
        (("rules", "t"), ["trail"]),
        (("play", "duel", "--si"), ["--size"]),
        (("play", "duel", "--size", "6"), ["6x6"]),
        (("play", "duel", "--size", "12x1"), ["12x10"]),
        (("play", "duel", "--first", "t"), ["toss"]),
        (("play", "duel", "--p1", "r"), ["random"]),
        (("play", "duel", "--p2", "c"), ["computer", *COMPUTERS]),
        (("db", "up"), ["upgrade"]),
        (("help", "so"), ["solve"]),
        (("completion", ""), ["bash", "zsh", "fish"]),
        (("config", "th"), ["theme"]),
    ],
)
def test_a_shell_is_offered_what_can_follow(
    offered: Offered, shell: str, words: tuple[str, ...], expected: list[str]
) -> None:
    assert offered(shell, *words) == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_level_follows_a_colon(offered: Offered, shell: str) -> None:
    assert offered(shell, "play", "duel", "--p1", "computer:") == COMPUTERS


def test_bash_takes_a_colon_for_a_word_and_completes_what_follows_it(offered: Offered) -> None:
    assert offered("bash", "play", "duel", "--p1", "computer", ":") == [*"12345678", "auto"]
    assert offered("bash", "play", "duel", "--p1", "computer", ":", "3") == ["3"]
    assert offered("bash", "play", "duel", "--p1", "computer", ":", "3", "--si") == ["--size"]
    assert offered("bash", "play", "duel", "--p1", "computer:") == COMPUTERS  # unless told not to
    assert offered("bash", "play", "duel", "--p1", "=", "r") == ["random"]


@in_every_shell
def test_ones_own_rule_files_are_offered_too(
    offered: Offered, shell: str, games_folder: Path
) -> None:
    rules = games_folder / "rules"
    rules.mkdir(parents=True)
    (rules / "knights.toml").write_text('opponent = "knight"')
    assert offered(shell, "play", "k") == ["knights"]


@in_every_shell
def test_all_games_and_the_last_are_offered_to_be_looked_at(
    shell: str, offered: Offered, run: Run, games_folder: Path
) -> None:
    run("play", "duel", "--size", "1x1", typed="1,1\n")
    run("play", "trail", typed="1,1\n")
    finished, going_on = (path.stem for path in sorted(games_folder.glob("*/*.txt")))
    for command in (("review",), ("history",), ("analyse", "--record")):
        assert offered(shell, *command, "la") == ["last"]
        assert offered(shell, *command, "duel") == [finished]
        assert offered(shell, *command, "tr") == [going_on]


@in_every_shell
def test_unfinished_games_are_offered_to_be_resumed(
    offered: Offered, run: Run, shell: str, games_folder: Path
) -> None:
    run("play", "duel", typed="3,3\n")
    (file,) = (games_folder / "unfinished").glob("*.txt")
    assert offered(shell, "resume", "du") == [file.stem]


def test_where_nothing_is_known_files_are_offered(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_GRIDLOCK_COMPLETE", "bash_complete")
    for command in ("play", "resume", "replay", "review"):
        monkeypatch.setenv("COMP_WORDS", f"gridlock {command} ./x")
        monkeypatch.setenv("COMP_CWORD", "2")
        assert run().out == "file,./x\n"


@in_every_shell
def test_the_script_of_a_shell_is_printed(
    run: Run, shell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = run("completion", shell)
    assert (printed.code, printed.err) == (0, "")
    assert f"_GRIDLOCK_COMPLETE={shell}_complete" in printed.out
    monkeypatch.setenv("_GRIDLOCK_COMPLETE", f"{shell}_source")
    assert run() == printed


@in_every_shell
def test_the_help_says_how_to_install_it(run: Run, shell: str) -> None:
    assert f"gridlock completion {shell}" in run("completion", "--help").out


def test_a_shell_that_is_not_known_is_told_so_by_the_exit_code(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_GRIDLOCK_COMPLETE", "csh_source")
    result = run()
    assert (result.code, result.out, result.err) == (1, "", "")


def test_bash_itself_completes_a_command(games_folder: Path) -> None:
    program = """
        eval "$(gridlock completion bash)"
        COMP_WORDS=(gridlock play duel --p2 computer : "") COMP_CWORD=6
        $(complete -p gridlock | sed 's/.*-F \\([^ ]*\\) .*/\\1/') gridlock
        echo "${COMPREPLY[*]}"
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.run(
        ["bash", "--norc", "-c", program],
        env={**os.environ, "PATH": path}, capture_output=True, text=True,
    )  # fmt: skip
    assert (process.stdout, process.stderr) == ("1 2 3 4 5 6 7 8 auto\n", "")


def test_what_fish_is_told_to_run_works_where_there_is_no_folder_yet(
    run: Run, tmp_path: Path
) -> None:
    _, _, instructions = run("completion", "--help").out.partition("For fish, run this once:\n")
    program, _, _ = instructions.partition("\n\n")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.run(
        ["bash", "--norc", "-ec", program],
        env={**os.environ, "PATH": path, "HOME": str(tmp_path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert process.stderr == ""
    script = tmp_path / ".config/fish/completions/gridlock.fish"
    assert "complete --no-files --command gridlock" in script.read_text()


def test_a_person_who_sees_the_script_is_told_what_to_do_with_it() -> None:
    leader, follower = os.openpty()
    process = subprocess.run(
        [sys.executable, "-m", "gridlock", "completion", "bash"],
        stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    os.close(follower)
    os.close(leader)
    assert process.stderr.endswith(
        'put this line into ~/.bashrc:\n  eval "$(gridlock completion bash)"\n'
    )
