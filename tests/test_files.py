from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from gridlock import StoreError
from gridlock.files import (
    LARGEST_FILE,
    locked,
    put_aside,
    read_text,
    typed_path,
    write_atomically,
)


def test_a_text_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    write_atomically(file, "one\n")
    write_atomically(file, "zwei ä\n")
    assert read_text(file) == "zwei ä\n"
    assert list(tmp_path.iterdir()) == [file]


def test_texts_of_other_systems_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert read_text(file) == "one\ntwo\n"


def test_a_write_that_fails_leaves_the_old_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.txt"
    write_atomically(file, "old")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StoreError, match=r"cannot write '.*a\.txt': No space left on device"):
        write_atomically(file, "new")
    assert read_text(file) == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_text_is_on_disk_when_the_write_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    file = tmp_path / "a.txt"
    sync, replace = os.fsync, os.replace

    def note_sync(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        sync(descriptor)

    def note_replace(old: Path, new: Path) -> None:
        steps.append("rename")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    write_atomically(file, "text")
    assert steps == ["file", "rename", "folder"]


@pytest.mark.parametrize("name", ["", "none/a.txt", "a\x00b", "x" * 300])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError, match="^cannot write '"):
        write_atomically(tmp_path / name, "text")


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    for content, message in (
        (b"\xff\xfe\x00", "it is not a text in UTF-8"),
        (b"a" * (LARGEST_FILE + 1), f"it is larger than {LARGEST_FILE} bytes"),
    ):
        file.write_bytes(content)
        with pytest.raises(StoreError, match=message):
            read_text(file)
    with pytest.raises(StoreError, match="Is a directory"):
        read_text(tmp_path)
    with pytest.raises(StoreError, match="embedded null"):
        read_text(tmp_path / "a\x00b")


def test_a_rename_that_fails_leaves_the_old_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.txt"
    write_atomically(file, "old")

    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(StoreError, match="Input/output error"):
        write_atomically(file, "new")
    assert read_text(file) == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_files_beside_are_never_touched(tmp_path: Path) -> None:
    beside = tmp_path / ".a.txt.tmp"
    beside.write_text("precious")
    write_atomically(tmp_path / "a.txt", "text")
    assert beside.read_text() == "precious"


def test_a_name_may_begin_with_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert typed_path("~/game.txt") == Path("/home/ann/game.txt")
    assert typed_path("~nobody-of-this-name/x") == Path("~nobody-of-this-name/x")


def test_a_device_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(StoreError, match="it is a device, not a file"):
        write_atomically(pipe, "text")
    assert pipe.is_fifo()


def test_a_file_is_changed_by_one_program_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "a.json"
    with (
        locked(file, 0),
        pytest.raises(StoreError, match=f"another program holds '{file}'"),
        locked(file, 0),
    ):
        pass
    with locked(file, 0):
        file.write_text("free again")


def test_a_damaged_file_is_kept_under_a_name_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    for text in ("one", "two"):
        file.write_text(text)
        put_aside(file)
    assert not file.exists()
    assert [(tmp_path / f"a.damaged-{number}.json").read_text() for number in (1, 2)] == [
        "one", "two",
    ]  # fmt: skip
