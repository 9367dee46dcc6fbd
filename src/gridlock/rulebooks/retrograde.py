"""Whether any game can come to a position: turns are taken back until the start is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

_State = TypeVar("_State", bound="Hashable")

MOST_STEPS = 5000
"""The steps back that are tried, before it stays open; they take some hundredths of a second."""


def leads_back(
    state: _State,
    before: Callable[[_State], Iterable[_State]],
    is_start: Callable[[_State], bool],
) -> bool | None:
    """Tell whether some way back ends at a start, or return None where that takes too long.

    ``before`` returns every state from which one legal action leads to a state.
    """
    seen = {state}
    waiting = [state]
    while waiting:
        if len(seen) > MOST_STEPS:
            return None
        state = waiting.pop()
        if is_start(state):
            return True
        fresh = [earlier for earlier in before(state) if earlier not in seen]
        seen.update(fresh)
        waiting += fresh
    return False
