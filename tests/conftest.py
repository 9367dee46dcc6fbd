"""Runs of the command line inside this process, each with a folder of its own for games."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import shutil
import signal
import sys
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest
from hypothesis import HealthCheck, settings

from gridlock.cli.main import main
from gridlock.preferences import Preferences, PreferencesFile
from gridlock.store import FOLDER_VARIABLE, Store

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

DATA = Path(__file__).parent / "data"

_IN_MEMORY = "/dev/shm"
_PLENTY = 4 << 30  # bytes

_COLLECTED_AFTER = (10_000, 20, 20)  # objects, and rounds: an app has tens of thousands of them

thorough = settings(
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("thorough", thorough)
settings.register_profile("quick", thorough, max_examples=25)
settings.load_profile("quick")


def examples(count: int) -> settings:
    """Return how many examples are tried: so many by make check, a quarter by make test."""
    is_quick = settings.get_current_profile_name() == "quick"
    return settings(max_examples=max(count // 4, 1) if is_quick else count)


def variants(*values: object, quick: int = 1) -> list[ParameterSet]:
    """Return what a test is tried with: only the first by make test, all by make check."""
    marked = [pytest.param(value, marks=pytest.mark.long) for value in values[quick:]]
    return [*map(pytest.param, values[:quick]), *marked]


def pytest_configure() -> None:
    """Hear Ctrl-C, which a shell lets what runs in the background ignore; write to memory.

    Disks take long to confirm a write, so temporary files stay in memory where there is plenty.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with contextlib.suppress(OSError):
        if "TMPDIR" not in os.environ and shutil.disk_usage(_IN_MEMORY).free >= _PLENTY:
            os.environ["TMPDIR"] = tempfile.tempdir = _IN_MEMORY


def pytest_xdist_auto_num_workers() -> int:
    """Let two processes for each core run tests, as many of them wait for others."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end, which is most of all there is."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTED_AFTER)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Close the browser before a test without one: while it is open no event loop can be run."""
    if "browser" not in getattr(item, "fixturenames", ()):
        _close_browser()


def pytest_sessionfinish() -> None:
    _close_browser()


def _close_browser() -> None:
    if browser := sys.modules.get("tests.web.browser"):
        browser.close()


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


def load_preferences(store: Store) -> Preferences:
    """Return what is preferred by those who keep their games here."""
    return PreferencesFile(store.folder / "preferences.json").read()


def save_preferences(store: Store, preferences: Preferences) -> None:
    changes = {field.name: getattr(preferences, field.name) for field in fields(preferences)}
    PreferencesFile(store.folder / "preferences.json").update(**changes)


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
