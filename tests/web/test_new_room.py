"""Rooms that begin at a position: who sits where, what the games are, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import msgspec
import pytest

import gridlock
from gridlock.errors import GridlockError
from gridlock.model import Player
from gridlock.record import read_record
from gridlock.web.event import Command
from gridlock.web.exchange import NewRoom
from gridlock.web.new_room import make_settings
from gridlock.web.room import Room, Status
from gridlock.web.settings import Opponent, Seat, Settings
from gridlock.web.wire import show_state
from tests.web.rooms import ANN, BOB, INVITE, Session
from tests.web.services import Server, bearer, check_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.services import Json

ONE, TWO = Player
HERE = "1..../...../...../...../..... 2 -"
"""Player 2 is to answer a mark in the corner of duel."""


def wanted(**wishes: object) -> NewRoom:
    return msgspec.convert({"game": "duel", "opponent": "self", **wishes}, NewRoom)


def begin(**wishes: object) -> Session:
    """Return a room that Ann has made, and to which Bob has come where she plays a friend."""
    asked = wanted(**wishes)
    invite = INVITE if asked.opponent is Opponent.FRIEND else None
    return Session(make_settings(asked, ANN, invite))


def test_a_room_begins_at_a_position_and_its_record_says_so() -> None:
    session = begin(position=HERE)
    room = session.room
    assert (room.status, str(room.position), room.ply) == (Status.PLAYING, HERE, 0)
    session.play("3,3")
    record = read_record(str(room.match.record))
    assert f'[Position "{HERE}"]' in str(record)
    assert (str(record.start()), record.first, record.positions()[-1]) == (HERE, TWO, room.position)
    state = show_state(room, (ONE, TWO), 0)
    assert (state.setup, state.first, state.moves, state.movers) == (HERE, TWO, ("3,3",), (TWO,))


def test_a_room_from_the_start_has_no_setup() -> None:
    room = begin().room
    assert room.setup is None
    assert show_state(room, None, 0).setup is None
    assert "Position" not in str(room.match.record)


@pytest.mark.parametrize(
    ("wishes", "text"),
    [
        ({"moves": "1,1"}, HERE),
        ({"moves": "1,1", "first": 2}, HERE.replace("1", "2").replace(" 2 ", " 1 ", 1)),
        ({"position": HERE, "moves": "3,3"}, "1..../...../..2../...../..... 1 -"),
        ({"position": "1../... 2 -"}, "1../... 2 -"),
        ({"position": "1../... 2 -", "size": "2x3"}, "1../... 2 -"),
        ({"game": "race", "moves": "0,1"}, ".1../..../..../...2 1 block"),
        ({"game": "trail", "position": ".1 2 1,2"}, ".1 2 1,2"),
    ],
    ids=str,
)
def test_moves_and_the_size_lead_where_they_do_elsewhere(wishes: Json, text: str) -> None:
    room = begin(**wishes).room
    assert str(room.position) == text
    assert room.settings.size == str(room.position.game.grid)
    reread = msgspec.json.decode(msgspec.json.encode(room.settings), type=Settings)
    assert str(Room("room", reread).setup) == text


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        ({"position": "nonsense"}, "is not rows, mover and a last field"),
        ({"position": ""}, "is not rows, mover and a last field"),
        ({"position": HERE, "size": "4x4"}, "the position has 5 rows where 4x4 has 4"),
        ({"position": "1 2 -"}, "the game is over there: nobody can play on"),
        ({"position": HERE, "moves": "1,2"}, "move 1 is illegal: 1,2 is closed: next to A's 1,1"),
        ({"moves": "9,9"}, "outside the board"),
        ({"size": "1x3", "moves": "1,2"}, "the game is over there"),
        ({"moves": "1,1", "first": "toss"}, "moves need first 1 or 2"),
        ({"game": "race", "position": "1. 1 move"}, "one token P1 and one token P2"),
        ({"game": "chess", "position": HERE}, "there is no game 'chess'"),
        ({"seat": 2}, "seat goes with a position"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused(wishes: Json, reason: str) -> None:
    with pytest.raises(GridlockError, match=reason):
        make_settings(wanted(**wishes), ANN, None)


@pytest.mark.parametrize("seat", [ONE, TWO])
def test_whoever_plays_a_computer_sits_on_the_side_that_they_chose(seat: Player) -> None:
    room = begin(opponent="computer", position=HERE, seat=seat).room
    assert room.held_by(ANN) == (seat,)
    assert room.awaits_computer is (seat is ONE)  # player 2 is to move
    assert room.match.record.players[seat.opponent - 1] == "computer:8"


@pytest.mark.parametrize("seat", [ONE, TWO])
def test_a_friend_takes_the_seat_that_is_left(seat: Player) -> None:
    session = begin(opponent="friend", name="Ann", position=HERE, seat=seat)
    room = session.room
    assert (room.held_by(ANN), room.held_by(BOB)) == ((seat,), (seat.opponent,))
    assert room.match.record.players[seat - 1] == "Ann"
    assert room.match.record.players[seat.opponent - 1] == "Bob"
    assert room.join(INVITE, "Bob", BOB, 0) == []  # the answer was lost
    session.play("3,3")
    assert room.match.movers == [TWO]
    reread = Room("room", room.settings, session.events)
    assert (reread.seats, reread.position) == (room.seats, room.position)


def test_a_toss_decides_who_sits_where() -> None:
    held = {begin(position=HERE, opponent="computer", seat="toss").room.held_by(ANN)}
    while len(held) < 2:
        held.add(begin(position=HERE, opponent="computer", seat="toss").room.held_by(ANN))
    assert held == {(ONE,), (TWO,)}


def test_a_friend_who_has_not_come_sees_the_position() -> None:
    session = Session(
        make_settings(wanted(opponent="friend", position=HERE), ANN, INVITE), has_joined=False
    )
    assert str(session.room.position) == HERE
    assert show_state(session.room, (), 0).first is TWO


def test_what_was_played_is_taken_back_to_the_position_and_no_further() -> None:
    session = begin(position=HERE)
    session.play("3,3", "5,5")
    for _ in range(2):
        session.act(ANN, Command.UNDO)
    assert str(session.room.position) == HERE
    assert session.room.undoable == ()


def test_every_game_of_a_series_begins_there_and_with_the_same_player() -> None:
    session = begin(position="1... 2 -", rounds=2, starter="alternate")
    session.play_out()
    session.act(ANN, Command.NEXT)
    assert [record.first for record in session.room.series.records] == [TWO, TWO]
    assert str(session.room.position) == "1... 2 -"


def test_a_rematch_begins_there_with_the_sides_changed() -> None:
    session = begin(opponent="friend", position="1... 2 -")
    session.play_out()
    rematch = Session(session.room.rematch_settings()).room
    assert str(rematch.position) == "1... 2 -"
    assert (rematch.held_by(ANN), rematch.held_by(BOB)) == ((TWO,), (ONE,))


def test_settings_of_a_room_without_a_position_are_what_they_were() -> None:
    seats = b'[{"name":""},{"name":""}]'
    kept = b'{"game":"duel","size":"5x5","opponent":"self","seats":%b,"first":2}' % seats
    room = Room("room", msgspec.json.decode(kept, type=Settings))
    assert (room.setup, room.series.next_first()) == (None, TWO)


def test_a_release_that_knows_no_positions_cannot_take_the_room_for_another() -> None:
    class Before(msgspec.Struct):
        """What an older release knows of settings."""

        game: str
        size: str
        opponent: Opponent
        seats: tuple[Seat, Seat]
        first: Player | None

    for wishes, is_read in (
        ({"first": 2}, True),
        ({"first": "toss"}, True),
        ({"position": HERE}, False),
    ):
        kept = msgspec.json.encode(make_settings(wanted(**wishes), ANN, None))
        try:
            msgspec.json.decode(kept, type=Before)
        except msgspec.ValidationError:
            assert not is_read
        else:
            assert is_read


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30) as opened:
        yield opened


def test_a_game_from_a_position_is_reviewed_and_analysed(client: httpx.Client) -> None:
    text = "2.../.... 1 -"
    asked = {"game": "occupation", "opponent": "self", "position": text}
    made = client.post("/api/rooms", json=asked).json()
    room, state = f"/api/rooms/{made['state']['room']}", made["state"]
    while state["view"]["status"] == "playing":
        view = state["view"]
        act = {
            "id": str(view["ply"]),
            "ply": view["ply"],
            "do": "play",
            "cell": view["board"]["legal"][0],
        }
        told = client.post(f"{room}/actions", json=act, headers=bearer(made["token"]))
        state = told.json()["state"]
    record = read_record(client.get(f"{room}/record").text)
    assert (str(record.setup), record.result) == (text, state["view"]["winner"])
    review = client.get(f"{room}/review").json()
    assert [action["cell"] for action in review["actions"]] == state["moves"]
    assert review["first"] == 1
    asked = {"game": "occupation", "position": state["setup"], "moves": " ".join(state["moves"])}
    assert client.get("/api/analysis", params=asked).json()["board"] == state["view"]["board"]


def test_an_impossible_position_is_one_clear_line_of_a_problem(client: httpx.Client) -> None:
    answer = client.post("/api/rooms", json={"game": "duel", "position": "1 2 -"})
    check_problem(answer, 400, "notation")
    assert answer.json()["detail"] == "the game is over there: nobody can play on"


def test_a_position_can_be_looked_at_before_a_room_is_made(client: httpx.Client) -> None:
    shown = client.get("/api/start", params={"game": "duel", "position": "1../... 2 -"}).json()
    position = gridlock.game("duel", "2x3").position("1../... 2 -")
    assert (shown["position"], shown["rows"], shown["columns"]) == (str(position), 2, 3)
    assert tuple(shown["legal"]) == position.game.names(position.legal)
    check_problem(
        client.get("/api/start", params={"game": "duel", "position": "x"}), 400, "notation"
    )


def test_the_largest_position_is_taken(client: httpx.Client) -> None:
    text = "/".join(["." * 100] * 100) + " 1 -"
    made = client.post("/api/rooms", json={"game": "duel", "opponent": "self", "position": text})
    assert made.json()["state"]["view"]["board"]["position"] == text
