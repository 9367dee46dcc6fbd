# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""A Monte Carlo tree search that estimates what cannot be solved, and proves what can.

A proof never rests on playouts: a mover without a cell has lost, one lost child wins, and if all
children are won for their movers the node is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import FINGERPRINT, Int
    from gridlock.search.kernel.leaf import Leaf
    from gridlock.search.kernel.ticker import Ticker
    from gridlock.search.kernel.tree import (
        CELL,
        COUNT,
        FINE,
        FIRST,
        NODE,
        PRIOR,
        PROOF,
        VISITS,
        WINS,
        Tree,
    )
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Int
    from cython.cimports.gridlock.search.kernel.leaf import Leaf
    from cython.cimports.gridlock.search.kernel.ticker import Ticker
    from cython.cimports.gridlock.search.kernel.tree import (
        CELL,
        COUNT,
        FINE,
        FIRST,
        NODE,
        PRIOR,
        PROOF,
        VISITS,
        WINS,
        Tree,
    )

from gridlock.search.kernel.tree import NODE_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlock.search.layout import WideLayout

built_from = FINGERPRINT

POLL = 1 << 15 if cython.compiled else 1 << 8  # cells of the playouts between two polls: some ms
MOST_PLAYOUTS = 256  # between two polls
PATIENCE = 4  # the playouts of a node before it gets children


class Uct(Ticker):
    """The search of one position in one thread, in a fixed amount of memory.

    ``nodes`` counts its playouts.  The same seed and the same number of them give the same answer.
    """

    def __init__(self, signal: memoryview, layout: WideLayout, memory: int, seed: int) -> None:
        Ticker.__init__(self, signal)
        self.pace = max(1, min(MOST_PLAYOUTS, POLL // layout.cells))
        self.leaf = Leaf(layout, seed)
        self.tree = Tree(max(memory // NODE_BYTES, len(layout.places) + 1), layout.cells + 1)
        self.patience = PATIENCE

    def set_root(self, mine: Iterable[int], theirs: Iterable[int], last: int) -> None:
        """Begin anew: which cells are open to the mover and to the other, and the last, or -1."""
        self.leaf.place_root(mine, theirs, last)
        self.tree.clear()
        self.nodes = 0
        self._expand(0, 0)

    def think(self, nodes: int) -> None:
        """Search until there were so many playouts in all, or it is proved or told to stop."""
        self.limit = nodes
        with cython.nogil:
            self._run()

    def estimates(self) -> list[tuple[int, float, int, int]]:
        """Return each legal cell with its chance of winning, the playouts behind it, and its proof.

        The proof is 1 or -1 if taking the cell surely wins or loses, and then the chance says so;
        0 if it is not known.
        """
        found = []
        first: Int = self.tree.nodes[FIRST]
        child: Int
        for child in range(first, first + self.tree.nodes[COUNT]):
            base: Int = child * NODE
            visits = self.tree.nodes[base + VISITS]
            proof = -self.tree.nodes[base + PROOF]
            chance = self.tree.nodes[base + WINS] / visits if visits else 0.5
            cell = self.leaf.grid_cells[self.tree.nodes[base + CELL]]
            found.append((cell, chance if proof == 0 else (1 + proof) / 2, visits, proof))
        return sorted(found)

    @property
    def proof(self) -> int:
        """Return 1 or -1 if the mover of the root surely wins or loses, 0 if that is not known."""
        return self.tree.nodes[PROOF]

    @property
    def size(self) -> int:
        """Return how many nodes the tree has."""
        return self.tree.used

    def _run(self) -> None:
        """Do one playout after the other."""
        while self.tree.nodes[PROOF] == 0 and not self._is_stopped():
            self._iterate()
            self._tick()
        self.leaf.restart()

    def _iterate(self) -> None:
        """Walk down the tree to a leaf, find out or guess who wins there, and remember it."""
        node: Int = 0
        side: Int = 0
        depth: Int = 0
        self.leaf.restart()
        self.tree.path[0] = 0
        while self.tree.nodes[node * NODE + PROOF] == 0:
            base: Int = node * NODE
            if self.tree.nodes[base + COUNT] == 0:
                if self.tree.nodes[base + VISITS] == 0:
                    self.tree.nodes[base + PROOF] = self.leaf.prove(side)
                    break
                if self.tree.nodes[base + VISITS] >= self.patience:
                    self._expand(node, side)
                if self.tree.nodes[base + COUNT] == 0 or self.tree.nodes[base + PROOF] != 0:
                    break
            node = self.tree.select(node)
            self.leaf.play(side, self.tree.nodes[node * NODE + CELL])
            side = 1 - side
            depth += 1
            self.tree.path[depth] = node
        proof: Int = self.tree.nodes[node * NODE + PROOF]
        winner: Int = side if proof > 0 else 1 - side
        if proof == 0:
            winner = self.leaf.playout(side)
        self.tree.update(depth, winner)

    def _expand(self, node: Int, side: Int) -> None:
        """Give a node its children, or prove it where one of them wins at once.

        When there is no room for them it stays a leaf.
        """
        count: Int = self.leaf.legal_count(side)
        if count == 0:
            self.tree.nodes[node * NODE + PROOF] = -1
            return
        first: Int = self.tree.add_children(node, count)
        if first == 0:
            return
        i: Int
        for i in range(count):  # all of them first, as to rate them may change their order
            self.tree.nodes[(first + i) * NODE + CELL] = self.leaf.legal_cell(side, i)
        for i in range(count):
            base: Int = (first + i) * NODE
            rating: Int = self.leaf.rate(side, self.tree.nodes[base + CELL])
            self.tree.nodes[base + PRIOR] = rating * FINE + self.leaf.below(FINE)
            if rating == self.leaf.cells:
                self.tree.nodes[base + PROOF] = -1
                self.tree.nodes[node * NODE + PROOF] = 1
