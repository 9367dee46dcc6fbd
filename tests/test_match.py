from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridlock
from gridlock import (
    RULEBOOKS,
    IllegalMoveError,
    NotationError,
    Player,
    Position,
    Record,
    RecordError,
    Rulebook,
    StoreError,
)
from gridlock.clock import Clock
from gridlock.match import (
    Match,
    Score,
    Series,
    Starter,
    Terms,
    check_score,
    play_match,
    play_series,
    points_of,
    read_series,
)
from gridlock.players import Bot, Seat, make
from tests.strategies import lines_of_play, rulebook_games
from tests.test_record import played


def forget(_: object) -> None:
    """Keep nothing."""


def refuse(_: object) -> None:
    raise StoreError("the disk is full")


def new_series(terms: Terms | None, name: str = "duel", size: str = "1x3") -> Series:
    return Series(gridlock.game(name, size), ("human", "human"), terms, Player.ONE, forget)


def play_game(series: Series, moves: str) -> None:
    series.begin_next("2026.11.15", lambda: Player.TWO)
    match = series.match()
    for cell in gridlock.read_moves(series.game, moves):
        match.play(cell)


MIDDLE = "1,2"  # on 1x3 whoever begins wins with this, one mark to none
EDGES = "1,1 1,3"  # and loses with this, one mark each


def test_a_change_is_kept_before_it_counts() -> None:
    kept: list[Record] = []
    match = Match(Record(gridlock.game("duel", "1x3")), kept.append)
    match.play(1)
    assert kept == [match.record]
    assert match.winner is Player.ONE


def test_a_change_that_cannot_be_kept_does_not_count() -> None:
    match = Match(Record(gridlock.game("duel"), moves=(0, 24)), refuse)
    before = match.record, match.position
    for change in (lambda: match.play(12), match.resign, match.undo):
        with pytest.raises(StoreError):
            change()
        assert (match.record, match.position) == before


def test_an_illegal_move_changes_nothing() -> None:
    match = Match(Record(gridlock.game("duel"), moves=(0,)), refuse)
    with pytest.raises(IllegalMoveError):
        match.play(1)


def test_a_resignation_is_lost_by_the_mover() -> None:
    match = Match(Record(gridlock.game("duel"), moves=(0,)), forget)
    match.resign()
    assert match.record.result is Player.ONE
    assert gridlock.read_record(str(match.record)).termination == "resignation"


@given(lines_of_play(rulebook_games()))
def test_undo_goes_back_to_where_ones_own_last_turn_began(line: list[gridlock.Position]) -> None:
    moves = played(line)
    match = Match(Record(line[0].game, line[0].mover, moves), forget)
    mover = match.position.mover
    own_turns = [
        at
        for at in range(len(moves))
        if line[at].mover is mover and (at == 0 or line[at - 1].mover is not mover)
    ]
    assert match.undo() == bool(own_turns)
    length = own_turns[-1] if own_turns else len(moves)
    assert match.record.moves == moves[:length]
    assert match.position == line[length]


@given(lines_of_play(rulebook_games()), st.sampled_from(Player))
def test_redo_plays_again_exactly_what_undo_took_back(
    line: list[gridlock.Position], player: Player
) -> None:
    moves = played(line)
    match = Match(Record(line[0].game, line[0].mover, moves, result=line[-1].winner), forget)
    undone = 0
    while match.undo(player):
        undone += 1
        assert match.position == line[len(match.record.moves)]
        assert match.position.mover is player
    for _ in range(undone):
        assert match.redo()
    assert not match.redo()
    assert match.record.moves == moves
    assert match.position == line[-1]
    assert match.winner is line[-1].winner


def test_a_new_move_or_a_resignation_forgets_what_was_taken_back() -> None:
    game = gridlock.game("duel")
    for is_resignation in (False, True):
        match = Match(Record(game, moves=(game.cell("3,3"),)), forget)
        match.undo(Player.ONE)
        if is_resignation:
            match.resign()
        else:
            match.play(game.cell("5,5"))
        record = match.record
        assert not match.redo()
        assert match.record == record


def test_a_resignation_is_taken_back_before_any_turn() -> None:
    game = gridlock.game("duel")
    match = Match(Record(game, moves=(game.cell("3,3"),)), forget)
    match.resign()
    assert match.undo()
    assert match.record == Record(game, moves=(game.cell("3,3"),))


def test_swapped_seats_change_the_players_and_nothing_else() -> None:
    kept: list[Record] = []
    game = gridlock.game("duel")
    match = Match(Record(game, players=("Ann", "Ben")), kept.append)
    match.swap_seats()
    assert match.record == Record(game, players=("Ben", "Ann"))
    assert kept == [match.record]


def test_rounds_are_all_played_and_the_starter_alternates() -> None:
    series = new_series(Terms(rounds=3))
    for moves in (MIDDLE, MIDDLE, EDGES):
        assert not series.is_over
        play_game(series, moves)
    assert series.is_over
    assert [record.first for record in series.records] == [1, 2, 1]
    assert series.tally == (1, 2)
    assert series.winner is Player.TWO


