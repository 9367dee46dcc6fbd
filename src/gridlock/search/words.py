"""Facts in words: the one place where what a search has found becomes a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.model import Phase
from gridlock.search import theorems
from gridlock.search.analysis import Value
from gridlock.search.levels import promise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gridlock.model import Game, Player, Position
    from gridlock.search.analysis import Action, Analysis
    from gridlock.search.review import Review, ReviewedAction

    Names = Callable[[Player], str]

_MOST_NAMED = 6  # cells that a sentence lists


def outcome(value: Value, distance: int | None) -> str:
    """Return ``wins in 5``, ``loses`` or ``unknown``."""
    if value is Value.UNKNOWN:
        return "unknown"
    verb = "wins" if value is Value.WIN else "loses"
    return verb if distance is None else f"{verb} in {distance}"


def hint(analysis: Analysis) -> str:
    """Return the best cell and why."""
    best = explicable(analysis)
    return f"{analysis.position.game.name(best.cell)} {reason(analysis, best)}"


def explicable(analysis: Analysis) -> Action:
    """Return the best action; of several that are as good, one that can be explained."""
    position, best = analysis.position, analysis.actions[0]
    rivals = [
        action
        for action in analysis.actions
        if (action.value, action.distance) == (best.value, best.distance)
    ]
    if best.value is Value.UNKNOWN:
        return max(rivals, key=lambda rival: promise(position.play(rival.cell), position.mover))
    if best.value is Value.WIN:
        mirrored = (rival for rival in rivals if theorems.mirror_of(position.play(rival.cell)))
        return next(mirrored, best)
    return best


def reason(analysis: Analysis, action: Action) -> str:
    """Return what an action leads to, and why as far as that can be said in words."""
    if action.value is Value.UNKNOWN:
        return f"leaves the best room; who wins was {analysis.limit}"
    return (_winning if action.value is Value.WIN else _losing)(analysis, action)


def _winning(analysis: Analysis, action: Action) -> str:
    position = analysis.position
    name = position.game.name(action.cell)
    after = position.play(action.cell)
    if after.winner is not None:
        is_goal = position.phase is Phase.MOVE
        return f"wins at once: {'it is the goal' if is_goal else 'the opponent cannot move'}"
    if symmetry := theorems.mirror_of(after):
        return f"wins: after {name} every answer can be mirrored {_mirror(position.game, symmetry)}"
    wins = outcome(action.value, action.distance)
    if theorems.has_matching(position.game.rulebook):
        return f"{wins}: the cells left can be paired so that every answer has its partner"
    others = {other.value for other in analysis.actions if other is not action}
    if others == {Value.LOSS}:
        wins += ", and is the only cell that wins"
    elif after.mover is not position.mover:
        wins += ", whatever the answer"
    return wins


def _losing(analysis: Analysis, action: Action) -> str:
    loses = outcome(action.value, action.distance)
    if theorems.mirror_of(analysis.position):
        loses += ", as every cell can be answered by its mirror image"
    elif analysis.value is Value.LOSS:
        loses += " whatever you do"
    is_longest = analysis.distance is not None and action.distance == analysis.distance
    if is_longest and analysis.actions[-1].distance != analysis.distance:
        loses += ", this holds out longest"
    return loses


def _mirror(game: Game, symmetry: tuple[int, ...]) -> str:
    """Return through what a symmetry mirrors."""
    grid = game.grid
    last = grid.cell_count - 1
    if all(image == last - cell for cell, image in enumerate(symmetry)):
        return "through the centre"
    row, column = grid.place(symmetry[0])
    if (row, column) == (0, grid.columns - 1):
        return "from left to right"
    return "from top to bottom" if column == 0 and row else "across a diagonal"


def sentence(analysis: Analysis, name: Names) -> str:
    """Return what a position is worth, in a sentence."""
    position = analysis.position
    mover = name(position.mover)
    if position.winner is not None:
        return f"The game is over: {name(position.winner)} has won."
    if analysis.value is Value.UNKNOWN:
        return f"Who wins was {analysis.limit}."
    best = analysis.actions[0]
    text = f"{mover} {outcome(analysis.value, analysis.distance)}"
    if analysis.value is Value.LOSS:
        if theorems.mirror_of(position):
            return f"{text}: every cell can be answered by its mirror image."
        return f"{text}: no cell wins."
    cells = _listed(position.game, analysis.winning_cells())
    is_proved = all(action.value is not Value.UNKNOWN for action in analysis.actions)
    text += f": {'only ' if is_proved and ' ' not in cells else ''}{cells} "
    text += "wins" if " " not in cells else "win"
    after = position.play(best.cell)
    if symmetry := theorems.mirror_of(after):
        mirror = _mirror(position.game, symmetry)
        text += f"; after {position.game.name(best.cell)} every answer can be mirrored {mirror}"
    return f"{text}."


def _listed(game: Game, cells: Sequence[int]) -> str:
    """Return cells as ``3,3``, ``3,3 and 1,1`` or ``1,1, 1,2 and 7 more``."""
    names = [game.name(cell) for cell in cells]
    if len(names) > _MOST_NAMED:
        names[_MOST_NAMED - 1 :] = [f"{len(names) - _MOST_NAMED + 1} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def fault(action: ReviewedAction, name: Names) -> str:
    """Return what a mistake was, for those who want to find out themselves what was right."""
    return f"{_fault(action, name)}."


def mistake(action: ReviewedAction, name: Names) -> str:
    """Return what a mistake was and what would have been right."""
    better = "; which cells would have won is not known"
    if action.better:
        better = f": {_listed(action.position.game, action.better)} would have won"
    return f"{_fault(action, name)}{better}."


def _fault(action: ReviewedAction, name: Names) -> str:
    cell = action.position.game.name(action.cell)
    phase = _phase(action.position)
    return f"Move {action.turn}: {name(action.player)}{phase} {cell} gives the win away"


def _phase(position: Position) -> str:
    return "" if position.phase is Phase.PLACE else f" {position.phase}"


def summary(review: Review, player: Player, name: Names) -> str:
    """Return how a player did, in a sentence."""
    moves = review.count(player)
    won = review.count(player, Value.WIN)
    mistakes = len(review.mistakes(player))
    unknown = review.count(player, Value.UNKNOWN)
    text = f"{name(player)}: {_moves(moves)}, "
    if not won:
        text += "never in a won position"
    else:
        text += f"in a won position {_times(won)}, "
        text += f"gave it away {_times(mistakes)}" if mistakes else "never gave it away"
    if review.resigned_a_win is player:
        text += ", and resigned in a won position"
    if unknown:
        text += f"; {_moves(unknown)} could not be judged in the time"
    return f"{text}."


def _moves(number: int) -> str:
    return f"{number} move{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
