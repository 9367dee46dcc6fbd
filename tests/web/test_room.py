"""Rooms: what players may do, and what comes of it."""

from __future__ import annotations

import msgspec
import pytest

from gridlock.match import Starter
from gridlock.model import Player
from gridlock.record import read_record
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.web.event import Act, Command, EventType, Offer
from gridlock.web.room import RefusedError, Room, Status
from gridlock.web.settings import ClockTerms, Opponent
from tests.web.rooms import ANN, BOB, INVITE, Session, settings

ONE, TWO = Player


def status(session: Session) -> Status:
    return session.room.status


def offer(session: Session) -> tuple[Offer, Player] | None:
    return session.room.offer


def refused(
    session: Session, secret: str, do: Command, cell: str | None = None, **more: object
) -> str:
    """Return the code with which an act is refused; nothing may have happened."""
    before = session.room.version
    with pytest.raises(RefusedError) as caught:
        session.act(secret, do, cell, **more)  # type: ignore[arg-type]
    assert session.room.version == before
    return caught.value.code


def test_a_friends_room_waits_until_the_seat_is_taken() -> None:
    session = Session(settings(), has_joined=False)
    assert status(session) is Status.WAITING
    assert refused(session, ANN, Command.PLAY, "1,1") == "waiting"
    assert refused(session, ANN, Command.RESIGN) == "waiting"
    assert refused(session, ANN, Command.UNDO) == "waiting"
    session.happen(session.room.join(INVITE, "Bob", BOB, 0))
    assert status(session) is Status.PLAYING
    assert session.room.held_by(BOB) == (TWO,)
    assert session.room.match.record.players == ("Ann", "Bob")


def test_an_invitation_is_good_for_once_and_for_its_own_room() -> None:
    session = Session(settings())
    with pytest.raises(RefusedError, match="taken already"):
        session.room.join(INVITE, "Eve", "eve", 0)
    with pytest.raises(RefusedError, match="not for this game"):
        session.room.join("another", "Eve", "eve", 0)
    alone = Session(settings(Opponent.SELF))
    with pytest.raises(RefusedError, match="not for this game"):
        alone.room.join("", "Eve", "eve", 0)


def test_only_the_holder_of_the_movers_seat_can_play() -> None:
    session = Session(settings())
    assert refused(session, BOB, Command.PLAY, "1,1") == "turn"
    assert refused(session, "eve", Command.PLAY, "1,1") == "seat"
    assert refused(session, "", Command.RESIGN) == "seat"
    session.act(ANN, Command.PLAY, "1,1")
    assert refused(session, ANN, Command.PLAY, "3,3") == "turn"


def test_a_cell_that_the_rules_refuse_is_explained() -> None:
    session = Session(settings())
    session.play("3,3")
    for cell, code in (
        ("3,3", "taken"), ("3,2", "closed-by-opponent"), ("9,9", "outside"), ("x", "notation"),
    ):  # fmt: skip
        assert refused(session, BOB, Command.PLAY, cell) == code
    assert refused(session, BOB, Command.PLAY) == "notation"
    with pytest.raises(RefusedError, match="3,2 is closed: next to A's 3,3"):
        session.act(BOB, Command.PLAY, "3,2")


def test_an_act_that_answers_another_ply_is_stale() -> None:
    session = Session(settings())
    session.play("3,3")
    assert refused(session, BOB, Command.PLAY, "1,1", ply=0) == "stale"
    assert refused(session, BOB, Command.UNDO, ply=2) == "stale"


def test_an_act_sent_again_is_not_done_again() -> None:
    session = Session(settings())
    first = session.act(ANN, Command.PLAY, "3,3", id="once")
    assert [event.type for event in first] == [EventType.PLAYED]
    assert session.act(ANN, Command.PLAY, "3,3", id="once", ply=0) == []
    assert session.act(ANN, Command.PLAY, "(3 3)", id="once", ply=0) == []
    assert session.room.ply == 1
    assert len(session.act(BOB, Command.PLAY, "1,1", id="once")) == 1  # ids are each player's own


