#!/usr/bin/env python3
"""Plays duel at random: a whole UGI engine in plain Python.  Change `choose`, and it is yours."""

import random
import sys

rows, columns = 5, 5
marks, mover = {}, 1  # {(row, column): "1", "2" or "#"}, and who is to move


def legal_cells():
    """A cell is locked if a player's mark lies on it or right beside it; # is no part of the board."""
    board = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    taken = [cell for cell, mark in marks.items() if mark != "#"]
    return [(r, c) for r, c in board
            if (r, c) not in marks and all(abs(r - y) + abs(c - x) > 1 for y, x in taken)]


def choose():
    return random.choice(legal_cells())


def set_up(words):
    """position startpos | fen ROWS MOVER DETAIL, then perhaps: moves CELL CELL ..."""
    global rows, columns, marks, mover
    marks, mover = {}, 1
    if words[0] == "fen":
        lines = words[1].split("/")
        rows, columns, mover = len(lines), len(lines[0]), int(words[2])
        marks = {(r, c): mark for r, line in enumerate(lines, 1)
                 for c, mark in enumerate(line, 1) if mark != "."}
    if "moves" in words:
        make_moves(words[words.index("moves") + 1:])


def make_moves(cells):
    global mover
    for cell in cells:
        marks[tuple(map(int, cell.split(",")))] = str(mover)
        mover = 3 - mover


def answer(line):
    global rows, columns
    words = line.split()
    match words:
        case ["ugi"]:
            return "id name Random bot\nid author You\noption name Size type string default 5x5\nugiok"
        case ["setoption", "name", "Size", "value", size]:
            rows, columns = map(int, size.split("x"))
        case ["isready"]:
            return "readyok"
        case ["position", *rest]:
            set_up(rest)
        case ["moves", *cells]:
            make_moves(cells)
        case ["go", *_]:
            return "bestmove %d,%d" % choose()
        case ["query", what]:
            is_over = not legal_cells()
            return "response " + {"p1turn": str(mover == 1).lower(), "gameover": str(is_over).lower(),
                                  "result": f"p{3 - mover}win" if is_over else "none"}[what]


if __name__ == "__main__":
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        try:
            said = answer(line)
        except (ValueError, KeyError, IndexError) as error:
            said = f"info string I do not understand that: {error!r}"
        if said:
            print(said, flush=True)
