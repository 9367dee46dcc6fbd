"""Every lesson is a game by the rules, and says nothing that the rules do not."""

from __future__ import annotations

import random
import re
import tomllib
from typing import Any

import pytest

from gridlock import RULEBOOKS, Player, Position
from gridlock.lesson import FOLDER, Learner, Lesson, lesson_of
from tests.oracle.solver import solve_action
from tests.toy import DOMINO

CLAIMS = {"closed_to_1", "closed_to_2", "open_to_1", "open_to_2", "blocked", "winner"}
KEYS = {"moves", "text", "task", "cell", "otherwise"} | CLAIMS
CELL = re.compile(r"\b\d,\d\b")
MOST_CHARACTERS = 260  # that fit beside a board on the smallest terminal


def written(game: str) -> list[dict[str, Any]]:
    """Return the steps of a lesson as they are in its file."""
    return list(tomllib.loads((FOLDER / f"{game}.toml").read_text("utf-8"))["steps"])


def lesson(game: str) -> Lesson:
    found = lesson_of(RULEBOOKS[game])
    assert found
    return found


STEPS = [
    pytest.param(game, number, id=f"{game} {number + 1}")
    for game in RULEBOOKS
    for number in range(len(written(game)))
]


def test_each_file_is_the_lesson_of_a_rulebook() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(RULEBOOKS)


def test_a_rulebook_without_a_file_has_no_lesson() -> None:
    assert lesson_of(DOMINO) is None


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_lesson_is_a_whole_game_that_the_learner_wins(game: str) -> None:
    steps = lesson(game).steps
    assert 6 <= len(steps) <= 10
    assert steps[0].position == lesson(game).game.start()
    assert [step.position.winner for step in steps[:-1]] == [None] * (len(steps) - 1)
    assert steps[-1].position.winner is Player.ONE
    assert "you win!" in steps[-1].text
    assert written(game)[-1]["winner"] == 1


@pytest.mark.parametrize("game", RULEBOOKS)
def test_the_last_cell_is_the_only_one_that_wins(game: str) -> None:
    last = [step for step in lesson(game).steps if step.cell is not None][-1]
    legal = last.position.legal_cells()
    assert len(legal) > 1
    assert [cell for cell in legal if last.position.play(cell).winner] == [last.cell]


def test_in_race_only_the_run_for_the_corner_wins_as_its_steps_say() -> None:
    asked = [step for step in lesson("race").steps if step.cell is not None]
    for step in (asked[-3], asked[-1]):
        legal = step.position.legal_cells()
        assert [cell for cell in legal if solve_action(step.position, cell)[0]] == [step.cell]


@pytest.mark.parametrize("game", RULEBOOKS)
def test_players_have_the_symbols_of_the_rulebook(game: str) -> None:
    one, two = RULEBOOKS[game].symbols
    assert f"You are {one}" in lesson(game).steps[0].text
    assert f"your opponent is {two}" in lesson(game).steps[0].text


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_a_step_asks_the_learner_for_a_legal_cell_or_for_nothing(game: str, number: int) -> None:
    step, keys = lesson(game).steps[number], written(game)[number]
    assert set(keys) <= KEYS
    assert len(step.text) <= MOST_CHARACTERS
    assert ("task" in keys) == ("cell" in keys)
    if step.cell is None:
        assert "otherwise" not in keys
        return
    assert step.position.mover is Player.ONE
    assert step.position.is_legal(step.cell)
    assert bool(step.otherwise) == (len(step.position.legal_cells()) > 1)


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_what_the_other_player_does_is_theirs_and_is_told(game: str, number: int) -> None:
    keys = written(game)[number]
    if moves := keys.get("moves"):
        before = lesson(game).steps[number - 1]
        position = before.position if before.cell is None else before.position.play(before.cell)
        skips_turns = "turns later" in keys["text"]
        for name in moves:
            assert position.mover is Player.TWO or skips_turns
            assert name in keys["text"] or skips_turns
            position = position.play(lesson(game).game.cell(name))
        tokens = position.marks(Player.ONE) | position.marks(Player.TWO)
        assert not skips_turns or set(CELL.findall(keys["text"])) == {*position.game.names(tokens)}


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_what_a_step_claims_is_so(game: str, number: int) -> None:
    position, keys = lesson(game).steps[number].position, written(game)[number]
    names = position.game.names
    facts: dict[str, object] = {"blocked": names(position.blocked), "winner": position.winner}
    for player in Player:
        facts[f"closed_to_{player}"] = names(position.closed_to(player))
        facts[f"open_to_{player}"] = names(open_to(position, player))
    for claim in CLAIMS & set(keys):
        claimed = keys[claim]
        assert facts[claim] == (tuple(claimed) if isinstance(claimed, list) else claimed), claim


