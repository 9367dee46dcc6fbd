from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from gridlock import Player, StoreError, read_record
from gridlock.engine import Engine
from gridlock.puzzles.collection import puzzles_of
from gridlock.puzzles.progress import Mistake, Progress, ProgressFile, mistakes_of
from gridlock.puzzles.puzzle import Attempt

if TYPE_CHECKING:
    from pathlib import Path

TODAY = date(2026, 11, 18)
DUEL = puzzles_of("duel")
MISTAKE = Mistake("duel", "...../...../...../...../..... 1 -", "3,3", TODAY.isoformat())


def days_ahead(days: int) -> date:
    return TODAY + timedelta(days)


def test_only_the_first_try_at_a_puzzle_counts() -> None:
    progress = Progress().after(DUEL[0], solved=False)
    assert progress.rating.rating < 1500
    assert progress.after(DUEL[0], solved=True) == progress


def test_a_streak_ends_with_a_wrong_try_and_the_longest_is_kept() -> None:
    progress = Progress()
    for puzzle, solved in zip(DUEL, (True, True, False, True), strict=False):
        progress = progress.after(puzzle, solved=solved)
    assert (progress.streak, progress.longest) == (1, 2)


def test_days_in_a_row_are_counted_until_today_or_yesterday() -> None:
    progress = Progress()
    for ahead in (-4, -2, -1):
        progress = progress.after_daily(days_ahead(ahead), solved=True)
    assert progress.daily_streak(TODAY) == 2
    assert progress.daily_streak(days_ahead(1)) == 0
    progress = progress.after_daily(TODAY, solved=True)
    assert progress.daily_streak(TODAY) == 3
    assert progress.after_daily(TODAY, solved=False) == progress  # only the first try counts
    assert progress.after_daily(days_ahead(1), solved=False).daily_streak(days_ahead(1)) == 0


def test_days_that_a_wrong_clock_set_do_not_lengthen_a_streak() -> None:
    progress = Progress().after_daily(days_ahead(30), solved=True)
    assert progress.daily_streak(TODAY) == 0


def test_a_mistake_comes_back_with_growing_pauses_until_it_is_learnt() -> None:
    progress, today, pauses = Progress().with_mistakes([MISTAKE]), TODAY, []
    while not progress.mistakes[0].is_learnt:
        [due] = progress.due(today)
        progress = progress.after_mistake(due, today, solved=True)
        before = today
        while not progress.due(today) and not progress.mistakes[0].is_learnt:
            today += timedelta(1)
        pauses.append((today - before).days)
    assert pauses == [1, 3, 0]
    assert progress.due(today + timedelta(1000)) == []


def test_a_mistake_that_is_made_again_begins_anew() -> None:
    progress = Progress().with_mistakes([MISTAKE])
    progress = progress.after_mistake(MISTAKE, TODAY, solved=True)
    progress = progress.after_mistake(MISTAKE, days_ahead(1), solved=False)
    assert progress.mistakes[0].solved == 0
    assert progress.due(days_ahead(1)) == []
    assert progress.due(days_ahead(2))


def test_a_clock_set_back_loses_no_mistake() -> None:
    later = days_ahead(400)
    progress = Progress().with_mistakes([MISTAKE]).after_mistake(MISTAKE, later, solved=True)
    assert progress.due(TODAY)


def test_a_mistake_is_kept_once() -> None:
    progress = Progress().with_mistakes([MISTAKE, MISTAKE])
    progress = progress.after_mistake(MISTAKE, TODAY, solved=True)
    assert progress.with_mistakes([MISTAKE]) == progress


def test_mistakes_of_a_review_become_puzzles() -> None:
    record = read_record('[Game "occupation"]\n\n1,1 3,3 5,5 1,5\n')
    review = Engine(record.game).review(record)
    found = mistakes_of(review, Player, TODAY)
    assert len(found) == len(review.mistakes()) > 0
    for mistake, action in zip(
        found, (a for player in Player for a in review.mistakes(player)), strict=True
    ):
        puzzle = mistake.puzzle()
        assert puzzle.position == action.position
        for cell in action.better:
            assert Attempt.at(puzzle).try_(cell).is_solved
        assert Attempt.at(puzzle).try_(action.cell).mistakes == 1


