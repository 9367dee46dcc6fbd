"""Rooms: what players may do, and what comes of it."""

from __future__ import annotations

import msgspec
import pytest

from gridlock.match import Starter
from gridlock.model import Player
from gridlock.record import read_record
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.web.event import Act, Deed, Happening, Offer
from gridlock.web.room import RefusedError, Room, Status
from gridlock.web.settings import ClockTerms, Opponent
from tests.web.rooms import ANN, BOB, INVITE, Sitting, settings

ONE, TWO = Player


def status(sitting: Sitting) -> Status:
    return sitting.room.status


def offer(sitting: Sitting) -> tuple[Offer, Player] | None:
    return sitting.room.offer


def refused(
    sitting: Sitting, secret: str, do: Deed, cell: str | None = None, **more: object
) -> str:
    """Return the code with which an act is refused; nothing may have happened."""
    before = sitting.room.version
    with pytest.raises(RefusedError) as caught:
        sitting.act(secret, do, cell, **more)  # type: ignore[arg-type]
    assert sitting.room.version == before
    return caught.value.code


def test_a_friends_room_waits_until_the_seat_is_taken() -> None:
    sitting = Sitting(settings(), has_joined=False)
    assert status(sitting) is Status.WAITING
    assert refused(sitting, ANN, Deed.PLAY, "1,1") == "waiting"
    assert refused(sitting, ANN, Deed.RESIGN) == "waiting"
    assert refused(sitting, ANN, Deed.UNDO) == "waiting"
    sitting.happen(sitting.room.join(INVITE, "Bob", BOB, 0))
    assert status(sitting) is Status.PLAYING
    assert sitting.room.held_by(BOB) == (TWO,)
    assert sitting.room.match.record.players == ("Ann", "Bob")


def test_an_invitation_is_good_for_once_and_for_its_own_room() -> None:
    sitting = Sitting(settings())
    with pytest.raises(RefusedError, match="taken already"):
        sitting.room.join(INVITE, "Eve", "eve", 0)
    with pytest.raises(RefusedError, match="not for this game"):
        sitting.room.join("another", "Eve", "eve", 0)
    alone = Sitting(settings(Opponent.SELF))
    with pytest.raises(RefusedError, match="not for this game"):
        alone.room.join("", "Eve", "eve", 0)


def test_only_the_holder_of_the_movers_seat_can_play() -> None:
    sitting = Sitting(settings())
    assert refused(sitting, BOB, Deed.PLAY, "1,1") == "turn"
    assert refused(sitting, "eve", Deed.PLAY, "1,1") == "seat"
    assert refused(sitting, "", Deed.RESIGN) == "seat"
    sitting.act(ANN, Deed.PLAY, "1,1")
    assert refused(sitting, ANN, Deed.PLAY, "3,3") == "turn"


def test_a_cell_that_the_rules_refuse_is_explained() -> None:
    sitting = Sitting(settings())
    sitting.play("3,3")
    for cell, code in (
        ("3,3", "taken"), ("3,2", "closed-by-opponent"), ("9,9", "outside"), ("x", "notation"),
    ):  # fmt: skip
        assert refused(sitting, BOB, Deed.PLAY, cell) == code
    assert refused(sitting, BOB, Deed.PLAY) == "notation"
    with pytest.raises(RefusedError, match="3,2 is closed: next to A's 3,3"):
        sitting.act(BOB, Deed.PLAY, "3,2")


def test_an_act_that_answers_another_ply_is_stale() -> None:
    sitting = Sitting(settings())
    sitting.play("3,3")
    assert refused(sitting, BOB, Deed.PLAY, "1,1", ply=0) == "stale"
    assert refused(sitting, BOB, Deed.UNDO, ply=2) == "stale"


def test_an_act_sent_again_is_not_done_again() -> None:
    sitting = Sitting(settings())
    first = sitting.act(ANN, Deed.PLAY, "3,3", id="once")
    assert [event.type for event in first] == [Happening.PLAYED]
    assert sitting.act(ANN, Deed.PLAY, "3,3", id="once", ply=0) == []
    assert sitting.act(ANN, Deed.PLAY, "(3 3)", id="once", ply=0) == []
    assert sitting.room.ply == 1
    assert len(sitting.act(BOB, Deed.PLAY, "1,1", id="once")) == 1  # ids are each player's own


