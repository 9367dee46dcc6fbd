"""Tournaments as they are played: on disk at once, the same every time, ended when decided."""

from __future__ import annotations

import csv
import json
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from gridlock import players
from gridlock.errors import GridlockError, StoreError
from gridlock.lab.tournament.ledger import GAMES, PLAN, QUALITY, Ledger
from gridlock.lab.tournament.plan import Plan, build
from gridlock.lab.tournament.report import as_csv, as_data, as_picture, rows_of, write_reports
from gridlock.lab.tournament.runner import Runner, game_counts, pair_counts
from gridlock.players import Bot, Seat
from gridlock.record import ILLEGAL, read_records
from tests.bridges.faulty import is_alive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock.clock import Clock
    from gridlock.model import Position

FAULTY = Path(__file__).parents[2] / "bridges" / "faulty.py"


class First(Bot):
    """Takes the first cell, or fails as it is told."""

    def __init__(self, how: str) -> None:
        self._how = how

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        if self._how == "bug":
            raise ZeroDivisionError("a bug of the player")
        if self._how == "illegal":
            return -1
        return position.legal_cells()[0]


def make_first(argument: str, _: Seat) -> Bot:
    return First(argument)


@pytest.fixture(autouse=True)
def first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(players._MAKERS, "first", make_first)


def plan(*who: str, **keys: Any) -> Plan:
    labelled = [f"{label}={name}" for label, name in zip("abcdefgh", who, strict=False)]
    return build({"players": labelled, "game": "duel", "size": "4x4", **keys})


def run(ledger: Ledger) -> None:
    Runner(ledger, lambda: None).run()


def played(ledger: Ledger) -> dict[int, tuple[tuple[int, int], int, str]]:
    return {
        number: (result.players, result.winner, result.record.partition("\n\n")[2])
        for number, result in ledger.results.items()
    }


def test_all_games_are_played_and_on_disk(tmp_path: Path) -> None:
    with Ledger(tmp_path, plan("random", "random", "first", rounds=3)) as ledger:
        run(ledger)
        assert sorted(ledger.results) == list(range(18))
        games = played(ledger)
    with Ledger(tmp_path, None) as again:
        assert played(again) == games
        run(again)  # there is nothing left to play
        assert played(again) == games


def test_games_are_the_same_whoever_plays_them_and_how_many_at_once(tmp_path: Path) -> None:
    found = []
    for number in (1, 3):
        made = plan("random", "random", "computer:1", rounds=2, concurrency=number)
        with Ledger(tmp_path / str(number), made) as ledger:
            run(ledger)
            found.append(played(ledger))
    assert found[0] == found[1]


def test_every_opening_is_played_from_both_sides(tmp_path: Path) -> None:
    with Ledger(tmp_path, plan("random", "random", rounds=4)) as ledger:
        run(ledger)
        write_reports(ledger)
    records = read_records((tmp_path / "games.txt").read_text())
    for one, two in zip(records[::2], records[1::2], strict=True):
        assert one.setup == two.setup
        assert one.players == two.players[::-1] == ("a", "b")
    assert len({str(record.setup) for record in records}) > 1


def test_what_is_left_is_played_and_nothing_twice(tmp_path: Path) -> None:
    made = plan("random", "random", rounds=5)
    with Ledger(tmp_path / "whole", made) as ledger:
        run(ledger)
        whole = played(ledger)
    lines = (tmp_path / "whole" / GAMES).read_text().splitlines(keepends=True)
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / PLAN).write_text((tmp_path / "whole" / PLAN).read_text())
    (tmp_path / "cut" / GAMES).write_text(
        "".join(lines[:3]) + lines[3][:40]
    )  # as kill -9 leaves it
    with Ledger(tmp_path / "cut", None) as ledger:
        assert sorted(ledger.results) == [0, 1, 2]
        run(ledger)
        assert played(ledger) == whole
    after = (tmp_path / "cut" / GAMES).read_text().splitlines(keepends=True)
    assert after[:3] == lines[:3]
    assert sorted(json.loads(line)["number"] for line in after) == list(range(10))


def test_two_tournaments_cannot_share_a_folder(tmp_path: Path) -> None:
    with Ledger(tmp_path, plan("random", "first")):
        with pytest.raises(StoreError, match="another program holds"):
            Ledger(tmp_path, None)
        with pytest.raises(StoreError, match="another program holds"):
            Ledger(tmp_path, plan("random", "first"))
    with pytest.raises(StoreError, match="there is a tournament in .* go on with"):
        Ledger(tmp_path, plan("random", "first"))
    with Ledger(tmp_path, None) as ledger:  # neither refusal has kept the folder
        assert ledger.plan == plan("random", "first")


def test_a_folder_without_a_tournament_cannot_go_on(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no tournament in"):
        Ledger(tmp_path, None)


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        (PLAN, "{", "plan.json"),
        (PLAN, '{"players": ["random"]}', "a tournament needs two players"),
        (GAMES, "?\n{}\n", "line 1 of .* is damaged"),
        (GAMES, '{"number": 1}\n', "is not a game's"),
    ],
)
def test_damage_is_told_in_one_line(file: str, text: str, reason: str, tmp_path: Path) -> None:
    with Ledger(tmp_path, plan("random", "first")):
        pass
    (tmp_path / file).write_text(text)
    with pytest.raises(GridlockError, match=reason):
        Ledger(tmp_path, None)


