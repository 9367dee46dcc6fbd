"""Exactly labelled positions as files: npz or Parquet, each with a data card beside it.

    python -m gridlock.bridges.dataset duel duel-4x4.npz --size 4x4
    python -m gridlock.bridges.dataset race race.parquet --sample 100000 --seed 7

The first has every position of a small board, the second positions from random games.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

import gridlock
from gridlock.bridges.batch import ArrayError, Batch, random_states
from gridlock.bridges.values import values
from gridlock.errors import GridlockError, LimitError, StoreError
from gridlock.files import drafted, typed_path, write_atomically
from gridlock.rulebooks.custom import RULE_SUFFIX
from gridlock.rulebooks.placement import PlacementRulebook, write_reach
from gridlock.search.kernel.bits import CHANCE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from gridlock.grid import Grid
    from gridlock.model import Game, Rulebook
    from gridlock.search.solver import Solver

    Columns = dict[str, NDArray[Any]]

NPZ, PARQUET = ".npz", ".parquet"
MOST_STATES = 5_000_000
"""The most positions that are looked for when all of them are wanted."""


def all_states(
    game: str | Rulebook | Game, *, size: str | Grid | None = None, most: int = MOST_STATES
) -> Batch:
    """Return every position of a game that player 1 begins, but those where it is over.

    Raises ``LimitError`` if there are more than ``most``.
    """
    batch = Batch(game, size=size, seed=0, autoreset=False)
    found = [batch.state.copy()]
    count = 1
    while True:
        children, _, _ = batch.children()
        state = children.state[~children.over]
        if not len(state):
            break
        # Positions after so many actions come after no other number: each turn fills one more cell.
        _, first = np.unique(state[:, :CHANCE], axis=0, return_index=True)
        found.append(state[first])
        count += len(first)
        if count > most:
            raise LimitError(
                f"{batch.game.rulebook.id} {batch.game.grid} has more than {most:,} positions: "
                "sample some instead"
            )
        batch = _batch_of(batch, found[-1])
    return _batch_of(batch, np.concatenate(found))


def _batch_of(batch: Batch, state: NDArray[np.uint64]) -> Batch:
    new = Batch(batch.game, len(state), seed=0, autoreset=False)
    new.restore(state)
    return new


def columns(batch: Batch, solver: Solver | None = None) -> Columns:
    """Return all that a data set tells of the games of a batch, by the names of the columns."""
    labels = values(batch, solver, distances=True, actions=True)
    return {
        "position": np.array([str(batch.position(number)) for number in range(len(batch))]),
        "mover": batch.movers.astype(np.int8),
        "planes": batch.observe().copy(),
        "value": labels.value,
        "distance": np.asarray(labels.distance),
        "action_value": np.asarray(labels.action_value),
        "action_distance": np.asarray(labels.action_distance),
    }


def write(path: str | Path, batch: Batch, solver: Solver | None = None, origin: str = "") -> Path:
    """Write a data set, npz or Parquet by the suffix of its name; return its data card.

    ``origin`` says in the card where the positions come from.  Files are written whole or not at
    all; ``StoreError`` says why they cannot be.
    """
    path = typed_path(str(path))
    if path.suffix not in (NPZ, PARQUET):
        raise ArrayError(f"a data set is a file *{NPZ} or *{PARQUET}, not {path.name}")
    if path.suffix == PARQUET:
        _check_pyarrow()  # before the work
    table = columns(batch, solver)
    text = card(path.name, batch, table, origin)
    with drafted(path) as draft:
        if path.suffix == NPZ:
            with draft.open("wb") as file:
                np.savez_compressed(file, **table)  # type: ignore[arg-type]
        else:
            _write_parquet(draft, batch, table, text)
    beside = path.with_suffix(".md")
    write_atomically(beside, text)
    return beside


def _check_pyarrow() -> None:
    try:
        import_module("pyarrow")
    except ImportError:
        raise StoreError(
            "Parquet files need pyarrow: pip install 'gridlock-games[parquet]'"
        ) from None


def _write_parquet(path: Path, batch: Batch, table: Columns, text: str) -> None:
    """Write a Parquet file: what has several numbers for a position is a list of these."""
    import pyarrow as pa
    from pyarrow import parquet

    arrays = {}
    for name, column in table.items():
        if column.ndim == 1:
            arrays[name] = pa.array(column)
        else:
            flat = pa.array(column.reshape(-1))
            arrays[name] = pa.FixedSizeListArray.from_arrays(flat, column[0].size)
    metadata = {
        "card": text,
        "planes": ",".join(batch.planes),
        "rows": str(batch.game.grid.rows),
        "columns": str(batch.game.grid.columns),
    }
    parquet.write_table(pa.table(arrays).replace_schema_metadata(metadata), path)


def card(name: str, batch: Batch, table: Columns, origin: str = "") -> str:
    """Return the data card: what is in a data set, where it is from, how to use it."""
    game, grid = batch.game, batch.game.grid
    won = int((table["value"] > 0).sum())
    rules = f"`{game.rulebook.id}`: {game.rulebook.title}"
    if isinstance(game.rulebook, PlacementRulebook):
        book = game.rulebook
        follow = "anywhere" if book.follow is None else write_reach(book.follow)
        rules += f" (own: {write_reach(book.own)}; opponent: {write_reach(book.opponent)}; "
        rules += f"follow: {follow})"
    return f"""# {name}