def test_an_id_that_was_used_for_something_else_is_refused() -> None:
    sitting = Sitting(settings())
    sitting.act(ANN, Deed.PLAY, "3,3", id="once")
    for deed, cell, ply in (
        (Deed.PLAY, "5,5", 0), (Deed.PLAY, "3,3", 1), (Deed.PLAY, None, 0), (Deed.PLAY, "x", 0),
        (Deed.RESIGN, None, 0), (Deed.UNDO, None, 0),
    ):  # fmt: skip
        assert refused(sitting, ANN, deed, cell, id="once", ply=ply) == "id-reused"
    sitting.act(ANN, Deed.UNDO, id="back")
    assert sitting.act(ANN, Deed.UNDO, id="back") == []
    assert refused(sitting, ANN, Deed.REMATCH, id="back") == "id-reused"
    sitting.act(BOB, Deed.AGREE, id="yes")
    assert refused(sitting, BOB, Deed.UNDO, id="yes") == "id-reused"
    held = sitting.room.held_by(ANN)
    with pytest.raises(RefusedError, match="something else"):
        sitting.room.answer(held, Act("once", 0, Deed.PLAY, "3,3", number=2), 0)


def test_every_kind_of_act_can_be_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.web.room._ABORT_AFTER", 0)
    monkeypatch.setattr("gridlock.web.room._CLAIM_AFTER_WITHOUT_CLOCK", 0)
    sitting = Sitting(settings(rounds=3))
    done: list[tuple[str, Deed, str | None]] = [
        (ANN, Deed.PLAY, "3,3"), (ANN, Deed.UNDO, None), (BOB, Deed.DECLINE, None),
        (ANN, Deed.UNDO, None), (BOB, Deed.AGREE, None), (BOB, Deed.RESIGN, None),
        (BOB, Deed.NEXT, None), (BOB, Deed.PLAY, "3,3"), (BOB, Deed.CLAIM, None),
        (ANN, Deed.NEXT, None), (BOB, Deed.ABORT, None), (ANN, Deed.REMATCH, None),
        (BOB, Deed.AGREE, None),
    ]  # fmt: skip
    for number, (secret, deed, cell) in enumerate(done):
        if deed is Deed.CLAIM:
            leave(sitting, ONE)
        ply = sitting.room.ply
        for count in (1, 0):
            events = sitting.act(secret, deed, cell, id=str(number), ply=ply)
            assert len(events) == count, deed
        assert refused(sitting, secret, deed, cell, id=str(number), ply=ply + 1) == "id-reused"


def test_an_act_is_known_again_by_the_ply_that_it_was_sent_with() -> None:
    sitting = Sitting(settings())
    sitting.play("3,3")
    assert len(sitting.act(BOB, Deed.RESIGN, id="enough", ply=0)) == 1  # it came late
    assert sitting.act(BOB, Deed.RESIGN, id="enough", ply=0) == []
    assert refused(sitting, BOB, Deed.RESIGN, id="enough", ply=1) == "id-reused"


def test_asking_again_and_again_is_bounded() -> None:
    sitting = Sitting(settings(rounds=2))
    sitting.play("3,3", "1,1")
    for _ in range(3):
        sitting.act(ANN, Deed.UNDO)
        sitting.act(BOB, Deed.DECLINE)
    assert refused(sitting, ANN, Deed.UNDO) == "asked-enough"
    for _ in range(5):  # what is granted does not count
        sitting.act(BOB, Deed.UNDO)
        sitting.act(ANN, Deed.AGREE)
        sitting.play("1,1")
    sitting.act(ANN, Deed.RESIGN)
    sitting.act(ANN, Deed.NEXT)
    sitting.play("3,3", "1,1")
    sitting.act(ANN, Deed.UNDO)  # another game
    sitting.act(ANN, Deed.RESIGN)
    for _ in range(3):
        sitting.act(ANN, Deed.REMATCH)
        sitting.act(ANN, Deed.DECLINE)  # withdrawn
    assert refused(sitting, ANN, Deed.REMATCH) == "asked-enough"
    sitting.act(BOB, Deed.REMATCH)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_whole_games_end_by_the_rules(game: str) -> None:
    sitting = Sitting(settings(game=game, size=str(RULEBOOKS[game].size)))
    sitting.play_out()
    room = sitting.room
    assert room.status is Status.OVER
    assert room.is_finished
    assert room.match.winner is room.position.winner
    assert refused(sitting, ANN, Deed.PLAY, "1,1") == "over"
    assert refused(sitting, BOB, Deed.RESIGN) == "over"
    assert refused(sitting, ANN, Deed.NEXT) == "over"


