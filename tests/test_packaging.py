"""What is shipped: the check of the wheel can fail."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from tools import check_wheel
from tools.check_wheel import NEEDED, CheckError, check, check_source, pythons

ROOT = Path(__file__).parent.parent


def _source(folder: Path, *names: str) -> Path:
    """Return a source distribution of empty files."""
    path = folder / "games-1.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(f"games-1/{name}"), io.BytesIO())
    return path


def test_what_a_source_distribution_needs_is_there() -> None:
    assert [name for name in NEEDED if not (ROOT / name).is_file()] == []


def test_a_source_distribution_must_have_what_building_and_testing_need(tmp_path: Path) -> None:
    check_source(_source(tmp_path, *NEEDED))
    with pytest.raises(CheckError, match="^games-1.tar.gz lacks setup.py$"):
        check_source(_source(tmp_path, *NEEDED[1:]))


def test_a_source_distribution_has_nothing_compiled(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="has src/table.so$"):
        check_source(_source(tmp_path, *NEEDED, "src/table.so"))


def test_a_wheel_for_one_python_alone_is_refused(tmp_path: Path) -> None:
    _source(tmp_path, *NEEDED)
    (tmp_path / "games-1-cp311-cp311-linux_x86_64.whl").touch()
    with pytest.raises(CheckError, match="is not for cp311-abi3$"):
        check(tmp_path)


def test_there_is_one_wheel(tmp_path: Path) -> None:
    _source(tmp_path, *NEEDED)
    with pytest.raises(CheckError, match="expected one file"):
        check(tmp_path)


def test_an_interpreted_core_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = '{"core": "interpreted", "why_interpreted": "not compiled: race"}'
    monkeypatch.setattr(check_wheel, "run", lambda *_: facts)
    with pytest.raises(CheckError, match="interpreted: not compiled: race$"):
        check_wheel.check_installed(Path("python"), tmp_path / "games.whl", tmp_path)


def test_the_python_of_the_tests_is_found() -> None:
    version, _ = next(pythons())
    assert version.startswith("3.")
