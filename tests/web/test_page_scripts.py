"""The modules of the page that need no browser, each tested by a script that node runs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[1] / "page"


def test_the_modules_of_the_page_do_what_they_say() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: apt-get install nodejs")
    scripts = [str(script) for script in sorted(SCRIPTS.glob("*.test.js"))]
    run = subprocess.run([node, "--test", *scripts], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
