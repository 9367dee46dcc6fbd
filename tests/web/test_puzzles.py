"""Puzzles over HTTP: tries, refutations, solutions, ratings, and what is never given away."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import TYPE_CHECKING

import httpx
import pytest

from gridlock import Engine
from gridlock.errors import LimitError
from gridlock.model import Player
from gridlock.puzzles.collection import THEMES, daily_puzzle, find_puzzle, puzzles_of
from gridlock.puzzles.progress import PAUSES, mistakes_of
from gridlock.record import read_record
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.web.puzzle_view import MOST_SEEN
from tests.web.inside import calling, serving
from tests.web.services import bearer, check_problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gridlock.puzzles.puzzle import Puzzle
    from tests.web.services import Json, Server

NEW = {"rating": 1500.0, "deviation": 350.0, "volatility": 0.06}


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30) as opened:
        yield opened


def path(puzzle: Puzzle, part: str = "") -> str:
    return f"/api/puzzles/{puzzle.id}{part}"


def names(puzzle: Puzzle) -> list[str]:
    return [puzzle.position.game.name(cell) for cell in puzzle.line]


def own_cells(puzzle: Puzzle) -> list[str]:
    """Return the cells of a puzzle's line that the solver has to find."""
    movers = [position.mover for position in puzzle.positions()]
    return [
        name for name, mover in zip(names(puzzle), movers, strict=False) if mover is puzzle.solver
    ]


def wrong_cell(puzzle: Puzzle) -> str:
    cell = next(cell for cell in puzzle.position.legal_cells() if cell != puzzle.line[0])
    return puzzle.position.game.name(cell)


def long_puzzle(game: str) -> Puzzle:
    """Return an easy puzzle of which more than one cell has to be found."""
    return next(puzzle for puzzle in puzzles_of(game) if len(own_cells(puzzle)) > 1)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_puzzle_is_solved_cell_by_cell(client: httpx.Client, game: str) -> None:
    puzzle = long_puzzle(game)
    shown = client.get(path(puzzle)).json()
    assert shown["title"].startswith(f"Puzzle {puzzle.id}, {puzzle.position.game.grid}")
    assert shown["attempt"]["board"]["position"] == str(puzzle.position)
    attempt = shown["attempt"]
    played: list[str] = []
    for cell in own_cells(puzzle):
        assert "exactly one wins" in attempt["task"]
        body = {"found": attempt["found"], "cell": cell}
        tried = client.post(path(puzzle, "/tries"), json=body).json()
        assert tried["right"]
        steps = tried["steps"]
        played += [step["cell"] for step in steps]
        attempt = tried["attempt"]
        assert steps[-1]["board"] == attempt["board"]
        assert attempt["last"] == [s["cell"] for s in steps if s["player"] != puzzle.solver]
        again = client.get(path(puzzle), params={"found": attempt["found"]}).json()
        assert again["attempt"] == attempt
    assert played == names(puzzle)
    assert (attempt["solved"], attempt["task"], tried["text"]) == (True, "", "Solved!")


def test_the_number_of_wrong_tries_is_said_in_the_end(client: httpx.Client) -> None:
    puzzle = long_puzzle("duel")
    *found, last = own_cells(puzzle)
    body = {"found": found, "cell": last, "mistakes": 2}
    tried = client.post(path(puzzle, "/tries"), json=body).json()
    assert tried["text"] == "Solved, after 2 wrong tries."
    asked: Json = {"found": [*found, last], "mistakes": 2}
    shared = client.get(path(puzzle, "/share"), params=asked).json()["text"]
    assert shared.startswith(f"GridLock puzzle {puzzle.id}")
    assert shared.endswith("✗✗✓")
    daily = client.get(path(puzzle, "/share"), params={**asked, "date": "2026-11-18", "streak": 4})
    assert "daily 2026-11-18" in daily.json()["text"]
    assert daily.json()["text"].endswith("4 days in a row")
    given_up = client.get(path(puzzle, "/share"), params={"mistakes": 1}).json()["text"]
    assert given_up.endswith("✗")


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_wrong_try_is_refuted_to_the_end_and_changes_nothing(
    client: httpx.Client, game: str
) -> None:
    puzzle = puzzles_of(game)[0]
    position = puzzle.position
    cell = wrong_cell(puzzle)
    before = client.get(path(puzzle)).json()["attempt"]
    tried = client.post(path(puzzle, "/tries"), json={"cell": cell}).json()
    assert not tried["right"]
    assert tried["attempt"] == before
    line = Engine(position.game).refute(position, position.game.cell(cell))
    assert [step["cell"] for step in tried["steps"]] == list(map(position.game.name, line))
    assert tried["steps"][-1]["board"]["winner"] == puzzle.solver.opponent
    assert tried["text"].startswith(f"{cell} does not win: ")
    assert tried["steps"][-1]["cell"] in tried["text"]