def test_an_id_that_was_used_for_something_else_is_refused() -> None:
    session = Session(settings())
    session.act(ANN, Command.PLAY, "3,3", id="once")
    for command, cell, ply in (
        (Command.PLAY, "5,5", 0), (Command.PLAY, "3,3", 1), (Command.PLAY, None, 0),
        (Command.PLAY, "x", 0),
        (Command.RESIGN, None, 0), (Command.UNDO, None, 0),
    ):  # fmt: skip
        assert refused(session, ANN, command, cell, id="once", ply=ply) == "id-reused"
    session.act(ANN, Command.UNDO, id="back")
    assert session.act(ANN, Command.UNDO, id="back") == []
    assert refused(session, ANN, Command.REMATCH, id="back") == "id-reused"
    session.act(BOB, Command.AGREE, id="yes")
    assert refused(session, BOB, Command.UNDO, id="yes") == "id-reused"
    held = session.room.held_by(ANN)
    with pytest.raises(RefusedError, match="something else"):
        session.room.answer(held, Act("once", 0, Command.PLAY, "3,3", number=2), 0)


def test_every_kind_of_act_can_be_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.web.room._ABORT_AFTER", 0)
    monkeypatch.setattr("gridlock.web.room._CLAIM_AFTER_WITHOUT_CLOCK", 0)
    session = Session(settings(rounds=3))
    done: list[tuple[str, Command, str | None]] = [
        (ANN, Command.PLAY, "3,3"), (ANN, Command.UNDO, None), (BOB, Command.DECLINE, None),
        (ANN, Command.UNDO, None), (BOB, Command.AGREE, None), (BOB, Command.RESIGN, None),
        (BOB, Command.NEXT, None), (BOB, Command.PLAY, "3,3"), (BOB, Command.CLAIM, None),
        (ANN, Command.NEXT, None), (BOB, Command.ABORT, None), (ANN, Command.REMATCH, None),
        (BOB, Command.AGREE, None),
    ]  # fmt: skip
    for number, (secret, command, cell) in enumerate(done):
        if command is Command.CLAIM:
            leave(session, ONE)
        ply = session.room.ply
        for count in (1, 0):
            events = session.act(secret, command, cell, id=str(number), ply=ply)
            assert len(events) == count, command
        assert refused(session, secret, command, cell, id=str(number), ply=ply + 1) == "id-reused"


def test_an_act_is_known_again_by_the_ply_that_it_was_sent_with() -> None:
    session = Session(settings())
    session.play("3,3")
    assert len(session.act(BOB, Command.RESIGN, id="enough", ply=0)) == 1  # it came late
    assert session.act(BOB, Command.RESIGN, id="enough", ply=0) == []
    assert refused(session, BOB, Command.RESIGN, id="enough", ply=1) == "id-reused"


def test_asking_again_and_again_is_bounded() -> None:
    session = Session(settings(rounds=2))
    session.play("3,3", "1,1")
    for _ in range(3):
        session.act(ANN, Command.UNDO)
        session.act(BOB, Command.DECLINE)
    assert refused(session, ANN, Command.UNDO) == "asked-enough"
    for _ in range(5):  # what is granted does not count
        session.act(BOB, Command.UNDO)
        session.act(ANN, Command.AGREE)
        session.play("1,1")
    session.act(ANN, Command.RESIGN)
    session.act(ANN, Command.NEXT)
    session.play("3,3", "1,1")
    session.act(ANN, Command.UNDO)  # another game
    session.act(ANN, Command.RESIGN)
    for _ in range(3):
        session.act(ANN, Command.REMATCH)
        session.act(ANN, Command.DECLINE)  # withdrawn
    assert refused(session, ANN, Command.REMATCH) == "asked-enough"
    session.act(BOB, Command.REMATCH)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_whole_games_end_by_the_rules(game: str) -> None:
    session = Session(settings(game=game, size=str(RULEBOOKS[game].size)))
    session.play_out()
    room = session.room
    assert room.status is Status.OVER
    assert room.is_finished
    assert room.match.winner is room.position.winner
    assert refused(session, ANN, Command.PLAY, "1,1") == "over"
    assert refused(session, BOB, Command.RESIGN) == "over"
    assert refused(session, ANN, Command.NEXT) == "over"


