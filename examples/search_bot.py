#!/usr/bin/env python3
"""Plays duel by looking ahead: tries every move in random games, and takes the one that wins most.

The protocol is random_bot.py's; what is new is that it thinks in a thread, so that it can be told
to stop meanwhile, and that it keeps to its time.
"""

import random
import sys
import threading
import time

import random_bot

stopping = threading.Event()
search = threading.Thread()


def neighbours(cell):
    row, column = cell
    return {cell, (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}


def is_won(open_cells):
    """Play a random game to its end; tell whether the player who is not to move now wins."""
    open_cells, moves = set(open_cells), 0
    while open_cells:
        open_cells -= neighbours(random.choice(sorted(open_cells)))
        moves += 1
    return moves % 2 == 0  # then it is again the turn of the player to move, who cannot


def think(seconds, most, say):
    """Share the time among all moves, then say the best."""
    end, started, playouts = time.monotonic() + seconds, time.monotonic(), 0
    cells = random_bot.legal_cells()
    after = {cell: set(cells) - neighbours(cell) for cell in cells}
    wins = dict.fromkeys(cells, 0)
    while playouts < most and time.monotonic() < end and not stopping.is_set():
        for cell in cells:
            wins[cell] += is_won(after[cell])
        playouts += len(cells)
    taken = time.monotonic() - started
    say(f"info nodes {playouts} nps {playouts / taken:.0f} time {1000 * taken:.0f}")
    row, column = max(cells, key=wins.get)
    say(f"bestmove {row},{column}")


def limits(words):
    """Return the seconds and the playouts that a go command allows."""
    given = dict(zip(words[::2], map(int, words[1::2])))
    if "movetime" in given:
        return 0.9 * given["movetime"] / 1000, float("inf")
    if "p1time" in given:
        return given[f"p{random_bot.mover}time"] / 1000 / 30, float("inf")
    return float("inf"), given.get("nodes", 1000 if "depth" in given else float("inf"))


def say(line):
    print(line, flush=True)


def answer(line):
    global search
    words = line.split()
    if words == ["stop"]:
        stopping.set()
        if search.is_alive():
            search.join()
    elif words[:1] == ["go"]:
        seconds, most = limits([] if "infinite" in words else words[1:])
        stopping.clear()
        search = threading.Thread(target=think, args=(seconds, most, say))
        search.start()
    else:
        return random_bot.answer(line)


if __name__ == "__main__":
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        try:
            said = answer(line)
        except (ValueError, KeyError, IndexError) as error:
            said = f"info string I do not understand that: {error!r}"
        if said:
            say(said.replace("Random bot", "Search bot"))
    answer("stop")
