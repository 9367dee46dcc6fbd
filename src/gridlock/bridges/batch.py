"""Thousands of games at once, as numpy arrays: what learners step, see and sample.

The arrays are the batch's own: each call overwrites them, so copy what you keep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from gridlock.errors import GridlockError, IllegalMoveError, RulebookError
from gridlock.model import Game
from gridlock.rulebooks.catalogue import game as make_game
from gridlock.search.batching import batching_of
from gridlock.search.kernel import batch as kernel
from gridlock.search.kernel.bits import CHANCE, EITHER, GAME, LAST_SHIFT, LEGAL, TURN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from gridlock.grid import Grid
    from gridlock.model import Position, Rulebook

    Bytes = NDArray[np.int8]
    Integers = NDArray[np.int64]
    Words = NDArray[np.uint64]

RANDOM = "random"
_WORD = 8  # bytes
_LARGEST = np.uint64(np.iinfo(np.int64).max)
_MOST_GAMES = 1 << 24  # whose words can be counted in the kernel


class ArrayError(GridlockError, ValueError):
    """An array whose shape, type or contents make no sense here."""

    code = "array"


def game_on(game: str | Rulebook | Game, size: str | Grid | None) -> Game:
    """Return a game, by its id, its rulebook or as it is, on a board of another size if asked."""
    return game if isinstance(game, Game) and size is None else make_game(game, size)


class Batch:
    """So many games of one rulebook, all on the same board, of 64 cells at most.

    ``first`` is the player who begins, 1, 2 or ``"random"``.  With ``autoreset`` a game that ends
    begins anew in the same step; otherwise it stays over, and its actions are ignored.

    ``legal`` tells which cells the movers may choose, a row of bytes for each game; ``winners``
    who won by the last step, 0 for nobody.  In these games only the player who acts can win by it.

    One batch may be used by one thread at a time; the kernel runs without the GIL.
    """

    def __init__(
        self,
        game: str | Rulebook | Game,
        games: int = 1,
        *,
        size: str | Grid | None = None,
        first: int | str = 1,
        seed: int | ArrayLike | None = None,
        autoreset: bool = True,
    ) -> None:
        if not 1 <= games <= _MOST_GAMES:
            raise ArrayError(f"a batch has 1 to {_MOST_GAMES:,} games, not {games}")
        if first not in (1, 2, RANDOM):
            raise ArrayError(f"1, 2 or {RANDOM!r} begins, not {first!r}")
        self.game = game_on(game, size)
        self.autoreset = autoreset
        self._first = first
        self._batching = batching_of(self.game)
        self.planes = self._batching.planes
        """The names of the planes that ``observe`` returns."""
        layout = self._batching.layout(EITHER if first == RANDOM else int(first) - 1)
        if self.game.start().winner is not None:
            raise RulebookError(f"{self.game.rulebook.id} {self.game.grid} is over at the start")
        grid = self.game.grid
        self._words = np.zeros((games + 1, GAME), np.uint64)  # the last is for playouts
        self._actions = np.zeros(games, np.int64)
        self._chosen = np.ones(games, np.uint8)
        self.winners = np.zeros(games, np.uint8)
        legal, planes = (
            np.zeros((games, -(-bits // _WORD) * _WORD), np.int8)
            for bits in (grid.cell_count, len(self.planes) * grid.cell_count)
        )
        self.legal: Bytes = legal[:, : grid.cell_count]
        self._planes: Bytes = planes[:, : len(self.planes) * grid.cell_count].reshape(
            games, len(self.planes), grid.rows, grid.columns
        )
        self._kernel = kernel.Batch(
            layout,
            self._words.reshape(-1).data,
            self._actions.data,
            self.winners.data,
            self._chosen.data,
            legal.view(np.uint64).reshape(-1).data,
            planes.view(np.uint64).reshape(-1).data,
        )
        self.reset(seed=np.random.SeedSequence().generate_state(1)[0] if seed is None else seed)

    def __len__(self) -> int:
        return len(self.winners)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} {self.game.rulebook.id} {self.game.grid}>"

    # ------------------------------------------------------------------ playing

    def reset(self, which: ArrayLike | None = None, seed: int | ArrayLike | None = None) -> Bytes:
        """Begin all games anew, or those that ``which`` marks; return ``legal``.

        ``seed`` is a number for each game, or one number, from which game ``i`` gets ``seed + i``.
        Without it the games' sources of chance go on.
        """
        self._choose(which)
        if seed is not None:
            numbers = np.asarray(seed)
            if numbers.dtype.kind not in "iu" or numbers.ndim > 1 or (numbers < 0).any():
                raise ArrayError("a seed is a whole number from 0 up, or one for each game")
            numbers = numbers.astype(np.uint64)
            if numbers.ndim == 0:
                numbers = numbers + np.arange(len(self), dtype=np.uint64)
            self._check_shape(numbers, "seed")
            self._actions[:] = numbers & _LARGEST
            self._kernel.seed()
        self._kernel.restart()
        self.winners[self._chosen != 0] = 0
        return self._show()

    def step(self, actions: ArrayLike, which: ArrayLike | None = None) -> NDArray[np.uint8]:
        """Play one action in every game; return ``winners``, and bring ``legal`` up to date.

        Where ``which`` is false a game is left alone, and its action does not matter.  If any
        action is illegal no game is changed, and ``IllegalMoveError`` names the first.
        """
        given = self.check_actions(actions)
        self._choose(which)
        self._actions[:] = given
        illegal = self._kernel.step(self.autoreset)
        if illegal >= 0:
            position, cell = self.position(illegal), int(self._actions[illegal])
            try:
                position.check(cell)
            except IllegalMoveError as error:
                text = f"game {illegal}: {error}"
                raise IllegalMoveError(error.code, text, position, cell) from None
        self._show()
        return self.winners

    def sample(self) -> Integers:
        """Return a legal action of each game, uniformly at random; -1 where it is over."""
        self._kernel.sample()
        return self._actions.copy()

    def playouts(self, times: int = 1) -> Integers:
        """Return how many of so many random playouts the mover of each game wins.

        The games stay as they are.  The mover of a game that is over has lost it.
        """
        self._kernel.playouts(times)
        return self._actions.copy()

    def observe(self, viewer: int | None = None) -> Bytes:
        """Return the planes as the movers see them, or player 1 or 2 in all games.

        The axes are games, planes, rows and columns.
        """
        if viewer not in (None, 1, 2):
            raise ArrayError(f"player 1 or 2 sees the planes, or None for the movers: not {viewer}")
        self._kernel.show_planes(-1 if viewer is None else viewer - 1)
        return self._planes

    # ------------------------------------------------------------------ positions

    @property
    def movers(self) -> Integers:
        """Who is to move in each game, 1 or 2; the loser where it is over."""
        return (self.state[:, TURN] & np.uint64(1)).astype(np.int64) + 1

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over: with ``autoreset``, none."""
        return cast("NDArray[np.bool_]", self.state[:, LEGAL] == 0)

    @property
    def state(self) -> Words:
        """All that the games are, in eight words each; ``restore`` goes back to a copy."""
        return self._words[:-1]

    def restore(self, state: ArrayLike) -> None:
        """Go back to a copy of ``state``, of this batch or of one of the same game and length."""
        words = np.asarray(state)
        if words.dtype != np.uint64 or words.shape != self.state.shape:
            raise ArrayError(
                f"a state is an array of uint64 of shape {self.state.shape}, "
                f"not of {words.dtype} of shape {words.shape}"
            )
        if not self._is_possible(words):
            raise ArrayError(f"this is no state of {self.game.rulebook.id} {self.game.grid}")
        self.state[:] = words
        self.winners[:] = 0
        self._show()

    def position(self, number: int) -> Position:
        """Return the position of one game."""
        return self._batching.position([int(word) for word in self.state[number]])

    def place(self, positions: Sequence[Position]) -> None:
        """Set all games to some positions, one for each; they go on from there."""
        if len(positions) != len(self):
            raise ArrayError(f"{len(self)} games need as many positions, not {len(positions)}")
        for position in positions:
            if position.game != self.game:
                raise RulebookError(f"a batch of {self.game} cannot hold {position.game}")
        words = [self._batching.words(position) for position in positions]
        self.state[:, :CHANCE] = np.array(words, np.uint64)
        self.winners[:] = 0
        self._show()

    def select(self, which: ArrayLike) -> Batch:
        """Return a batch of some games, by their numbers or by a mark for each: copies of them.

        They do not begin anew when they end.
        """
        state = self.state[np.asarray(which)]
        if state.ndim != 2 or not len(state):
            raise ArrayError("choose one game at least, by numbers or by a mark for each game")
        batch = Batch(self.game, len(state), first=self._first, seed=0, autoreset=False)
        batch.restore(state)
        return batch

    def children(self) -> tuple[Batch, Integers, Integers]:
        """Return the games after every legal action, whose game each was, and the actions.

        Raises ``ArrayError`` if all games are over.
        """
        parents, actions = np.nonzero(self.legal)
        batch = self.select(parents)
        batch.step(actions)
        return batch, parents, actions

    # ------------------------------------------------------------------ checks

    def _is_possible(self, words: Words) -> bool:
        """Tell whether the kernel can play on from words: no mask or cell leads off the board."""
        one, two, turn = words[:, 0], words[:, 1], words[:, TURN]
        masks = np.delete(words, [TURN, CHANCE], axis=1)
        beyond = np.uint64(~self.game.grid.full & (1 << 64) - 1)
        last = turn >> np.uint64(LAST_SHIFT)
        if (masks & beyond).any() or (last > self.game.grid.cell_count).any():
            return False
        if not self.game.rulebook.has_tokens:
            return True
        tokens = np.concatenate([one, two])
        return bool(((tokens != 0) & (tokens & (tokens - np.uint64(1)) == 0)).all())

    def check_actions(self, actions: ArrayLike) -> NDArray[Any]:
        """Return actions as an array of whole numbers, one for each game, or raise ``ArrayError``.

        They may be illegal.
        """
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise ArrayError(f"actions are whole numbers, not {given.dtype}")
        self._check_shape(given, "actions")
        return given

    def _show(self) -> Bytes:
        self._kernel.show_legal()
        return self.legal

    def _choose(self, which: ArrayLike | None) -> None:
        if which is None:
            self._chosen[:] = 1
            return
        marks = np.asarray(which)
        if marks.dtype != np.bool_:
            raise ArrayError(f"which games is an array of bool, not of {marks.dtype}")
        self._check_shape(marks, "which")
        self._chosen[:] = marks

    def _check_shape(self, given: NDArray[Any], name: str) -> None:
        if given.shape != (len(self),):
            raise ArrayError(f"{name} has the shape {given.shape}, not {(len(self),)}")


def random_states(
    game: str | Rulebook | Game, games: int, *, size: str | Grid | None = None, seed: int = 0
) -> Batch:
    """Return states from so many random games, none of them over, and either player to begin.

    Of each game every state before the end is equally likely.
    """
    batch = Batch(game, games, size=size, first=RANDOM, seed=seed, autoreset=False)
    kept = batch.state.copy()
    rng = np.random.default_rng(seed)
    seen = 0
    while not batch.over.all():
        seen += 1
        kept_instead = ~batch.over & (rng.random(games) < 1 / seen)
        kept[kept_instead] = batch.state[kept_instead]
        batch.step(batch.sample())
    batch.restore(kept)
    return batch