def open_to(position: Position, player: Player) -> int:
    """Return the cells that a player may choose, or could if it were their turn."""
    if player is position.mover:
        return position.legal
    taken = position.marks(Player.ONE) | position.marks(Player.TWO)
    return position.game.grid.full & ~taken & ~position.closed_to(player)


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_every_cell_that_a_text_names_is_claimed_or_played(game: str, number: int) -> None:
    """So that no text can name a cell of which nothing was checked."""
    position, keys = lesson(game).steps[number].position, written(game)[number]
    checked = {name for key in (CLAIMS - {"winner"}) & set(keys) for name in keys[key]}
    taken = position.game.names(position.marks(Player.ONE) | position.marks(Player.TWO))
    checked |= {*taken, *position.game.names(position.blocked), keys.get("cell", "")}
    assert set(CELL.findall(keys["text"] + keys.get("task", ""))) <= checked


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_a_text_that_speaks_of_closed_cells_says_which_are_closed(game: str, number: int) -> None:
    keys = written(game)[number]
    if re.search(r"\b(clos(ed|es)|lock(ed|s))\b", keys["text"]):
        assert {"closed_to_1", "closed_to_2"} & set(keys)


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_every_cell_is_right_or_has_a_reason_why_not(game: str, number: int) -> None:
    step = lesson(game).steps[number]
    for cell in range(step.position.game.grid.cell_count):
        reason = step.why_not(cell)
        assert (reason == "") == (cell == step.cell)
        assert reason == "" or reason.endswith(".")


def test_a_wrong_cell_is_answered_by_the_rules_or_by_the_step() -> None:
    learner = Learner(lesson("occupation"))
    cell = learner.lesson.game.cell
    assert learner.choose(cell("3,3")).startswith("You could begin there")
    assert learner.at == 0
    assert learner.choose(cell("1,2")) == ""
    learner.go_on()
    assert learner.choose(cell("3,2")) == "3,2 is taken."
    assert learner.choose(cell("3,3")) == "3,3 is closed: next to B's 3,2."
    assert learner.choose(cell("1,4")).startswith("That cell is open to you too")
    assert learner.at == 2


@pytest.mark.parametrize("game", RULEBOOKS)
def test_somebody_who_reads_nothing_is_shown_the_cell_and_comes_to_the_end(game: str) -> None:
    learner, rng, tries = Learner(lesson(game)), random.Random(game), 0
    while not learner.is_finished:
        learner.go_on()
        if learner.is_asked:
            before = learner.at
            cells = range(learner.lesson.game.grid.cell_count)
            learner.choose(rng.choice(cells) if learner.shown is None else learner.shown)
            tries += 1
            assert learner.shown is None or learner.at == before  # forgotten with the step
    assert tries <= 3 * len(learner.lesson.steps)


def test_a_step_that_is_read_is_left_without_a_cell() -> None:
    learner = Learner(lesson("trail"))
    learner.go_on()  # a cell is asked for
    assert learner.at == 0
    learner.choose(learner.lesson.game.cell("1,1"))
    assert not learner.is_asked
    assert "nothing to choose" in learner.choose(1)
    learner.go_on()
    assert learner.at == 2
    learner.go_back()
    learner.go_back()
    learner.go_back()
    assert learner.at == 0


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_learner_comes_to_the_end(game: str) -> None:
    learner = Learner(lesson(game))
    while not learner.is_finished:
        if learner.step.cell is None:
            learner.go_on()
        else:
            assert learner.choose(learner.step.cell) == ""
    learner.go_on()
    assert learner.step is learner.lesson.steps[-1]


def test_the_last_turn_is_known() -> None:
    game = lesson("race").game
    last = [game.names(sum(1 << cell for cell in step.last)) for step in lesson("race").steps]
    assert last == [
        (), (), ("0,1",), ("1,1",), ("2,0", "3,0"), ("2,3",), ("1,0", "2,0"), ("3,3",),
    ]  # fmt: skip
