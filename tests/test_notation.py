from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridlock
from gridlock import Grid, NotationError, OutsideError
from gridlock.notation import board_of, read_number, read_size, write_count

sides = st.integers(1, 100)


@pytest.mark.parametrize(
    ("number", "written"),
    [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (999, "999 cells"), (9996, "9,996 cells")],
)
def test_a_number_of_things_is_written_as_people_write_it(number: int, written: str) -> None:
    assert write_count(number, "cell") == written


@given(sides, sides)
def test_sizes_are_read_as_they_are_written(rows: int, columns: int) -> None:
    assert read_size(str(Grid(rows, columns))) == Grid(rows, columns)
    assert read_size(f"0{rows}X{columns}") == Grid(rows, columns)


@pytest.mark.parametrize(
    "wrong",
    ["0x5", "5x0", "101x5", "5x101", "5", "5x", "x5", "", "5x5x5", "-5x5", "5 x 5", "٥x٥", "5×5",
     "9" * 5000 + "x5", "5,5", "axb", "5x5\n"],
)  # fmt: skip
def test_what_is_no_size_is_refused_in_one_short_line(wrong: str) -> None:
    with pytest.raises(NotationError) as error:
        read_size(wrong)
    assert len(str(error.value)) < 160
    assert "\n" not in str(error.value)


@given(st.sampled_from(["duel", "claim"]), sides, sides, st.data())
def test_cells_are_read_as_they_are_named(
    name: str, rows: int, columns: int, data: st.DataObject
) -> None:
    game = gridlock.game(name, Grid(rows, columns))
    cell = data.draw(st.integers(0, rows * columns - 1))
    assert game.cell(game.name(cell)) == cell


@pytest.mark.parametrize(
    "written", ["3,4", "3 4", "(3,4)", " ( 3 , 4 ) ", "3, 4", "3\t4", "03,004", "(3 4)"]
)
def test_a_cell_may_be_written_in_many_ways(written: str) -> None:
    game = gridlock.game("duel")
    assert game.name(game.cell(written)) == "3,4"


@pytest.mark.parametrize(
    "written", ["0,1", "6,1", "1,6", "-1,2", "2,-2", "9" * 10_000 + ",1", "1," + "9" * 10_000]
)
def test_a_cell_that_is_not_there_is_outside(written: str) -> None:
    with pytest.raises(OutsideError, match="is outside the board: rows go from 1 to 5"):
        gridlock.game("duel").cell(written)


@pytest.mark.parametrize(
    "written",
    ["", "3", "3,", ",3", "3,3,3", "a,b", "３,３", "٣,٣", "3;3", "(3,3", "3,3)", "((3,3))", "+3,3",
     "3.0,3", "3 , , 3", "3\u00a03", "1e0,1", "\x00", "3,3\x07", "x" * 100_000],
)  # fmt: skip
def test_what_is_no_cell_is_refused_in_one_short_line(written: str) -> None:
    with pytest.raises(NotationError, match="is not a cell: write a row and a column") as error:
        gridlock.game("duel").cell(written)
    assert error.value.code == "notation"
    assert len(str(error.value)) < 200
    assert str(error.value).isprintable()


@given(st.integers(-999_999, 999_999))
def test_numbers_are_read_as_they_are_written(number: int) -> None:
    assert read_number(str(number)) == number


@given(st.integers(min_value=10**9))
def test_huge_numbers_stay_huge(number: int) -> None:
    huge = read_number(str(number))
    assert huge is not None
    assert huge >= 10**9


def test_a_position_is_written_with_rows_mover_and_last_cell() -> None:
    game = gridlock.game("trail", "2x3")
    position = game.start(first=2).play(game.cell("1,1")).play(game.cell("2,1"))
    assert str(position) == "2../1.. 2 2,1"


def test_the_example_of_a_position_text() -> None:
    position = gridlock.game("occupation").position("2..../...../..1../...../....1 2 -")
    assert position.mover == 2
    assert str(position) == "2..../...../..1../...../....1 2 -"
    assert position.game.names(position.marks(gridlock.Player.ONE)) == ("3,3", "5,5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not rows, mover and a last field"),
        (".../... 1", "is not rows, mover and a last field"),
        (".../... 1 - -", "is not rows, mover and a last field"),
        ("... 1 -", "the position has 1 rows where 2x3 has 2"),
        (".../.. 1 -", "row 2 of the position, '..', has 2 cells where 2x3 has 3"),
        (".../.x. 1 -", "row 2 of the position has 'x', which is none of"),
        (".../... 3 -", "the mover of the position is '3', not 1 or 2"),
    ],
)
def test_a_bad_position_text_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        gridlock.game("duel", "2x3").position(text)


def test_a_position_text_says_how_large_its_board_is() -> None:
    assert board_of(" 1../.2. 1 -\n") == Grid(2, 3)
    for size in ("5x5", "1x1", "100x1"):
        start = gridlock.game("duel", size).start()
        assert board_of(str(start)) == start.game.grid
    for text in ("", "hello", "/ 1 -", f"{'.' * 101} 1 -"):
        with pytest.raises(NotationError):
            board_of(text)
