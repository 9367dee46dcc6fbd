from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from gridlock import StoreError
from gridlock.lab.eval.endpoint import serving
from gridlock.lab.eval.grade import Examiner
from gridlock.lab.eval.journal import read_journal
from gridlock.lab.eval.model import ChatModel, FailureError, Question, Reply, Secret
from gridlock.lab.eval.report import Results, make_report
from gridlock.lab.eval.sentences import counts, headline, tables
from tests.conftest import variants
from tests.lab.eval.trials import Told, begin, go_on, legal_of, make_plan

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "trial.jsonl"


def report_of(path: Path, *, with_levels: bool = True) -> dict[str, Any]:
    made = make_report(Results(read_journal(path)), Examiner(), with_levels=with_levels)
    return json.loads(json.dumps(made))  # type: ignore[no-any-return]


def of(written: dict[str, Any]) -> tuple[float, int]:
    return written["hits"], written["total"]


def test_the_grades_of_a_few_games_come_out_as_computed_by_hand(path: Path) -> None:
    """Duel on 1x3, which the middle wins: level 8 takes it whenever it begins.

    In games 1 and 5 the model takes the middle, after nonsense and an illegal cell; in game 3 an
    end, and level 8 the other one.  In game 7 no answer comes, and in game 9 nothing but nonsense.
    """
    said = iter(["hm", "1,2", "1,1", "9,9", "1,2", None, None, "a", "b", "c"])

    def answer(_: Question) -> str:
        text = next(said)
        if text is None:
            raise FailureError("rate limit", "slow down", wait=0.0)
        return text

    begin(path, make_plan(count=10, opponents=("computer:8",), retries=1, attempts=3))
    go_on(path, Told(answer))
    made = report_of(path)
    everything = made["groups"]["all"]
    assert everything["games"] == {"played": 8, "forfeit": 1, "broken off": 1, "unfinished": 0}
    assert of(everything["wins"]) == (2, 9)
    assert made["answers"] == {"legal": 3, "illegal": 1, "unreadable": 4, "refused": 0}
    assert of(made["legal"]) == (3, 8)
    assert made["failures"] == {"rate limit": 2}
    assert (made["requests"], made["interrupted"], made["tokens"]) == (10, 0, 80)
    grades = everything["grades"]
    assert of(grades["model"]["kept_wins"]) == of(grades["model"]["telling_wins"]) == (2, 3)
    assert of(grades["random"]["kept_wins"]) == (1, 3)
    assert of(grades["level 8"]["kept_wins"]) == (3, 3)
    assert list(grades["model"]["by_distance"]) == ["1 to 2"]
    assert of(grades["model"]["resisted"]) == (0, 0)
    assert everything["plays_like"]["alike"][-1] == 8
    rows = {row[0]: row[1] for row in counts(made)}
    assert rows["no answer: rate limit"] == "2"
    assert rows["games forfeit"] == "1"


def test_boards_and_opponents_are_also_told_apart(path: Path) -> None:
    plan = make_plan(games=("duel:1x3", "trail:2x2"), opponents=("random", "computer:1"), count=2)
    begin(path, plan)
    go_on(path, Told(lambda question: legal_of(question)[0]))
    made = report_of(path, with_levels=False)
    assert list(made["groups"]) == ["all", "duel 1x3", "trail 2x2"]
    assert made["groups"]["all"]["wins"]["total"] == 8
    assert made["groups"]["trail 2x2"]["wins"]["total"] == 4
    assert {who: wins["total"] for who, wins in made["groups"]["all"]["wins_against"].items()} == {
        "random": 4, "computer:1": 4,
    }  # fmt: skip
    assert made["groups"]["all"]["plays_like"] is None
    assert list(made["groups"]["all"]["grades"]) == ["model", "random"]
    assert "Wins by opponent" in [title for title, _, _ in tables(made)]


def test_the_suite_is_graded_by_difficulty(path: Path) -> None:
    begin(path, make_plan(games=("trail",), count=0, suite=6))
    go_on(path, Told(lambda question: legal_of(question)[0]))
    made = report_of(path)
    suite = made["groups"]["all"]["grades"]["level 8"]["suite"]
    assert {name: of(one) for name, one in suite.items()} == {
        "easy": (2, 2), "medium": (2, 2), "hard": (2, 2),
    }  # fmt: skip
    assert made["groups"]["all"]["games"]["played"] == 0
    assert made["groups"]["all"]["plays_like"] is not None


def test_a_trial_that_has_only_begun_has_a_report(path: Path) -> None:
    begin(path, make_plan())
    made = report_of(path)
    assert made["legal"]["total"] == 0
    assert made["groups"]["all"]["games"]["unfinished"] == 2
    assert headline(made) == ["-, prompt listed"]
    assert all(cell == "–" for _, _, rows in tables(made) for row in rows for cell in row[1:4])


def test_a_report_of_our_own_players_says_so(path: Path) -> None:
    begin(path, make_plan())
    with serving("computer:2") as server:
        go_on(path, ChatModel(server.url, "m", Secret(None), seconds=30))
    made = report_of(path, with_levels=False)
    assert made["own_player"] == "computer:2"
    assert "one of GridLock's own players, not from a language model" in headline(made)[1]


def test_answers_that_were_cut_off_and_positions_not_solved_are_counted(path: Path) -> None:
    class Short(Told):
        def ask(self, question: Question) -> Reply:
            super().ask(question)
            return Reply(legal_of(question)[0], is_cut_off=True)

    begin(path, make_plan(games=("race:9x9",), count=1, opponents=("random",)))
    go_on(path, Short(lambda _: ""))
    results = Results(read_journal(path))
    made = make_report(results, Examiner(0.001), with_levels=False)
    assert made["cut_off"] == made["requests"] > 0
    assert made["unknown"] > 0
    assert f"{made['unknown']} positions could not be solved in time" in headline(made)[-1]


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "move", "task": "none", "action": 0, "cell": 0},
        {"kind": "move", "task": "duel 1x3 random 1", "action": 3, "cell": 0},
        {"kind": "move", "task": "duel 1x3 random 1", "action": 0, "cell": 9},
        {"kind": "answer", "task": "duel 1x3 random 1"},
    ],
)
def test_a_journal_that_makes_no_sense_is_refused(event: dict[str, Any]) -> None:
    plan = {"kind": "plan", **make_plan().write()}
    with pytest.raises(StoreError, match="the journal makes no sense"):
        Results([plan, event])


@pytest.mark.parametrize("level", variants(8, 1, 4, 6, 3, 5, 7, 2, quick=3))
def test_a_level_behind_an_endpoint_gets_the_grade_of_its_own_level(path: Path, level: int) -> None:
    plan = make_plan(games=("trail", "occupation"), count=0, suite=40)
    begin(path, plan)
    with serving(f"computer:{level}") as server:
        go_on(path, ChatModel(server.url, "m", Secret(None), seconds=60), at_once=2)
    likeness = report_of(path)["groups"]["all"]["plays_like"]
    assert level in likeness["alike"]
    assert len(likeness["alike"]) < 9