def test_either_player_may_resign_at_any_time() -> None:
    sitting = Sitting(settings())
    sitting.act(BOB, Deed.RESIGN)
    assert sitting.room.match.winner is ONE
    assert sitting.room.match.record.termination == "resignation"


def test_on_one_screen_the_mover_resigns() -> None:
    sitting = Sitting(settings(Opponent.SELF))
    sitting.play("3,3")
    sitting.act(ANN, Deed.RESIGN)
    assert sitting.room.match.winner is ONE


def test_taking_back_against_a_friend_needs_consent() -> None:
    sitting = Sitting(settings())
    assert refused(sitting, ANN, Deed.UNDO) == "undo"
    sitting.play("3,3")
    sitting.act(ANN, Deed.UNDO)
    assert offer(sitting) == (Offer.UNDO, ONE)
    assert refused(sitting, ANN, Deed.UNDO) == "offer"
    assert refused(sitting, BOB, Deed.UNDO) == "undo"  # he has not moved
    assert refused(sitting, ANN, Deed.AGREE) == "offer"
    assert sitting.room.ply == 1
    sitting.act(BOB, Deed.AGREE, id="yes")
    assert sitting.room.ply == 0
    assert offer(sitting) is None
    assert sitting.act(BOB, Deed.AGREE, id="yes", ply=1) == []  # it is done already
    assert sitting.act(ANN, Deed.PLAY, "1,1", id="yes")  # and the id is Bob's


def test_who_is_asked_answers_before_asking() -> None:
    sitting = Sitting(settings())
    sitting.play("3,3", "1,1")
    sitting.act(BOB, Deed.UNDO)
    assert refused(sitting, ANN, Deed.UNDO) == "offer"
    sitting.act(ANN, Deed.AGREE)
    assert sitting.room.ply == 1


def test_what_is_asked_for_can_be_declined_or_withdrawn_and_lapses_when_play_goes_on() -> None:
    sitting = Sitting(settings())
    sitting.play("3,3")
    for secret in (ANN, BOB):
        sitting.act(ANN, Deed.UNDO)
        sitting.act(secret, Deed.DECLINE)
        assert sitting.room.offer is None
    assert refused(sitting, BOB, Deed.DECLINE) == "offer"
    sitting.act(ANN, Deed.UNDO)
    sitting.play("1,1")
    assert sitting.room.offer is None
    assert sitting.room.ply == 2


def test_taking_back_on_one_screen_takes_the_last_turn_back_at_once() -> None:
    sitting = Sitting(settings(Opponent.SELF))
    sitting.play("3,3", "1,1")
    sitting.act(ANN, Deed.UNDO)
    assert sitting.room.ply == 1
    sitting.act(ANN, Deed.UNDO)
    assert sitting.room.ply == 0
    assert refused(sitting, ANN, Deed.UNDO) == "undo"


def test_taking_back_against_the_computer_goes_to_ones_own_last_turn() -> None:
    sitting = Sitting(settings(Opponent.COMPUTER))
    sitting.play("3,3")
    sitting.happen(sitting.room.computer_plays(sitting.room.game.cell("1,1"), 0))
    sitting.act(ANN, Deed.UNDO)
    assert sitting.room.ply == 0
    sitting.act(ANN, Deed.RESIGN)
    sitting.act(ANN, Deed.UNDO)  # a resignation is taken back first
    assert status(sitting) is Status.PLAYING


def test_a_finished_game_against_the_computer_can_be_taken_back_until_the_rematch() -> None:
    sitting = Sitting(settings(Opponent.COMPUTER, "trail", "1x2"))
    sitting.play("1,1")
    sitting.happen(sitting.room.computer_plays(1, 0))
    assert status(sitting) is Status.OVER
    sitting.act(ANN, Deed.UNDO)
    assert status(sitting) is Status.PLAYING
    sitting.act(ANN, Deed.RESIGN)
    sitting.act(ANN, Deed.REMATCH)
    assert refused(sitting, ANN, Deed.UNDO) == "over"


