from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from gridlock import StoreError
from gridlock.lab.eval.journal import open_journal, read_journal
from gridlock.lab.eval.model import ChatModel, FailureError, Model, Question, Reply, Secret
from gridlock.lab.eval.plan import Plan
from gridlock.lab.eval.trial import LONGEST_WAIT, Budget, Trial
from tests.lab.eval.scripted import Never, Raw, Says, Scripted
from tests.lab.eval.trials import Told, begin, events_of, first_legal, go_on, legal_of, make_plan

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "trial.jsonl"


def failing(*errors: FailureError) -> Told:
    """Return a model that fails in these ways, one after the other, before it answers."""
    left = list(errors)

    def answer(question: Question) -> str:
        if left:
            raise left.pop(0)
        return first_legal(question)

    return Told(answer)


def test_the_counts_of_a_bad_day_come_out_as_computed_by_hand(path: Path) -> None:
    """Duel on 1x3: whoever takes the middle wins at once, and level 8 begins the second game."""
    day = (
        Raw(status=429, headers={"Retry-After": "0"}),
        Raw(b"<html>", status=500),
        Raw(b"<html>Hi!</html>"),
        Raw(b'{"choices"', lacks=50),
        Never(),
        Says("Well, let me see."),
        Says("1,9", tokens=3),
        Says("I take **1,2**.", tokens=4),
    )
    begin(path, make_plan(opponents=("computer:8",), retries=5, attempts=3))
    with Scripted.in_turn(*day) as endpoint:
        go_on(path, ChatModel(endpoint.url, "m", Secret(None), seconds=0.5))
    failures = [event["error"] for event in events_of(path, "failure")]
    assert failures == ["rate limit", "HTTP 500", "nonsense", "connection", "timeout"]
    answers = [(event["outcome"], event["attempt"]) for event in events_of(path, "answer")]
    assert answers == [("unreadable", 1), ("illegal", 2), ("legal", 3)]
    ends = [(event["how"], event["result"], event["moves"]) for event in events_of(path, "end")]
    assert ends == [("played", "win", [1]), ("played", "loss", [1])]
    assert [event["request"] for event in events_of(path, "request")] == list(range(1, 9))


def test_after_an_answer_that_cannot_be_played_the_model_is_told_why(path: Path) -> None:
    answers = iter(["Hm.", "7,7", "1,3"])
    model = Told(lambda _: next(answers))
    begin(path, make_plan(count=1))
    go_on(path, model)
    last = [message["content"] for message in model.asked[2].messages]
    assert last[1:] == [
        "Hm.",
        "No single cell can be read from this. Answer again, and end with a line that has nothing "
        "but a cell.",
        "7,7",
        "There is no such cell. Answer again, and end with a line that has nothing but a cell.",
    ]
    roles = [message["role"] for message in model.asked[2].messages]
    assert roles == ["user", "assistant", "user", "assistant", "user"]


def test_without_an_answer_that_can_be_played_a_game_is_forfeited(path: Path) -> None:
    begin(path, make_plan(count=1, attempts=2))
    model = Told(lambda _: "no")
    assert go_on(path, model) == {"forfeit": 1}
    assert events_of(path, "end")[0]["result"] == "loss"
    assert len(model.asked) == 2
    assert go_on(path, model) == {}


def test_a_game_without_answers_is_broken_off_and_tried_again_later(path: Path) -> None:
    begin(path, make_plan(count=1, retries=2))
    model = failing(*[FailureError("rate limit", "no", wait=0.0)] * 3)
    assert go_on(path, model) == {"broken off": 1}
    assert len(model.asked) == 3
    assert go_on(path, model) == {"played": 1}


def test_what_will_not_pass_is_not_retried_and_does_not_end_the_run(path: Path) -> None:
    begin(path, make_plan(count=3, opponents=("random",)))
    model = failing(FailureError("HTTP 401", "no", may_pass=False))
    assert go_on(path, model) == {"broken off": 1, "played": 2}


def test_a_refusal_is_an_answer_of_its_own(path: Path) -> None:
    class Refusing(Told):
        def ask(self, question: Question) -> Reply:
            super().ask(question)
            return Reply("I will not play 1,2.", is_refused=True)

    begin(path, make_plan(count=1, attempts=1))
    assert go_on(path, Refusing(first_legal)) == {"forfeit": 1}
    assert events_of(path, "answer")[0]["outcome"] == "refused"


def test_retries_wait_as_told_or_twice_as_long_each_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    real = threading.Event.wait

    def wait(event: threading.Event, timeout: float | None = None) -> bool:
        if threading.current_thread().daemon and timeout is not None:
            waits.append(timeout)
            return False
        return real(event, timeout)

    monkeypatch.setattr(threading.Event, "wait", wait)
    begin(path, make_plan(count=1, retries=6, wait=2.0))
    told = (None, 7.5, None, 1e9, float("nan"), -1.0)
    go_on(path, failing(*(FailureError("rate limit", "no", wait=wait) for wait in told)))
    assert waits == [2.0, 7.5, 8.0, LONGEST_WAIT, 32.0, LONGEST_WAIT]