def test_a_refutation_that_takes_too_long_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_out(*_: object) -> None:
        raise LimitError("time is up")

    monkeypatch.setattr("gridlock.search.analysis.refutation", run_out)
    puzzle = find_puzzle("duel-1")
    cell = wrong_cell(puzzle)

    async def scenario() -> Json:
        async with serving(tmp_path) as (app, _), calling(app) as client:
            answer = await client.post(path(puzzle, "/tries"), json={"cell": cell})
            return dict(answer.json())

    tried = asyncio.run(scenario())
    assert (tried["right"], tried["text"]) == (False, f"{cell} does not win.")
    assert [step["cell"] for step in tried["steps"]] == [cell]


def test_refutations_are_searched_where_other_searches_are(tmp_path: Path) -> None:
    puzzle = find_puzzle("duel-1")

    async def scenario() -> list[str]:
        kinds: list[str] = []
        async with serving(tmp_path) as (app, searches), calling(app) as client:
            searches.searched = lambda kind, *_: kinds.append(kind)
            right = {"cell": own_cells(puzzle)[0]}
            await client.post(path(puzzle, "/tries"), json=right)
            assert kinds == []
            await client.post(path(puzzle, "/tries"), json={"cell": wrong_cell(puzzle)})
        return kinds

    assert asyncio.run(scenario()) == ["analysis"]


@pytest.mark.parametrize("game", RULEBOOKS)
def test_no_cell_of_the_solution_is_told_before_it_is_found(
    client: httpx.Client, game: str
) -> None:
    puzzle = long_puzzle(game)
    shown = client.get(path(puzzle)).json()
    assert shown.keys() == {
        "id", "game", "size", "solver", "rating", "themes", "title", "clue", "attempt",
    }  # fmt: skip
    assert shown["attempt"].keys() == {"found", "last", "board", "task", "solved"}
    assert not any(name in shown["clue"] + shown["attempt"]["task"] for name in names(puzzle))


def test_the_solution_is_shown_to_whoever_asks_from_where_they_are(client: httpx.Client) -> None:
    puzzle = long_puzzle("occupation")
    whole = client.get(path(puzzle, "/solution")).json()
    assert [step["cell"] for step in whole["steps"]] == names(puzzle)
    assert whole["text"].startswith(f"The solution: {names(puzzle)[0]}")
    first = own_cells(puzzle)[:1]
    rest = client.get(path(puzzle, "/solution"), params={"found": first}).json()["steps"]
    assert rest == whole["steps"][-len(rest) :]
    assert rest[0]["cell"] == own_cells(puzzle)[1]
    done = client.get(path(puzzle, "/solution"), params={"found": own_cells(puzzle)}).json()
    assert done == {"text": "", "steps": []}


def test_what_cannot_be_tried_is_refused_and_said_why(client: httpx.Client) -> None:
    puzzle = long_puzzle("duel")
    tries = path(puzzle, "/tries")
    board = client.get(path(puzzle)).json()["attempt"]["board"]
    taken = next(i for i, square in enumerate(board["cells"]) if square in "12")
    name = puzzle.position.game.name(taken)
    refused = client.post(tries, json={"cell": name})
    check_problem(refused, 409, "taken")
    assert refused.json()["detail"] == f"{name} is taken"
    check_problem(client.post(tries, json={"cell": "99,1"}), 400, "outside")
    check_problem(client.post(tries, json={"cell": "x"}), 400, "notation")
    solved = {"found": own_cells(puzzle), "cell": wrong_cell(puzzle)}
    check_problem(client.post(tries, json=solved), 409, "over")
    for found in ([wrong_cell(puzzle)], [*own_cells(puzzle), wrong_cell(puzzle)]):
        check_problem(client.post(tries, json={"found": found, "cell": "1,1"}), 409, "found")
        for part in ("", "/solution", "/share"):
            answer = client.get(path(puzzle, part), params={"found": found})
            check_problem(answer, 409, "found")


