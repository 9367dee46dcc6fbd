"""How fast the core is with the stable ABI, beside an ordinary build of the same source.

    python benchmarks/abi.py

Both are built anew, outside of the source tree, and take turns.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
STARTS = [("duel", "7x8"), ("race", "5x6")]
RUNS = 9
GOAL = 0.10
BUILDS = {"ordinary": ["--undef", "Py_LIMITED_API"], "stable": []}

# The time of the processor: other programs may run beside it.
PROGRAM = """\
import sys, time
from benchmarks.solver import is_compiled, solve_start
assert is_compiled
began = time.process_time()
_, _, solver = solve_start(*sys.argv[1:], 1)
print(solver.progress.nodes, time.process_time() - began)
"""


def main() -> None:
    """Build, measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folders = {build: Path(name, build) for build in BUILDS}
        for build, options in BUILDS.items():
            make(folders[build], options)
        print(f"seconds of the processor, median of {RUNS} (goal: {GOAL:.0%} slower at most)")
        print(f"{'':<14}{'nodes':>12}{'ordinary':>12}{'stable ABI':>12}")
        for game, size in STARTS:
            results: dict[str, list[tuple[int, float]]] = {build: [] for build in BUILDS}
            for _ in range(RUNS):
                for build, folder in folders.items():
                    results[build].append(measure(folder, game, size))
            (nodes,) = {nodes for measured in results.values() for nodes, _ in measured}
            ordinary, stable = (
                statistics.median(seconds for _, seconds in measured)
                for measured in results.values()
            )
            print(
                f"  {game + ' ' + size:<12}{nodes:>12,}{ordinary:>10.3f} s{stable:>10.3f} s"
                f"{stable / ordinary - 1:>+8.1%}",
                flush=True,
            )


def make(folder: Path, options: list[str]) -> None:
    """Build the core in a copy of the source."""
    for name in ("src", "benchmarks"):
        ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", *options],
        cwd=folder,
        env={**os.environ, "GRIDLOCK_REQUIRE_COMPILED": "1"},
        check=True,
    )


def measure(folder: Path, game: str, size: str) -> tuple[int, float]:
    """Return the nodes and the seconds that the start of a game takes."""
    path = os.pathsep.join([str(folder / "src"), str(folder)])
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, game, size],
        env={**os.environ, "PYTHONPATH": path},
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    nodes, seconds = run.stdout.split()
    return int(nodes), float(seconds)


if __name__ == "__main__":
    main()
