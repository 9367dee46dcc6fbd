"""How long `gridlock --version` takes, side by side with the bare import of click.

The goal: at most twice the time.  Each command runs several times in turn, and the median counts.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 25
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "python -c 'import click'": [sys.executable, "-c", "import click"],
    "gridlock --version": [sys.executable, "-m", "gridlock", "--version"],
    "gridlock games": [sys.executable, "-m", "gridlock", "games"],
    "gridlock play duel (no input)": [sys.executable, "-m", "gridlock", "play", "duel"],
}


def main() -> None:
    """Measure and print."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, command in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
            times[name].append(time.perf_counter() - start)
    base = statistics.median(times["python -c 'import click'"])
    print(f"{'command':<32}{'median':>10}{'best':>10}{'to click':>10}")
    for name, measured in times.items():
        median = statistics.median(measured)
        print(f"{name:<32}{median:>8.3f} s{min(measured):>8.3f} s{median / base:>10.2f}")


if __name__ == "__main__":
    main()