@pytest.mark.parametrize("part", ["", "/solution", "/share"])
def test_a_puzzle_that_there_is_none_of_is_not_found(client: httpx.Client, part: str) -> None:
    for puzzle in ("duel-0", "chess-1", "duel", "daily"):
        check_problem(client.get(f"/api/puzzles/{puzzle}{part}"), 404, "puzzle")
    check_problem(client.post("/api/puzzles/duel-0/tries", json={"cell": "1,1"}), 404, "puzzle")
    check_problem(client.post("/api/puzzles/duel-0/rating", json={"solved": True}), 404, "puzzle")


def test_the_daily_puzzle_is_that_of_the_visitors_date(client: httpx.Client) -> None:
    for days in range(10):
        day = date(2026, 11, 18) + timedelta(days)
        found = client.get("/api/daily", params={"date": day.isoformat()}).json()
        assert (found["date"], found["puzzle"]["id"]) == (day.isoformat(), daily_puzzle(day).id)
    today = client.get("/api/daily").json()["date"]
    assert abs(date.fromisoformat(today) - date.today()) <= timedelta(1)
    check_problem(client.get("/api/daily", params={"date": "yesterday"}), 400, "invalid")


def test_the_next_puzzle_is_what_was_asked_for(client: httpx.Client) -> None:
    def ask(**wishes: object) -> Json:
        answer = client.post("/api/puzzles/next", json=wishes)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    for game in client.get("/api/puzzles").json()["games"]:
        assert game["count"] == len(puzzles_of(game["game"]))
        assert ask(game=game["game"])["game"] == game["game"]
        for theme in game["themes"]:
            assert theme in ask(game=game["game"], theme=theme)["themes"]
    every = [puzzle.id for puzzle in puzzles_of("trail")]
    assert ask(game="trail", seen=every[1:])["id"] == every[0]
    assert ask(game="trail", seen=every)["id"] in every
    easy, hard = (ask(game="occupation", rating=points)["rating"] for points in (0, 4000))
    assert easy < hard


def test_what_nobody_can_ask_for_is_refused(client: httpx.Client) -> None:
    def ask(**wishes: object) -> httpx.Response:
        return client.post("/api/puzzles/next", json=wishes)

    check_problem(ask(game="chess"), 400, "unknown-game")
    check_problem(ask(theme="luck"), 400, "notation")
    check_problem(ask(rating=-1), 400, "invalid")
    assert ask(seen=["occupation-123456789"] * MOST_SEEN).status_code == 200
    check_problem(ask(seen=["duel-1"] * (MOST_SEEN + 1)), 400, "invalid")
    shelf = client.get("/api/puzzles").json()
    assert [theme["id"] for theme in shelf["themes"]] == list(THEMES)
    missing = ((g["game"], t) for g in shelf["games"] for t in THEMES if t not in g["themes"])
    for game, theme in list(missing)[:1]:
        check_problem(ask(game=game, theme=theme), 404, "puzzle")


def test_a_result_changes_a_rating_that_only_its_owner_keeps(client: httpx.Client) -> None:
    puzzle = find_puzzle("duel-1")

    def rate(**result: object) -> Json:
        answer = client.post(path(puzzle, "/rating"), json=result)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    won, lost = rate(solved=True, rating=NEW, streak=2), rate(solved=False, rating=NEW, streak=2)
    assert won["rating"]["rating"] > 1500 > lost["rating"]["rating"]
    assert won["rating"]["deviation"] < 350
    assert (won["streak"], lost["streak"]) == (3, 0)
    change = round(won["rating"]["rating"]) - 1500
    assert won["text"] == f"Your puzzle rating: {won['shown']} ({change:+}), 3 in a row."
    assert rate(solved=True)["rating"] == won["rating"]
    assert rate(solved=True, rating=won["rating"])["rating"]["rating"] > won["rating"]["rating"]


@pytest.mark.parametrize("solved", [True, False])
@pytest.mark.parametrize("volatility", [0.001, 1])
@pytest.mark.parametrize("points", [0, 4000])
def test_a_rating_stays_one_that_can_be_sent_again(
    client: httpx.Client, points: int, volatility: float, solved: bool
) -> None:
    rating: Json = {"rating": points, "deviation": 350, "volatility": volatility}
    for _ in range(5):
        body = {"solved": solved, "rating": rating}
        answer = client.post("/api/puzzles/duel-1/rating", json=body)
        assert answer.status_code == 200, answer.text
        rating = answer.json()["rating"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rating": -1}, {"rating": 4001}, {"rating": "high"}, {"rating": None},
        {"deviation": 0}, {"deviation": 351}, {"volatility": 0}, {"volatility": 1.1},
    ],
    ids=str,
)  # fmt: skip
def test_a_rating_that_is_none_is_refused(client: httpx.Client, wrong: Json) -> None:
    body = {"solved": True, "rating": {**NEW, **wrong}}
    check_problem(client.post("/api/puzzles/duel-1/rating", json=body), 400, "invalid")