def test_a_rematch_changes_the_sides_and_keeps_the_seats() -> None:
    sitting = Sitting(settings())
    assert refused(sitting, ANN, Deed.REMATCH) == "playing"
    sitting.act(ANN, Deed.RESIGN)
    sitting.act(ANN, Deed.REMATCH)
    assert sitting.room.rematch is None
    assert refused(sitting, ANN, Deed.REMATCH) == "offer"
    assert refused(sitting, BOB, Deed.REMATCH) == "offer"
    sitting.act(BOB, Deed.AGREE)
    assert sitting.room.rematch
    assert refused(sitting, ANN, Deed.REMATCH) == "over"
    again = Sitting(sitting.room.rematch_settings())
    assert status(again) is Status.PLAYING
    assert (again.room.held_by(BOB), again.room.held_by(ANN)) == ((ONE,), (TWO,))
    assert again.room.match.record.players == ("Bob", "Ann")


def test_after_a_rematch_a_person_without_a_name_goes_by_the_new_side() -> None:
    terms = settings(Opponent.SELF)
    unnamed = msgspec.structs.replace(terms, seats=(terms.seats[1], terms.seats[1]))
    first = Sitting(unnamed)
    again = Sitting(first.room.rematch_settings())
    for sitting in (first, again):
        assert sitting.room.match.record.players == ("Player 1", "Player 2")
    with_ann = Sitting(Sitting(terms).room.rematch_settings())
    assert with_ann.room.match.record.players == ("Player 1", "Ann")


def test_after_a_rematch_the_computer_begins() -> None:
    sitting = Sitting(settings(Opponent.COMPUTER))
    sitting.act(ANN, Deed.RESIGN)
    sitting.act(ANN, Deed.REMATCH)
    again = Sitting(sitting.room.rematch_settings())
    assert again.room.awaits_computer


def test_a_series_goes_on_until_it_is_decided() -> None:
    sitting = Sitting(settings(rounds=2))
    sitting.act(ANN, Deed.RESIGN)
    assert not sitting.room.is_finished
    assert refused(sitting, ANN, Deed.REMATCH) == "playing"
    sitting.act(ANN, Deed.NEXT)
    assert refused(sitting, BOB, Deed.NEXT) == "playing"
    assert sitting.room.position.mover is TWO  # the beginner alternates
    sitting.act(ANN, Deed.RESIGN)
    assert sitting.room.is_finished
    assert sitting.room.series.tally == (0, 2)


def test_a_toss_is_made_once_and_stands() -> None:
    sitting = Sitting(settings(first=None, rounds=3, starter=Starter.TOSS))
    for _ in range(2):
        sitting.act(ANN, Deed.RESIGN)
        sitting.act(ANN, Deed.NEXT)
    again = Room("room", sitting.room.settings, sitting.events)
    assert [r.first for r in again.series.records] == [r.first for r in sitting.room.series.records]


def test_time_runs_out_at_the_deadline_even_if_it_is_noticed_later() -> None:
    sitting = Sitting(settings(clock=ClockTerms(10, 2)))
    assert sitting.room.deadline is None  # the first action takes no time
    sitting.now = 5_000
    sitting.play("3,3")
    assert sitting.room.deadline == 15_000
    assert sitting.room.overdue(14_999) == []
    sitting.happen(sitting.room.overdue(99_000))
    assert (sitting.events[-1].type, sitting.events[-1].at) == (Happening.FLAGGED, 15_000)
    assert sitting.room.match.winner is ONE
    assert sitting.room.match.record.termination == "clock"
    assert sitting.room.deadline is None
    assert sitting.room.overdue(99_000) == []


def test_a_game_lost_on_time_stays_lost() -> None:
    sitting = Sitting(settings(Opponent.COMPUTER, clock=ClockTerms(10)))
    sitting.play("3,3")
    sitting.happen(sitting.room.overdue(99_000))
    assert refused(sitting, ANN, Deed.UNDO) == "over"


def test_the_clock_begins_to_run_with_the_first_action_of_each_game() -> None:
    sitting = Sitting(settings(clock=ClockTerms(10), rounds=2))
    sitting.now = 50_000
    sitting.play("3,3")
    assert sitting.room.deadline == 60_000
    sitting.now = 55_000
    sitting.act(ANN, Deed.RESIGN)
    assert sitting.room.deadline is None
    sitting.now = 70_000
    sitting.act(BOB, Deed.NEXT)
    assert sitting.room.deadline is None
    sitting.now = 80_000
    sitting.play("3,3")
    assert sitting.room.deadline == 90_000