def test_either_player_may_resign_at_any_time() -> None:
    session = Session(settings())
    session.act(BOB, Command.RESIGN)
    assert session.room.match.winner is ONE
    assert session.room.match.record.termination == "resignation"


def test_on_one_screen_the_mover_resigns() -> None:
    session = Session(settings(Opponent.SELF))
    session.play("3,3")
    session.act(ANN, Command.RESIGN)
    assert session.room.match.winner is ONE


def test_taking_back_against_a_friend_needs_consent() -> None:
    session = Session(settings())
    assert refused(session, ANN, Command.UNDO) == "undo"
    session.play("3,3")
    session.act(ANN, Command.UNDO)
    assert offer(session) == (Offer.UNDO, ONE)
    assert refused(session, ANN, Command.UNDO) == "offer"
    assert refused(session, BOB, Command.UNDO) == "undo"  # he has not moved
    assert refused(session, ANN, Command.AGREE) == "offer"
    assert session.room.ply == 1
    session.act(BOB, Command.AGREE, id="yes")
    assert session.room.ply == 0
    assert offer(session) is None
    assert session.act(BOB, Command.AGREE, id="yes", ply=1) == []  # it is done already
    assert session.act(ANN, Command.PLAY, "1,1", id="yes")  # and the id is Bob's


def test_who_is_asked_answers_before_asking() -> None:
    session = Session(settings())
    session.play("3,3", "1,1")
    session.act(BOB, Command.UNDO)
    assert refused(session, ANN, Command.UNDO) == "offer"
    session.act(ANN, Command.AGREE)
    assert session.room.ply == 1


def test_what_is_asked_for_can_be_declined_or_withdrawn_and_lapses_when_play_goes_on() -> None:
    session = Session(settings())
    session.play("3,3")
    for secret in (ANN, BOB):
        session.act(ANN, Command.UNDO)
        session.act(secret, Command.DECLINE)
        assert session.room.offer is None
    assert refused(session, BOB, Command.DECLINE) == "offer"
    session.act(ANN, Command.UNDO)
    session.play("1,1")
    assert session.room.offer is None
    assert session.room.ply == 2


def test_taking_back_on_one_screen_takes_the_last_turn_back_at_once() -> None:
    session = Session(settings(Opponent.SELF))
    session.play("3,3", "1,1")
    session.act(ANN, Command.UNDO)
    assert session.room.ply == 1
    session.act(ANN, Command.UNDO)
    assert session.room.ply == 0
    assert refused(session, ANN, Command.UNDO) == "undo"


def test_taking_back_against_the_computer_goes_to_ones_own_last_turn() -> None:
    session = Session(settings(Opponent.COMPUTER))
    session.play("3,3")
    session.happen(session.room.computer_plays(session.room.game.cell("1,1"), 0))
    session.act(ANN, Command.UNDO)
    assert session.room.ply == 0
    session.act(ANN, Command.RESIGN)
    session.act(ANN, Command.UNDO)  # a resignation is taken back first
    assert status(session) is Status.PLAYING


def test_a_finished_game_against_the_computer_can_be_taken_back_until_the_rematch() -> None:
    session = Session(settings(Opponent.COMPUTER, "trail", "1x2"))
    session.play("1,1")
    session.happen(session.room.computer_plays(1, 0))
    assert status(session) is Status.OVER
    session.act(ANN, Command.UNDO)
    assert status(session) is Status.PLAYING
    session.act(ANN, Command.RESIGN)
    session.act(ANN, Command.REMATCH)
    assert refused(session, ANN, Command.UNDO) == "over"


