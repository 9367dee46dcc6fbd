"""The worked example learns, in small."""

from __future__ import annotations

from typing import TYPE_CHECKING

from examples import self_play
from examples.self_play import Table, learn, main
from gridlock.bridges.batch import Batch

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_self_play_learns_to_give_nothing_away_on_a_small_board() -> None:
    points = list(learn("3x4", rounds=200))
    first, last = points[0][1], points[-1][1]
    assert first > 0.2
    assert last < 0.02
    assert [games for games, _ in points] == sorted({games for games, _ in points})


def test_turned_and_flipped_positions_share_an_entry() -> None:
    batch = Batch("duel", 5, size="3x3")
    batch.step([0, 2, 6, 8, 1])
    keys = Table(9).keys(batch)
    assert len(set(keys[:4].tolist())) == 1
    assert keys[4] != keys[0]
    oblong = Batch("duel", 3, size="2x3")
    oblong.step([0, 2, 1])
    keys = Table(6).keys(oblong)
    assert keys[0] == keys[1] != keys[2]


def test_it_prints_the_regret_and_draws_it(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(self_play, "LEVELS", (1,))
    monkeypatch.setattr(self_play, "POSITIONS", 40)
    picture = tmp_path / "regret.svg"
    main(["--size", "3x3", "--rounds", "30", "--plot", str(picture)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].strip().startswith("level 1:")
    assert lines[1].strip().startswith("0 games:")
    assert picture.read_text("utf-8").count("<polyline") == 1
    assert "level 1</text>" in picture.read_text("utf-8")
