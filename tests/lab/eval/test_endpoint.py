from __future__ import annotations

import random

import httpx
import pytest

import gridlock
from gridlock import NotationError
from gridlock.lab.eval.endpoint import read_prompt, serving
from gridlock.lab.eval.prompt import SHIPPED, read_answer, read_template


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("rulebook", gridlock.RULEBOOKS)
def test_the_prompts_say_all_that_is_needed_to_play(rulebook: str, name: str) -> None:
    """Whole games are read back from their prompts, also those that are turned and disguised."""
    rng = random.Random(5)
    template = read_template(name)
    for size in (None, "3x4"):
        for seed in range(4):
            game = gridlock.game(rulebook, size)
            view = template.view(game, seed)
            position, moves = game.start(rng.choice((1, 2))), list[int]()
            while position.winner is None:
                read, labels = read_prompt(template.fill(view, position, moves))
                legal = {labels[cell] for cell in read.legal_cells()}
                assert legal == {view.label(cell) for cell in position.legal_cells()}
                assert (str(read) == str(position)) or name == "disguised"
                moves.append(rng.choice(position.legal_cells()))
                position = position.play(moves[-1])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello!",
        "You play A.",
        "(A and B are the players', . is empty)\n  1 2\n1 . .\nYou play A.",
    ],
)
def test_other_prompts_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="this endpoint"):
        read_prompt(text)


def test_a_level_answers_and_says_who_it_is() -> None:
    game = gridlock.game("duel", "1x3")
    template = read_template("disguised")
    view = template.view(game, 1)
    messages = [{"role": "user", "content": template.fill(view, game.start(), [])}]
    with serving("computer:8") as server:
        answer = httpx.post(f"{server.url}/chat/completions", json={"messages": messages}).json()
    assert answer["model"] == "gridlock-computer:8"
    text = answer["choices"][0]["message"]["content"]
    assert read_answer(view, game.start(), text) == ("legal", 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"oops", "Expecting value"),
        (b"[]", "list indices"),
        (b"{}", "'messages'"),
        (b'{"messages": []}', "list index"),
        (b'{"messages": [{"content": "Hello!"}]}', "this endpoint reads only the prompts"),
        (b'{"messages": [{"content": "Hello!"}], "seed": "x"}', "invalid literal"),
    ],
)
def test_what_is_no_question_is_answered_with_400(content: bytes, said: str) -> None:
    with serving("random") as server:
        answer = httpx.post(f"{server.url}/chat/completions", content=content)
    assert answer.status_code == 400
    assert said in answer.json()["error"]["message"]


def test_a_body_without_a_length_is_refused_and_a_game_that_is_over_too() -> None:
    game = gridlock.game("duel", "1x1")
    template = read_template("listed")
    text = template.fill(template.view(game, 1), game.start().play(0), [0])
    with serving("random") as server:
        url = f"{server.url}/chat/completions"
        endless = httpx.post(url, content=iter([b"{}"]))
        over = httpx.post(url, json={"messages": [{"content": text}]})
    assert "known length" in endless.json()["error"]["message"]
    assert "the game in the prompt is over" in over.text


def test_there_is_no_such_level() -> None:
    with (
        pytest.raises(NotationError, match="there is no player 'computer:9'"),
        serving("computer:9"),
    ):
        pass