def test_taking_back_hands_the_clock_back() -> None:
    sitting = Sitting(settings(Opponent.SELF, clock=ClockTerms(10)))
    sitting.play("3,3")
    sitting.now = 3_000
    sitting.play("1,1")
    sitting.now = 4_000
    sitting.act(ANN, Deed.UNDO)
    clock = sitting.room.clock
    assert clock
    assert (clock.running, clock.left, clock.since) == (TWO, [10_000, 10_000], 4_000)
    sitting.act(ANN, Deed.UNDO)
    assert clock.running is None


def test_taking_back_again_and_again_wins_no_time() -> None:
    sitting = Sitting(settings(Opponent.SELF, clock=ClockTerms(10, 5)))
    for _ in range(20):
        sitting.play("3,3")
        sitting.act(ANN, Deed.UNDO)
    assert sitting.room.clock
    assert sitting.room.clock.left == [10_000, 10_000]


def test_an_act_for_another_game_of_the_series_comes_too_late() -> None:
    sitting = Sitting(settings(rounds=3, starter=Starter.SAME))
    sitting.act(ANN, Deed.RESIGN)
    sitting.act(BOB, Deed.NEXT)
    held = sitting.room.held_by(ANN)
    for deed in (Deed.RESIGN, Deed.PLAY, Deed.NEXT):
        with pytest.raises(RefusedError) as caught:
            sitting.room.answer(held, Act("late", 0, deed, "3,3", number=1), 0)
        assert caught.value.code == "stale"
    assert sitting.room.answer(held, Act("now", 0, Deed.PLAY, "3,3", number=2), 0)


def test_a_friend_whose_answer_was_lost_joins_again_with_the_same_secret() -> None:
    sitting = Sitting(settings())
    assert sitting.room.join(INVITE, "Bob", BOB, 0) == []


def test_a_room_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.web.room._MOST_EVENTS", 3)
    sitting = Sitting(settings())
    sitting.play("3,3")
    assert refused(sitting, BOB, Deed.PLAY, "1,1") == "full"


def test_time_never_runs_backwards() -> None:
    sitting = Sitting(settings(clock=ClockTerms(10)))
    sitting.now = 0  # the machine's clock was set back
    sitting.play("3,3")
    assert sitting.events[-1].at == 1_000
    clock = sitting.room.clock
    assert clock
    assert clock.left == [10_000, 10_000]


def test_a_board_on_which_nobody_can_move_is_over_at_once() -> None:
    sitting = Sitting(settings(Opponent.SELF, "race", "1x2", clock=ClockTerms(10)))
    assert status(sitting) in (Status.PLAYING, Status.OVER)
    assert (sitting.room.deadline is None) == (status(sitting) is Status.OVER)


def test_events_show_no_secret() -> None:
    sitting = Sitting(settings())
    joined = sitting.events[0]
    assert joined.holder
    assert joined.public().holder is None


# Those who do not come, and those who leave


def wait(sitting: Sitting, seconds: float) -> None:
    sitting.now += int(1000 * seconds)


def leave(sitting: Sitting, player: Player) -> None:
    sitting.happen(sitting.room.leave(player, sitting.now))


def come_back(sitting: Sitting, player: Player) -> None:
    sitting.happen(sitting.room.come_back(player, sitting.now))


def test_the_first_movers_first_action_brings_the_increment() -> None:
    sitting = Sitting(settings(clock=ClockTerms(10, 2)))
    sitting.play("3,3")
    assert sitting.room.clock
    assert sitting.room.clock.left == [12_000, 10_000]
    sitting.play("1,1")
    assert sitting.room.clock.left == [12_000, 12_000]


@pytest.mark.parametrize("clock", [None, ClockTerms(600)])
def test_a_game_without_a_first_move_can_be_aborted_after_a_minute(
    clock: ClockTerms | None,
) -> None:
    sitting = Sitting(settings(clock=clock))
    assert sitting.room.abort_at == sitting.now + 60_000
    wait(sitting, 59.999)
    assert refused(sitting, BOB, Deed.ABORT) == "early"
    wait(sitting, 0.001)
    assert refused(sitting, ANN, Deed.ABORT) == "turn"
    assert refused(sitting, "eve", Deed.ABORT) == "seat"
    sitting.act(BOB, Deed.ABORT)
    room = sitting.room
    assert (room.status, room.is_finished, room.match.winner) == (Status.OVER, True, None)
    assert room.abort_at is room.claim_at is None
    assert room.series.tally == (0, 0)
    record = read_record(str(room.match.record))
    assert (record.result, record.termination) == (None, "aborted")
    for deed in (Deed.ABORT, Deed.CLAIM, Deed.PLAY, Deed.RESIGN, Deed.UNDO, Deed.NEXT):
        assert refused(sitting, BOB, deed, "1,1") == "over"
    sitting.act(ANN, Deed.REMATCH)
    sitting.act(BOB, Deed.AGREE)
    assert room.rematch