MISTAKE = {"game": "duel", "position": "....  1 -", "winning": "1,2 1,3"}
"""Two cells win there; the text has a blank more than it needs."""


def test_a_mistake_is_set_as_a_puzzle_of_one_action(client: httpx.Client) -> None:
    shown = client.get("/api/mistakes", params=MISTAKE).json()
    assert (shown["title"], shown["rating"]) == ("A mistake of yours: duel 1x4", 0)
    assert shown["attempt"]["task"] == "A is to take a cell, and can win: find how."
    assert not shown["attempt"]["solved"]


@pytest.mark.parametrize("cell", ["1,2", "1,3"])
def test_each_cell_that_wins_mends_a_mistake(client: httpx.Client, cell: str) -> None:
    body = {"cell": cell, "mistakes": 1}
    tried = client.post("/api/mistakes/tries", params=MISTAKE, json=body).json()
    assert (tried["right"], tried["text"]) == (True, "Solved, after 1 wrong try.")
    assert [step["cell"] for step in tried["steps"]] == tried["attempt"]["found"] == [cell]
    assert tried["attempt"]["board"] == tried["steps"][-1]["board"]


def test_a_wrong_cell_is_refuted_and_a_mistake_can_be_given_up(client: httpx.Client) -> None:
    tried = client.post("/api/mistakes/tries", params=MISTAKE, json={"cell": "1,1"}).json()
    assert not tried["right"]
    assert tried["text"].startswith("1,1 does not win: it loses to ")
    assert client.get("/api/mistakes/solution", params=MISTAKE).json()["text"] == (
        "The solution: 1,2."
    )


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"position": "nonsense"}, "notation"),
        ({"position": ""}, "notation"),
        ({"winning": ""}, "notation"),
        ({"winning": "x"}, "notation"),
        ({"winning": "9,9"}, "outside"),
        ({"position": ".1.. 1 -"}, "notation"),  # its cells are closed
        ({"position": "1 2 -", "winning": "1,1"}, "notation"),  # the game is over
        ({"winning": None}, "invalid"),
    ],
    ids=str,
)
def test_what_is_no_mistake_is_refused(client: httpx.Client, wrong: Json, code: str) -> None:
    asked = {name: text for name, text in {**MISTAKE, **wrong}.items() if text is not None}
    for path_ in ("/api/mistakes", "/api/mistakes/solution"):
        check_problem(client.get(path_, params=asked), 400, code)
    tried = client.post("/api/mistakes/tries", params=asked, json={"cell": "1,1"})
    check_problem(tried, 400, code)


def test_the_server_says_when_mistakes_come_back(client: httpx.Client) -> None:
    assert client.get("/api/puzzles").json()["pauses"] == list(PAUSES)


@pytest.mark.parametrize("game", ["duel", "race"])
def test_the_mistakes_of_a_review_are_puzzles_as_in_the_terminal(
    client: httpx.Client, game: str
) -> None:
    asked = {"game": game, "opponent": "self"}
    made = client.post("/api/rooms", json=asked).json()
    room, view = f"/api/rooms/{made['state']['room']}", made["state"]["view"]
    while view["status"] == "playing":
        cell = view["board"]["legal"][0]
        act = {"id": str(view["ply"]), "ply": view["ply"], "do": "play", "cell": cell}
        told = client.post(f"{room}/actions", json=act, headers=bearer(made["token"]))
        view = told.json()["state"]["view"]
    record = read_record(client.get(f"{room}/record").text)
    kept = mistakes_of(Engine(record.game).review(record), Player, date.today())
    found = [
        (action["position"], " ".join(action["better"]))
        for action in client.get(f"{room}/review").json()["actions"]
        if action["position"]
    ]
    assert sorted(found) == sorted((one.position, one.winning) for one in kept)
    position, winning = found[0]
    shown = client.get(
        "/api/mistakes", params={"game": game, "position": position, "winning": winning}
    )
    assert shown.json()["attempt"]["board"]["position"] == position
