from __future__ import annotations

import os
import shlex
import sys
import threading
import time
from pathlib import Path

import pytest

from gridlock import GridlockError, NotationError
from gridlock.lab.eval.model import (
    LONGEST_REPLY,
    ChatModel,
    CommandModel,
    FailureError,
    Question,
    Reply,
    Secret,
)
from tests.lab.eval.scripted import Behaviour, Never, Raw, Says, Scripted

KEY = "sk-very-secret-0123456789"
HELLO = Question(({"role": "user", "content": "Hello?"},), seed=7)


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> Secret:
    monkeypatch.setenv("TRIAL_KEY", f" {KEY}\n")
    return Secret("TRIAL_KEY")


def ask(behaviour: Behaviour, secret: Secret, seconds: float = 5.0) -> Reply:
    with Scripted.in_turn(behaviour) as endpoint:
        model = ChatModel(endpoint.url, "m", secret, seconds=seconds)
        try:
            return model.ask(HELLO)
        finally:
            model.close()


def failure(behaviour: Behaviour, secret: Secret, seconds: float = 5.0) -> FailureError:
    with pytest.raises(FailureError) as error:
        ask(behaviour, secret, seconds)
    return error.value


def test_a_question_goes_to_the_endpoint_and_the_answer_comes_back(secret: Secret) -> None:
    with Scripted.in_turn(Says("3,3", tokens=12)) as endpoint:
        model = ChatModel(
            f"{endpoint.url}/", "m-1", secret, seconds=5, temperature=0.5, most_tokens=9
        )
        assert model.ask(HELLO) == Reply("3,3", 12, by="scripted")
        model.close()
    assert endpoint.asked == [
        {"model": "m-1", "temperature": 0.5, "max_tokens": 9, "seed": 7,
         "messages": [{"role": "user", "content": "Hello?"}]}
    ]  # fmt: skip
    assert endpoint.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_without_a_key_none_is_sent() -> None:
    with Scripted.in_turn(Says("3,3")) as endpoint:
        model = ChatModel(endpoint.url, "m", Secret(None), seconds=5)
        model.ask(HELLO)
        model.close()
    assert "Authorization" not in endpoint.headers[0]
    assert set(endpoint.asked[0]) == {"model", "messages", "seed"}


@pytest.mark.parametrize(
    ("says", "reply"),
    [
        (Says("", more={"refusal": "No."}), Reply("No.", is_refused=True, by="scripted")),
        (Says(None, finish="content_filter"), Reply("", is_refused=True, by="scripted")),
        (Says("I thi", finish="length"), Reply("I thi", is_cut_off=True, by="scripted")),
        (Says(None), Reply("", by="scripted")),
    ],
)
def test_refusals_and_answers_that_were_cut_short_are_told_apart(
    says: Says, reply: Reply, secret: Secret
) -> None:
    assert ask(says, secret) == reply


def test_an_answer_in_parts_is_put_together(secret: Secret) -> None:
    body = b'{"choices": [{"message": {"content": [{"text": "3,"}, {"text": "3"}]}}]}'
    assert ask(Raw(body), secret).text == "3,3"


@pytest.mark.parametrize(
    ("behaviour", "kind", "may_pass"),
    [
        (Raw(status=429), "rate limit", True),
        (Raw(status=500), "HTTP 500", True),
        (Raw(status=503), "HTTP 503", True),
        (Raw(status=408), "HTTP 408", True),
        (Raw(status=400), "HTTP 400", False),
        (Raw(status=401), "HTTP 401", False),
        (Raw(status=404), "HTTP 404", False),
        (Raw(status=302, headers={"Location": "http://127.0.0.1:1/"}), "HTTP 302", False),
        (Raw(b"<html>Welcome!</html>"), "nonsense", True),
        (Raw(b""), "nonsense", True),
        (Raw(b"[]"), "nonsense", True),
        (Raw(b'{"choices": []}'), "nonsense", True),
        (Raw(b'{"choices": [{"message": null}]}'), "nonsense", True),
        (Raw(b'{"choices": [{"message": {"content": [3]}}]}'), "nonsense", True),
        (Raw(b"[" * 100_000), "nonsense", True),
        (Raw(b" " * (LONGEST_REPLY + 1)), "nonsense", True),
        (Raw(b'{"choices": [', lacks=10), "connection", True),
    ],
)
def test_what_is_no_answer_is_a_failure_of_a_kind(
    behaviour: Raw, kind: str, may_pass: bool, secret: Secret
) -> None:
    error = failure(behaviour, secret)
    assert (error.kind, error.may_pass) == (kind, may_pass)


