"""The environments for learners: how many steps and exact values a second, on one core.

Seconds are those of the processor, and each line is the best of several rounds, so that other
programs on the machine count less.  All are measured in one run, the peers too: OpenSpiel's
tic-tac-toe in C++, stepped from Python; duel as an environment with numpy arrays and loops, a game
at a time; trail by hand, as a loop in plain Python.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import numpy as np
import pyspiel

import gridlock
from benchmarks.goals import Goals
from benchmarks.peers.by_hand import ListTrail, NumpyDuel
from gridlock.bridges.batch import Batch, random_states
from gridlock.bridges.values import values
from gridlock.search import kernel
from gridlock.search.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock import Game

GAMES = 4096
STEPS = 200  # of all games, in one round
ROUNDS = 7
MILLION = 1e6
STEP_GOALS = {"duel": 10.0, "occupation": 8.0, "claim": 8.0, "trail": 8.0, "race": 4.0}
SIZES = {"race": "4x4"}
PLAY_GOAL = 300_000
VALUE_GOAL = 100_000


def best(work: Callable[[], int]) -> float:
    """Return how much work is done in a second, in the best of several rounds."""
    rates = []
    for _ in range(ROUNDS):
        began = time.process_time()
        done = work()
        rates.append(done / (time.process_time() - began))
    return max(rates)


def main() -> None:
    """Measure and print."""
    goals = Goals()
    print(f"core: {kernel.why_interpreted or 'compiled'}; {GAMES:,} games at once")
    steps = {name: measure_batch(name, goals) for name in STEP_GOALS}
    compare(steps["duel"], goals)
    for name in STEP_GOALS:
        measure_play(name, goals)
    compare_by_hand(goals)
    for name in STEP_GOALS:
        measure_values(name, goals)
    goals.conclude()


def measure_batch(name: str, goals: Goals) -> float:
    """Return the steps a second of a batch: actions given, masks and restarts included."""
    batch = Batch(name, GAMES, size=SIZES.get(name, "5x5"), seed=1)
    actions = []
    for _ in range(STEPS):
        actions.append(batch.sample())
        batch.step(actions[-1])

    def step() -> int:
        batch.reset(seed=1)  # so that the same actions are legal
        for chosen in actions:
            batch.step(chosen)
        return GAMES * STEPS

    def play() -> int:
        for _ in range(STEPS):
            batch.step(batch.sample())
        return GAMES * STEPS

    def observe() -> int:
        for _ in range(STEPS):
            batch.observe()
        return GAMES * STEPS

    batch.reset(seed=1)
    stepped, played, seen = best(step), best(play), best(observe)
    goal = STEP_GOALS[name]
    goals.check(
        f"{name} {batch.game.grid}: {goal:g} million steps a second",
        f"{stepped / MILLION:.1f} million; {played / MILLION:.1f} with actions sampled; "
        f"planes of {seen / MILLION:.1f} million states",
        is_met=stepped >= goal * MILLION,
    )
    return played


def compare(own: float, goals: Goals) -> None:
    """Compare a batch, its actions sampled too, with others that choose at random."""
    rng = random.Random(1)
    game = pyspiel.load_game("tic_tac_toe")

    def spiel() -> int:
        done = 0
        for _ in range(2000):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                done += 1
        return done

    def numpy() -> int:
        done = 0
        env = NumpyDuel()
        for _ in range(100):
            env.reset()
            is_over = False
            while not is_over:
                _, _, is_over = env.step(rng.choice(env.valid_moves()))
                done += 1
        return done

    for name, work, factor in (
        ("OpenSpiel's tic-tac-toe", spiel, 20),
        ("duel with numpy, a game at a time", numpy, 100),
    ):
        peer = best(work)
        goals.check(
            f"{factor} times {name}",
            f"{own / peer:,.0f} times: {own / MILLION:.1f} million against {peer:,.0f}",
            is_met=own >= factor * peer,
        )


def measure_play(name: str, goals: Goals) -> None:
    """Measure ``Position.play``."""
    game = gridlock.game(name)
    lines = _random_lines(game)

    def play() -> int:
        for line in lines:
            position = game.start()
            for cell in line:
                position = position.play(cell)
        return sum(map(len, lines))

    rate = best(play)
    goal = f"{name}: {PLAY_GOAL:,} calls of Position.play a second"
    goals.check(goal, f"{rate:,.0f}", is_met=rate >= PLAY_GOAL)


def compare_by_hand(goals: Goals) -> None:
    """Play games of trail until they are over, as positions and by hand."""
    game = gridlock.game("trail")
    lines = _random_lines(game)

    def play() -> int:
        for line in lines:
            position = game.start()
            for cell in line:
                position = position.play(cell)
                if position.winner is not None:
                    break
        return sum(map(len, lines))

    def by_hand() -> int:
        for line in lines:
            board = ListTrail(game.grid.rows)
            for cell in line:
                board.play(cell)
                if board.is_over():
                    break
        return sum(map(len, lines))

    own, hand = best(play), best(by_hand)
    goals.check(
        "trail, played until it is over: no slower than by hand",
        f"{own:,.0f} against {hand:,.0f} moves a second",
        is_met=own >= hand,
    )


def _random_lines(game: Game) -> list[list[int]]:
    rng = random.Random(1)
    lines = []
    for _ in range(200):
        position, line = game.start(), []
        while position.winner is None:
            line.append(rng.choice(position.legal_cells()))
            position = position.play(line[-1])
        lines.append(line)
    return lines


def measure_values(name: str, goals: Goals) -> None:
    """Measure exact values of random states whose values are in the table."""
    batch = random_states(name, GAMES, size=SIZES.get(name, "5x5"), seed=1)
    solver = Solver(batch.game)
    began = time.process_time()
    values(batch, solver)
    cold = GAMES / (time.process_time() - began)
    nodes = solver.progress.nodes

    def evaluate() -> int:
        values(batch, solver)
        return GAMES

    def label() -> int:
        values(batch, solver, actions=True)
        return int(np.count_nonzero(batch.legal))

    label()  # so that the values of the actions are in the table too
    rate, actions = best(evaluate), best(label)
    goals.check(
        f"{name} {batch.game.grid}: {VALUE_GOAL:,} exact values a second, warm",
        f"{rate:,.0f}; of actions {actions:,.0f}; cold {cold:,.0f} with {nodes:,} nodes",
        is_met=rate >= VALUE_GOAL,
    )


if __name__ == "__main__":
    main()
