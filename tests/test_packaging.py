"""What is shipped, and what builds it: the check of the wheel can fail, and settings agree."""

from __future__ import annotations

import io
import re
import tarfile
import tomllib
from glob import glob
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

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


def test_what_the_package_reads_beside_its_modules_is_shipped() -> None:
    package = ROOT / "src" / "gridlock"
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    shipped = {
        package / name
        for pattern in tools["setuptools"]["package-data"]["gridlock"]
        for name in glob(pattern, root_dir=package, recursive=True)  # noqa: PTH207 - as setuptools
    }
    read = {
        path for suffix in ("toml", "tcss", "html", "js") for path in package.rglob(f"*.{suffix}")
    }
    assert len(read) > 50
    assert read - shipped == set()


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
        check_wheel.check_program(tmp_path, tmp_path)


def test_the_python_of_the_tests_is_found() -> None:
    version, _ = next(pythons())
    assert version.startswith("3.")


# ---------------------------------------------------------------------- workflows and settings


WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in ROOT.glob(".github/*/*.yml")}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MAKEFILE = (ROOT / "Makefile").read_text()


def _jobs() -> dict[str, Any]:
    return {
        f"{workflow} {name}": job
        for workflow, content in WORKFLOWS.items()
        for name, job in content["jobs"].items()
    }


def test_there_are_workflows_for_changes_and_releases() -> None:
    assert set(WORKFLOWS) == {"ci", "release"}


@pytest.mark.parametrize("job", _jobs().values(), ids=_jobs().keys())
def test_a_job_says_where_it_runs_and_what_each_step_does(job: dict[str, Any]) -> None:
    assert job["runs-on"]
    assert job["steps"]
    for step in job["steps"]:
        assert len({"uses", "run"} & set(step)) == 1


def test_workflows_make_what_the_makefile_can() -> None:
    commands = [step.get("run", "") for job in _jobs().values() for step in job["steps"]]
    goals = {command.split()[-1] for command in commands if command.startswith("make ")}
    assert goals == {"check", "test", "dist"}
    for goal in goals:
        assert re.search(rf"^{goal}:", MAKEFILE, re.MULTILINE)


def test_every_python_that_is_promised_is_tried() -> None:
    promised = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert len(promised) >= 4
    for job in ("ci linux", "ci windows"):
        assert _jobs()[job]["strategy"]["matrix"]["python"] == promised


def test_hooks_run_what_check_runs() -> None:
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert f"\t{hook['entry'].replace('.venv/bin', '$(BIN)')}\n" in MAKEFILE


def test_libraries_whose_internals_are_overridden_have_an_upper_bound() -> None:
    needed = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["web"]]
    bounded = {re.split(r"\W", need)[0] for need in needed if "<" in need}
    assert bounded == {"litestar", "textual", "uvicorn"}


def test_the_container_insists_on_a_compiled_core() -> None:
    text = (ROOT / "deploy" / "Containerfile").read_text()
    assert "GRIDLOCK_REQUIRE_COMPILED=1" in text
    left = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"}
    assert {"setup.py", "pyproject.toml", "constraints.txt", "src"} <= left


def test_the_services_of_the_compose_file_are_those_that_servers_share() -> None:
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
    images = {service["image"].partition(":")[0] for service in services.values()}
    assert images == {"gridlock", "postgres", "redis", "caddy"}