def test_chance_depends_on_the_seed_alone(tmp_path: Path) -> None:
    journals = []
    for name, seed, at_once in (("a", 1, 1), ("b", 1, 4), ("c", 2, 1)):
        path = tmp_path / f"{name}.jsonl"
        begin(path, make_plan(games=("trail:3x3",), count=6, seed=seed))
        model = Told(first_legal)
        go_on(path, model, at_once=at_once)
        moves = {event["task"]: event["moves"] for event in events_of(path, "end")}
        journals.append((sorted(moves.items()), {question.seed for question in model.asked}))
    assert journals[0] == journals[1]
    assert journals[0] != journals[2]


def test_a_trial_goes_on_from_wherever_it_was_killed(tmp_path: Path) -> None:
    """Wherever a journal ends, nothing that was answered is asked again, and nothing is lost."""
    whole = tmp_path / "whole.jsonl"

    def answer(question: Question) -> str:
        return "no" if question.seed % 4 == 0 else legal_of(question)[-1]

    begin(whole, make_plan(games=("trail:2x2",), count=4, opponents=("random", "computer:2")))
    go_on(whole, Told(answer))
    content = whole.read_bytes()
    ends = {event["task"]: event["moves"] for event in events_of(whole, "end")}
    asked = len(events_of(whole, "answer"))
    assert len(ends) == 8
    assert {event["attempt"] for event in events_of(whole, "answer")} >= {1, 2}
    cuts = [n for n in range(1, len(content)) if content[n - 1 : n] == b"\n"]
    assert len(cuts) > 40
    for cut in [*cuts, *(cut + 7 for cut in cuts[:-1])]:
        path = tmp_path / f"{cut}.jsonl"
        path.write_bytes(content[:cut])
        before = len(events_of(path, "answer"))
        model = Told(answer)
        go_on(path, model)
        assert {event["task"]: event["moves"] for event in events_of(path, "end")} == ends
        assert len(model.asked) == asked - before
        keys = [
            (event["task"], event["action"], event["who"], event["attempt"])
            for event in events_of(path, "answer")
        ]
        assert len(set(keys)) == len(keys) == asked
        path.unlink()


def test_a_budget_of_requests_ends_the_run_and_counts_what_was_asked_before(path: Path) -> None:
    begin(path, make_plan(games=("trail:3x3",), count=4))
    model = Told(first_legal)
    assert go_on(path, model, budget=Budget(5))["unfinished"] > 0
    assert len(model.asked) == 5
    assert go_on(path, model, budget=Budget(5))["unfinished"] > 0
    assert len(model.asked) == 5
    assert "unfinished" not in go_on(path, model, budget=Budget(1000))


def test_a_budget_of_tokens_ends_the_run(path: Path) -> None:
    begin(path, make_plan(games=("trail:3x3",), count=4))
    model = Told(first_legal)
    assert go_on(path, model, budget=Budget(None, 25))["unfinished"] > 0
    assert len(model.asked) == 3


def test_another_model_is_the_opponent(path: Path) -> None:
    plan = make_plan(games=("trail:2x2",), opponents=("command:other",), count=2)
    begin(path, plan)
    mine, other = Told(first_legal), Told(lambda _: "no")
    assert go_on(path, mine, opponents={"command:other": other}) == {"forfeit": 2}
    assert [event["result"] for event in events_of(path, "end")] == ["win", "win"]
    assert {event["who"] for event in events_of(path, "answer")} == {"model", "opponent"}


def test_positions_of_the_suite_are_asked_once(path: Path) -> None:
    begin(path, make_plan(games=("trail",), count=0, suite=3))
    model = Told(first_legal)
    assert go_on(path, model) == {"played": 3}
    assert len(model.asked) == 3
    assert [len(event["moves"]) for event in events_of(path, "end")] == [1, 1, 1]
    assert "Moves so far: none" in model.asked[0].messages[0]["content"]


def test_several_are_asked_at_once(path: Path) -> None:
    together = threading.Barrier(3, timeout=30)

    def answer(question: Question) -> str:
        together.wait()
        return first_legal(question)

    begin(path, make_plan(games=("duel:1x1",), count=5))
    assert go_on(path, Told(answer), at_once=3) == {"played": 5}


def test_a_disk_that_fails_ends_the_run_with_its_error(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(path, make_plan(count=3))

    def fail(question: Question) -> str:
        raise StoreError("the disk is full")

    model = Told(fail)
    with pytest.raises(StoreError, match="the disk is full"):
        go_on(path, model)
    assert model.is_closed


def test_a_run_that_is_interrupted_writes_no_failure(path: Path) -> None:
    """Ctrl-C closes the model, whose request then fails: that is not the endpoint's fault."""
    begun, closed = threading.Event(), threading.Event()

    class Hanging(Model):
        def ask(self, question: Question) -> Reply:
            begun.set()
            closed.wait(30)
            raise FailureError("connection", "closed")

        def close(self) -> None:
            closed.set()

    plan = make_plan(count=1)
    begin(path, plan)
    with open_journal(path, is_new=False) as journal:
        trial = Trial(plan, journal, read_journal(path), Budget(), Hanging())

        def stop() -> None:
            begun.wait(30)
            trial.stop()

        stopping = threading.Thread(target=stop)
        stopping.start()
        assert trial.run({}) == {"unfinished": 1}
        stopping.join()
    assert [event["kind"] for event in read_journal(path)] == ["plan", "request"]


def test_a_plan_needs_games() -> None:
    with pytest.raises(TypeError):
        Plan(command="-")  # type: ignore[call-arg]