@pytest.mark.parametrize("drips", [False, True])
def test_whoever_never_answers_is_given_up(drips: bool, secret: Secret) -> None:
    assert failure(Never(drips), secret, seconds=0.2).kind == "timeout"


def test_an_endpoint_that_is_not_there_is_a_failure_that_may_pass(secret: Secret) -> None:
    model = ChatModel("http://127.0.0.1:1/v1", "m", secret, seconds=5)
    with pytest.raises(FailureError) as error:
        model.ask(HELLO)
    assert (error.value.kind, error.value.may_pass) == ("connection", True)


def test_how_long_to_wait_is_read_where_it_is_told(secret: Secret) -> None:
    assert failure(Raw(status=429, headers={"Retry-After": "2.5"}), secret).wait == 2.5
    assert failure(Raw(status=429, headers={"Retry-After": "Wed, 18 Nov"}), secret).wait is None
    assert failure(Raw(status=429), secret).wait is None


def test_the_key_is_in_no_error_and_no_answer(secret: Secret) -> None:
    said = f"wrong key: {KEY}".encode()
    assert str(failure(Raw(said, status=401), secret)) == "HTTP 401: wrong key: [key]"
    assert KEY not in str(failure(Raw(said), secret))
    assert ask(Says(f"My key is {KEY}."), secret).text == "My key is [key]."
    command = CommandModel(f"sh -c 'echo {KEY} >&2; exit 3'", secret, seconds=5)
    with pytest.raises(FailureError, match=r"^exit code 3: \[key\]$"):
        command.ask(HELLO)


def test_a_key_that_no_header_takes_is_refused_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAL_KEY", "sk-a\nb-secret")
    with pytest.raises(
        NotationError, match="^the key in TRIAL_KEY has characters that no key has$"
    ):
        Secret("TRIAL_KEY")


def test_without_httpx_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, secret: Secret
) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(GridlockError, match=r"pip install 'gridlock-games\[eval\]'"):
        ChatModel("http://127.0.0.1:1/v1", "m", secret, seconds=1)


def test_a_command_reads_the_conversation_and_prints_an_answer(secret: Secret) -> None:
    code = "import sys; print(sys.stdin.read().upper())"
    model = CommandModel(shlex.join([sys.executable, "-c", code]), secret, seconds=20)
    messages = ({"role": "user", "content": "one"}, {"role": "user", "content": "two é"})
    assert model.ask(Question(messages, 1)).text == "ONE\n\nTWO É\n"


def test_a_command_that_does_not_read_is_heard_all_the_same(secret: Secret) -> None:
    question = Question(({"role": "user", "content": "x" * 1_000_000},), 1)
    assert CommandModel("echo 3,3", secret, seconds=20).ask(question).text == "3,3\n"


def test_a_command_that_is_not_there_is_not_tried_again(secret: Secret) -> None:
    with pytest.raises(FailureError) as error:
        CommandModel("/nowhere/bot", secret, seconds=5).ask(HELLO)
    assert (error.value.kind, error.value.may_pass) == ("command", False)


def test_a_command_that_hangs_ends_with_all_it_has_started(secret: Secret, tmp_path: Path) -> None:
    file = tmp_path / "pid"
    script = f"sleep 1000 & echo $! > {file}; wait"
    model = CommandModel(shlex.join(["sh", "-c", script]), secret, seconds=0.3)
    with pytest.raises(FailureError, match="no answer within 0.3 s"):
        model.ask(HELLO)
    assert is_gone(int(file.read_text()))


def is_gone(pid: int) -> bool:
    """Wait until a process has ended, whether or not somebody has noticed."""
    for _ in range(1000):
        try:
            with Path(f"/proc/{pid}/stat").open() as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


def test_closing_ends_the_commands_that_run(secret: Secret, tmp_path: Path) -> None:
    fifo = tmp_path / "begun"
    os.mkfifo(fifo)
    script = f"echo x > {fifo}; sleep 1000"
    model = CommandModel(shlex.join(["sh", "-c", script]), secret, seconds=600)
    raised: list[Exception] = []

    def run() -> None:
        try:
            model.ask(HELLO)
        except FailureError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    fifo.read_text()  # until it has begun
    model.close()
    thread.join()
    assert [str(error) for error in raised] == ["exit code -9: "]
    with pytest.raises(FailureError, match="stopped"):
        model.ask(HELLO)


@pytest.mark.parametrize(
    ("command", "message"), [("", "the command is empty"), ("'", "is not a command: No closing")]
)
def test_a_command_that_makes_no_sense_is_refused(
    command: str, message: str, secret: Secret
) -> None:
    with pytest.raises(NotationError, match=message):
        CommandModel(command, secret, seconds=1)