def test_rounds_may_end_in_a_tie() -> None:
    series = new_series(Terms(rounds=2))
    play_game(series, MIDDLE)
    play_game(series, MIDDLE)
    assert (series.is_over, series.tally, series.winner) == (True, (1, 1), None)


def test_a_target_ends_the_series_when_it_is_reached() -> None:
    series = new_series(Terms(target=2, starter=Starter.SAME))
    play_game(series, MIDDLE)
    assert not series.is_over
    play_game(series, MIDDLE)
    assert (series.is_over, series.tally, series.winner) == (True, (2, 0), Player.ONE)


def test_cells_count_the_marks_at_the_end() -> None:
    series = new_series(Terms(target=3, score=Score.CELLS))
    play_game(series, EDGES)
    play_game(series, MIDDLE)
    assert series.tally == (1, 2)
    play_game(series, EDGES)
    assert (series.is_over, series.tally, series.winner) == (True, (2, 3), Player.TWO)


def test_both_may_reach_a_target_together() -> None:
    series = new_series(Terms(target=1, score=Score.CELLS))
    play_game(series, EDGES)
    assert (series.is_over, series.winner) == (True, None)


def test_a_toss_may_decide_every_game() -> None:
    series = Series(
        gridlock.game("duel", "1x3"),
        ("human", "human"),
        Terms(rounds=3, starter=Starter.TOSS),
        None,
        forget,
    )
    for _ in range(3):
        play_game(series, MIDDLE)
    assert [record.first for record in series.records] == [2, 2, 2]


def test_the_token_is_the_one_mark_of_a_race() -> None:
    record = Record(gridlock.game("race"), result=Player.ONE, termination="resignation")
    assert points_of(record, Score.CELLS) == (1, 1)


def test_a_game_that_nobody_can_begin_is_kept_as_over() -> None:
    kept: list[list[Record]] = []
    series = Series(gridlock.game("race", "1x2"), ("a", "b"), None, Player.ONE, kept.append)
    series.begin_next("2026.11.15", lambda: Player.ONE)
    assert series.is_over
    assert series.winner is Player.TWO
    assert kept == [series.records]


@given(
    st.builds(
        Terms,
        rounds=st.integers(1, 1000),
        score=st.sampled_from(Score),
        starter=st.sampled_from(Starter),
    )
    | st.builds(Terms, target=st.integers(1, 1000), score=st.sampled_from(Score))
    | st.none()
)
def test_a_series_is_read_as_it_is_written(terms: Terms | None) -> None:
    series = new_series(terms)
    play_game(series, MIDDLE)
    if terms:
        play_game(series, "1,1")
    twin = read_series(gridlock.write_records(series.records), forget)
    assert (twin.records, twin.terms, twin.game) == (series.records, terms, series.game)
    assert twin.is_over == series.is_over


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('[Rounds "3"]', '[Rounds "0"]', "the tag Rounds: '0' is not a number from 1 to 1000"),
        ('[Rounds "3"]', '[Rounds "x"]', "the tag Rounds: 'x' is not a number from 1 to 1000"),
        ('[Rounds "3"]', '[Rounds "1001"]', "the tag Rounds: '1001' is not a number from 1"),
        ('[Rounds "3"]', '[Rounds "3"]\n[Target "2"]', "a series has either a number of rounds or"),
        ('[Result "1"]\n[Round "1"]', '[Result "*"]\n[Round "1"]', "game 1: player 1 has won"),
        ('[Score "wins"]', '[Score "x"]', "the tag Score is 'x', not wins or cells"),
        ('[Starter "alternate"]', '[Starter "x"]', "the tag Starter is 'x', not alternate or same"),
        ('[Rounds "3"]', "", "there are several games in it that are no series"),
        ('"1"]\n[Round ', '"*"]\n[Round ', "game 1: player 1 has won by the moves"),
        ('[Game "duel"]', '[Game "occupation"]', "game 1 of the series is unfinished, or another"),
    ],
)
def test_a_damaged_series_says_what_is_wrong(old: str, new: str, message: str) -> None:
    series = new_series(Terms(rounds=3))
    play_game(series, MIDDLE)
    play_game(series, MIDDLE)
    first, second = gridlock.write_records(series.records).split("\n\n[")
    if old == '[Game "duel"]':
        text = f"{first.replace(old, new)}\n\n[{second}"
    else:
        text = f"{first}\n\n[{second}".replace(old, new)
    with pytest.raises(RecordError, match=f"^{message}"):
        read_series(text, forget)


def test_the_games_of_a_series_share_their_terms() -> None:
    series = new_series(Terms(rounds=3))
    play_game(series, MIDDLE)
    play_game(series, MIDDLE)
    text = gridlock.write_records(series.records).replace('"3"', '"4"', 1)
    with pytest.raises(RecordError, match="game 1 of the series has other terms than the last"):
        read_series(text, forget)


