"""What a tournament costs beyond the thinking of its players, per move.

Two random players meet with all that a tournament does: schedule, clocks, records, the disk.  The
same games are then played by nothing but the rules and the players, side by side in one run.

    python benchmarks/tournament.py
"""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from gridlock.lab.tournament.ledger import Ledger
from gridlock.lab.tournament.plan import build
from gridlock.lab.tournament.runner import Runner
from gridlock.record import read_record

ROUNDS = 500
BOARDS = (("duel", "5x5"), ("occupation", "10x10"), ("race", "4x4"))
LIMITS: tuple[dict[str, str], ...] = ({}, {"clock": "10+0.1"})


def main() -> None:
    print(f"{'board':<18} {'clock':<8} {'moves':>7} {'µs per move':>12} {'of it players':>14}")
    for game, size in BOARDS:
        for limits in LIMITS:
            keys = {"players": ["a=random", "b=random"], "game": game, "size": size, **limits}
            with tempfile.TemporaryDirectory() as folder:
                plan = build({**keys, "rounds": ROUNDS})
                with Ledger(Path(folder), plan) as ledger:
                    start = time.perf_counter()
                    Runner(ledger, lambda: None).run()
                    taken = time.perf_counter() - start
                    records = [read_record(result.record) for result in ledger.results.values()]
            moves = sum(len(record.moves) for record in records)
            rng = random.Random(1)
            start = time.perf_counter()
            for record in records:
                for position in record.positions()[:-1]:
                    rng.choice(position.legal_cells())
            alone = time.perf_counter() - start
            clock = limits.get("clock", "none")
            print(
                f"{game + ' ' + size:<18} {clock:<8} {moves:>7} {taken / moves * 1e6:>12.0f} "
                f"{alone / moves * 1e6:>14.0f}"
            )


if __name__ == "__main__":
    main()
