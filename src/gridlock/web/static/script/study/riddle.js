import { branchOf } from "./line.js";

/** @import {Player, Review, ReviewedAction} from "../types.js" */
/** @import {Line} from "./line.js" */

/**
 * Whether an action was a mistake, surely or probably.
 * @param {ReviewedAction} action
 */
export const isFaulty = ({ mistake, doubtful }) => mistake || doubtful;

/**
 * The mistake that one looks at: the one about to be made in the game, where it is known how to do
 * better or it is only a probable one, or else the one just made.
 * @param {{review: Review | null, line: Line}} study
 * @returns {ReviewedAction | null}
 */
export function presentMistake({ review, line }) {
  if (!review || branchOf(line) !== null) return null;
  const [before, next] = [review.actions[line.cursor - 1], review.actions[line.cursor]];
  if (next && ((next.mistake && next.better.length) || next.doubtful)) return next;
  return before && isFaulty(before) ? before : null;
}

/**
 * The mistake that is about to be made in the game, if it has not been found yet how to do better:
 * until then nothing on the page may give it away.
 * @param {{review: Review | null, line: Line, solved: Set<number>}} study
 * @returns {ReviewedAction | null}
 */
export function riddleOf(study) {
  const mistake = presentMistake(study);
  const isAhead = mistake?.mistake && mistake.number > study.line.cursor;
  return isAhead && !study.solved.has(mistake.number) ? mistake : null;
}

/**
 * Where a review begins: one's own first mistake, or else the first of all; one that is only probable
 * where there is no other.
 * @param {Review} review
 * @param {Player[]} players Whose mistakes matter.
 * @returns {ReviewedAction | undefined}
 */
export function firstMistake({ actions }, players) {
  const facts = actions.filter(({ mistake }) => mistake);
  const mistakes = facts.length ? facts : actions.filter(isFaulty);
  return mistakes.find(({ player }) => players.includes(player)) ?? mistakes[0];
}
