"""A referee between two UGI programs.

It is written from the protocol's own description, and knows the rules from ``tests.oracle``: it
shares no code with the engine.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Self

from tests.oracle import rules

if TYPE_CHECKING:
    from collections.abc import Sequence

COUNTED_FROM = {"occupation": 1, "duel": 1, "claim": 0, "trail": 1, "race": 0}


class Engine:
    """A program that speaks UGI."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.options: list[str] = []
        self.send("ugi")
        for line in iter(self.read, "ugiok"):
            if line.startswith("option name "):
                self.options.append(line.split()[2])

    def send(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")

    def read(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line.endswith("\n"), "the engine has ended"
        return line[:-1]

    def is_ready(self) -> None:
        self.send("isready")
        assert self.read() == "readyok"

    def query(self, what: str) -> str:
        self.send(f"query {what}")
        word, answer = self.read().split(" ")
        assert word == "response"
        return answer

    def best_move(self, how: str) -> str:
        self.send(f"go {how}")
        last = ""
        while not (line := self.read()).startswith("bestmove "):
            assert line.startswith("info ")
            last = line
        assert {"nodes", "time", "nps"} <= set(last.split())
        word, move = line.split(" ")
        assert word == "bestmove"
        return move

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.send("quit")
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        assert self._process.wait(30) == 0
        self._process.stdout.close()


def play(engines: tuple[Engine, Engine], game: str, rows: int, columns: int, how: str) -> int:
    """Let two engines play a game, agree with all they say, and return who has won."""
    for engine in engines:
        assert {"Game", "Size"} <= set(engine.options)
        engine.send(f"setoption name Game value {game}")
        engine.send(f"setoption name Size value {rows}x{columns}")
        engine.is_ready()
        engine.send("uginewgame")
        engine.is_ready()
    board = rules.GAMES[game](rows, columns, 1)
    moves: list[str] = []
    while True:
        for engine in engines:
            engine.send(" ".join(["position startpos", *(["moves", *moves] if moves else [])]))
            engine.is_ready()
            is_over = board.winner is not None
            assert engine.query("gameover") == str(is_over).lower()
            assert engine.query("result") == (f"p{board.winner}win" if is_over else "none")
            assert engine.query("p1turn") == str(board.mover == 1).lower()
        if board.winner is not None:
            return board.winner
        move = engines[board.mover - 1].best_move(how)
        first = COUNTED_FROM[game]
        row, column = (int(part) - first for part in move.split(","))
        board.play((row, column))  # which refuses what is illegal
        moves.append(move)
