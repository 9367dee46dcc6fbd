"""Exact quality, against games that were judged by hand and by plain recursion."""

from __future__ import annotations

import random

import pytest

import gridlock
from gridlock import Engine, Player, Record
from gridlock.lab.tournament.ledger import Result
from gridlock.lab.tournament.quality import judge, summarise
from tests.oracle import solver as oracle


def result_of(record: Record, number: int = 0, players: tuple[int, int] = (0, 1)) -> Result:
    assert record.result
    return Result(number, 0, players, int(record.result), record.termination, str(record))


def random_game(game: gridlock.Game, rng: random.Random) -> Record:
    position, moves = game.start(), []
    while position.winner is None:
        moves.append(rng.choice(position.legal_cells()))
        position = position.play(moves[-1])
    return Record(game, moves=tuple(moves), result=position.winner)


@pytest.mark.parametrize("name", gridlock.RULEBOOKS)
def test_quality_is_what_plain_recursion_finds(name: str) -> None:
    game = gridlock.game(name, "3x3")
    rng, engine = random.Random(3), Engine(game)
    for _ in range(5):
        record = random_game(game, rng)
        seats = judge(engine, result_of(record))["seats"]
        won = dict.fromkeys(Player, 0)
        given = dict.fromkeys(Player, 0)
        lost_for = dict.fromkeys(Player, 0)
        for position, cell in zip(record.positions(), record.moves, strict=False):
            mover = position.mover
            is_won = oracle.solve(position)[0]
            won[mover] += is_won
            given[mover] += is_won and not oracle.solve_action(position, cell)[0]
            lost_for[mover] = 0 if is_won else lost_for[mover] + 1
        for player in Player:
            seat = seats[player - 1]
            assert seat["judged"] == seat["actions"]
            assert seat["won"] == won[player]
            assert len(seat["mistakes"]) == given[player]
            expected = None if record.result is player else lost_for[player]
            assert seat["resistance"] == expected


def test_players_are_judged_over_all_their_games_from_both_seats() -> None:
    game = gridlock.game("duel", "3x3")
    engine = Engine(game)
    # 1,2 gives away what 2,2 would have won; 2,1 loses as does everything then.
    thrown = Record(
        game, moves=gridlock.read_moves(game, "1,2 2,1 2,3 3,2"), result=Player.TWO
    )  # fmt: skip
    results = [result_of(thrown, 0, (0, 1)), result_of(thrown, 1, (1, 0))]
    lines = {result.number: judge(engine, result) for result in results}
    one, two = summarise(2, results, lines)
    assert one.actions == two.actions == 4
    assert 1 in one.mistakes
    assert one.part_judged == 1
    assert one.mistakes_per_100
    assert one.mistakes_per_100 > 0
    assert one.mean_turn
    assert one.resistances == two.resistances


def test_what_was_not_judged_does_not_count() -> None:
    game = gridlock.game("duel", "3x3")
    record = random_game(game, random.Random(1))
    (nobody,) = summarise(1, [result_of(record)], {})
    assert (nobody.mistakes_per_100, nobody.mean_turn, nobody.resistance) == (None, None, None)
    assert nobody.part_judged is None


def test_on_a_board_that_is_too_large_to_solve_it_says_how_much_was_judged() -> None:
    game = gridlock.game("occupation", "9x9")
    record = random_game(game, random.Random(2))
    engine = Engine(game, gridlock.Settings(seconds=0.3))
    seats = judge(engine, result_of(record))["seats"]
    assert 0 < sum(seat["judged"] for seat in seats) < len(record.moves)
