# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The tree of a Monte Carlo tree search, in a fixed amount of memory.

A node is eight numbers; its children stand side by side, those that are searched first.

    CELL     the cell whose taking leads here        FIRST   where its children begin
    VISITS   how many playouts went through it       COUNT   how many there are, 0: not expanded
    WINS     how many the player who came here won   ACTIVE  how many of them are searched
    PROOF    1 or -1: the mover here wins or loses   PRIOR   how promising it looked, before any

The root is node 0.
"""

from __future__ import annotations

from array import array
from mmap import mmap

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from math import log, sqrt

    from gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, Real
else:
    from cython.cimports.gridlock.search.kernel.bits import FINGERPRINT, Bool, Int, Real
    from cython.cimports.libc.math import log, sqrt

built_from = FINGERPRINT

CELL, VISITS, WINS, FIRST, COUNT, ACTIVE, PROOF, PRIOR = 0, 1, 2, 3, 4, 5, 6, 7
NODE = 8  # numbers
NODE_BYTES = 4 * NODE
FINE = 256  # how many priors differ only by chance

# Found by matches and by positions whose value is known; a tree may be given others.
EXPLORATION = 0.5  # the constant of the rule UCB1
WIDENING = 4.0  # of a node with n playouts the best sqrt(WIDENING * n) children are searched
BIAS = 0.1  # by how many wins a child is ahead for each cell of its prior


class Tree:
    """Nodes, and which of them to look at next.

    ``nodes`` holds the numbers of all nodes, ``path`` the nodes on the way to a leaf.
    """

    def __init__(self, capacity: int, depth: int) -> None:
        self.capacity = capacity
        self.nodes = memoryview(mmap(-1, capacity * NODE_BYTES)).cast("B").cast("i")
        self.path = array("i", bytes(4 * (depth + 1)))
        self.used = 1
        self.exploration = EXPLORATION
        self.widening = WIDENING
        self.bias = BIAS

    def clear(self) -> None:
        """Leave nothing but the root, without children."""
        field: Int
        for field in range(NODE):
            self.nodes[field] = 0
        self.used = 1

    def add_children(self, node: Int, count: Int) -> Int:
        """Give a node children that are blank but for ``CELL`` and ``PRIOR``; return the first.

        When there is no room for them return 0.
        """
        first: Int = self.used
        if first + count > self.capacity:
            return 0
        self.used += count
        base: Int = node * NODE
        self.nodes[base + FIRST] = first
        self.nodes[base + COUNT] = count
        self.nodes[base + ACTIVE] = 0
        child: Int
        for child in range(first, first + count):
            base = child * NODE
            self.nodes[base + VISITS] = 0
            self.nodes[base + WINS] = 0
            self.nodes[base + COUNT] = 0
            self.nodes[base + PROOF] = 0
        return first

    def select(self, node: Int) -> Int:
        """Return the child of a node that is to be looked at next; one is not proved."""
        base: Int = node * NODE
        visits: Int = self.nodes[base + VISITS] + 1
        while self.nodes[base + ACTIVE] < self.nodes[base + COUNT] and (
            self.nodes[base + ACTIVE] * self.nodes[base + ACTIVE] < self.widening * visits
        ):
            self._activate(node)
        first: Int = self.nodes[base + FIRST]
        scale: Real = self.exploration * sqrt(log(visits + 1.0))
        bias: Real = self.bias / FINE
        best: Int = -1
        most: Real = 0
        i: Int = 0
        while i < self.nodes[base + ACTIVE]:
            at: Int = (first + i) * NODE
            i += 1
            if self.nodes[at + PROOF] == 0:
                tried: Int = self.nodes[at + VISITS]
                if tried == 0:
                    return first + i - 1
                value: Real = self.nodes[at + WINS] + bias * self.nodes[at + PRIOR]
                value = (value + scale * sqrt(tried)) / tried
                if best < 0 or value > most:
                    best = first + i - 1
                    most = value
            if i == self.nodes[base + ACTIVE] and best < 0:
                self._activate(node)  # all that were searched are lost
        return best

    def _activate(self, node: Int) -> None:
        """Search one more child of a node, the most promising that is left."""
        base: Int = node * NODE
        first: Int = self.nodes[base + FIRST]
        active: Int = first + self.nodes[base + ACTIVE]
        best: Int = active
        child: Int
        for child in range(active + 1, first + self.nodes[base + COUNT]):
            if self.nodes[child * NODE + PRIOR] > self.nodes[best * NODE + PRIOR]:
                best = child
        field: Int
        for field in range(NODE):
            kept: Int = self.nodes[active * NODE + field]
            self.nodes[active * NODE + field] = self.nodes[best * NODE + field]
            self.nodes[best * NODE + field] = kept
        self.nodes[base + ACTIVE] += 1

    def update(self, depth: Int, winner: Int) -> None:
        """Add a result to all nodes of the path, and prove those that are proved now."""
        proved: Bool = self.nodes[self.path[depth] * NODE + PROOF] != 0
        while depth >= 0:
            node: Int = self.path[depth]
            base: Int = node * NODE
            self.nodes[base + VISITS] += 1
            if winner != depth % 2:  # the mover here is not the one who came here
                self.nodes[base + WINS] += 1
            if proved and self.nodes[base + PROOF] == 0:
                self.nodes[base + PROOF] = self._proof_of(node)
                proved = self.nodes[base + PROOF] != 0
            depth -= 1

    def _proof_of(self, node: Int) -> Int:
        """Return what the children of a node prove of it."""
        first: Int = self.nodes[node * NODE + FIRST]
        child: Int
        result: Int = -1
        for child in range(first, first + self.nodes[node * NODE + COUNT]):
            proof: Int = self.nodes[child * NODE + PROOF]
            if proof < 0:
                return 1
            if proof == 0:
                result = 0
        return result