def test_the_second_player_too_is_waited_for_a_minute() -> None:
    sitting = Sitting(settings(game="race", size="4x4"))
    wait(sitting, 50)
    sitting.play("0,1")
    assert sitting.room.abort_at is None  # the first player has moved, and is to block
    assert refused(sitting, BOB, Deed.ABORT) == "abort"
    sitting.play("1,0")
    assert sitting.room.abort_at == sitting.now + 60_000
    wait(sitting, 60)
    assert refused(sitting, ANN, Deed.ABORT, ply=0) == "stale"
    sitting.act(ANN, Deed.ABORT)
    assert status(sitting) is Status.OVER


def test_what_is_asked_for_does_not_put_off_the_minute() -> None:
    sitting = Sitting(settings())
    sitting.play("3,3")
    due = sitting.room.abort_at
    wait(sitting, 30)
    sitting.act(ANN, Deed.UNDO)
    assert sitting.room.abort_at == due


def test_an_aborted_game_ends_its_series_and_the_points_stand() -> None:
    sitting = Sitting(settings(rounds=3))
    sitting.act(ANN, Deed.RESIGN)
    sitting.act(ANN, Deed.NEXT)
    wait(sitting, 60)
    sitting.act(ANN, Deed.ABORT)  # Bob begins the second game
    assert sitting.room.is_finished
    assert sitting.room.series.tally == (0, 1)
    assert refused(sitting, BOB, Deed.NEXT) == "over"


@pytest.mark.parametrize(
    ("clock", "seconds"), [(ClockTerms(3600), 120), (None, 900)], ids=["clock", "no clock"]
)
def test_the_game_of_a_mover_who_is_away_can_be_claimed_after_a_while(
    clock: ClockTerms | None, seconds: int
) -> None:
    sitting = Sitting(settings(rounds=2, clock=clock))
    sitting.play("3,3")
    wait(sitting, 500)
    assert sitting.room.claim_at is None
    assert refused(sitting, ANN, Deed.CLAIM) == "early"
    leave(sitting, ONE)  # it is not her turn: nobody waits for her
    assert sitting.room.claim_at is None
    leave(sitting, TWO)
    leave(sitting, TWO)
    assert [event.type for event in sitting.events[-2:]] == [Happening.PLAYED, Happening.AWAY]
    assert sitting.room.claim_at == sitting.now + 1000 * seconds
    wait(sitting, seconds - 0.001)
    assert refused(sitting, ANN, Deed.CLAIM) == "early"
    wait(sitting, 0.001)
    assert refused(sitting, BOB, Deed.CLAIM) == "turn"
    sitting.act(ANN, Deed.CLAIM)
    room = sitting.room
    assert (room.match.winner, room.match.record.termination) == (ONE, "abandonment")
    assert room.claim_at is None
    assert not room.is_finished  # the series goes on
    again = Room("room", room.settings, sitting.events)
    assert again.match.record == room.match.record


def test_who_comes_back_or_plays_is_waited_for_anew() -> None:
    sitting = Sitting(settings())
    sitting.play("3,3")
    come_back(sitting, TWO)  # he was not away
    assert sitting.events[-1].type is Happening.PLAYED
    leave(sitting, TWO)
    wait(sitting, 119)
    come_back(sitting, TWO)
    assert sitting.room.claim_at is None
    wait(sitting, 60)
    assert refused(sitting, ANN, Deed.CLAIM) == "early"
    leave(sitting, TWO)
    sitting.play("1,1")
    assert sitting.room.claim_at is None
    come_back(sitting, ONE)
    assert sitting.events[-1].type is Happening.PLAYED


@pytest.mark.parametrize("opponent", [Opponent.COMPUTER, Opponent.SELF])
def test_nobody_waits_for_a_computer_or_for_oneself(opponent: Opponent) -> None:
    sitting = Sitting(settings(opponent, first=TWO))
    wait(sitting, 1_000)
    leave(sitting, TWO)
    assert sitting.room.abort_at is sitting.room.claim_at is None
    for deed in (Deed.ABORT, Deed.CLAIM):
        assert refused(sitting, ANN, deed) == "opponent"
