"""Both ways to run the kernel: compiled, as every other test does, and interpreted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gridlock
from gridlock.search.kernel import is_compiled
from gridlock.search.kernel.loader import find_missing
from gridlock.search.kernel.manifest import (
    COMPILED,
    FAILURE,
    INTERPRETED_VARIABLE,
    MODULES,
    fingerprint,
)

ROOT = Path(__file__).parents[2]
KERNEL = Path("gridlock/search/kernel")
QUICK = "every_position or no_theorem or numbers or symmetry or too_many or make_no_sense"

# Prints why the core is interpreted, which kinds of files it was imported from, and an answer.
PROGRAM = """\
import json, pathlib, sys
import gridlock
from gridlock.search import kernel
from gridlock.search.solver import Solver
game = gridlock.game("race", "3x3")
modules = [sys.modules[f"{kernel.__name__}.{name}"] for name in kernel.manifest.MODULES]
suffixes = sorted({pathlib.Path(module.__file__).suffix for module in modules})
print(json.dumps([kernel.why_interpreted, suffixes, Solver(game).distance(game.start())]))
"""

# In place of Cython: what it writes for one module is no C.
TRANSLATOR = """\
from pathlib import Path
def cythonize(modules, **_):
    Path("build").mkdir(exist_ok=True)
    for module in modules:
        name = module.name.rpartition(".")[2]
        path = Path("build", f"{name}.c")
        path.write_text("#error broken" if name == "BAD" else f"int {name};")
        module.sources = [str(path)]
    return modules