@pytest.mark.parametrize("person", Player)
def test_people_meet_their_mistakes_again_and_programs_do_not(
    tmp_path: Path, person: Player
) -> None:
    players = "".join(
        f'[Player{player} "{"human" if player is person else "computer:2"}"]\n' for player in Player
    )
    record = read_record(f'[Game "occupation"]\n{players}\n1,1 3,3 5,5 1,5\n')
    review = Engine(record.game).review(record)
    own = mistakes_of(review, [person], TODAY)
    file = ProgressFile(tmp_path)
    assert file.keep_mistakes([review], TODAY) is bool(own)
    assert file.keep_mistakes([review], TODAY) is bool(own)  # and they are there but once
    assert file.read().mistakes == tuple(own)
    assert file.path.exists() is bool(own)


def test_a_mistake_is_told_from_the_same_position_of_another_game() -> None:
    other = replace(MISTAKE, game="occupation")
    progress = Progress().with_mistakes([MISTAKE, other])
    progress = progress.after_mistake(other, TODAY, solved=True)
    assert [mistake.solved for mistake in progress.mistakes] == [0, 1]


def test_what_was_done_is_there_again(tmp_path: Path) -> None:
    file = ProgressFile(tmp_path / "new")
    assert file.read() == Progress()
    done = file.update(lambda now: now.after(DUEL[3], solved=True).with_mistakes([MISTAKE]))
    assert ProgressFile(tmp_path / "new").read() == done
    assert file.update(lambda now: now.after_daily(TODAY, solved=True)).seen == done.seen


@pytest.mark.parametrize(
    "damage",
    [
        "", "{", "[]", "null", '{"version": 2}', "\0" * 100, '{"version": 1, "rating": 3}',
        "[" * 100_000,
    ],
)  # fmt: skip
def test_a_damaged_file_is_put_aside(tmp_path: Path, damage: str) -> None:
    file = ProgressFile(tmp_path)
    file.path.write_text(damage)
    assert file.read() == Progress()
    file.update(lambda now: now.after(DUEL[0], solved=True))
    file.path.write_text(damage)
    file.update(lambda now: now.after(DUEL[0], solved=True))
    aside = sorted(path.name for path in tmp_path.glob("*damaged*"))
    assert aside == ["puzzles.damaged-1.json", "puzzles.damaged-2.json"]
    assert (tmp_path / aside[0]).read_text() == damage
    assert file.read().seen == {DUEL[0].id: True}


@pytest.mark.parametrize(
    ("name", "value"),
    [("position", "?"), ("winning", "9,9"), ("due", "never"), ("game", "chess"), ("solved", "x")],
)
def test_a_damaged_mistake_is_a_damaged_file(tmp_path: Path, name: str, value: str) -> None:
    file = ProgressFile(tmp_path)
    file.update(lambda now: now.with_mistakes([MISTAKE]))
    fields = json.loads(file.path.read_text())
    fields["mistakes"][0][name] = value
    file.path.write_text(json.dumps(fields))
    assert file.read() == Progress()


@pytest.mark.parametrize("damage", [{"rating": math.nan}, {"rating": 1e308}, {"deviation": -1}])
def test_a_rating_that_cannot_be_is_a_damaged_file(
    tmp_path: Path, damage: dict[str, float]
) -> None:
    file = ProgressFile(tmp_path)
    file.update(lambda now: now.after(DUEL[0], solved=True))
    fields = json.loads(file.path.read_text())
    fields["rating"].update(damage)
    file.path.write_text(json.dumps(fields))
    assert file.read() == Progress()


_PROGRAM = """
import sys
from pathlib import Path
from gridlock.puzzles.collection import puzzles_of
from gridlock.puzzles.progress import ProgressFile
file = ProgressFile(Path(sys.argv[1]))
for puzzle in puzzles_of(sys.argv[2])[:30]:
    file.update(lambda now: now.after(puzzle, solved=True))
    print(puzzle.id, flush=True)
"""


def test_two_programs_at_once_lose_nothing(tmp_path: Path) -> None:
    programs = [
        subprocess.Popen([sys.executable, "-c", _PROGRAM, str(tmp_path), game_id])
        for game_id in ("duel", "claim")
    ]
    assert [program.wait() for program in programs] == [0, 0]
    assert len(ProgressFile(tmp_path).read().seen) == 60


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_what_was_confirmed_survives_a_kill(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _PROGRAM, str(tmp_path), "duel"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        confirmed = [program.stdout.readline().strip() for _ in range(5)]
        os.kill(program.pid, signal.SIGKILL)
    assert set(confirmed) <= set(ProgressFile(tmp_path).read().seen)
    ProgressFile(tmp_path).update(lambda now: now.after(puzzles_of("claim")[0], solved=True))


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write '.*puzzles.json'"):
        ProgressFile(tmp_path / "file").update(lambda now: now)
