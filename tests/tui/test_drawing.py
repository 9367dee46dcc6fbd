from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlock.grid import Grid
from gridlock.tui.drawing import (
    SCALES,
    Drawing,
    Look,
    Scale,
    Square,
    fitting_scale,
)
from gridlock.tui.glyphs import ASCII, UNICODE

GRIDS = st.builds(Grid, st.integers(1, 12), st.integers(1, 12))


def text_of(drawing: Drawing) -> list[str]:
    return ["".join(text for text, _, _ in drawing.line(y)) for y in range(drawing.size[1])]


def blank(grid: Grid) -> list[Square]:
    return [Square(".", Look.OPEN)] * grid.cell_count


def test_a_board_is_drawn_with_its_numbers_lines_and_cursor() -> None:
    grid = Grid(2, 3)
    squares = blank(grid)
    squares[1] = Square("A", Look.ONE)
    squares[5] = Square("", Look.CLOSED, "░")
    drawing = Drawing(grid, 1, Scale(5, 1), UNICODE, squares, cursor=3)
    assert text_of(drawing) == [
        "     1     2     3   ",
        "  ┌─────┬─────┬─────┐",
        "1 │  .  │  A  │  .  │",
        "  ┏━━━━━┓─────┼─────┤",
        "2 ┃  .  ┃  .  │░░░░░│",
        "  ┗━━━━━┛─────┴─────┘",
    ]


def test_a_board_is_drawn_in_ascii_without_lines_where_there_is_no_room() -> None:
    grid = Grid(2, 3)
    drawing = Drawing(grid, 0, Scale(4, 1, has_lines=False), ASCII, blank(grid))
    assert text_of(drawing) == ["   0   1   2  ", "0  .   .   .  ", "1  .   .   .  "]


def test_narrow_cells_keep_apart_what_stands_in_them() -> None:
    grid = Grid(1, 6)
    squares = [
        Square("A", Look.ONE, is_last=True), Square("P2", Look.TWO, short="2"),
        Square("W15", Look.WIN), Square("L8", Look.LOSS), Square("", Look.CLOSED, "░"),
        Square("", Look.BLOCKED, "#", is_last=True),
    ]  # fmt: skip
    shown = {
        width: text_of(Drawing(grid, 1, Scale(width, 1, has_lines=False), ASCII, squares))[1]
        for width in (4, 3, 2)
    }
    assert shown == {
        4: "1 (A)  P2 W15  L8 ░░░░(#)#",
        3: "1 (A) P2 W  L8░░░(#)",
        2: "1 A<2 W L ░░#<",
    }


def test_numbers_of_narrow_columns_do_not_run_together() -> None:
    def numbers(columns: int, counting: int = 1) -> str:
        grid = Grid(1, columns)
        scale = Scale(2, 1, has_lines=False)
        return text_of(Drawing(grid, counting, scale, ASCII, blank(grid)))[0]

    assert numbers(5) == "  1 2 3 4 5 "
    assert numbers(12) == "    2   4   6   8   10  12"
    assert numbers(12, 0) == "  0   2   4   6   8   10  "
    assert numbers(100).endswith("  96  98 100")


@pytest.mark.parametrize(
    ("size", "room", "width"),
    [((25, 25), (46, 22), 2), ((14, 14), (46, 22), 3), ((25, 25), (106, 42), 4),
     ((45, 5), (46, 22), 4), ((45, 14), (46, 22), 3), ((45, 14), (45, 22), 2),
     ((5, 45), (46, 22), 2)],
)  # fmt: skip
def test_cells_are_as_wide_as_lets_most_of_the_board_be_seen(
    size: tuple[int, int], room: tuple[int, int], width: int
) -> None:
    assert fitting_scale(Grid(*size), 1, *room) == Scale(width, 1, has_lines=False)


def test_what_stands_on_a_filled_cell_is_set_off() -> None:
    grid = Grid(1, 1)
    drawing = Drawing(grid, 1, Scale(7, 3), UNICODE, [Square("G", Look.BLOCKED, "▓")])
    assert text_of(drawing)[2:5] == ["  │▓▓▓▓▓▓▓│", "1 │▓▓ G ▓▓│", "  │▓▓▓▓▓▓▓│"]


@given(GRIDS, st.sampled_from(SCALES), st.sampled_from([0, 1]))
def test_every_line_is_as_wide_as_the_drawing(grid: Grid, scale: Scale, counting: int) -> None:
    drawing = Drawing(grid, counting, scale, UNICODE, blank(grid), cursor=0)
    assert {len(line) for line in text_of(drawing)} == {drawing.size[0]}


@given(GRIDS, st.sampled_from(SCALES), st.data())
def test_a_cell_is_found_where_it_is_drawn_and_nowhere_else(
    grid: Grid, scale: Scale, data: st.DataObject
) -> None:
    names = "abcdefghijklmnopqrstuvwxyz0123456789"
    cells = [Square("", Look.OPEN, names[cell % len(names)]) for cell in range(grid.cell_count)]
    drawing = Drawing(grid, 1, scale, UNICODE, cells)
    lines = text_of(drawing)
    x = data.draw(st.integers(0, drawing.size[0] - 1))
    y = data.draw(st.integers(0, drawing.size[1] - 1))
    cell = drawing.cell_at(x, y)
    is_cell = y >= 1 and x >= drawing.margin and lines[y][x] in names
    assert (cell is not None) == is_cell
    if cell is not None:
        assert lines[y][x] == names[cell % len(names)]


@given(GRIDS, st.sampled_from(SCALES), st.data())
def test_the_frame_of_a_cell_begins_at_its_place(
    grid: Grid, scale: Scale, data: st.DataObject
) -> None:
    cell = data.draw(st.integers(0, grid.cell_count - 1))
    drawing = Drawing(grid, 1, scale, UNICODE, blank(grid), cursor=cell)
    x, y = drawing.place(cell)
    gap = 1 if scale.has_lines else 0
    assert drawing.cell_at(x + gap, y + gap) == cell
    if scale.has_lines:
        assert text_of(drawing)[y][x] == "┏"


@pytest.mark.parametrize(
    ("size", "room", "width"),
    [((5, 5), (44, 22), 7), ((4, 4), (44, 22), 7), ((6, 6), (44, 22), 5), ((10, 10), (44, 22), 3),
     ((12, 12), (60, 22), 4), ((5, 5), (104, 43), 15), ((100, 100), (44, 22), 2)],
)  # fmt: skip
def test_the_largest_scale_that_fits_is_taken(
    size: tuple[int, int], room: tuple[int, int], width: int
) -> None:
    grid = Grid(*size)
    scale = fitting_scale(grid, 1, *room)
    assert scale.width == width
    larger = SCALES[: SCALES.index(scale)]
    margin = len(str(grid.rows)) + 1
    for other in larger:
        across, down = other.size(grid, margin)
        assert across > room[0] or down > room[1]
