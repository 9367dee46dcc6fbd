from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import httpx
import pytest

from gridlock.lab.eval.endpoint import serving
from gridlock.lab.eval.journal import read_journal
from tests.lab.eval.scripted import Behaviour, Never, Raw, Says, Scripted

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

KEY = "sk-very-secret-0123456789"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return tmp_path


def test_from_an_endpoint_to_a_report(run: Run, folder: Path) -> None:
    with serving("computer:8") as server:
        begun = run(
            "eval",
            "--base-url",
            server.url,
            "--model",
            "mine",
            "--game",
            "duel:1x3",
            "--games",
            "2",
            "--opponent",
            "computer:8",
            "--suite",
            "3",
            "--at-once",
            "2",
            "--temperature",
            "0.5",
        )
    assert (begun.code, begun.err) == (0, "")
    assert begun.out == (
        "5 played; 4 requests in eval.jsonl\nThe grades: gridlock eval report eval.jsonl\n"
    )
    told = run("eval", "report", "eval.jsonl", "--html", "page.html")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("mine, prompt listed\nThe answers came from computer:8, one of Grid")
    assert "\nall   50 % (9–91)   100 % (21–100)   100 % (21–100)         –" in told.out
    assert told.out.endswith("\nThe page: page.html\n")
    assert "<h1>mine, prompt listed</h1>" in (folder / "page.html").read_text()
    as_json = run("eval", "report", "eval.jsonl", "--json", "--no-levels")
    assert json.loads(as_json.out)["legal"] == {
        "hits": 4, "total": 4, "share": 1.0, "low": pytest.approx(0.5101, abs=1e-4), "high": 1.0,
    }  # fmt: skip


def test_a_command_is_put_on_trial_with_every_prompt(run: Run, folder: Path) -> None:
    (folder / "own.txt").write_text("<BoardState> <LegalMoves>")
    for prompt in ("unlisted", "disguised", "own.txt"):
        cell = "b1" if prompt == "disguised" else "1,2"
        result = run(
            "eval",
            "--command",
            f"echo {cell}",
            "--game",
            "duel:1x3",
            "--games",
            "1",
            "--prompt",
            prompt,
            "--journal",
            f"{prompt}.jsonl",
        )
        assert result.out.startswith("1 played; 1 request in ")
        assert read_journal(folder / f"{prompt}.jsonl")[-1]["result"] == "win"