Positions with exact values, for learning and for measuring what was learnt.

- Game: {rules}
- Board: {grid}; a cell is `row * {grid.columns} + column`, counted from 0 at the top left
- Positions: {len(batch):,}, none over; the mover wins {won:,} and loses {len(batch) - won:,}
- Where from: {origin or "chosen by whoever wrote this"}
- Labels: by GridLock {gridlock.__version__}'s solver; every one is a fact, none an estimate

| column | type | meaning |
|---|---|---|
| `position` | text | the position as GridLock writes it |
| `mover` | int8 | the player to move, 1 or 2 |
| `planes` | int8, {len(batch.planes)} x {grid} | as the mover sees it: {", ".join(batch.planes)} |
| `value` | int8 | 1 if the mover wins under perfect play, -1 otherwise |
| `distance` | int16 | actions left when the winner hurries and the loser delays |
| `action_value` | int8, {grid.cell_count} | the same for choosing each cell; 0 if illegal |
| `action_distance` | int16, {grid.cell_count} | the same; -1 if illegal |

Positions that differ only by a symmetry of the board are all there. Split training and test data so
that such twins stay together, or a model is tested on what it has seen.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a data set."""
    parser = argparse.ArgumentParser(
        prog="python -m gridlock.bridges.dataset",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", help=f"a game such as duel, or a rule file *{RULE_SUFFIX}")
    parser.add_argument("file", help=f"what to write: *{NPZ} or *{PARQUET}")
    parser.add_argument("--size", help="rows x columns, such as 4x4")
    parser.add_argument("--sample", type=int, help="so many from random games, instead of all")
    parser.add_argument("--seed", type=int, default=0, help="of the random games")
    options = parser.parse_args(arguments)
    try:
        is_file = options.game.endswith(RULE_SUFFIX)
        rules = gridlock.load(options.game) if is_file else options.game
        if options.sample is None:
            batch = all_states(rules, size=options.size)
            origin = "every position that a game begun by player 1 can reach"
        else:
            batch = random_states(rules, options.sample, size=options.size, seed=options.seed)
            origin = f"one each from so many random games, by seed {options.seed}"
        beside = write(options.file, batch, origin=origin)
    except GridlockError as error:
        sys.exit(f"{parser.prog}: {error}")
    print(f"{len(batch):,} positions in {options.file}, described in {beside}")


if __name__ == "__main__":
    main()