def test_a_rematch_changes_the_sides_and_keeps_the_seats() -> None:
    session = Session(settings())
    assert refused(session, ANN, Command.REMATCH) == "playing"
    session.act(ANN, Command.RESIGN)
    session.act(ANN, Command.REMATCH)
    assert session.room.rematch is None
    assert refused(session, ANN, Command.REMATCH) == "offer"
    assert refused(session, BOB, Command.REMATCH) == "offer"
    session.act(BOB, Command.AGREE)
    assert session.room.rematch
    assert refused(session, ANN, Command.REMATCH) == "over"
    again = Session(session.room.rematch_settings())
    assert status(again) is Status.PLAYING
    assert (again.room.held_by(BOB), again.room.held_by(ANN)) == ((ONE,), (TWO,))
    assert again.room.match.record.players == ("Bob", "Ann")


def test_after_a_rematch_a_person_without_a_name_goes_by_the_new_side() -> None:
    terms = settings(Opponent.SELF)
    unnamed = msgspec.structs.replace(terms, seats=(terms.seats[1], terms.seats[1]))
    first = Session(unnamed)
    again = Session(first.room.rematch_settings())
    for session in (first, again):
        assert session.room.match.record.players == ("Player 1", "Player 2")
    with_ann = Session(Session(terms).room.rematch_settings())
    assert with_ann.room.match.record.players == ("Player 1", "Ann")


def test_after_a_rematch_the_computer_begins() -> None:
    session = Session(settings(Opponent.COMPUTER))
    session.act(ANN, Command.RESIGN)
    session.act(ANN, Command.REMATCH)
    again = Session(session.room.rematch_settings())
    assert again.room.awaits_computer


def test_a_series_goes_on_until_it_is_decided() -> None:
    session = Session(settings(rounds=2))
    session.act(ANN, Command.RESIGN)
    assert not session.room.is_finished
    assert refused(session, ANN, Command.REMATCH) == "playing"
    session.act(ANN, Command.NEXT)
    assert refused(session, BOB, Command.NEXT) == "playing"
    assert session.room.position.mover is TWO  # the beginner alternates
    session.act(ANN, Command.RESIGN)
    assert session.room.is_finished
    assert session.room.series.tally == (0, 2)


def test_a_toss_is_made_once_and_stands() -> None:
    session = Session(settings(first=None, rounds=3, starter=Starter.TOSS))
    for _ in range(2):
        session.act(ANN, Command.RESIGN)
        session.act(ANN, Command.NEXT)
    again = Room("room", session.room.settings, session.events)
    assert [r.first for r in again.series.records] == [r.first for r in session.room.series.records]


def test_time_runs_out_at_the_deadline_even_if_it_is_noticed_later() -> None:
    session = Session(settings(clock=ClockTerms(10, 2)))
    assert session.room.deadline is None  # the first action takes no time
    session.now = 5_000
    session.play("3,3")
    assert session.room.deadline == 15_000
    assert session.room.overdue(14_999) == []
    session.happen(session.room.overdue(99_000))
    assert (session.events[-1].type, session.events[-1].at) == (EventType.FLAGGED, 15_000)
    assert session.room.match.winner is ONE
    assert session.room.match.record.termination == "clock"
    assert session.room.deadline is None
    assert session.room.overdue(99_000) == []


def test_a_game_lost_on_time_stays_lost() -> None:
    session = Session(settings(Opponent.COMPUTER, clock=ClockTerms(10)))
    session.play("3,3")
    session.happen(session.room.overdue(99_000))
    assert refused(session, ANN, Command.UNDO) == "over"


def test_the_clock_begins_to_run_with_the_first_action_of_each_game() -> None:
    session = Session(settings(clock=ClockTerms(10), rounds=2))
    session.now = 50_000
    session.play("3,3")
    assert session.room.deadline == 60_000
    session.now = 55_000
    session.act(ANN, Command.RESIGN)
    assert session.room.deadline is None
    session.now = 70_000
    session.act(BOB, Command.NEXT)
    assert session.room.deadline is None
    session.now = 80_000
    session.play("3,3")
    assert session.room.deadline == 90_000


