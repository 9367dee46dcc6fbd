import { branchOf } from "./line.js";

/** @import {Review, ReviewedAction} from "../types.js" */
/** @import {Line} from "./line.js" */

/**
 * The mistake that one looks at: the one about to be made in the game, where it is known how to do
 * better, or else the one just made.
 * @param {{review: Review | null, line: Line}} study
 * @returns {ReviewedAction | null}
 */
export function presentMistake({ review, line }) {
  if (!review || branchOf(line) !== null) return null;
  const [before, next] = [review.actions[line.cursor - 1], review.actions[line.cursor]];
  if (next?.mistake && next.better.length) return next;
  return before?.mistake ? before : null;
}

/**
 * The mistake that is about to be made in the game, if it has not been found yet how to do better:
 * until then nothing on the page may give it away.
 * @param {{review: Review | null, line: Line, solved: Set<number>}} study
 * @returns {ReviewedAction | null}
 */
export function riddleOf(study) {
  const mistake = presentMistake(study);
  return mistake && mistake.number > study.line.cursor && !study.solved.has(mistake.number) ? mistake : null;
}

/**
 * Where a review begins: one's own first mistake, or else the first of all.
 * @param {Review} review
 * @param {1 | 2 | null} player Whose mistakes matter, if that is known.
 * @returns {ReviewedAction | undefined}
 */
export function firstMistake({ actions }, player) {
  const mistakes = actions.filter(({ mistake }) => mistake);
  return mistakes.find((mistake) => mistake.player === player) ?? mistakes[0];
}
