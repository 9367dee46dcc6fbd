from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridlock
from gridlock import NotationError, Player, Position, Record, RecordError
from gridlock.record import RESIGNATION, read_moves, write_line
from tests.strategies import lines_of_play

DUEL = """\
[Game "duel"]
[Size "2x3"]
[First "1"]
[Player1 "Ann"]
[Player2 "Bob"]
[Date "2026.11.15"]
[Result "2"]

1,1 2,3
"""

names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=20).filter(
    str.isprintable
)


def played(line: list[Position]) -> tuple[int, ...]:
    """Return the cells that lead from each position to the next."""
    return tuple(
        next(cell for cell in before.legal_cells() if before.play(cell) == after)
        for before, after in pairwise(line)
    )


@given(lines_of_play(), names, names, st.booleans())
def test_a_record_is_read_as_it_is_written(
    line: list[Position], one: str, two: str, resigns: bool
) -> None:
    result, termination = line[-1].winner, None
    if resigns and result is None:
        result, termination = line[-1].mover.opponent, RESIGNATION
    record = Record(
        line[0].game,
        line[0].mover,
        played(line),
        players=(one, two),
        date="2026.11.15",
        result=result,
        termination=termination,
        tags=(("Event", 'A "quoted" \\ event'),),
    )
    assert gridlock.read_record(str(record)) == record
    assert record.positions() == line
    assert gridlock.read_records(gridlock.write_records([record] * 3)) == [record] * 3
    for text in str(record).splitlines():
        assert text.startswith("[") or len(text.split()) <= 10


@given(lines_of_play())
def test_written_moves_are_read_back(line: list[Position]) -> None:
    game, moves = line[0].game, played(line)
    assert gridlock.read_moves(game, gridlock.write_moves(game, moves)) == moves


def test_a_record_has_tags_a_blank_line_and_the_moves() -> None:
    record = gridlock.read_record(DUEL)
    assert str(record) == DUEL
    assert record.players == ("Ann", "Bob")
    assert record.result is Player.TWO


def test_race_joins_a_step_and_its_block_and_reads_them_either_way() -> None:
    game = gridlock.game("race")
    moves = gridlock.read_moves(game, "0,1/1,0 3,2/2,3 0,2")
    assert moves == gridlock.read_moves(game, "0,1 1,0 3,2 2,3 0,2")
    assert gridlock.write_moves(game, moves) == "0,1/1,0 3,2/2,3 0,2"


def test_a_game_of_ones_own_is_complete_in_its_record() -> None:
    game = gridlock.placement(
        own="knight 0,3", follow="line", id="odd", title="Odd", size="4x5", symbols=("N", "M")
    )
    record = gridlock.read_record(str(Record(game, moves=(0, 4))))
    assert record.game == game
    assert record.game.rulebook.title == "Odd"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1,1 2,3", "1,1 1,2", "move 2 is illegal: 1,2 is closed by the opponent's 1,1"),
        ("1,1 2,3", "1,1 2,3 2,2", "move 3 is illegal: 2,2 cannot be chosen: the game is over"),
        ("1,1 2,3", "1,1 2,", "move 2: '2,' is not a cell"),
        ("1,1 2,3", "1,1 7,7", "move 2: '7,7' is outside the board"),
        ("1,1 2,3", "1,1/2,3", "move 1: '1,1/2,3' is not a cell"),
        ('[Result "2"]', '[Result "1"]', "player 2 has won by the moves, but the tag Res"),
        ('[Result "2"]', '[Result "*"]', "player 2 has won by the moves, but the tag Res"),
        ("1,1 2,3", "1,1", "the tag Result is '2', but by the moves the game goes on"),
        ('[Result "2"]', '[Result "3"]', "the tag Result is '3', not 1, 2 or \\*"),
        ('[First "1"]', '[First "x"]', "the tag First is 'x', not 1 or 2"),
        ('[Game "duel"]\n', "", "the tag Game is missing"),
        ('[Result "2"]\n\n1,1 2,3', '[Termination "clock"]\n\n1,1', "the tag Result is missing"),
        ('[Size "2x3"]', '[Size "0x3"]', "the size '0x3' is not possible"),
        ('[Game "duel"]', '[Game "chess"]', "there is no game 'chess'"),
        ('[Game "duel"]', '[Game "mine"]\n[Own "far"]', "own: 'far' is not a reach"),
        ('[Game "duel"]', '[Game "mine"]\n[Own "king"]\n[Counting "x"]', "counting: 'x' is not"),
        ('[Size "2x3"]', '[Size 2x3]', 'line 2 is not a tag such as \\[Game "duel"\\]: '),
        ('[Game "duel"]', 'hello', "line 1 is not a record's: 'hello'"),
        (DUEL, "", "there is no record in it"),
    ],
)  # fmt: skip
def test_a_damaged_record_says_what_is_wrong(old: str, new: str, message: str) -> None:
    with pytest.raises(RecordError, match=f"^{message}"):
        gridlock.read_record(DUEL.replace(old, new))


def test_among_several_records_the_damaged_one_is_named() -> None:
    with pytest.raises(RecordError, match="^game 2: move 2 is illegal"):
        gridlock.read_records(DUEL + "\n" + DUEL.replace("2,3", "1,2"))
    with pytest.raises(RecordError, match="2 records where one was expected"):
        gridlock.read_record(DUEL + "\n" + DUEL)


@given(st.data())
def test_no_damage_raises_anything_but_a_record_error(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(DUEL)))
    end = data.draw(st.integers(start, len(DUEL)))
    text = DUEL[:start] + data.draw(st.text(max_size=5)) + DUEL[end:]
    try:
        records = gridlock.read_records(text)
    except RecordError as error:
        assert "\n" not in str(error)
    else:
        assert gridlock.read_records(gridlock.write_records(records)) == records


