"""Positions as texts and pictures."""

from __future__ import annotations

import numpy as np

import gridlock
from gridlock import Player
from gridlock.bridges import observation


def test_a_text_shows_the_board_and_who_is_to_move_or_has_won() -> None:
    race = gridlock.game("race", "2x3").position("1.#/..2 1 block")
    assert observation.text(race) == "P1  .  #\n .  . P2\nP1 to block"
    duel = gridlock.game("duel", "1x2").start().play(0)
    assert observation.text(duel) == "A .\nA wins"


def test_a_picture_has_a_square_for_each_cell_and_tells_their_contents_apart() -> None:
    position = gridlock.game("race", "2x3").position("1.#/..2 1 move")
    pixels = observation.picture(position)
    assert pixels.shape == (80, 120, 3)
    assert pixels.dtype == np.uint8
    middles = {
        cell: tuple(pixels[row * 40 + 20, column * 40 + 20])
        for cell, (row, column) in ((cell, position.game.grid.place(cell)) for cell in range(6))
    }
    legal, closed = middles[1], middles[4]
    assert legal == middles[3] != closed
    assert len({legal, closed, middles[0], middles[2], middles[5]}) == 5


def test_planes_are_named_and_seen_by_either_player() -> None:
    game = gridlock.game("trail", "2x2")
    position = game.start().play(0)
    assert observation.plane_names(game) == ("own", "other", "own_open", "other_open", "last")
    mine, theirs = (observation.planes(position, player) for player in Player)
    assert mine[0].tolist() == theirs[1].tolist() == [[1, 0], [0, 0]]
    assert mine[4].tolist() == theirs[4].tolist() == [[1, 0], [0, 0]]
    assert observation.legal_mask(position).tolist() == [0, 1, 1, 0]
