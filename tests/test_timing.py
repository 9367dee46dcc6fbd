from __future__ import annotations

from collections.abc import Callable

import pytest

import gridlock
from gridlock import Player, Record, StoreError
from gridlock.clock import Clock, TimeControl
from gridlock.match import Series, Terms, read_series
from gridlock.timing import TimedMatch, put_on_clock

ONE, TWO = Player


class Table:
    """A series by the clock, the time of day, and what was kept."""

    def __init__(self, text: str = "", terms: Terms | None = None) -> None:
        self.now = 1_000_000
        self.kept: list[Record] = []
        self.is_broken = False
        if text:
            self.series = read_series(text, self.keep)
        else:
            self.series = Series(
                gridlock.game("trail", "1x9"), ("human", "human"), terms, ONE, self.keep,
                time_control=TimeControl(60, 2),
            )  # fmt: skip
        clock = put_on_clock(self.series)
        assert clock is not None
        self.clock: Clock = clock
        if not text:
            self.begin()

    def keep(self, records: list[Record]) -> None:
        if self.is_broken:
            raise StoreError("the disk is full")
        self.kept = records

    def begin(self) -> None:
        self.series.begin_next("2026.11.18", lambda: ONE)

    @property
    def match(self) -> TimedMatch:
        match = self.series.match()
        assert isinstance(match, TimedMatch)
        return match

    @property
    def text(self) -> str:
        return gridlock.write_records(self.kept)

    @property
    def times(self) -> str:
        return dict(self.kept[-1].tags).get("Times", "")

    def play(self, cell: str, seconds: float) -> None:
        self.now += round(seconds * 1000)
        self.match.play(self.series.game.cell(cell))


Lay = Callable[..., Table]


@pytest.fixture
def lay(monkeypatch: pytest.MonkeyPatch) -> Lay:
    def make(*arguments: object) -> Table:
        table = Table(*arguments)  # type: ignore[arg-type]
        monkeypatch.setattr("gridlock.timing.milliseconds", lambda: table.now)
        return table

    return make


@pytest.fixture
def table(lay: Lay) -> Table:
    """Three moves have been played: no time runs before the first."""
    table = lay()
    table.play("1,1", 100)
    table.play("1,2", 5)
    table.play("1,3", 10)
    return table


def test_time_runs_from_the_first_action_on_and_the_record_has_it(table: Table) -> None:
    assert table.times == "62.0 57.0 54.0"
    assert dict(table.kept[-1].tags)["TimeControl"] == "60+2"
    assert (table.clock.left, table.clock.running) == ([54_000, 57_000], TWO)


def test_a_turn_taken_back_gives_its_time_back(table: Table) -> None:
    table.now += 7_000
    assert table.match.undo(TWO)
    assert table.times == "62.0"
    assert (table.clock.left, table.clock.running) == ([62_000, 60_000], TWO)
    assert table.match.redo()
    assert (table.clock.left, table.clock.running) == ([62_000, 60_000], TWO)
    table.play("1,4", 1)
    assert table.times == "62.0 60.0 62.0 61.0"
    table.now += 3_000
    assert not table.match.redo()
    assert table.clock.left_at(ONE, table.now) == 59_000


def test_the_first_turn_taken_back_stops_the_clock(table: Table) -> None:
    while table.match.undo():
        pass
    table.match.undo(ONE)
    assert (table.clock.left, table.clock.running, table.times) == ([60_000, 60_000], None, "")


def test_whoever_runs_out_of_time_loses_and_that_stands(table: Table) -> None:
    table.now = (table.clock.deadline or 0) + 50
    table.match.run_out_of_time()
    record = table.kept[-1]
    assert (record.result, record.termination) == (ONE, "clock")
    assert table.times == "62.0 57.0 54.0 0.0"
    assert table.clock.running is None
    assert not table.match.undo()
    assert table.kept[-1] is record


def test_a_resignation_taken_back_lets_the_clock_run_on(table: Table) -> None:
    table.now += 2_000
    table.match.resign()
    assert table.clock.deadline is None
    table.now += 9_000
    assert table.match.undo()
    assert (table.clock.left, table.clock.running) == ([54_000, 55_000], TWO)


def test_a_game_that_is_left_keeps_what_is_on_the_clock(table: Table, lay: Lay) -> None:
    table.now += 3_000
    table.match.stop_clock()
    assert table.times == "62.0 57.0 54.0 54.0"
    assert table.clock.running is None
    again = lay(table.text)
    assert (again.match.position, again.clock.left) == (table.match.position, [54_000, 54_000])
    assert again.clock.running is None  # until somebody says so
    again.match.run_clock()
    assert again.clock.running is TWO
    again.play("1,4", 4)
    assert again.times == "62.0 57.0 54.0 52.0"
    assert again.match.undo(ONE)  # also what was played before
    assert again.clock.left == [62_000, 57_000]


def test_a_game_without_moves_is_left_without_a_trace(lay: Lay) -> None:
    table = lay()
    table.match.stop_clock()
    assert table.kept == []


def test_moves_made_without_a_clock_take_no_time(table: Table, lay: Lay) -> None:
    series = read_series(table.text, table.keep)
    series.match().play(3)  # as the command line does
    again = lay(table.text)
    assert len(again.match.record.moves) == 4
    assert again.clock.left == [54_000, 57_000]
    again.play("1,5", 0)
    assert again.times == "62.0 57.0 54.0 57.0 56.0"


@pytest.mark.parametrize("times", ["", "x", "62.0 57", "1.0 2.0 -3.0", "9999999.0 1.0 1.0"])
def test_times_that_cannot_be_read_are_those_of_the_beginning(
    times: str, table: Table, lay: Lay
) -> None:
    again = lay(table.text.replace('Times "62.0 57.0 54.0"', f'Times "{times}"'))
    again.match.run_clock()
    assert again.clock.left == [60_000, 60_000]


def test_a_move_that_cannot_be_kept_gives_its_time_back(table: Table) -> None:
    table.is_broken = True
    with pytest.raises(StoreError):
        table.play("1,4", 5)
    assert (table.clock.left, table.clock.running) == ([54_000, 57_000], TWO)
    with pytest.raises(gridlock.IllegalMoveError):
        table.play("1,1", 5)
    assert table.clock.running is TWO


def test_every_game_of_a_series_has_all_its_time_and_keeps_its_times(lay: Lay) -> None:
    table = lay("", Terms(rounds=2))
    table.play("1,1", 0)
    table.play("1,2", 5)
    table.now += 1_000
    table.match.resign()
    table.begin()
    assert table.match.record.moves == ()
    assert table.clock.left == [60_000, 60_000]
    table.play("1,5", 9)
    assert [dict(record.tags)["Times"] for record in table.kept] == ["62.0 57.0 61.0", "62.0"]


def test_without_a_time_control_there_is_no_clock() -> None:
    series = read_series('[Game "duel"]\n[TimeControl "40/9000"]\n\n', lambda _: None)
    assert put_on_clock(series) is None
    assert not isinstance(series.match(), TimedMatch)
