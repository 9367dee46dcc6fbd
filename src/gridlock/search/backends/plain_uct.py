"""Estimates for every kind of rulebook: a Monte Carlo tree search by nothing but the rules."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Player, Position

_POLL = 64  # actions of playouts between two looks at the clock: some milliseconds
_NODE = 1024  # bytes of a node with its position, about
_EXPLORATION = 0.7


class _Node:
    """A position of the tree; ``wins`` counts those of the player who chose ``cell``."""

    __slots__ = ("cell", "children", "position", "proof", "untried", "visits", "wins")

    def __init__(self, position: Position, cell: int) -> None:
        self.position = position
        self.cell = cell
        self.visits = 0
        self.wins = 0
        self.untried: list[int] | None = None
        """The cells without a child yet; None where nobody has looked at the legal ones."""
        self.children: list[_Node] = []
        self.proof = 0 if position.winner is None else -1
        """1 or -1 if the mover surely wins or loses."""

    def proof_by(self, child: _Node) -> int:
        """Return 1 or -1 if the mover surely wins or loses by going to a child."""
        return child.proof if child.position.mover is self.position.mover else -child.proof

    def find_proof(self) -> None:
        """Prove by the children what follows from them: one win, or all cells lost."""
        proofs = [self.proof_by(child) for child in self.children]
        if 1 in proofs:
            self.proof = 1
        elif not self.untried and 0 not in proofs:
            self.proof = -1

    def best_child(self) -> _Node | None:
        """Return the child to look at next, one that is not proved, by the rule UCB1."""
        scale = _EXPLORATION * math.sqrt(math.log(self.visits + 1))
        return max(
            (child for child in self.children if child.proof == 0),
            key=lambda child: (
                child.wins / child.visits + scale / math.sqrt(child.visits)
                if child.visits
                else math.inf
            ),
            default=None,
        )


class PlainUct:
    """An estimator of any position, slow; what an estimator promises stands in ``base``."""

    def __init__(self, position: Position, signal: memoryview, memory: int, seed: int) -> None:
        self.nodes = 0
        self.poll: Callable[[], None] | None = None
        self.failure: BaseException | None = None
        self._signal = signal
        self._rng = random.Random(seed)
        self._root = _Node(position, -1)
        self._left = max(memory // _NODE, len(position.legal_cells()))
        self._actions = 0
        if position.winner is None:
            self._open(self._root)

    def think(self, nodes: int) -> None:
        """Search until there were so many playouts in all, or it is proved, or told to stop."""
        while self.nodes < nodes and self._root.proof == 0 and not self._signal[0]:
            path = self._descend()
            winner = self._play_out(path[-1])
            if winner is None:
                return
            self.nodes += 1
            self._update(path, winner)

    def estimates(self) -> list[tuple[int, float, int, int]]:
        """Return for each legal cell its chance of winning, the playouts behind it, its proof."""
        children = {child.cell: child for child in self._root.children}
        found = []
        for cell in self._root.position.legal_cells():
            child = children.get(cell)
            if child is None:
                found.append((cell, 0.5, 0, 0))
                continue
            proof = self._root.proof_by(child)
            chance = child.wins / child.visits if child.visits else 0.5
            found.append((cell, chance if proof == 0 else (1 + proof) / 2, child.visits, proof))
        return found

    def _descend(self) -> list[_Node]:
        """Return the nodes from the root to one with which a playout begins, a new one mostly."""
        path = [self._root]
        while path[-1].proof == 0:
            node = path[-1]
            if node.untried is None:
                if node.visits == 0 or self._left <= 0:
                    break
                self._open(node)
            if node.proof:
                break
            if node.untried and self._left > 0:
                path.append(self._new_child(node))
                break
            best = node.best_child()
            if best is None:
                break
            path.append(best)
        return path

    def _open(self, node: _Node) -> None:
        """Look at the legal cells of a node; one that wins at once proves it."""
        node.untried = list(node.position.legal_cells())
        self._rng.shuffle(node.untried)
        for cell in node.untried if node is self._root else ():
            if node.position.play(cell).winner is not None:
                node.untried.remove(cell)
                node.untried.append(cell)
                self._new_child(node)
                node.find_proof()
                break

    def _new_child(self, node: _Node) -> _Node:
        """Add a child for the next cell of a node."""
        cell = (node.untried or []).pop()
        child = _Node(node.position.play(cell), cell)
        node.children.append(child)
        self._left -= 1
        return child

    def _play_out(self, node: _Node) -> Player | None:
        """Return who wins from a node, proved or by a random game; None if told to stop."""
        position = node.position
        if node.proof:
            return position.mover if node.proof > 0 else position.mover.opponent
        while position.winner is None:
            self._actions += 1
            if self._actions % _POLL == 0 and self.poll:
                self.poll()
            if self._signal[0]:
                return None
            position = position.play(self._rng.choice(position.legal_cells()))
        return position.winner

    def _update(self, path: list[_Node], winner: Player) -> None:
        """Add a result to the nodes of a path, and prove those that are proved now."""
        for parent, node in zip(reversed(path[:-1]), reversed(path), strict=False):
            node.visits += 1
            node.wins += winner is parent.position.mover
            if node.proof and not parent.proof:
                parent.find_proof()
        self._root.visits += 1