def test_taking_back_hands_the_clock_back() -> None:
    session = Session(settings(Opponent.SELF, clock=ClockTerms(10)))
    session.play("3,3")
    session.now = 3_000
    session.play("1,1")
    session.now = 4_000
    session.act(ANN, Command.UNDO)
    clock = session.room.clock
    assert clock
    assert (clock.running, clock.left, clock.since) == (TWO, [10_000, 10_000], 4_000)
    session.act(ANN, Command.UNDO)
    assert clock.running is None


def test_taking_back_again_and_again_wins_no_time() -> None:
    session = Session(settings(Opponent.SELF, clock=ClockTerms(10, 5)))
    for _ in range(20):
        session.play("3,3")
        session.act(ANN, Command.UNDO)
    assert session.room.clock
    assert session.room.clock.left == [10_000, 10_000]


def test_an_act_for_another_game_of_the_series_comes_too_late() -> None:
    session = Session(settings(rounds=3, starter=Starter.SAME))
    session.act(ANN, Command.RESIGN)
    session.act(BOB, Command.NEXT)
    held = session.room.held_by(ANN)
    for command in (Command.RESIGN, Command.PLAY, Command.NEXT):
        with pytest.raises(RefusedError) as caught:
            session.room.answer(held, Act("late", 0, command, "3,3", number=1), 0)
        assert caught.value.code == "stale"
    assert session.room.answer(held, Act("now", 0, Command.PLAY, "3,3", number=2), 0)


def test_a_friend_whose_answer_was_lost_joins_again_with_the_same_secret() -> None:
    session = Session(settings())
    assert session.room.join(INVITE, "Bob", BOB, 0) == []


def test_a_room_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.web.room._MOST_EVENTS", 3)
    session = Session(settings())
    session.play("3,3")
    assert refused(session, BOB, Command.PLAY, "1,1") == "full"


def test_time_never_runs_backwards() -> None:
    session = Session(settings(clock=ClockTerms(10)))
    session.now = 0  # the machine's clock was set back
    session.play("3,3")
    assert session.events[-1].at == 1_000
    clock = session.room.clock
    assert clock
    assert clock.left == [10_000, 10_000]


def test_a_board_on_which_nobody_can_move_is_over_at_once() -> None:
    session = Session(settings(Opponent.SELF, "race", "1x2", clock=ClockTerms(10)))
    assert status(session) in (Status.PLAYING, Status.OVER)
    assert (session.room.deadline is None) == (status(session) is Status.OVER)


def test_events_show_no_secret() -> None:
    session = Session(settings())
    joined = session.events[0]
    assert joined.holder
    assert joined.public().holder is None


# Those who do not come, and those who leave


def wait(session: Session, seconds: float) -> None:
    session.now += int(1000 * seconds)


def leave(session: Session, player: Player) -> None:
    session.happen(session.room.leave(player, session.now))


def come_back(session: Session, player: Player) -> None:
    session.happen(session.room.come_back(player, session.now))


def test_the_first_movers_first_action_brings_the_increment() -> None:
    session = Session(settings(clock=ClockTerms(10, 2)))
    session.play("3,3")
    assert session.room.clock
    assert session.room.clock.left == [12_000, 10_000]
    session.play("1,1")
    assert session.room.clock.left == [12_000, 12_000]


@pytest.mark.parametrize("clock", [None, ClockTerms(600)])
def test_a_game_without_a_first_move_can_be_aborted_after_a_minute(
    clock: ClockTerms | None,
) -> None:
    session = Session(settings(clock=clock))
    assert session.room.changed_at == session.now
    assert session.room.abort_at == session.now + 60_000
    wait(session, 59.999)
    assert refused(session, BOB, Command.ABORT) == "early"
    wait(session, 0.001)
    assert refused(session, ANN, Command.ABORT) == "turn"
    assert refused(session, "eve", Command.ABORT) == "seat"
    session.act(BOB, Command.ABORT)
    room = session.room
    assert (room.status, room.is_finished, room.match.winner) == (Status.OVER, True, None)
    assert room.abort_at is room.claim_at is None
    assert room.changed_at == session.now
    assert room.series.tally == (0, 0)
    record = read_record(str(room.match.record))
    assert (record.result, record.termination) == (None, "aborted")
    for command in (
        Command.ABORT,
        Command.CLAIM,
        Command.PLAY,
        Command.RESIGN,
        Command.UNDO,
        Command.NEXT,
    ):
        assert refused(session, BOB, command, "1,1") == "over"
    session.act(ANN, Command.REMATCH)
    session.act(BOB, Command.AGREE)
    assert room.rematch