def test_only_the_last_game_of_a_series_may_be_unfinished() -> None:
    series = new_series(Terms(rounds=3))
    play_game(series, "1,1")
    records = [series.records[0], series.records[0]]
    with pytest.raises(RecordError, match="game 1 of the series is unfinished"):
        read_series(gridlock.write_records(records), forget)


def test_a_series_changes_only_when_it_is_kept() -> None:
    series = Series(gridlock.game("duel"), ("a", "b"), None, Player.ONE, refuse)
    series.begin_next("2026.11.15", lambda: Player.ONE)
    before = list(series.records)
    with pytest.raises(StoreError):
        series.match().play(0)
    assert series.records == before
    tossed = Series(gridlock.game("duel"), ("a", "b"), None, None, refuse)
    with pytest.raises(StoreError):
        tossed.begin_next("2026.11.15", lambda: Player.ONE)
    assert tossed.records == []


def test_a_series_has_one_match_at_a_time() -> None:
    series = new_series(None, size="5x5")
    play_game(series, "1,1")
    series.match().play(24)
    assert series.records[-1].moves == (0, 24)
    assert series.match() is series.match()


def test_after_the_end_only_undo_is_left() -> None:
    match = Match(Record(gridlock.game("duel"), moves=(0, 24)), forget)
    match.resign()
    with pytest.raises(IllegalMoveError, match="the game is over"):
        match.play(12)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        match.resign()
    assert match.undo()
    assert (match.record.result, match.record.termination) == (None, None)
    assert gridlock.read_record(str(match.record)) == match.record


def test_an_old_termination_is_forgotten_when_the_game_goes_on() -> None:
    record = Record(gridlock.game("duel", "1x3"), termination="adjourned")
    match = Match(record, forget)
    match.play(1)
    assert match.record.termination is None


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=lambda rulebook: rulebook.id)
def test_a_lone_token_is_no_score(rulebook: Rulebook) -> None:
    check_score(rulebook, Score.WINS)
    if rulebook.id != "race":
        check_score(rulebook, Score.CELLS)
        return
    with pytest.raises(NotationError, match="race cannot be scored by cells"):
        check_score(rulebook, Score.CELLS)


class Slow(Bot):
    """Takes the first legal cell, after a while by a clock of the test's own."""

    def __init__(self, now: list[int], milliseconds: int) -> None:
        self._now = now
        self._milliseconds = milliseconds
        self.games: list[gridlock.Game] = []

    def new_game(self, game: gridlock.Game) -> None:
        self.games.append(game)

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        self._now[0] += self._milliseconds
        return position.legal_cells()[0]


def test_bots_play_a_game_to_its_end_and_every_action_is_kept() -> None:
    kept: list[Record] = []
    game = gridlock.game("race")
    match = Match(Record(game), kept.append)
    bots = make("random", Seat(random.Random(1))), make("random", Seat(random.Random(2)))
    winner = play_match(match, bots)
    assert winner is match.position.winner is kept[-1].result
    assert [len(record.moves) for record in kept] == list(range(1, len(match.record.moves) + 1))


@pytest.mark.parametrize(
    ("times", "increment", "winner", "termination"),
    [
        ((400, 300), 0, Player.TWO, "clock"),  # three turns of 400 are more than a second
        ((400, 400), 1, Player.ONE, None),  # each turn brings more than it takes
        ((100, 1000), 0, Player.ONE, "clock"),
    ],
)
def test_bots_play_by_a_clock(
    times: tuple[int, int],
    increment: int,
    winner: Player,
    termination: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [1_000_000]
    monkeypatch.setattr("gridlock.match.milliseconds", lambda: now[0])
    match = Match(Record(gridlock.game("trail", "1x5")), forget)
    bots = Slow(now, times[0]), Slow(now, times[1])
    assert play_match(match, bots, Clock(1, increment)) is winner
    assert match.record.termination == termination
    assert [bot.games for bot in bots] == [[match.record.game]] * 2


def test_bots_play_a_whole_series() -> None:
    series = new_series(Terms(rounds=3, starter=Starter.TOSS))
    bots = make("random", Seat(random.Random(3))), make("computer:8", Seat(random.Random(4)))
    play_series(series, bots, random.Random(5))
    assert series.is_over
    assert len(series.records) == sum(series.tally) == 3


def test_every_game_of_a_series_begins_where_it_was_set_up() -> None:
    game = gridlock.game("duel", "1x5")
    setup = game.position("1.... 2 -")
    kept: list[list[Record]] = []
    series = Series(game, ("human", "human"), Terms(rounds=2), None, kept.append, setup=setup)
    for _ in range(2):
        series.begin_next("2026.11.18", lambda: Player.ONE)
        assert (series.match().position, series.has_toss) == (setup, False)
        series.match().resign()
    again = read_series(gridlock.write_records(kept[-1]), kept.append)
    assert [record.setup for record in again.records] == [setup, setup]
    assert again.setup == setup
