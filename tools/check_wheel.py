"""Check what ``make dist`` has built: one wheel for every Python that this machine has.

    python tools/check_wheel.py dist           what is in a folder
    python tools/check_wheel.py --installed    what is installed for this Python

The wheel must keep to the stable ABI, and is installed alone, where no compiler and no source is
in reach, into a clean environment of each Python.  There the compiled core, a game and the web
server must work.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

OLDEST = (3, 11)
TAG = "-cp311-abi3-"
PATIENCE = 60  # seconds
SCRIPTS = "Scripts" if os.name == "nt" else "bin"

IDENTITY = (
    "import json, sys, venv, ensurepip; print(json.dumps([sys.version_info[:3], sys.base_prefix]))"
)

NEEDED = (
    "setup.py", "pyproject.toml", "constraints.txt", "Makefile", "LICENSE", "README.md",
    "src/gridlock/lessons/duel.toml", "src/gridlock/search/kernel/table.pxd",
    "src/gridlock/web/static/home.html",
    "tests/conftest.py", "tests/data/perft.json", "docs/bots.md", "benchmarks/solver.py",
    "benchmarks/peers/uct.c", "deploy/Containerfile", "tools/check_wheel.py",
)  # fmt: skip
"""Some of each kind of file that building and testing need."""

GAME = ["play", "occupation", "--size", "2x4"]
MOVES = "1,2\n1,4\n2,2\n2,4\n1,1\n"
END = "Player A wins the game!"


class CheckError(Exception):
    """What is wrong with a distribution."""


def main() -> None:
    """Check the distributions in a folder, or what is installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", nargs="?", type=Path)
    what.add_argument("--installed", action="store_true")
    arguments = parser.parse_args()
    try:
        if arguments.installed:
            with tempfile.TemporaryDirectory() as name:
                check_program(Path(sys.executable).parent, Path(name))
        else:
            check(arguments.folder.resolve())
    except CheckError as error:
        sys.exit(f"check_wheel: {error}")


def check(folder: Path) -> None:
    """Check the source distribution and the wheel in a folder."""
    check_source(only(folder.glob("*.tar.gz")))
    wheel = only(folder.glob("*.whl"))
    if TAG not in wheel.name:
        raise CheckError(f"{wheel.name} is not for {TAG.strip('-')}")
    run([sys.executable, "-m", "abi3audit", "--strict", str(wheel)])
    print(f"{wheel.name}: the stable ABI and nothing else")
    found = dict(pythons())
    if not found:
        raise CheckError("no Python with venv and ensurepip")
    for version, python in sorted(found.items()):
        with tempfile.TemporaryDirectory() as name:
            check_installed(python, wheel, Path(name))
        print(f"{wheel.name}: works with Python {version}", flush=True)


def only(paths: Iterator[Path]) -> Path:
    """Return the one path that there is."""
    found = list(paths)
    if len(found) != 1:
        raise CheckError(f"expected one file, not {[path.name for path in found]}")
    return found[0]


def check_source(archive: Path) -> None:
    """Refuse a source distribution that lacks something, or has something compiled."""
    with tarfile.open(archive) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    if missing := [name for name in NEEDED if name not in names]:
        raise CheckError(f"{archive.name} lacks {', '.join(missing)}")
    if compiled := [name for name in names if name.endswith((".so", ".pyd", ".pyc"))]:
        raise CheckError(f"{archive.name} has {', '.join(compiled)}")
    print(f"{archive.name}: {len(names)} files")


def pythons() -> Iterator[tuple[str, Path]]:
    """Return every Python that is new enough and can make environments, by version and place."""
    folders = [Path(name) for name in os.get_exec_path()]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [Path(sys.executable), *pyenv.glob("versions/*/bin/python3")]
    candidates += [path for folder in folders for path in folder.glob("python3*")]
    for path in candidates:
        if not re.fullmatch(r"python(3(\.\d+)?)?(\.exe)?", path.name):
            continue
        try:
            answer = run([str(path), "-I", "-c", IDENTITY])
        except (CheckError, OSError):
            continue
        version, prefix = json.loads(answer)
        if tuple(version) >= OLDEST:
            yield f"{'.'.join(map(str, version))} in {prefix}", path


def check_installed(python: Path, wheel: Path, folder: Path) -> None:
    """Install the wheel into a new environment, and try what it brings."""
    run([str(python), "-I", "-m", "venv", str(folder / "env")])
    scripts = folder / "env" / SCRIPTS
    # Every package as a wheel; a compiler that fails, should anything ask for one.
    environment = {**clean_environment(), "CC": "false", "CXX": "false"}
    pip = [str(scripts / "python"), "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    run([*pip, f"{wheel}[web]"], folder, environment)
    check_program(scripts, folder)


def check_program(scripts: Path, folder: Path) -> None:
    """Try the program among some scripts, in a folder where there is no source."""
    gridlock = str(scripts / "gridlock")
    environment = {**clean_environment(), "GRIDLOCK_DATA": str(folder / "data")}
    facts = json.loads(run([gridlock, "doctor", "--json"], folder, environment))
    if facts["core"] != "compiled":
        raise CheckError(f"the core is interpreted: {facts['why_interpreted']}")
    if END not in run([gridlock, *GAME], folder, environment, MOVES):
        raise CheckError("a game did not end as it should")
    if "occupation" not in run([gridlock, "learn"], folder, environment):
        raise CheckError("there are no lessons")
    check_server([gridlock, "serve", "--port", "0"], folder, environment)


def check_server(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Start a server, ask whether it is well, and end it."""
    server = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        said = server.stdout.readline() if server.stdout else ""
        found = re.search(r"http://\S+:\d+/", said)
        if not found:
            raise CheckError(f"the server did not start: {said}")
        with urllib.request.urlopen(f"{found[0]}healthz", timeout=PATIENCE) as answer:
            if answer.status != 200:
                raise CheckError(f"the server is not well: {answer.status}")
    finally:
        server.terminate()
        server.wait(PATIENCE)


def clean_environment() -> dict[str, str]:
    """Return the variables, without those that lead Python or GridLock elsewhere."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "GRIDLOCK_", "VIRTUAL_ENV"))
    }


def run(
    command: list[str],
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
    typed: str = "",
) -> str:
    """Run a command; return what it wrote."""
    done = subprocess.run(
        command,
        check=False,
        cwd=folder,
        env=environment,
        input=typed,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise CheckError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
