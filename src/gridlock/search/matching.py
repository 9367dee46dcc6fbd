"""Largest matchings of a graph, for games in which moves follow each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def missable(neighbours: Mapping[int, Sequence[int]]) -> set[int]:
    """Return the nodes of an undirected graph that some largest matching leaves out.

    Edmonds' algorithm: trees of alternating paths grow from all free nodes at once, odd cycles
    shrink to one node, and two trees that meet make the matching larger.  When nothing meets any
    more, the nodes at an even distance from a free one are those that can be left out.
    """
    mates = _greedy(neighbours)
    while True:
        forest = _Forest(neighbours, mates)
        if not forest.grow():
            return forest.even


def _greedy(neighbours: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Return a matching to begin with."""
    mates: dict[int, int] = {}
    for node, others in neighbours.items():
        if node not in mates:
            for other in others:
                if other not in mates:
                    mates[node], mates[other] = other, node
                    break
    return mates


class _Forest:
    """The alternating trees of one round; a tree that has met another is done for this round."""

    def __init__(self, neighbours: Mapping[int, Sequence[int]], mates: dict[int, int]) -> None:
        self._neighbours = neighbours
        self._mates = mates
        free = [node for node in neighbours if node not in mates]
        self.even = set(free)
        self._queue = free
        self._root = {node: node for node in free}
        self._parent: dict[int, int] = {}
        self._base: dict[int, int] = {}
        self._done: set[int] = set()

    def grow(self) -> bool:
        """Grow all trees as far as they go; tell whether the matching became larger."""
        for node in self._queue:  # which grows meanwhile
            for other in self._neighbours[node]:
                if self._root[node] in self._done:
                    break
                self._meet(node, other)
        return bool(self._done)

    def _meet(self, node: int, other: int) -> None:
        root = self._root
        if other not in root:
            mate = self._mates[other]
            self._parent[other] = node
            root[other] = root[mate] = root[node]
            self.even.add(mate)
            self._queue.append(mate)
        elif other in self.even and root[other] not in self._done:
            if root[other] != root[node]:
                self._done |= {root[node], root[other]}
                self._release(node)
                self._release(other)
                self._mates[node], self._mates[other] = other, node
            elif self._find(node) != self._find(other):
                base = self._common_base(node, other)
                cycle = self._turn(node, other, base) | self._turn(other, node, base)
                self._base.update(dict.fromkeys(cycle - {base}, base))

    def _find(self, node: int) -> int:
        """Return the node to which the odd cycles around a node have shrunk."""
        while node in self._base:
            node = self._base[node]
        return node

    def _common_base(self, node: int, other: int) -> int:
        """Return where the ways of two even nodes to their root come together."""
        seen = set()
        at = self._find(node)
        seen.add(at)
        while at in self._mates:
            at = self._find(self._parent[self._mates[at]])
            seen.add(at)
        at = self._find(other)
        while at not in seen:
            at = self._find(self._parent[self._mates[at]])
        return at

    def _turn(self, node: int, child: int, base: int) -> set[int]:
        """Make all nodes on one side of an odd cycle even; return what is to shrink to its base."""
        cycle = set()
        while self._find(node) != base:
            odd = self._mates[node]
            cycle |= {self._find(node), self._find(odd)}
            self._parent[node] = child
            if odd not in self.even:
                self.even.add(odd)
                self._queue.append(odd)
            child = odd
            node = self._parent[odd]
        return cycle

    def _release(self, node: int) -> None:
        """Match all nodes on the way of an even node to its root anew, but not the node itself."""
        mates = self._mates
        odd = mates.get(node)
        while odd is not None:
            even = self._parent[odd]
            following = mates.get(even)
            mates[odd], mates[even] = even, odd
            odd = following
