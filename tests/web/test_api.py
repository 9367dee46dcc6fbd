"""The HTTP interface: rooms, seats, acts, hints, records, reviews and analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest

from gridlock.record import read_record
from gridlock.rulebooks.catalogue import RULEBOOKS
from tests.web.services import bearer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.services import Json, Server


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30) as opened:
        yield opened


def make(client: httpx.Client, **wishes: object) -> Json:
    answer = client.post("/api/rooms", json={"game": "duel", **wishes})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def act(client: httpx.Client, room: str, token: str | None, **command: Any) -> httpx.Response:
    ply = client.get(f"/api/rooms/{room}").json()["view"]["ply"]
    body = {"id": f"{ply} {command}", "ply": ply, **command}
    return client.post(f"/api/rooms/{room}/actions", json=body, headers=bearer(token))


def play_out(client: httpx.Client, room: str, tokens: tuple[str, str]) -> Json:
    """Play the first legal cell until the game is over, and return the state."""
    while True:
        state = dict(client.get(f"/api/rooms/{room}").json())
        view = state["view"]
        if view["status"] == "over":
            return state
        token = tokens[view["board"]["mover"] - 1]
        answer = act(client, room, token, do="play", cell=view["board"]["legal"][0])
        assert answer.status_code == 200, answer.text


def problem(answer: httpx.Response, status: int) -> Json:
    """Return a problem, after a look at its shape."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/problem+json")
    found = dict(answer.json())
    assert found["status"] == status
    assert found["title"]
    assert found["detail"]
    return found


def test_every_rulebook_is_offered_with_a_board_to_know_it_by(client: httpx.Client) -> None:
    games = client.get("/api/games").json()
    assert [game["id"] for game in games] == list(RULEBOOKS)
    for game in games:
        assert game["rules"] == RULEBOOKS[game["id"]].rules
        assert len(game["sample"]["cells"]) == 20
        assert game["sample"]["legal"]
        assert game["scores"] == (["wins"] if game["id"] == "race" else ["wins", "cells"])
        assert game["has_lesson"]


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_lesson_has_all_that_the_page_must_know(client: httpx.Client, game: str) -> None:
    lesson = client.get(f"/api/lessons/{game}").json()
    assert lesson["rulebook"]["symbols"] == list(RULEBOOKS[game].symbols)
    rows, columns = map(int, lesson["size"].split("x"))
    counting = lesson["rulebook"]["counting"]
    for step in lesson["steps"]:
        assert len(step["board"]["cells"]) == rows * columns
        if step["cell"] is None:
            assert (step["task"], step["refusals"]) == ("", [])
        else:
            row, column = (int(part) - counting for part in step["cell"].split(","))
            empty = [place for place, reason in enumerate(step["refusals"]) if not reason]
            assert empty == [row * columns + column]
            assert len(step["refusals"]) == rows * columns
    assert lesson["steps"][-1]["board"]["winner"] == 1
    assert len({str(step["last"]) for step in lesson["steps"]}) > 3


def test_there_is_no_lesson_for_a_game_that_there_is_not(client: httpx.Client) -> None:
    assert problem(client.get("/api/lessons/chess"), 404)["code"] == "not-found"


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_whole_game_between_friends_and_its_record_and_review(
    client: httpx.Client, game: str
) -> None:
    made = make(client, game=game, opponent="friend", name="Ann")
    room = made["state"]["room"]
    assert made["state"]["view"]["status"] == "waiting"
    path = f"/api/rooms/{room}"
    joined = client.post(f"{path}/join", json={"invite": made["invite"], "name": "Bob"}).json()
    assert (made["state"]["you"], joined["state"]["you"]) == ([1], [2])
    state = play_out(client, room, (made["token"], joined["token"]))
    assert state["you"] == []
    record = read_record(client.get(f"{path}/record").text)
    assert record.players == ("Ann", "Bob")
    assert [record.game.name(cell) for cell in record.moves] == state["moves"]
    assert record.result == state["view"]["winner"]
    review = client.get(f"{path}/review").json()
    assert [action["cell"] for action in review["actions"]] == state["moves"]
    assert review["complete"]
    assert len(review["summary"]) == 2
    assert all(bool(a["text"]) == a["mistake"] for a in review["actions"])


def test_a_room_for_one_screen_holds_both_seats(client: httpx.Client) -> None:
    made = make(client, opponent="self")
    assert made["invite"] is None
    assert made["state"]["you"] == [1, 2]
    state = play_out(client, made["state"]["room"], (made["token"], made["token"]))
    assert state["view"]["ending"].endswith("wins!")