def test_the_second_player_too_is_waited_for_a_minute() -> None:
    session = Session(settings(game="race", size="4x4"))
    wait(session, 50)
    session.play("0,1")
    assert session.room.abort_at is None  # the first player has moved, and is to block
    assert refused(session, BOB, Command.ABORT) == "abort"
    session.play("1,0")
    assert session.room.abort_at == session.now + 60_000
    wait(session, 60)
    assert refused(session, ANN, Command.ABORT, ply=0) == "stale"
    session.act(ANN, Command.ABORT)
    assert status(session) is Status.OVER


def test_what_is_asked_for_does_not_put_off_the_minute() -> None:
    session = Session(settings())
    session.play("3,3")
    due = session.room.abort_at
    wait(session, 30)
    session.act(ANN, Command.UNDO)
    assert session.room.abort_at == due


def test_an_aborted_game_ends_its_series_and_the_points_stand() -> None:
    session = Session(settings(rounds=3))
    session.act(ANN, Command.RESIGN)
    session.act(ANN, Command.NEXT)
    wait(session, 60)
    session.act(ANN, Command.ABORT)  # Bob begins the second game
    assert session.room.is_finished
    assert session.room.series.tally == (0, 1)
    assert refused(session, BOB, Command.NEXT) == "over"


@pytest.mark.parametrize(
    ("clock", "seconds"), [(ClockTerms(3600), 120), (None, 900)], ids=["clock", "no clock"]
)
def test_the_game_of_a_mover_who_is_away_can_be_claimed_after_a_while(
    clock: ClockTerms | None, seconds: int
) -> None:
    session = Session(settings(rounds=2, clock=clock))
    session.play("3,3")
    wait(session, 500)
    assert session.room.claim_at is None
    assert refused(session, ANN, Command.CLAIM) == "early"
    leave(session, ONE)  # it is not her turn: nobody waits for her
    assert session.room.claim_at is None
    leave(session, TWO)
    leave(session, TWO)
    assert [event.type for event in session.events[-2:]] == [EventType.PLAYED, EventType.AWAY]
    assert session.room.claim_at == session.now + 1000 * seconds
    wait(session, seconds - 0.001)
    assert refused(session, ANN, Command.CLAIM) == "early"
    wait(session, 0.001)
    assert refused(session, BOB, Command.CLAIM) == "turn"
    session.act(ANN, Command.CLAIM)
    room = session.room
    assert (room.match.winner, room.match.record.termination) == (ONE, "abandonment")
    assert room.claim_at is None
    assert not room.is_finished  # the series goes on
    again = Room("room", room.settings, session.events)
    assert again.match.record == room.match.record


def test_who_comes_back_or_plays_is_waited_for_anew() -> None:
    session = Session(settings())
    session.play("3,3")
    come_back(session, TWO)  # he was not away
    assert session.events[-1].type is EventType.PLAYED
    leave(session, TWO)
    wait(session, 119)
    come_back(session, TWO)
    assert session.room.claim_at is None
    wait(session, 60)
    assert refused(session, ANN, Command.CLAIM) == "early"
    leave(session, TWO)
    session.play("1,1")
    assert session.room.claim_at is None
    come_back(session, ONE)
    assert session.events[-1].type is EventType.PLAYED


@pytest.mark.parametrize("opponent", [Opponent.COMPUTER, Opponent.SELF])
def test_nobody_waits_for_a_computer_or_for_oneself(opponent: Opponent) -> None:
    session = Session(settings(opponent, first=TWO))
    wait(session, 1_000)
    leave(session, TWO)
    assert session.room.abort_at is session.room.claim_at is None
    for command in (Command.ABORT, Command.CLAIM):
        assert refused(session, ANN, command) == "opponent"
