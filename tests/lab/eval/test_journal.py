from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from gridlock import StoreError
from gridlock.lab.eval.journal import open_journal, read_journal

if TYPE_CHECKING:
    from pathlib import Path

PLAN = b'{"kind": "plan"}\n'


def test_what_is_written_is_on_the_disk_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(path.stat().st_size))
    with open_journal(path, is_new=True) as journal:
        journal.write("plan", seed=1)
        assert journal.write("answer", text="né\n\u2028 \ud800") in read_journal(path)
        assert synced[-1] == path.stat().st_size > synced[-2]
    assert [event["kind"] for event in read_journal(path)] == ["plan", "answer"]
    assert path.read_bytes().count(b"\n") == 2


@pytest.mark.parametrize("torn", [b"{", b'{"kind": "answer"}', b"\xff\xfe"])
def test_a_line_that_was_never_finished_does_not_count(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(PLAN + torn)
    assert len(read_journal(path)) == 1
    with open_journal(path, is_new=False) as journal:
        journal.write("end")
    assert path.read_bytes() == PLAN + b'{"kind": "end"}\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not the journal of a trial"),
        (b'{"kind": "answer"}\n', "is not the journal of a trial"),
        (PLAN + b"oops\n", "line 2 of '.*' is damaged"),
        (PLAN + b"[]\n", "line 2 of '.*' is damaged"),
        (PLAN + b"[" * 100_000 + b"\n", "line 2 of '.*' is damaged"),
        (PLAN + b"\xff\n", "line 2 of '.*' is damaged"),
    ],
)
def test_what_is_no_journal_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=message):
        read_journal(path)


def test_a_journal_is_not_begun_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(PLAN)
    with (
        pytest.raises(StoreError, match="is there already: .* --resume"),
        open_journal(path, is_new=True),
    ):
        pass
    assert path.read_bytes() == PLAN


def test_one_program_at_a_time_writes_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with (
        open_journal(path, is_new=True),
        pytest.raises(StoreError, match="another program holds"),
        open_journal(path, is_new=False),
    ):
        pass


def test_files_that_cannot_be_had_are_said_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot read .*: No such file"):
        read_journal(tmp_path / "none.jsonl")
    with (
        pytest.raises(StoreError, match="cannot write .*: Is a directory"),
        open_journal(tmp_path, is_new=False),
    ):
        pass


def test_a_disk_that_fails_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    with open_journal(tmp_path / "a.jsonl", is_new=True) as journal:
        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(StoreError, match="cannot write .*: No space left on device"):
            journal.write("plan")