def test_after_a_budget_a_trial_is_resumed(run: Run, folder: Path) -> None:
    begun = run(
        "eval",
        "--command",
        "echo 1,2",
        "--game",
        "duel:1x3",
        "--games",
        "6",
        "--max-requests",
        "2",
    )
    assert begun.out.splitlines()[1] == (
        "The budget is used up. To go on: gridlock eval --resume eval.jsonl"
    )
    again = run("eval", "--resume", "eval.jsonl", "--at-once", "2", "--max-tokens", "100")
    assert again.code == 0
    answers = [event for event in read_journal(folder / "eval.jsonl") if event["kind"] == "answer"]
    keys = [(event["task"], event["action"], event["attempt"]) for event in answers]
    assert len(set(keys)) == len(keys)
    assert run("eval", "--resume", "eval.jsonl").out.startswith("nothing was left; ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--model", "m"), "'' is not the address of an endpoint"),
        (("--base-url", "http://x/v1"), "name a model by --model and --base-url, or by --command"),
        (("--command", "bot", "--game", "dule"), "there is no game 'dule': did you mean duel?"),
        (("--command", "bot", "--games", "0"), "'0' is not a number from 1 to 1000"),
        (("--command", "bot", "--suite", "x"), "'x' is not a number from 0 to 1,000"),
        (("--command", "bot", "--suite-only"), "--suite-only needs --suite N"),
        (("--command", "bot", "--prompt", "lsted"), "there is no prompt 'lsted': did you mean li"),
        (("--command", "bot", "--temperature", "hot"), "'hot' is not a temperature from 0 to 2"),
        (("--command", "bot", "--timeout", "-1"), "'-1' is not a number of seconds"),
        (("--command", "bot", "--opponent", "computer:9"), "there is no player 'computer:9'"),
        (("--command", "bot", "--key", KEY), "there is no environment variable of this name"),
        (("--resume", "eval.jsonl", "--seed", "3"), "--seed cannot be changed when a trial is re"),
        (("--serve-level", "9"), "there is no player 'computer:9'"),
        (("report",), "Missing argument 'JOURNAL'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(
    run: Run, arguments: tuple[str, ...], message: str, folder: Path
) -> None:
    result = run("eval", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert len(result.error_lines) == 1
    assert KEY not in result.err
    assert not (folder / "eval.jsonl").exists()


def test_a_journal_that_is_there_or_is_not_is_a_failure(run: Run, folder: Path) -> None:
    assert "cannot read 'eval.jsonl'" in run("eval", "report", "eval.jsonl").err
    (folder / "eval.jsonl").write_text("")
    result = run("eval", "--command", "bot", "--game", "duel")
    assert result.code == 1
    assert "is there already: choose another with --journal" in result.err


def test_without_options_it_prints_its_help(run: Run) -> None:
    assert run("eval").out == run("eval", "--help").out


def test_the_key_is_in_no_file_and_no_message(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    day: list[Behaviour] = [
        Raw(f"bad key {KEY}".encode(), status=401),
        Says(f"key {KEY}"),
        Says("1,2"),
    ]
    with Scripted.in_turn(*day) as endpoint:
        arguments = ["--base-url", endpoint.url, "--model", "m", "--key", "MY_KEY"]
        results = [
            run("eval", *arguments, "--game", "duel:1x3", "--games", "1"),
            run("eval", "--resume", "eval.jsonl"),
            run("eval", "report", "eval.jsonl", "--html", "page.html"),
        ]
    assert endpoint.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert len(endpoint.asked) == 3
    assert [result.code for result in results] == [0, 0, 0]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) >= 2
    assert all(KEY.encode() not in path.read_bytes() for path in files)
    assert all(KEY not in result.out + result.err for result in results)


def gridlock(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "gridlock", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_level_is_served_until_ctrl_c() -> None:
    with gridlock("eval", "--serve-level", "2", "--port", "0") as process:
        assert process.stdout
        url = process.stdout.readline().split()[3]
        assert httpx.post(f"{url}/chat/completions", json={}).status_code == 400
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
        assert (process.returncode, err) == (130, "")


def test_ctrl_c_stops_at_once_and_says_how_to_go_on(folder: Path) -> None:
    asked = threading.Event()

    def hang(number: int, body: object) -> Never:
        asked.set()
        return Never()

    with Scripted(hang) as endpoint:
        arguments = ("--base-url", endpoint.url, "--model", "m", "--game", "duel:1x3")
        with gridlock("eval", *arguments) as process:
            assert asked.wait(60)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate()
    assert process.returncode == 130
    assert err == "gridlock: stopped; gridlock eval --resume eval.jsonl goes on\n"
    assert [event["kind"] for event in read_journal(folder / "eval.jsonl")] == ["plan", "request"]


@pytest.mark.long
def test_a_trial_survives_being_killed_ten_times(folder: Path) -> None:
    """Of 200 games nothing is lost, and nothing is asked again whose answer had come."""
    path = folder / "eval.jsonl"
    hits: list[str] = []

    def answer(number: int, body: dict[str, list[dict[str, str]]]) -> Says:
        text = body["messages"][-1]["content"]
        hits.append(json.dumps([body["seed"], text]))
        legal = text.partition("Your legal moves: ")[2].split("\n")[0].split()
        return Says(legal[number % len(legal)])

    with Scripted(answer) as endpoint:
        begun = (
            "--base-url",
            endpoint.url,
            "--model",
            "m",
            "--game",
            "trail:2x3",
            "--games",
            "200",
        )
        for kill in range(11):
            arguments = ("--resume", str(path)) if kill else (*begun, "--journal", str(path))
            with gridlock("eval", *arguments, "--at-once", "4") as process:
                goal = len(hits) + 40
                while kill < 10 and process.poll() is None and len(hits) < goal:
                    threading.Event().wait(0.01)
                if kill < 10:
                    assert process.poll() is None
                    os.kill(process.pid, signal.SIGKILL)
                process.communicate()
    assert process.returncode == 0
    events = read_journal(path)
    ends = [event["task"] for event in events if event["kind"] == "end"]
    assert len(ends) == len(set(ends)) == 200
    answers = {event["request"] for event in events if event["kind"] == "answer"}
    requests = [event for event in events if event["kind"] == "request"]
    keys = [
        (event["task"], event["action"], event["attempt"])
        for event in events
        if event["kind"] == "answer"
    ]
    assert len(keys) == len(set(keys)) == len(answers)
    # Asked again was only what was under way, at most four at each kill.
    assert len(answers) <= len(hits) <= len(requests) <= len(answers) + 40
    assert len(hits) - len(set(hits)) <= len(requests) - len(answers)
