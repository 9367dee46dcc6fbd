from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gridlock import __version__, log
from gridlock.errors import blame_ourselves
from gridlock.log import log_failure, log_path

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("games_folder")


def failure(text: str = "oh no") -> Exception:
    """Return an error that has been raised here."""
    with pytest.raises(ValueError, match=".") as raised:
        raise ValueError(text)
    return raised.value


def test_a_failure_is_written_with_its_time_version_and_traceback(games_folder: Path) -> None:
    assert log_path() == games_folder / "gridlock.log"
    assert log_failure(failure()) == log_path()
    heading, *trace = log_path().read_text().splitlines()
    assert f"  gridlock {__version__}, Python " in heading
    assert heading.startswith("20")
    assert trace[0] == "Traceback (most recent call last):"
    assert "test_log.py" in trace[1]
    assert "ValueError: oh no" in trace


def test_failures_follow_each_other() -> None:
    log_failure(failure("one"))
    log_failure(failure("two"))
    text = log_path().read_text()
    assert text.index("ValueError: one") < text.index("ValueError: two")


def test_the_log_does_not_grow_without_end(
    games_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "LARGEST_LOG", 2000)
    monkeypatch.setattr(log, "_LARGEST_ENTRY", 1000)
    for _ in range(20):
        log_failure(failure("x" * 10_000))
    assert {path.name for path in games_folder.iterdir()} == {"gridlock.log", "gridlock.old.log"}
    assert sum(path.stat().st_size for path in games_folder.iterdir()) < 2 * (2000 + 1200)
    assert "(cut here)" in log_path().read_text()


def test_a_log_that_cannot_be_written_fails_nobody(games_folder: Path) -> None:
    games_folder.write_text("a file, where the folder should be")
    assert log_failure(failure()) is None


def test_any_characters_can_be_logged() -> None:
    assert log_failure(failure("half a pair: \udc80"))
    assert "\\udc80" in log_path().read_text()


def test_doctor_names_the_log(run: Run, games_folder: Path) -> None:
    path = games_folder / "gridlock.log"
    assert json.loads(run("doctor", "--json").out)["log"] == str(path)
    assert f"log:               {path}\n" in run("doctor").out


def test_the_line_that_a_person_sees_names_the_log() -> None:
    error = failure()
    assert blame_ourselves(error, log_failure(error)) == (
        f"a bug in gridlock: ValueError: oh no (see {log_path()})"
    )
    assert blame_ourselves(error) == (
        "a bug in gridlock: ValueError: oh no (GRIDLOCK_DEBUG=1 shows where)"
    )
    assert blame_ourselves(MemoryError()) == (
        "a bug in gridlock: MemoryError (GRIDLOCK_DEBUG=1 shows where)"
    )
