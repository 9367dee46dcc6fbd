"""Runs of the command line inside this process, each with a folder of its own for games."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import HealthCheck, settings

from gridlock.cli.main import main
from gridlock.store import FOLDER_VARIABLE

DATA = Path(__file__).parent / "data"

settings.register_profile(
    "gridlock",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("gridlock")


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def error_lines(self) -> list[str]:
        return self.err.splitlines()


class Run(Protocol):
    def __call__(self, *arguments: str, typed: str = "") -> Result: ...


@pytest.fixture
def games_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where this test's games are kept."""
    folder = tmp_path / "games"
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    return folder


@pytest.fixture
def run(games_folder: Path) -> Run:
    """Run ``gridlock`` with piped input; returns what it wrote and its exit code."""
    return run_in_process


def run_in_process(*arguments: str, typed: str = "") -> Result:
    saved = sys.stdin, sys.stdout, sys.stderr
    stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    sys.stdin, sys.stdout, sys.stderr = stdin, out, err
    try:
        with pytest.raises(SystemExit) as end:
            main(arguments)
    finally:
        sys.stdin, sys.stdout, sys.stderr = saved
    assert isinstance(end.value.code, int)
    return Result(end.value.code, _written(out), _written(err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