"""


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, INTERPRETED_VARIABLE: "1"}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=ROOT, capture_output=True, text=True
    )


class Copy:
    """A copy of the package, to be damaged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        package = Path(gridlock.__file__).parent
        ignored = shutil.ignore_patterns("__pycache__", "static")
        shutil.copytree(package, folder / "src" / "gridlock", ignore=ignored)
        self.kernel = folder / "src" / KERNEL

    def compiled(self, name: str) -> Path:
        """Return the file of a compiled module."""
        files = self.kernel.glob(f"{name.replace('.', '/')}.*")
        (path,) = [file for file in files if file.suffix in {".so", ".pyd"}]
        return path

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run Python with this copy instead of the package."""
        path = os.pathsep.join([str(self.folder / "src"), str(self.folder)])
        return subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, "PYTHONPATH": path, **variables},
            cwd=self.folder,
            capture_output=True,
            text=True,
        )

    def solve(self) -> tuple[str | None, list[str]]:
        """Solve a game; return why that was interpreted, and what was run."""
        why, suffixes, distance = json.loads(self.run("-c", PROGRAM).stdout)
        assert distance == 10
        return why, suffixes


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_the_core_is_compiled_where_tests_run() -> None:
    """A failed compilation is silent when the package is installed; here it is not."""
    assert is_compiled or INTERPRETED_VARIABLE in os.environ


@pytest.mark.long
def test_the_interpreted_core_gives_the_same_answers() -> None:
    options = ("-p", "no:cacheprovider", "--hypothesis-profile")
    solving = ("thorough", "tests/search/test_solver.py", "-k", QUICK)
    estimating = ("quick", "tests/search/test_alphabeta.py", "tests/search/test_uct.py")
    for tests in (solving, estimating):
        result = _run("-m", "pytest", *options, *tests)
        assert result.returncode == 0, result.stdout


def test_the_doctor_says_which_core_runs_and_why() -> None:
    facts = json.loads(_run("-m", "gridlock", "doctor", "--json").stdout)
    assert facts["core"] == "interpreted"
    assert facts["why_interpreted"] == f"{INTERPRETED_VARIABLE} is set"
    shown = _run("-m", "gridlock", "doctor").stdout.splitlines()
    assert f"why interpreted:   {INTERPRETED_VARIABLE} is set" in shown


def test_no_compiler_needs_to_be_installed() -> None:
    program = (
        "import sys; sys.modules['cython'] = None\n"
        "import gridlock\n"
        "from gridlock.search.solver import Solver\n"
        "game = gridlock.game('race', '3x3')\n"
        "print(Solver(game).distance(game.start()))\n"
    )
    assert _run("-c", program).stdout == "10\n"


# ---------------------------------------------------------------------- as a whole or not at all


def test_a_whole_core_runs_compiled(copy: Copy) -> None:
    assert copy.solve() == (None, [copy.compiled("table").suffix])
    facts = json.loads(copy.run("-m", "gridlock", "doctor", "--json").stdout)
    assert facts["core"] == "compiled"
    assert "why_interpreted" not in facts


@pytest.mark.parametrize("name", ["sums", "wide.sums"])
def test_if_one_module_is_missing_all_are_interpreted(copy: Copy, name: str) -> None:
    copy.compiled(name).unlink()
    assert copy.solve() == (f"not compiled: {name}", [".py"])


@pytest.mark.parametrize("name", [COMPILED[0], "search", COMPILED[-1]])
def test_if_one_module_cannot_be_imported_all_are_interpreted(copy: Copy, name: str) -> None:
    file = copy.compiled(name)
    file.unlink()
    file.write_text("no library")
    why, suffixes = copy.solve()
    assert (why or "").startswith(f"{name} cannot be imported: ")
    assert suffixes == [".py"]


@pytest.mark.parametrize("name", ["bits.pxd", "race.py"])
def test_if_the_source_has_changed_all_are_interpreted(copy: Copy, name: str) -> None:
    with (copy.kernel / name).open("a") as file:
        file.write("\n")
    assert copy.solve() == (f"{COMPILED[0]} was compiled from other source", [".py"])


def test_without_any_compiled_module_all_are_interpreted(copy: Copy) -> None:
    for name in COMPILED:
        copy.compiled(name).unlink()
    assert copy.solve() == ("not compiled when it was installed", [".py"])


def test_modules_for_another_python_are_told_from_none(tmp_path: Path) -> None:
    (tmp_path / "table.cpython-27-some-where.so").touch()
    assert find_missing(tmp_path) == "compiled for another Python"


def test_the_reason_why_compiling_failed_is_told(tmp_path: Path) -> None:
    (tmp_path / FAILURE).write_text("not compiled: no cc\n")
    assert find_missing(tmp_path) == "not compiled: no cc"


def test_any_change_of_any_source_changes_the_fingerprint(copy: Copy) -> None:
    seen = {fingerprint(copy.kernel)}
    for name in ("bits.py", "bits.pxd", *(f"{module}.py" for module in MODULES)):
        with (copy.kernel / name).open("a") as file:
            file.write("#")
        seen.add(fingerprint(copy.kernel))
    assert len(seen) == 3 + len(MODULES)


# ---------------------------------------------------------------------- building


@pytest.fixture
def build(copy: Copy) -> Copy:
    """A copy to be built, with a translator that takes no time."""
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy.folder)
    translator = copy.folder / "Cython"
    translator.mkdir()
    (translator / "__init__.py").touch()
    (translator / "Build.py").write_text(TRANSLATOR.replace("BAD", "sums"))
    return copy


BUILD = ("setup.py", "--quiet", "build_ext", "--inplace")


def test_if_one_module_cannot_be_compiled_none_is_kept_and_the_doctor_says_why(build: Copy) -> None:
    built = build.run(*BUILD, GRIDLOCK_REQUIRE_COMPILED="")
    assert built.returncode == 0
    assert "the core is not compiled" in built.stderr
    assert not [path for path in build.folder.rglob("*") if path.suffix in {".so", ".pyd"}]
    why, suffixes = build.solve()
    assert (why or "").startswith("not compiled: CompileError: ")
    assert suffixes == [".py"]


def test_if_the_core_is_required_the_build_fails(build: Copy) -> None:
    built = build.run(*BUILD, GRIDLOCK_REQUIRE_COMPILED="1")
    assert built.returncode != 0
    assert "broken" in built.stderr
    assert "CompileError" in (find_missing(build.kernel) or "")


def test_without_a_translator_the_core_is_left_out_or_the_build_fails(build: Copy) -> None:
    (build.folder / "Cython" / "Build.py").write_text("raise ImportError('no Cython here')")
    assert build.run(*BUILD, GRIDLOCK_REQUIRE_COMPILED="1").returncode != 0
    assert build.run(*BUILD, GRIDLOCK_REQUIRE_COMPILED="").returncode == 0
    assert find_missing(build.kernel) == "not compiled: ImportError: no Cython here"


def test_the_core_can_be_left_out_on_purpose(build: Copy) -> None:
    (build.folder / "Cython" / "Build.py").write_text("raise ImportError('never asked')")
    variables = {INTERPRETED_VARIABLE: "1", "GRIDLOCK_REQUIRE_COMPILED": "1"}
    assert build.run(*BUILD, **variables).returncode == 0
    assert not (build.kernel / FAILURE).exists()
