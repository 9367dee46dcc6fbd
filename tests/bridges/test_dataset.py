"""Data sets have the positions they should have, with exact labels, and say what they are."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.parquet
import pytest

import gridlock
from gridlock import LimitError, Player, Position, StoreError
from gridlock.bridges.batch import random_states
from gridlock.bridges.dataset import all_states, columns, main, write
from tests.oracle import solver as oracle

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock import Game

GAMES = [
    *(gridlock.game(name, "2x3") for name in gridlock.RULEBOOKS),
    gridlock.game("race", "3x3"),
    gridlock.placement(own="king", follow="knight 0,1", size="3x3"),
]


def _reachable(game: Game) -> set[Position]:
    found: set[Position] = set()
    waiting = [game.start()]
    while waiting:
        position = waiting.pop()
        if position not in found and position.winner is None:
            found.add(position)
            waiting += [position.play(cell) for cell in position.legal_cells()]
    return found


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_all_positions_are_found_once(game: Game) -> None:
    batch = all_states(game)
    found = [batch.position(number) for number in range(len(batch))]
    assert set(found) == _reachable(game)
    assert len(found) == len(set(found))


def test_too_many_positions_are_refused() -> None:
    with pytest.raises(LimitError, match="^duel 4x4 has more than 100 positions: sample some inst"):
        all_states("duel", size="4x4", most=100)


@pytest.mark.parametrize("name", ["claim", "race"])
def test_every_column_is_exact(name: str) -> None:
    batch = random_states(name, 40, size="3x3", seed=2)
    table = columns(batch)
    for number, text in enumerate(table["position"].tolist()):
        position = batch.game.position(text)
        assert position == batch.position(number)
        assert table["mover"][number] == position.mover
        won, distance = oracle.solve(position)
        assert table["value"][number] == (1 if won else -1)
        assert table["distance"][number] == distance
        for cell in range(9):
            action = (table["action_value"][number, cell], table["action_distance"][number, cell])
            if position.is_legal(cell):
                won, distance = oracle.solve_action(position, cell)
                assert action == (1 if won else -1, distance)
            else:
                assert action == (0, -1)


def test_both_files_have_the_same_columns_and_a_card(tmp_path: Path) -> None:
    batch = all_states("trail", size="2x3")
    expected = columns(batch)
    cards = [write(tmp_path / f"{name}", batch) for name in ("a.npz", "b.parquet")]
    with np.load(tmp_path / "a.npz") as file:
        assert {name: file[name].dtype for name in file} == {
            name: column.dtype for name, column in expected.items()
        }
        assert all(np.array_equal(file[name], column) for name, column in expected.items())
    table = pyarrow.parquet.read_table(tmp_path / "b.parquet")
    assert table.column_names == list(expected)
    for name, column in expected.items():
        read = np.array(table[name].to_pylist()).reshape(column.shape)
        assert np.array_equal(read, column)
    metadata = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    assert metadata["planes"] == "own,other,own_open,other_open,last"
    assert metadata["card"] == cards[1].read_text("utf-8")
    assert cards == [tmp_path / "a.md", tmp_path / "b.md"]
    won = (expected["value"] > 0).sum()
    for line in (
        "- Board: 2x3; a cell is `row * 3 + column`",
        f"- Positions: {len(batch)}, none over; the mover wins {won} and loses {len(batch) - won}",
        "(own: cell; opponent: cell; follow: orthogonal)",
        *(f"| `{name}` |" for name in expected),
    ):
        assert line in cards[0].read_text("utf-8")


def test_the_command_writes_all_positions_or_a_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "far.toml"
    rules.write_text('own = "knight"\nsize = "2x3"\n')
    main([str(rules), str(tmp_path / "all.npz")])
    count = len(_reachable(gridlock.load(rules)))
    assert capsys.readouterr().out.startswith(f"{count} positions in ")
    main(["race", str(tmp_path / "some.npz"), "--size", "3x3", "--sample", "9", "--seed", "4"])
    card = (tmp_path / "some.md").read_text("utf-8")
    assert "- Where from: one each from so many random games, by seed 4" in card
    with np.load(tmp_path / "some.npz") as file:
        movers = {str(Player(mover)) for mover in file["mover"].tolist()}
        assert len(file["value"]) == 9
    assert movers == {"1", "2"}


def test_what_cannot_be_written_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit, match=r"dataset: a data set is a file \*.npz or \*.parquet"):
        main(["duel", str(tmp_path / "duel.csv"), "--size", "2x2"])
    with pytest.raises(SystemExit, match="dataset: there is no game 'dual': did you mean duel"):
        main(["dual", str(tmp_path / "duel.npz")])
    with pytest.raises(SystemExit, match="dataset: a batch has 1 to 16,777,216 games, not 0"):
        main(["duel", str(tmp_path / "duel.npz"), "--sample", "0"])
    with pytest.raises(SystemExit, match=f"dataset: .*{tmp_path}"):
        main(["duel", str(tmp_path / "no" / "such" / "duel.npz"), "--size", "1x2"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(StoreError, match="^Parquet files need pyarrow: pip install 'gridlock-game"):
        write(tmp_path / "duel.parquet", all_states("duel", size="2x2"))
    assert list(tmp_path.iterdir()) == []
