# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""What all searches share: a table of fixed size, a signal to stop, and frames for children.

The kernel is whole searches in plain integers: compiled with Cython where that can be, interpreted
otherwise.  Every answer is exact.  A search that is told to stop answers nonsense, which it does
not remember and its caller must not believe.

The C types of attributes stand in the ``.pxd`` beside each module.  Methods that run without the
GIL return several results by leaving them in attributes, named in their first line.
"""

from __future__ import annotations

from array import array
from mmap import mmap
from typing import TYPE_CHECKING

from gridlock.search.kernel import bits

try:
    import cython
except ImportError:  # an installed program needs no compiler
    from gridlock.search.kernel import shadow as cython

if not cython.compiled:
    from gridlock.search.kernel.bits import Bool, Int, Long, Mask, blend, scramble, width
else:
    from cython.cimports.gridlock.search.kernel.bits import (
        Bool,
        Int,
        Long,
        Mask,
        blend,
        scramble,
        width,
    )

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gridlock.search.layout import Layout, RaceLayout


is_compiled: bool = cython.compiled

POLL = 1024 if cython.compiled else 16  # nodes between two looks at the clock: some 20 ms
CELLS = bits.CELLS  # the most actions of a position, too
FRAMES = 224  # the deepest that searches can call each other: see ``Placement``
BUSY = bits.BUSY
TOLD_DEPTH = 22  # how far down threads tell each other what they are at

# Kinds of entries in the table, in every search.
WINS, FORCED = 1, 2

# An entry is three words: what is mine and what is theirs, both scrambled with the third, so that
# a word that another thread has changed meanwhile is noticed.  The third:
#
#     63       56 55     52 51      46 45                                0
#     |  detail  |   kind  |   work   |             payload              |
ENTRY = bits.ENTRY
BUCKET = 2 * ENTRY  # the first entry of a bucket is kept for its work, the second is the latest
TAG_SHIFT, WORK_SHIFT = 52, 46

NEVER = 255  # no distance


class Search:
    """A table shared with other threads, a signal to stop, and a count of nodes."""

    def __init__(
        self,
        words: memoryview,
        busy: memoryview,
        signal: memoryview,
        layout: Layout | RaceLayout,
    ) -> None:
        self.words = words
        self.busy = busy
        self.signal = signal
        self.poll: Callable[[], None] | None = None
        self.failure: BaseException | None = None
        self.octets = (layout.cells + 7) // 8
        self.images = array("Q", bytes(8 * 256 * self.octets * len(layout.symmetries)))
        self._draw_images(layout.symmetries)
        self.buckets = len(words) // BUCKET
        self.pace = POLL
        self.nodes = 0
        self.entries = 0
        self.is_shared = False
        self.child_one = _frames().cast("Q")
        self.child_two = _frames().cast("Q")
        self.child_rest = _frames().cast("q")
        self.child_score = _frames().cast("q")

    def _draw_images(self, symmetries: Sequence[Sequence[int]]) -> None:
        """Set ``images``: by symmetry and by eight cells in a row, the images of their 256 sets."""
        one: Mask = 1
        at: Int = 0
        for symmetry in symmetries:
            for start in range(0, len(symmetry), 8):
                size: Int = 1
                for cell in symmetry[start : start + 8]:
                    image: Int = cell
                    i: Int
                    for i in range(at, at + size):
                        self.images[i + size] = self.images[i] | one << image
                    size *= 2
                at += 256

    def _tick(self) -> Bool:
        """Count a node, look at the clock now and then, and tell whether to stop."""
        self.nodes += 1
        if self.poll is not None and self.nodes % self.pace == 0:
            with cython.gil:
                self._ask()
        return self.signal[0] != 0

    def _ask(self) -> None:
        """Let Python do what it has to do; whatever goes wrong there ends the search."""
        try:
            if self.poll is not None:
                self.poll()
        except BaseException as failure:
            self.failure = failure
            self.signal[0] = 1

    def _find(self, one: Mask, two: Mask, tag: Mask) -> Mask:
        """Return the third word of an entry, 0 for none."""
        at: Mask = blend(one, two) % self.buckets * BUCKET
        _: Int
        for _ in range(2):
            third: Mask = self.words[at + 2]
            if third >> TAG_SHIFT == tag:
                guard: Mask = scramble(third)
                if self.words[at] ^ guard == one and self.words[at + 1] ^ guard == two:
                    return third
            at += ENTRY
        return 0

    def _keep(self, one: Mask, two: Mask, tag: Mask, payload: Mask, before: Mask) -> None:
        """Remember an answer that took all nodes since ``before``, unless told to stop."""
        if self.signal[0] != 0:
            return
        work: Mask = width(self.nodes - before)
        third: Mask = tag
        third = third << TAG_SHIFT | work << WORK_SHIFT | payload
        at: Mask = blend(one, two) % self.buckets * BUCKET
        first: Mask = self.words[at + 2]
        guard: Mask = scramble(first)
        is_same: Bool = (
            first >> TAG_SHIFT == tag
            and self.words[at] ^ guard == one
            and self.words[at + 1] ^ guard == two
        )
        if not is_same:
            if self.words[at + 5] == 0:
                self.entries += 1
            if first != 0 and first >> WORK_SHIFT & 63 > work:
                at += ENTRY
            elif first != 0:
                self.words[at + 3] = self.words[at]
                self.words[at + 4] = self.words[at + 1]
                self.words[at + 5] = first
        guard = scramble(third)
        self.words[at] = one ^ guard
        self.words[at + 1] = two ^ guard
        self.words[at + 2] = third

    def _insert(self, base: Int, size: Int, one: Mask, two: Mask, rest: Long, score: Long) -> Int:
        """Put a child among those of a frame, low scores first; return how many there are now."""
        i: Int
        for i in range(base, base + size):
            if self.child_one[i] == one and self.child_two[i] == two and self.child_rest[i] == rest:
                return size
        i = base + size
        while i > base and self.child_score[i - 1] > score:
            self.child_one[i] = self.child_one[i - 1]
            self.child_two[i] = self.child_two[i - 1]
            self.child_rest[i] = self.child_rest[i - 1]
            self.child_score[i] = self.child_score[i - 1]
            i -= 1
        self.child_one[i] = one
        self.child_two[i] = two
        self.child_rest[i] = rest
        self.child_score[i] = score
        return size + 1

    def _image(self, symmetry: Int, mask: Mask) -> Mask:
        """Return the cells onto which a symmetry sends some cells."""
        at: Int = symmetry * self.octets * 256
        image: Mask = 0
        _: Int
        for _ in range(self.octets):
            image |= self.images[at + (mask & 255)]
            mask >>= 8
            at += 256
        return image

    def _recall_forced(self, one: Mask, two: Mask, tag: Mask, within: Int) -> Int:
        """Return what ``_forced`` returned, or would return, as far as the table knows; else 2.

        An entry holds how many actions are not enough, how many are, and for whom.
        """
        known: Mask = self._find(one, two, tag)
        if known == 0:
            return 2
        enough: Int = known >> 8 & 255
        too_few: Int = known & 255
        if within >= enough:
            return 1 if known >> 16 & 1 else -1
        return 0 if within <= too_few else 2

    def _keep_forced(
        self, one: Mask, two: Mask, tag: Mask, within: Int, result: Int, before: Mask
    ) -> None:
        """Remember what ``_forced`` returns."""
        known: Mask = self._find(one, two, tag)
        enough: Mask = NEVER
        if known:
            enough = known >> 8 & 255
        too_few: Mask = known & 255
        sign: Mask = known >> 16 & 1
        if result == 0:
            too_few = within
        else:
            enough = within
            sign = 1 if result > 0 else 0
        self._keep(one, two, tag, sign << 16 | enough << 8 | too_few, before)

    def _try_children(self, kind: Int, depth: Int, size: Int) -> Bool:
        """Tell whether a child of a frame suits its parent; see ``_suits``.

        Children that another thread is at wait until the others are done: by then they are often
        known.  Far down that is not worth telling each other.
        """
        base: Int = depth * CELLS
        one: Mask = 1
        late: Mask = 0
        turn: Int
        i: Int
        for turn in range(2):
            for i in range(size):
                if turn == 1 and not late & one << i:
                    continue
                first: Mask = self.child_one[base + i]
                second: Mask = self.child_two[base + i]
                rest: Long = self.child_rest[base + i]
                key: Mask = 0
                if self.is_shared and depth < TOLD_DEPTH:
                    key = blend(first + rest, second + kind) | 1
                    if turn == 0 and self.busy[key % BUSY] == key:
                        late |= one << i
                        continue
                    self.busy[key % BUSY] = key
                suits: Bool = self._suits(kind, depth + 1, first, second, rest)
                if key:
                    self.busy[key % BUSY] = 0
                if suits:
                    return True
            if late == 0:
                break
        return False

    def _suits(self, kind: Int, depth: Int, one: Mask, two: Mask, rest: Long) -> Bool:
        """Tell whether a child is what a node of this kind looks for: every search says how."""
        return False  # pragma: no cover

    def _force_children(
        self, depth: Int, size: Int, least: Int, winner: Int, within: Int, ask: Bool
    ) -> Int:
        """Return what the best child of a frame is worth to its parent, or ``least`` if more.

        That is 1 or -1 if the mover wins or loses while the children have so many actions left,
        otherwise 0.  ``winner`` is 1 or -1 if it is known whether the mover wins at all.
        """
        base: Int = depth * CELLS
        i: Int
        for i in range(size):
            first: Mask = self.child_one[base + i]
            second: Mask = self.child_two[base + i]
            rest: Long = self.child_rest[base + i]
            if winner > 0 and not self._suits(FORCED, depth + 1, first, second, rest):
                least = 0
                continue
            reply: Int = -self._forced(depth + 1, first, second, rest, within, ask)
            least = max(least, reply)
            if least > 0 or (least == 0 and winner < 0):
                break
        return least

    def _forced(self, depth: Int, one: Mask, two: Mask, rest: Long, within: Int, ask: Bool) -> Int:
        """Return 1 or -1 if the mover of a child wins or loses within so many actions, or 0."""
        return 0  # pragma: no cover


def _frames() -> memoryview:
    """Return a word for each child of all frames; memory is taken only as they are used."""
    return memoryview(mmap(-1, 8 * CELLS * FRAMES)).cast("B")
