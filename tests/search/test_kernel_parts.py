"""The parts of the kernel one by one, from source: compiled, it shows only whole searches."""

from __future__ import annotations

import importlib.util
import sys
from array import array
from pathlib import Path
from typing import Any

import pytest

from gridlock.search import kernel
from gridlock.search.kernel.bits import ENTRY


def _source(name: str) -> Any:
    """Return a module of the kernel, interpreted."""
    path = Path(kernel.__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"interpreted_{name}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


table = _source("table")
with pytest.MonkeyPatch.context() as patch:  # an interpreted module wants interpreted sets
    patch.setitem(sys.modules, "gridlock.search.kernel.sets", _source("sets"))
    ordering = _source("ordering")
    symmetry = _source("symmetry")


@pytest.fixture
def words() -> memoryview:
    """One bucket: whatever is stored meets there."""
    return memoryview(array("Q", bytes(8 * 2 * ENTRY)))


def _payload(third: int) -> int:
    return third & (1 << int(table.WORK_SHIFT)) - 1


def test_what_was_stored_is_found_by_its_key_and_its_tag_only(words: memoryview) -> None:
    known = table.Table(words)
    known.store(5, 7, table.WINS, 3, 100)
    assert _payload(known.probe(5, 7, table.WINS)) == 3
    assert known.probe(5, 7, table.PLAIN) == 0
    assert known.probe(7, 5, table.WINS) == 0
    assert known.probe(5, 7, table.WINS | 1 << table.KIND_BITS) == 0


def test_threads_share_the_words(words: memoryview) -> None:
    table.Table(words).store(5, 7, table.WINS, 3, 100)
    assert _payload(table.Table(words).probe(5, 7, table.WINS)) == 3


@pytest.mark.parametrize("word", range(ENTRY))
def test_an_entry_that_another_thread_has_changed_is_not_believed(
    words: memoryview, word: int
) -> None:
    known = table.Table(words)
    known.store(5, 7, table.WINS, 3, 100)
    words[word] ^= 1
    assert known.probe(5, 7, table.WINS) == 0


def test_a_bucket_keeps_the_most_work_and_the_latest(words: memoryview) -> None:
    known = table.Table(words)
    for key, nodes in ((1, 1000), (2, 10), (3, 1)):
        known.store(key, 0, table.WINS, key, nodes)
    assert [_payload(known.probe(key, 0, table.WINS)) for key in (1, 2, 3)] == [1, 0, 3]
    known.store(4, 0, table.WINS, 4, 5000)
    assert [_payload(known.probe(key, 0, table.WINS)) for key in (1, 3, 4)] == [1, 0, 4]


def test_a_better_answer_replaces_the_one_before(words: memoryview) -> None:
    known = table.Table(words)
    known.store(1, 0, table.WINS, 2, 1000)
    known.store(1, 0, table.WINS, 3, 1)
    assert _payload(known.probe(1, 0, table.WINS)) == 3


def test_entries_are_counted_up_to_what_the_table_holds(words: memoryview) -> None:
    known = table.Table(words)
    for key in range(1, 9):
        known.store(key, 0, table.WINS, 1, key)
    assert known.entries == 2


def test_children_stand_in_the_order_of_their_scores_each_once() -> None:
    sorter = ordering.MoveSorter()
    size = 0
    for one, score in ((10, 5), (11, -2), (12, 5), (10, 0), (13, 1)):
        size = sorter.insert(3, size, one, 0, 0, score)
    base = 3 * ordering.CELLS
    assert [sorter.one.at[base + i] for i in range(size)] == [11, 13, 10, 12]


def test_the_plies_do_not_touch_each_other() -> None:
    sorter = ordering.MoveSorter()
    for depth in range(ordering.PLIES):
        for child in range(ordering.CELLS):
            assert sorter.insert(depth, child, depth, child, 0, child) == child + 1
    assert [sorter.one.at[depth * ordering.CELLS] for depth in range(ordering.PLIES)] == list(
        range(ordering.PLIES)
    )


def test_an_image_is_that_of_every_cell() -> None:
    cells = 19
    turned = [list(range(cells)), list(reversed(range(cells))), [*range(7, cells), *range(7)]]
    symmetries = symmetry.Symmetries(cells, turned)
    for mask in (0, 1, 0b1011, 1 << 18, 0x2_AAAA, (1 << cells) - 1):
        for number, images in enumerate(turned):
            expected = sum(1 << images[cell] for cell in range(cells) if mask >> cell & 1)
            assert symmetries.image(number, mask) == expected
