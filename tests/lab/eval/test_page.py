from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from gridlock.lab.eval.grade import Examiner
from gridlock.lab.eval.journal import read_journal
from gridlock.lab.eval.page import make_page
from gridlock.lab.eval.report import Results, make_report
from tests.lab.eval.trials import Told, begin, go_on, legal_of, make_plan
from tests.web.browser import launch, serious

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

ATTACKS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!--<script>",
    '"><svg onload=alert(1)>',
    "&lt;b&gt; \u2028 ]]> {policy} %s",
)


class Tags(HTMLParser):
    """The tags of a page, with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def page_of(path: Path) -> str:
    results = Results(read_journal(path))
    examiner = Examiner()
    return make_page(results, examiner, make_report(results, examiner, with_levels=False))


@pytest.fixture
def attacked(tmp_path: Path) -> str:
    """A page about a model whose words, and whose name, are attacks."""
    path = tmp_path / "trial.jsonl"
    command = "".join(ATTACKS[:3])
    begin(path, make_plan(command=f"'{command}'", prompt="listed", games=("trail:2x2",), count=2))
    words = iter([*ATTACKS, *ATTACKS])
    go_on(path, Told(lambda question: f"{next(words)}\n{legal_of(question)[0]}"))
    return page_of(path)


def test_nothing_that_a_model_wrote_becomes_markup(attacked: str) -> None:
    tags = Tags()
    tags.feed(attacked)
    assert [tag for tag, _ in tags.found if tag in ("script", "img")] == ["script", "script"]
    assert all(not name.startswith("on") for _, names in tags.found for name in names)
    assert attacked.count("</script>") == 2
    assert "&lt;img src=x onerror=alert(1)&gt;" in attacked


def test_what_a_model_wrote_is_all_there(attacked: str) -> None:
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', attacked)
    games = json.loads(data)
    said = [
        answer["text"] for game in games for step in game["steps"] for answer in step["answers"]
    ]
    assert said
    assert all(
        text.split("\n")[0] == attack for text, attack in zip(said, ATTACKS * 2, strict=False)
    )


def test_a_page_needs_nothing_else_and_may_load_nothing(attacked: str) -> None:
    tags = Tags()
    tags.feed(attacked)
    assert not any({"src", "href"} & names.keys() for _, names in tags.found)
    (policy,) = [
        names["content"] for tag, names in tags.found if names.get("http-equiv") is not None
    ]
    assert policy
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_a_step_has_the_values_and_what_the_choice_did(tmp_path: Path) -> None:
    path = tmp_path / "trial.jsonl"
    begin(path, make_plan(count=1, opponents=("computer:8",)))
    go_on(path, Told(lambda _: "1,1"))
    (data,) = re.findall(r'id="data">(.*?)</script>', page_of(path))
    (game,) = json.loads(data)
    assert game["title"] == "duel 1x3 computer:8 1: loss, played"
    first, second, last = game["steps"]
    assert first["cells"] == [["L2", "loss"], ["W1", "win"], ["L2", "loss"]]
    assert first["chosen"] == 0
    assert first["status"] == (
        "A, the model, is to move; the position is won. Chosen: 1,1, which gives the win away."
    )
    assert first["answers"] == [{"text": "1,1", "outcome": "legal"}]
    assert second["status"] == "B, the opponent, is to move; the position is won. Chosen: 1,3."
    assert last["status"] == "A cannot move: the game is over."
    assert last["cells"] == [["A", "one"], ["", ""], ["B", "two"]]


def test_a_trial_that_has_only_begun_has_a_page(tmp_path: Path) -> None:
    path = tmp_path / "trial.jsonl"
    begin(path, make_plan())
    page = page_of(path)
    assert "The games" not in page
    assert "<h1>-, prompt listed</h1>" in page


@pytest.fixture
def browser() -> Browser:
    return launch()


def test_games_are_stepped_through_in_a_browser_and_no_attack_runs(
    attacked: str, browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "report.html"
    file.write_text(attacked, encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    page.on("dialog", lambda dialog: troubles.append(dialog.message))
    page.goto(file.as_uri())
    expect(page.locator("#words .words")).to_contain_text(ATTACKS[0])
    expect(page.locator("td.chosen")).to_have_count(1)
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    page.get_by_role("button", name="On").click()
    expect(page.locator("#status")).to_contain_text("the opponent")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#words .words")).to_contain_text(ATTACKS[1])
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="On")).to_be_disabled()
    expect(page.locator("#status")).to_contain_text("the game is over")
    page.locator("#choice").select_option("1")
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    assert page.evaluate("window.scrollX") == 0
    assert serious(page) == []
    assert troubles == []
    context.close()
