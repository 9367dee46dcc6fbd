from __future__ import annotations

from typing import Any

import pytest

from gridlock import GridlockError, StoreError
from gridlock.lab.eval.model import ChatModel, CommandModel, Secret
from gridlock.lab.eval.plan import Plan, read_plan

URL = "http://127.0.0.1:8000/v1"


def plan(**fields: Any) -> Plan:
    return Plan(**{"command": "bot", "games": ("duel",), "template": "$board", **fields})


def test_a_plan_is_written_and_read_again() -> None:
    made = plan(games=("duel", "race:3x3"), opponents=("computer:3", "random"), temperature=0.5)
    assert read_plan({"kind": "plan", **made.write()}) == made


def test_the_first_mover_alternates_on_each_board_against_each_opponent() -> None:
    tasks = plan(games=("duel", "race:3x3"), opponents=("computer:3", "random"), count=3).tasks()
    assert [(task.id, task.seat) for task in tasks[:4]] == [
        ("duel 5x5 computer:3 1", 1),
        ("duel 5x5 computer:3 2", 2),
        ("duel 5x5 computer:3 3", 1),
        ("duel 5x5 random 1", 1),
    ]
    assert len({task.id for task in tasks}) == len(tasks) == 12


def test_the_positions_of_a_suite_come_once_for_each_rulebook() -> None:
    tasks = plan(games=("duel", "duel:6x6", "trail"), count=0, suite=4).tasks()
    assert len({task.id for task in tasks}) == len(tasks) == 8
    assert all(task.seat is task.start.mover and task.opponent is None for task in tasks)
    assert [task.difficulty for task in tasks[:4]] == ["easy", "medium", "medium", "hard"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"model": "m", "base_url": URL}, "name a model by --model and --base-url, or by --com"),
        ({"command": None}, "name a model by"),
        ({"command": None, "model": "m"}, "'' is not the address of an endpoint"),
        ({"command": None, "model": "m", "base_url": "ftp://x"}, "'ftp://x' is not the address"),
        ({"command": None, "model": "m", "base_url": "http://[x"}, "is not the address"),
        ({"command": None, "model": "m", "base_url": "https://sk-secret@x/"}, "has no key in it"),
        ({"command": None, "model": "m", "base_url": "https://x/?key=secret"}, "has no key in it"),
        ({"command": "'"}, "is not a command"),
        ({"games": ("chess",)}, "there is no game 'chess'"),
        ({"games": ("duel:0x0",)}, "the size '0x0' is not possible"),
        ({"opponents": ("human",)}, "'human' cannot be the opponent: choose random"),
        ({"opponents": ("Anna",)}, "'Anna' cannot be the opponent"),
        ({"opponents": ("computer:9",)}, "there is no player 'computer:9'"),
        ({"opponents": ("model:x",)}, "another model is model:NAME, at the endpoint"),
        ({"opponents": ("command:",)}, "the command is empty"),
        ({"suite": 9999}, "the suite of duel has 1 to"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(GridlockError, match=message) as error:
        plan(**fields)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("change", [{"games": 3}, {"command": None}, {"games": ["chess"]}])
def test_a_plan_that_was_damaged_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(StoreError, match="the plan in the journal makes no sense"):
        read_plan({**plan().write(), **change})


def test_models_are_made_for_both_sides() -> None:
    made = plan(command=None, model="m", base_url=URL, opponents=("model:n", "command:bot -x"))
    for model, kind in (
        (made.make_model(Secret(None)), ChatModel),
        (made.make_model(Secret(None), "model:n"), ChatModel),
        (made.make_model(Secret(None), "command:bot -x"), CommandModel),
        (plan().make_model(Secret(None)), CommandModel),
    ):
        assert isinstance(model, kind)
        model.close()
    assert made.name == "m"
    assert plan().name == "bot"
