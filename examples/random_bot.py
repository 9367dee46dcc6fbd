#!/usr/bin/env python3
"""Plays duel at random: a whole UGI engine in plain Python.  Change `choose`, and it is yours."""

import random
import sys

rows, columns = 5, 5
marks, mover = {}, 1  # {(row, column): "1", "2" or "#"}, and who is to move


def legal_cells():
    """Return the cells that no player's mark lies on or beside, and that are not #."""
    taken = [cell for cell, mark in marks.items() if mark != "#"]
    board = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    beside = {cell for cell in board for y, x in taken if abs(cell[0] - y) + abs(cell[1] - x) <= 1}
    return [cell for cell in board if cell not in beside and cell not in marks]


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
    make_moves(words[words.index("moves") + 1 :] if "moves" in words else [])


def make_moves(cells):
    global mover
    for cell in cells:
        marks[tuple(map(int, cell.split(",")))] = str(mover)
        mover = 3 - mover


def query(what):
    is_over = not legal_cells()
    result = f"p{3 - mover}win" if is_over else "none"
    said = {"p1turn": str(mover == 1).lower(), "gameover": str(is_over).lower(), "result": result}
    return said[what]


def answer(line):
    global rows, columns
    match line.split():
        case ["ugi"]:
            option = "option name Size type string default 5x5"
            return f"id name Random bot\nid author You\n{option}\nugiok"
        case ["setoption", "name", "Size", "value", size]:
            rows, columns = map(int, size.split("x"))
        case ["isready"]:
            return "readyok"
        case ["position", *rest]:
            set_up(rest)
        case ["moves", *cells]:
            make_moves(cells)
        case ["go", *_]:
            row, column = choose()
            return f"bestmove {row},{column}"
        case ["query", what]:
            return f"response {query(what)}"


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
