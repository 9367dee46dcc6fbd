"""A UGI bot that goes wrong in one way, which is its argument; it plays duel otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import random_bot  # type: ignore[import-not-found]

FOREVER = 3600.0


def say(text: str) -> None:
    print(text, flush=True)


def sleep() -> None:
    time.sleep(FOREVER)


def crash() -> None:
    sys.stderr.write("I am about to crash\n")
    sys.stderr.flush()
    os._exit(3)


def flood() -> None:
    while True:
        print("info string " + "blah " * 100)


def say_endless_line() -> None:
    while True:
        sys.stdout.write("blah " * 1000)


def is_alive(pid: int) -> bool:
    """Tell whether a process runs, as Linux shows it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def begin_child() -> None:
    child = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({FOREVER})"])
    sys.stderr.write(f"child {child.pid}\n")
    sys.stderr.flush()


def leave_child() -> None:
    begin_child()
    say(random_bot.answer("go"))


def hang_with_child() -> None:
    begin_child()
    sleep()


def dawdle() -> None:
    time.sleep(1.5)
    say(random_bot.answer("go"))


WRONG: dict[str, tuple[str, Callable[[], object]]] = {
    "no-author": ("ugi", lambda: say("id name Nobody\nugiok")),
    "mute": ("ugi", sleep),
    "unready": ("isready", lambda: say("yes")),
    "option-crash": ("setoption", lambda: os._exit(1)),
    "frail": ("xyzzy", lambda: os._exit(1)),
    "wrong-turn": ("query p1turn", lambda: say("response true")),
    "wrong-result": ("query result", lambda: say("response none")),
    "no-text": ("position fen", lambda: None),
    "no-nodes": ("go nodes", lambda: None),
    "deaf-while-searching": ("go infinite", sleep),
    "crash": ("go", crash),
    "hang": ("go", sleep),
    "flood": ("go", flood),
    "endless-line": ("go", say_endless_line),
    "illegal": ("go", lambda: say("bestmove 99,99")),
    "taken": ("go", lambda: say("bestmove 1,1")),
    "garbage": ("go", lambda: say("bestmove over there")),
    "children": ("go", leave_child),
    "children-hang": ("go", hang_with_child),
    "slow": ("go", dawdle),
}
"""How a line begins that is answered wrongly, and what happens then."""


def main(mode: str) -> None:
    if mode == "eager":
        say("readyok")
    beginning, go_wrong = WRONG.get(mode, ("never", sleep))
    for line in sys.stdin:
        if line.strip() == "quit" and mode != "ignores-quit":
            return
        if line.startswith(beginning):
            go_wrong()
            continue
        try:
            said = random_bot.answer(line)
        except (ValueError, KeyError, IndexError):
            said = None
        if said:
            say(said)
    if mode in ("ignores-quit", "ignores-end"):
        sleep()


if __name__ == "__main__":
    main(sys.argv[1])
