"""Facts and estimates in words: the one place where what a search has found becomes a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.notation import write_count
from gridlock.search.analysis import Value
from gridlock.search.backends import backend_of
from gridlock.search.estimating import percent
from gridlock.search.solver import STOPPED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gridlock.model import Game, Player
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


def not_known(what: str, limit: str | None) -> str:
    """Return that something is not known and why: the limit that was met, or None so far."""
    if limit is None:
        return f"{what} is not known yet"
    if limit == STOPPED:
        return f"{what} could not be worked out before the search was stopped"
    return f"{what} could not be worked out{limit.removeprefix('not solved')}"


def about(chance: float) -> str:
    """Return ``about 62%``: an estimate, which nobody must take for a fact."""
    return f"about {percent(chance)}%"


def legend(action: Action) -> str:
    """Return what the label of an action that is not solved means."""
    chance = about(action.estimate or 0)
    return f"{action.label} is an estimate, not a fact: a chance of {chance}."


def explicable(analysis: Analysis) -> Action:
    """Return the best action; of several that are as good, one that can be explained.

    Where it is not known who wins, it is the one that is likeliest to win.
    """
    position, best = analysis.position, analysis.actions[0]
    if best.value is not Value.WIN:
        return best
    backend = backend_of(position.game)
    mirrored = (
        action
        for action in analysis.actions
        if (action.value, action.distance) == (best.value, best.distance)
        and backend.mirror_of(position.play(action.cell))
    )
    return next(mirrored, best)


def reason(analysis: Analysis, action: Action) -> str:
    """Return what an action leads to, and why as far as that can be said in words."""
    if action.value is Value.UNKNOWN and action.estimate is not None:
        return f"looks best: an estimate gives it {about(action.estimate)}"
    if action.value is Value.UNKNOWN:
        return f"is a guess, as {not_known('who wins', analysis.limit)}"
    return (_winning if action.value is Value.WIN else _losing)(analysis, action)


def _winning(analysis: Analysis, action: Action) -> str:
    position = analysis.position
    name = position.game.name(action.cell)
    after = position.play(action.cell)
    if after.winner is not None:
        if action.cell == position.goal(position.mover):
            return "wins at once by reaching the goal"
        mover = position.game.rulebook.symbol(position.mover)
        why = f"{mover} has {after.feat}" if after.feat else "the opponent cannot move"
        return f"wins at once: {why}"
    backend = backend_of(position.game)
    if symmetry := backend.mirror_of(after):
        return f"wins: after {name} every answer can be mirrored {_mirror(position.game, symmetry)}"
    wins = outcome(action.value, action.distance)
    if backend.has_matching:
        return f"{wins}: the cells left can be paired so that every answer has its partner"
    others = {other.value for other in analysis.actions if other is not action}
    if others == {Value.LOSS}:
        wins += ", and is the only cell that wins"
    elif after.mover is not position.mover:
        wins += ", whatever the answer"
    return wins


def _losing(analysis: Analysis, action: Action) -> str:
    loses = outcome(action.value, action.distance)
    if analysis.value is not Value.LOSS:
        return loses
    why = "; no cell wins"
    if backend_of(analysis.position.game).mirror_of(analysis.position):
        why = ", as every cell can be answered by its mirror image"
    elif len(analysis.actions) == 1:
        why = ", but is the only cell left"
    is_longest = analysis.distance is not None and action.distance == analysis.distance
    if is_longest and analysis.actions[-1].distance != analysis.distance:
        return f"holds out longest, but {loses}{why}"
    return f"{loses}{why}"


def _mirror(game: Game, symmetry: Sequence[int]) -> str:
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
        cell = position.game.name(explicable(analysis).cell)
        with_what = "" if analysis.estimate is None else f", best with {cell}"
        return f"{uncertain(analysis, name)}{with_what}."
    backend = backend_of(position.game)
    best = analysis.actions[0]
    text = f"{mover} {outcome(analysis.value, analysis.distance)}"
    if analysis.value is Value.LOSS:
        if backend.mirror_of(position):
            return f"{text}: every cell can be answered by its mirror image."
        return f"{text}: no cell wins."
    cells = _listed(position.game, analysis.winning_cells())
    is_proved = all(action.value is not Value.UNKNOWN for action in analysis.actions)
    is_one = " " not in cells
    text += f": {'only ' if is_proved and is_one else ''}{cells} "
    if is_proved:
        text += "wins" if is_one else "win"
    else:
        text += f"{'is' if is_one else 'are'} known to win"
    after = position.play(best.cell)
    if symmetry := backend.mirror_of(after):
        mirror = _mirror(position.game, symmetry)
        text += f"; after {position.game.name(best.cell)} every answer can be mirrored {mirror}"
    return f"{text}."


def uncertain(analysis: Analysis, name: Names) -> str:
    """Return that it is not known who wins, and what an estimate says, if there is one."""
    text = not_known("Who wins", analysis.limit)
    if analysis.estimate is None:
        return text
    return f"{text}; an estimate gives {name(analysis.position.mover)} {about(analysis.estimate)}"


def unsolved(analysis: Analysis) -> str:
    """Return what is not known of a position though who wins is, and why; empty if all is known."""
    if analysis.limit is None or analysis.value is Value.UNKNOWN:
        return ""
    is_valued = all(action.value is not Value.UNKNOWN for action in analysis.actions)
    what = "Some distances" if is_valued else "The other cells"
    return f"{not_known(what, analysis.limit)}."


def _listed(game: Game, cells: Sequence[int], joint: str = "and") -> str:
    """Return cells as ``3,3``, ``3,3 and 1,1`` or ``1,1, 1,2 and 7 more``."""
    names = [game.name(cell) for cell in cells]
    if len(names) > _MOST_NAMED:
        names[_MOST_NAMED - 1 :] = [f"{len(names) - _MOST_NAMED + 1:,} more"]
    return f" {joint} ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def fault(action: ReviewedAction, name: Names) -> str:
    """Return what a mistake was, without what would have been right."""
    return f"{_fault(action, name)}."


def mistake(action: ReviewedAction, name: Names) -> str:
    """Return what a mistake was and what would have been right, as far as that is known."""
    better = "; which cells would have won is not known"
    if action.better:
        better = f": {_listed(action.position.game, action.better, 'or')} would have won"
    return f"{_fault(action, name)}{better}."


def _fault(action: ReviewedAction, name: Names) -> str:
    return f"Move {action.turn}: {name(action.player)} gave the win away {_by(action)}"


def _by(action: ReviewedAction) -> str:
    return f"{action.position.upcoming.by} {action.position.game.name(action.cell)}"


def doubt(action: ReviewedAction, name: Names) -> str:
    """Return that an action was probably a mistake, and the estimates that say so."""
    before = _chance(action.estimate_before, action.before)
    after = _chance(action.estimate_after, action.after)
    if action.estimate_before is not None and action.estimate_after is not None:
        after = after.removeprefix("about ")
    went = f"Move {action.turn}: {name(action.player)} probably went wrong {_by(action)}"
    return f"{went} ({before} before, {after} after)."


def _chance(chance: float | None, value: Value) -> str:
    return f"a sure {value}" if chance is None else about(chance)


def summary(review: Review, player: Player, name: Names) -> str:
    """Return how a player did, in a sentence; moves are counted turn by turn."""
    actions = [action for action in review.actions if action.player is player]
    won = [action for action in actions if action.before is Value.WIN]
    unknown = [action for action in actions if action.before is Value.UNKNOWN]
    estimated = [action for action in actions if action.is_estimated]
    unjudged = [action for action in unknown if not action.is_estimated]
    has_resigned = review.resigned_a_win is player
    text = f"{name(player)}: {_moves(actions)}"
    if won:
        text += f", in a won position {_times(_turns(won))}, {_given_away(won)}"
    elif not has_resigned:
        text += f", never in a {'position known to be won' if unknown else 'won position'}"
    if has_resigned:
        text += ", and resigned in a won position"
    if estimated:
        doubtful = _turns(review.doubtful(player))
        likely = write_count(doubtful, "probable mistake") if doubtful else "no probable mistake"
        text += f"; {_moves(estimated)} could only be estimated: {likely}"
    if unjudged:
        text += f"; {_moves(unjudged)} could not be judged"
    return f"{text}."


def _given_away(won: Sequence[ReviewedAction]) -> str:
    """Return how often a player gave won positions away, as far as that is known."""
    mistakes = sum(action.is_mistake for action in won)
    if mistakes:
        return f"gave it away {_times(mistakes)}"
    is_known = all(action.after is not Value.UNKNOWN for action in won)
    return "never gave it away" if is_known else "not known to have given it away"


def _moves(actions: Sequence[ReviewedAction]) -> str:
    return write_count(_turns(actions), "move")


def _turns(actions: Sequence[ReviewedAction]) -> int:
    return len({action.turn for action in actions})


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