def test_swiss_rounds_follow_the_results(tmp_path: Path) -> None:
    made = plan("random", "first", "random", "computer:2", "random", format="swiss", rounds=3)
    with Ledger(tmp_path, made) as ledger:
        run(ledger)
        results = list(ledger.results.values())
        games = played(ledger)
    assert len(results) == 12  # two meetings of two games, and one player sits out, thrice
    met = [frozenset(result.players) for result in results if result.number % 2 == 0]
    assert len(set(met)) == len(met)
    lines = (tmp_path / GAMES).read_text().splitlines(keepends=True)
    (tmp_path / GAMES).write_text("".join(lines[:5]))
    with Ledger(tmp_path, None) as again:
        run(again)
        assert played(again) == games


def test_a_match_ends_when_it_is_decided(tmp_path: Path) -> None:
    made = plan("computer:8", "random", format="match", rounds=1000, sprt="0,200", nodes=50)
    with Ledger(tmp_path, made) as ledger:
        run(ledger)
        assert len(ledger.results) < 400
        test = as_data(ledger)["sprt"]
        assert test["accepted"] == "elo1"
        assert test["pentanomial"]["ratio"] >= test["upper"]
        assert sum(pair_counts(ledger)) == len(ledger.results) // 2
        assert sum(game_counts(ledger)) == len(ledger.results)
        before = len(ledger.results)
    with Ledger(tmp_path, None) as again:
        run(again)
        assert len(again.results) == before


def test_faults_lose_and_are_counted(tmp_path: Path) -> None:
    made = plan("first:illegal", "random", f"engine:{sys.executable} {FAULTY} crash")
    with Ledger(tmp_path, made) as ledger:
        run(ledger)
        rows = {row.label: row for row in rows_of(ledger)}
    assert rows["a"].faults[ILLEGAL] >= 2
    assert rows["c"].faults["crash"] >= 2
    assert (rows["b"].wins, rows["b"].faults) == (4, {})
    assert "exit code 3" in (tmp_path / GAMES).read_text()
    assert "I am about to crash" in (tmp_path / "player-3.log").read_text()


def test_a_bug_of_a_player_stops_everything_but_loses_nothing(tmp_path: Path) -> None:
    with Ledger(tmp_path, plan("random", "random", "first:bug")) as ledger:
        with pytest.raises(ZeroDivisionError):
            run(ledger)
        assert sorted(ledger.results) == [0, 1]


def test_whoever_interrupts_gets_what_is_finished(tmp_path: Path) -> None:
    begun = threading.Event()

    def interrupt() -> None:
        begun.set()
        raise KeyboardInterrupt

    made = plan("computer:8", "computer:7", size="9x9", seconds=60, concurrency=2, rounds=9)
    with Ledger(tmp_path, made) as ledger, pytest.raises(KeyboardInterrupt):
        Runner(ledger, interrupt).run()
    assert begun.is_set()
    with Ledger(tmp_path, None) as again:
        assert again.results == {}


@pytest.mark.skipif(not Path("/proc").exists(), reason="it looks at processes as Linux shows them")
def test_a_program_that_does_not_listen_is_ended_with_the_tournament(tmp_path: Path) -> None:
    log = tmp_path / "player-2.log"

    def interrupt() -> None:
        if log.exists() and "child" in log.read_text():
            raise KeyboardInterrupt

    engine = f"engine:{sys.executable} {FAULTY} children-hang"
    made = plan("random", engine, seconds=3600)
    with Ledger(tmp_path, made) as ledger, pytest.raises(KeyboardInterrupt):
        Runner(ledger, interrupt).run()
    child = int(log.read_text().split("child ")[1].split()[0])
    deadline = time.monotonic() + 60
    while is_alive(child):  # it was killed, but the system takes a moment
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path, plan("random", "first", rounds=4)) as ledger:
        run(ledger)
        yield ledger


def test_the_table_is_the_results(ledger: Ledger) -> None:
    data = as_data(ledger)
    assert data["games"] == 8
    wins = {row["player"]: row["wins"] for row in data["players"]}
    assert wins["a"] + wins["b"] == 8
    assert data["wins"]["a"]["b"] == wins["a"]
    assert data["superiority"]["a"]["b"] + data["superiority"]["b"]["a"] == pytest.approx(1)
    assert [row["place"] for row in data["players"]] == [1, 2]
    assert data["players"][0]["elo"] >= data["players"][1]["elo"]
    rows = list(csv.DictReader(as_csv(ledger).splitlines()))
    assert {row["player"]: int(row["wins"]) for row in rows} == wins


def test_the_picture_is_one(ledger: Ledger) -> None:
    picture = ET.fromstring(as_picture(ledger))
    texts = [text.text or "" for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "duel 4x4: 8 games"
    assert any(text.startswith("1. ") for text in texts)


@pytest.mark.parametrize("file", [GAMES, QUALITY])
def test_a_file_that_cannot_be_read_is_named(file: str, tmp_path: Path) -> None:
    with Ledger(tmp_path, plan("random", "first")):
        pass
    (tmp_path / file).unlink()
    (tmp_path / file).mkdir()
    with pytest.raises(StoreError, match=f"cannot read .*{file}': Is a directory"):
        Ledger(tmp_path, None)


def test_a_clock_decides_games_too(tmp_path: Path) -> None:
    with Ledger(tmp_path, plan("random", "first", clock="60+1")) as ledger:
        run(ledger)
        assert {result.termination for result in ledger.results.values()} == {None}
