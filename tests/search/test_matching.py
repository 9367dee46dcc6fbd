from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from gridlock.search.matching import missable


@st.composite
def graphs(draw: st.DrawFn) -> dict[int, list[int]]:
    size = draw(st.integers(0, 9))
    pairs = [(one, two) for one in range(size) for two in range(one)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return {node: [sum(edge) - node for edge in edges if node in edge] for node in range(size)}


@given(graphs())
def test_a_node_can_be_missed_if_the_rest_has_as_large_a_matching(
    graph: dict[int, list[int]],
) -> None:
    @cache
    def size_of_largest(nodes: frozenset[int]) -> int:
        if not nodes:
            return 0
        node = min(nodes)
        rest = nodes - {node}
        return max(
            size_of_largest(rest),
            *(1 + size_of_largest(rest - {other}) for other in graph[node] if other in rest),
            0,
        )

    everything = frozenset(graph)
    largest = size_of_largest(everything)
    assert missable(graph) == {
        node for node in graph if size_of_largest(everything - {node}) == largest
    }


def test_a_flower_shrinks() -> None:
    """A stem to an odd cycle: every node of the cycle can be missed, and the ends of the stem."""
    graph = {0: [1], 1: [0, 2], 2: [1, 3, 4], 3: [2, 4], 4: [2, 3]}
    assert missable(graph) == {0, 2, 3, 4}


def test_a_large_graph_takes_few_rounds() -> None:
    side = 60
    graph = {
        row * side + column: [
            (row + down) * side + column + right
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if 0 <= row + down < side and 0 <= column + right < side
        ]
        for row in range(side)
        for column in range(side)
    }
    assert missable(graph) == set()
    corner = {node: [other for other in others if other] for node, others in graph.items() if node}
    even = {node for node in corner if sum(divmod(node, side)) % 2 == 1}
    assert missable(corner) == even
