"""Both ways to run the kernel: compiled, as every other test does, and interpreted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from gridlock.search.kernel import INTERPRETED_VARIABLE
from gridlock.search.kernel.search import is_compiled

ROOT = Path(__file__).parents[2]
QUICK = "every_position or no_theorem or numbers or symmetry or too_many or make_no_sense"


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, INTERPRETED_VARIABLE: "1"}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=ROOT, capture_output=True, text=True
    )


def test_the_core_is_compiled_where_tests_run() -> None:
    """A failed compilation is silent when the package is installed; here it is not."""
    assert is_compiled or INTERPRETED_VARIABLE in os.environ


def test_the_interpreted_core_gives_the_same_answers() -> None:
    result = _run(
        "-m", "pytest", "tests/search/test_solver.py", "-p", "no:cacheprovider", "-k", QUICK
    )
    assert result.returncode == 0, result.stdout


def test_the_doctor_says_which_core_runs() -> None:
    facts = json.loads(_run("-m", "gridlock", "doctor", "--json").stdout)
    assert facts["core"] == "interpreted"


def test_no_compiler_needs_to_be_installed() -> None:
    program = (
        "import sys; sys.modules['cython'] = None\n"
        "import gridlock\n"
        "from gridlock.search.solver import Solver\n"
        "game = gridlock.game('race', '3x3')\n"
        "print(Solver(game).distance(game.start()))\n"
    )
    assert _run("-c", program).stdout == "10\n"