def test_settings_are_as_they_were_asked_for(client: httpx.Client) -> None:
    state = make(
        client, game="claim", size="4x6", opponent="computer", level=3, name=" Ann  B. ",
        clock={"base": 60, "increment": 2}, rounds=3, score="cells", starter="same",
    )["state"]  # fmt: skip
    assert state["size"] == "4x6"
    assert [seat["name"] for seat in state["seats"]] == ["Ann B.", "computer, level 3"]
    assert state["clock"] == {"base": 60, "increment": 2}
    assert state["terms"] == {"rounds": 3, "target": None, "score": "cells", "starter": "same"}
    assert state["view"]["clock"]["left"] == [60_000, 60_000]


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"size": "0x5"}, "notation"),
        ({"size": "5"}, "notation"),
        ({"game": "race", "size": "1x1"}, "notation"),
        ({"level": 9}, "invalid"),
        ({"level": "hard"}, "invalid"),
        ({"name": "x" * 31}, "invalid"),
        ({"name": "computer:8"}, "notation"),
        ({"game": "race", "score": "cells", "rounds": 3}, "notation"),
        ({"game": "race", "score": "cells"}, "notation"),
        ({"clock": {"base": 0}}, "invalid"),
        ({"rounds": 3, "target": 3}, "notation"),
        ({"rounds": 0}, "invalid"),
        ({"colour": "blue"}, "invalid"),
    ],
)
def test_a_room_that_makes_no_sense_is_refused(
    client: httpx.Client, wishes: Json, code: str
) -> None:
    answer = client.post("/api/rooms", json={"game": "duel", **wishes})
    assert problem(answer, 400)["code"] == code


def test_refusals_have_stable_codes(client: httpx.Client) -> None:
    made = make(client, opponent="self")
    room, token = made["state"]["room"], made["token"]
    act(client, room, token, do="play", cell="3,3")
    assert problem(act(client, room, token, do="play", cell="3,3"), 409)["code"] == "taken"
    assert problem(act(client, room, token, do="play", cell="9,9"), 400)["code"] == "outside"
    assert problem(act(client, room, token, do="play"), 400)["code"] == "notation"
    assert problem(act(client, room, None, do="resign"), 403)["code"] == "seat"
    assert problem(act(client, room, "forged", do="resign"), 403)["code"] == "seat"
    assert problem(act(client, room, token, do="rematch"), 409)["code"] == "playing"
    assert problem(act(client, room, token, do="dance"), 400)["code"] == "invalid"
    stale = problem(act(client, room, token, do="play", cell="1,1", ply=0), 409)
    assert stale["code"] == "stale"
    assert stale["state"]["moves"] == ["3,3"]
    missing = client.get("/api/rooms/nowhere")
    assert problem(missing, 404)["code"] == "room"
    assert problem(client.get("/nowhere"), 404)["code"] == "not-found"
    assert problem(client.delete("/api/rooms"), 405)["code"] == "method-not-allowed"
    unfinished = client.get(f"/api/rooms/{room}/review")
    assert problem(unfinished, 409)["code"] == "unfinished"
    assert problem(client.get(f"/api/rooms/{room}/record?number=2"), 409)["code"] == "unfinished"


def test_an_act_that_is_repeated_is_answered_again(client: httpx.Client) -> None:
    made = make(client, opponent="self")
    room = made["state"]["room"]
    body = {"id": "once", "ply": 0, "do": "play", "cell": "3,3"}
    answers = [
        client.post(f"/api/rooms/{room}/actions", json=body, headers=bearer(made["token"]))
        for _ in range(2)
    ]
    assert [answer.json()["state"]["moves"] for answer in answers] == [["3,3"], ["3,3"]]


def test_an_id_used_again_for_something_else_is_refused(client: httpx.Client) -> None:
    made = make(client, opponent="self")
    path = f"/api/rooms/{made['state']['room']}/actions"
    first = {"id": "once", "ply": 0, "do": "play", "cell": "3,3"}
    other = {"id": "once", "ply": 1, "do": "play", "cell": "1,1"}
    assert client.post(path, json=first, headers=bearer(made["token"])).status_code == 200
    refused = client.post(path, json=other, headers=bearer(made["token"]))
    assert problem(refused, 409)["code"] == "id-reused"


def test_a_hint_names_a_winning_cell_and_why(client: httpx.Client) -> None:
    made = make(client)
    path = f"/api/rooms/{made['state']['room']}/hint"
    hint = client.post(path, headers=bearer(made["token"])).json()
    assert hint["cell"] == "3,3"
    assert "mirrored through the centre" in hint["text"]
    assert problem(client.post(path), 403)["code"] == "seat"