def test_control_characters_in_a_name_do_not_break_a_record() -> None:
    record = Record(gridlock.game("duel"), players=('a\nb"]', "\x1b[31m"))
    assert gridlock.read_record(str(record)).players == ('a b"]', " [31m")


def test_bad_moves_are_named_by_the_number_of_their_turn() -> None:
    race = gridlock.game("race")
    for moves in ("0,1/1,0 x/1,1", "0,1/1,0 3,2/x", "0,1 1,0 x 1,1"):
        with pytest.raises(NotationError, match="^move 2: 'x' is not a cell"):
            gridlock.read_moves(race, moves)
    with pytest.raises(RecordError, match="^move 2 is illegal: 1,0 is blocked$"):
        race.replay(1, gridlock.read_moves(race, "0,1/1,0 3,2/1,0"))


def test_turns_are_counted_from_a_position_in_the_middle_of_one() -> None:
    race = gridlock.game("race")
    start = race.start()
    begun = start.play(race.cell("0,1"))
    assert [start.turn_number(action) for action in range(6)] == [0, 1, 1, 2, 2, 3]
    assert [begun.turn_number(action) for action in range(6)] == [0, 1, 2, 2, 3, 3]
    with pytest.raises(RecordError, match="^move 2 is illegal: 1,0 is blocked$"):
        begun.replay(gridlock.read_moves(race, "1,0 1,0"))
    assert gridlock.game("duel").start().turn_number(3) == 3
    assert [Record(race, moves=(1, 4, 14, 11)[:length]).turn_count for length in range(5)] == [
        0, 1, 1, 2, 2,
    ]  # fmt: skip


def test_tags_may_stand_side_by_side() -> None:
    tags, moves = DUEL.split("\n\n")
    assert str(gridlock.read_record(tags.replace("\n", " ") + "\n\n" + moves)) == DUEL


def test_the_rules_of_a_rulebook_cannot_be_changed_by_tags() -> None:
    record = gridlock.read_record(DUEL.replace("[First", '[Own "king"]\n[First'))
    assert record.game == gridlock.game("duel", "2x3")
    assert record.tags == (("Own", "king"),)


@pytest.mark.parametrize(
    ("name", "before", "cells", "written"),
    [
        ("race", "", "0,1 1,0 3,2 2,3", "0,1/1,0 3,2/2,3"),
        ("race", "", "0,1 1,0 3,2", "0,1/1,0 3,2"),
        ("race", "0,1", "1,0 3,2 2,3 0,2", "1,0 3,2/2,3 0,2"),
        ("race", "0,1", "1,0", "1,0"),
        ("race", "", "", ""),
        ("duel", "1,1", "3,3 5,5", "3,3 5,5"),
    ],
)
def test_a_line_is_written_turn_by_turn_from_any_position(
    name: str, before: str, cells: str, written: str
) -> None:
    position = gridlock.game(name).start()
    for cell in read_moves(position.game, before):
        position = position.play(cell)
    assert write_line(position, read_moves(position.game, cells)) == written


@pytest.mark.parametrize("name", gridlock.RULEBOOKS)
def test_without_size_and_first_it_is_the_rulebooks_own_board_and_player_1_begins(
    name: str,
) -> None:
    record = gridlock.read_record(f'[Game "{name}"]\n[Result "*"]\n')
    assert record == Record(gridlock.game(name), players=("?", "?"))
    assert record.first is Player.ONE


def test_without_a_size_a_game_of_ones_own_has_the_board_of_a_rule_file_without_one() -> None:
    record = gridlock.read_record('[Game "mine"]\n[Own "king"]\n\n1,1\n')
    assert record.game == gridlock.placement(own="king", id="mine")


@pytest.mark.parametrize(("moves", "winner"), [("1,1 2,3", Player.TWO), ("1,1", None), ("", None)])
def test_without_a_result_the_moves_decide(moves: str, winner: Player | None) -> None:
    text = DUEL.replace('[Result "2"]\n', "").replace("1,1 2,3", moves)
    assert gridlock.read_record(text).result is winner
    over = text.replace("[Date", '[Termination "normal"]\n[Date')
    if winner:
        assert gridlock.read_record(over).result is winner


SET_UP = """\
[Game "race"]
[Size "3x3"]
[First "2"]
[Position "1../.#./..2 2 block"]
[Player1 "human"]
[Player2 "human"]
[Date "2026.11.18"]
[Result "*"]

1,2 1,0/2,0
"""


def test_a_game_can_begin_at_a_position_that_was_set_up() -> None:
    record = gridlock.read_record(SET_UP)
    assert record.setup == record.game.position("1../.#./..2 2 block")
    assert (record.start(), record.first, record.turn_count) == (record.setup, 2, 2)
    assert [position.mover for position in record.positions()] == [2, 1, 1, 2]
    assert str(record) == SET_UP
    assert gridlock.read_record(SET_UP.replace('[First "2"]\n', "")) == record


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('[First "2"]', '[First "1"]', "the tag First is '1', but by the tag Position it is not"),
        ("1../.#./..2 2 block", "1../.#./..2 2", "position"),
        ("1,2 1,0", "1,1 1,0", "move 1 is illegal: 1,1 is blocked"),
    ],
)
def test_a_set_up_position_that_makes_no_sense_is_refused(old: str, new: str, error: str) -> None:
    with pytest.raises(RecordError, match=error):
        gridlock.read_record(SET_UP.replace(old, new))
