"""Setting up: what make does, in which order, and what it leaves undone.

The Makefile is the real one; Python, the compiler and the like are stand-ins that write down what
they are asked to do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
KERNEL = Path("src/gridlock/search/kernel")

# Makes environments of itself, and fails at what $FAIL names.
PYTHON = """\
#!/bin/sh
case "$*" in
  "-m venv"*) mkdir -p .venv/bin; rm -f .venv/.[a-z]*; cp "$0" .venv/bin/python
              printf '#!/bin/sh\\necho gridlock >> log\\n' > .venv/bin/gridlock
              chmod +x .venv/bin/gridlock; what=venv;;
  *setuptools*cython*) what=build-tools;;
  *"--editable .[web]"*) what="packages ${GRIDLOCK_INTERPRETED:+interpreted}";;
  *"--editable .[dev]"*) what="tools ${GRIDLOCK_INTERPRETED:+interpreted}";;
  *build_ext*) what="compile ${GRIDLOCK_REQUIRE_COMPILED:+required}";;
  *pytest*) what=pytest;;
  *"abi3audit build") what=dist-tools;;
  "-m build"*) what="build ${GRIDLOCK_REQUIRE_COMPILED:+required}";;
  *check_wheel*) what=check-wheel;;
  *sys.base_prefix*) echo NAME; exit;;
  *sysconfig*) pwd; exit;;
  *) exit;;
esac
echo "$what" >> log
case "$what" in "$FAIL"*) exit 1;; esac
"""

NPM = """\
#!/bin/sh
echo npm >> log
[ "$FAIL" != npm ]
"""

SET_UP = ["venv", "build-tools", "packages interpreted", "compile required"]


class Workshop:
    """A copy of what make looks at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("Makefile", "pyproject.toml", "constraints.txt", "setup.py", "package.json"):
            shutil.copy(ROOT / name, folder / name)
        shutil.copytree(ROOT / KERNEL, folder / KERNEL, ignore=shutil.ignore_patterns("*.so"))
        (folder / "Python.h").touch()
        self._stand_ins = folder / "stand-ins"
        self._stand_ins.mkdir()
        for name in ("cc", "chromium", "node", "initdb", "redis-server", "nginx", "caddy"):
            self._write(name, "#!/bin/sh\n")
        self._write("npm", NPM)
        self._write("apt-get", "#!/bin/sh\necho apt-get >> log\nexit 1\n")
        for name in ("python3", "python4"):
            self._write(name, PYTHON.replace("NAME", name))

    def _write(self, name: str, text: str) -> None:
        file = self._stand_ins / name
        file.write_text(text)
        file.chmod(0o755)

    def make(self, *arguments: str, fail: str = "nothing") -> list[str]:
        """Run make, and return what was done."""
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        self.process = subprocess.run(
            ["make", *arguments],
            cwd=self.folder,
            env={"PATH": f"{self._stand_ins}{os.pathsep}{os.environ['PATH']}", "FAIL": fail},
            capture_output=True,
            text=True,
        )
        assert (self.process.returncode == 0) == (fail in ("nothing", "compile", "npm"))
        return log.read_text().splitlines() if log.exists() else []

    def change(self, name: Path | str) -> None:
        """Make a file newer than all others."""
        for file in self.folder.rglob("*"):
            os.utime(file, (0, 0))
        (self.folder / name).touch()


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def test_play_installs_what_playing_needs_compiles_once_and_says_so(workshop: Workshop) -> None:
    assert workshop.make("play") == [*SET_UP, "gridlock"]
    assert workshop.process.stderr == ""
    assert len(workshop.process.stdout.splitlines()) == 2
    assert workshop.make("play") == ["gridlock"]
    assert workshop.process.stdout == ""


def test_test_adds_its_tools_to_what_playing_needs_and_compiles_nothing(workshop: Workshop) -> None:
    workshop.make("play")
    assert workshop.make("test") == ["tools interpreted", "pytest"]
    assert workshop.make("test") == ["pytest"]
    assert workshop.make("play") == ["gridlock"]


def test_test_on_its_own_compiles_once_as_well(workshop: Workshop) -> None:
    assert sorted(workshop.make("test")) == sorted([*SET_UP, "tools interpreted", "pytest"])
    assert workshop.make("test") == ["pytest"]
    assert workshop.make("play") == ["gridlock"]


def test_only_a_change_of_the_core_compiles_it_anew(workshop: Workshop) -> None:
    workshop.make("test")
    workshop.change(KERNEL / "table.py")
    assert workshop.make("play") == ["compile required", "gridlock"]
    assert workshop.make("play") == ["gridlock"]
    workshop.change("pyproject.toml")
    assert workshop.make("test") == [
        "build-tools", "packages interpreted", "tools interpreted", "pytest"
    ]  # fmt: skip
    assert workshop.make("test") == ["pytest"]


@pytest.mark.parametrize(
    ("step", "left"), [("venv", SET_UP), ("build-tools", SET_UP[1:]), ("packages", SET_UP[1:])]
)
def test_a_step_that_failed_is_taken_again_and_none_before_it(
    workshop: Workshop, step: str, left: list[str]
) -> None:
    assert workshop.make("play", fail=step)[-1].startswith(step)
    assert workshop.make("play") == [*left, "gridlock"]


def test_without_a_core_that_compiles_the_game_starts_all_the_same(workshop: Workshop) -> None:
    assert workshop.make("play", fail="compile") == [*SET_UP, "gridlock"]
    assert "its searches are slow" in workshop.process.stdout
    assert workshop.make("play") == ["compile required", "gridlock"]


def test_dist_builds_with_a_core_and_checks_what_it_has_built(workshop: Workshop) -> None:
    done = ["dist-tools", "build required", "check-wheel"]
    assert workshop.make("dist") == [*SET_UP[:3], *done]
    assert workshop.make("dist") == done
    assert workshop.make("dist", fail="build") == done[:2]


def test_another_python_gets_another_environment(workshop: Workshop) -> None:
    workshop.make("play")
    assert workshop.make("play", "PYTHON=python3") == ["gridlock"]
    assert workshop.make("play", "PYTHON=python4") == [*SET_UP, "gridlock"]
    assert workshop.make("play", "PYTHON=python4") == ["gridlock"]
    assert workshop.make("play") == ["gridlock"]


def test_what_checks_the_page_is_installed_once_and_anew_when_it_changes(
    workshop: Workshop,
) -> None:
    assert workshop.make(".venv/.types") == ["venv", "npm"]
    assert workshop.make(".venv/.types") == []
    workshop.change("package.json")
    assert workshop.make(".venv/.types") == ["npm"]


def test_without_what_checks_the_page_that_is_said_and_tried_again(workshop: Workshop) -> None:
    assert workshop.make(".venv/.types", fail="npm") == ["venv", "npm"]
    assert "the types of the page are not checked" in workshop.process.stdout
    assert workshop.make(".venv/.types") == ["npm"]