def test_an_analysis_is_exact_after_moves_and_of_a_position(client: httpx.Client) -> None:
    asked = {"game": "occupation", "moves": "3,3"}
    found = client.get("/api/analysis", params=asked).json()
    assert (found["value"], found["distance"], found["mover"]) == ("loss", 14, 2)
    assert found["sentence"] == "B loses in 14: every cell can be answered by its mirror image."
    best = found["actions"][0]
    assert (best["label"], len(best["line"])) == ("L14", 14)
    same = {"game": "occupation", "position": found["position"]}
    again = client.get("/api/analysis", params=same).json()
    assert again["actions"] == found["actions"]
    further = {**same, "moves": "1,2"}
    assert client.get("/api/analysis", params=further).json()["distance"] == 13
    over = {"game": "trail", "size": "1x1", "moves": "1,1"}
    assert client.get("/api/analysis", params=over).json()["winner"] == 1


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"game": "duel", "moves": "3,3 3,3"}, "record"),
        ({"game": "duel", "moves": "x"}, "notation"),
        ({"game": "duel", "position": "x"}, "notation"),
        ({"game": "duel", "position": "./. 1 -", "size": "2x1", "moves": "1,1 1,1"}, "record"),
        ({"game": "duel", "first": "3"}, "invalid"),
        ({}, "invalid"),
    ],
)
def test_an_analysis_of_nonsense_is_refused(client: httpx.Client, asked: Json, code: str) -> None:
    assert problem(client.get("/api/analysis", params=asked), 400)["code"] == code


def test_the_document_describes_every_operation(client: httpx.Client) -> None:
    document = client.get("/schema").json()
    assert document["info"]["title"] == "GridLock"
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert len(operations) == 26
    assert all(operation["description"] for operation in operations)


def test_health_is_told(client: httpx.Client) -> None:
    assert client.get("/healthz").json()["status"] == "ok"


@pytest.mark.parametrize("path", ["/", "/study", "/rules/duel", "/static/icon.svg"])
def test_pages_are_served_with_a_strict_policy(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_files_outside_the_static_folder_are_not_served(client: httpx.Client) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"):
        assert client.get(path).status_code == 404


def test_the_start_of_a_game_is_told_on_any_board(client: httpx.Client) -> None:
    board = client.get("/api/start", params={"game": "race", "size": "2x3"}).json()
    assert (board["position"], board["goals"]) == ("1../..2 1 move", ["1,2", "0,0"])
    assert client.get("/api/start", params={"game": "duel"}).json()["rows"] == 5
    refused = client.get("/api/start", params={"game": "race", "size": "1x1"})
    assert (refused.status_code, refused.json()["detail"]) == (
        400, "race needs a board of at least 2 cells, not 1x1",
    )  # fmt: skip


def test_games_say_what_a_page_needs_to_know_of_them(client: httpx.Client) -> None:
    games = {game["id"]: game for game in client.get("/api/games").json()}
    assert [(phase["noun"], phase["effect"]) for phase in games["race"]["phases"]] == [
        ("step", "step"), ("block", "block"),
    ]  # fmt: skip
    assert {name: game["detail"] for name, game in games.items()} == {
        "occupation": "nothing", "duel": "nothing", "claim": "nothing",
        "trail": "other-cell", "race": "phase",
    }  # fmt: skip
    assert [name for name, game in games.items() if game["has_tokens"]] == ["race"]


def test_moves_are_written_as_a_record(client: httpx.Client) -> None:
    asked: Json = {"game": "race", "size": "2x3", "first": 2, "moves": "1,1/0,1 1,0"}
    answer = client.get("/api/record", params=asked)
    assert answer.headers["content-type"].startswith("text/plain")
    record = read_record(answer.text)
    assert (record.first, record.setup, record.result) == (2, None, None)
    assert answer.text.endswith("\n\n1,1/0,1 1,0\n")
    assert record.players == ("?", "?")


def test_a_record_says_where_its_moves_begin_and_who_has_won(client: httpx.Client) -> None:
    asked = {"game": "duel", "position": "1... 2 -", "moves": "1,4"}
    record = read_record(client.get("/api/record", params=asked).text)
    assert (str(record.setup), record.result) == ("1... 2 -", 2)
    start = {"game": "duel", "position": ".... 2 -"}
    assert read_record(client.get("/api/record", params=start).text).setup is None
    wrong = client.get("/api/record", params={"game": "duel", "moves": "1,1 1,1"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "record")


def test_a_position_says_by_itself_how_large_its_board_is(client: httpx.Client) -> None:
    asked = {"game": "duel", "position": "1../... 2 -"}
    assert client.get("/api/analysis", params=asked).json()["size"] == "2x3"
