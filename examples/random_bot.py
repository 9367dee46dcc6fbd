#!/usr/bin/env python3
"""Plays duel at random: a whole UGI engine in plain Python.  Change `choose`, and it is yours."""

import random
import sys

rows, columns, marks, mover = 5, 5, {}, 1  # marks: {(row, column): "1", "2" or "#"}


def legal_cells():
    """Return the cells that no player's mark lies on or beside, and that are not #."""
    board = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    taken = [cell for cell, mark in marks.items() if mark != "#"]
    locked = {(r, c) for r, c in board for y, x in taken if abs(r - y) + abs(c - x) <= 1}
    return [cell for cell in board if cell not in locked and cell not in marks]


def choose():
    return random.choice(legal_cells())


def set_up(words):
    """Read startpos, or fen ROWS MOVER DETAIL; then perhaps moves CELL CELL ..."""
    global rows, columns, marks, mover
    marks, mover = {}, 1
    if words[0] == "fen":
        lines = words[1].split("/")
        rows, columns, mover = len(lines), len(lines[0]), int(words[2])
        cells = {(r, c): mark for r, line in enumerate(lines, 1) for c, mark in enumerate(line, 1)}
        marks = {cell: mark for cell, mark in cells.items() if mark != "."}
    for move in words[words.index("moves") + 1 :] if "moves" in words else []:
        marks[tuple(map(int, move.split(",")))] = str(mover)
        mover = 3 - mover


def answer(line):
    global rows, columns
    match line.split():
        case ["ugi"]:
            options = "option name Size type string default 5x5"
            return f"id name Random bot\nid author You\n{options}\nugiok"
        case ["setoption", "name", "Size", "value", size]:
            rows, columns = map(int, size.split("x"))
        case ["isready"]:
            return "readyok"
        case ["position", *words]:
            set_up(words)
        case ["go", *_]:
            return "bestmove {},{}".format(*choose())
        case ["query", "p1turn"]:
            return f"response {str(mover == 1).lower()}"
        case ["query", "gameover"]:
            return f"response {str(not legal_cells()).lower()}"
        case ["query", "result"]:
            return f"response {'none' if legal_cells() else f'p{3 - mover}win'}"


if __name__ == "__main__":
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        try:
            said = answer(line)
        except (ValueError, IndexError):
            said = "info string what?"
        if said:
            print(said, flush=True)
