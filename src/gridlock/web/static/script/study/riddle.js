import { branchOf } from "./line.js";

/** @import {Review, ReviewedAction} from "../types.js" */
/** @import {Line} from "./line.js" */

/**
 * The mistake that is about to be made in the game, where it is known how to do better and that has
 * not been found yet: until then nothing on the page may give it away.
 * @param {{review: Review | null, line: Line, solved: Set<number>}} study
 * @returns {ReviewedAction | null}
 */
export function riddleOf({ review, line, solved }) {
  const next = branchOf(line) === null ? review?.actions[line.cursor] : undefined;
  return next?.mistake && next.better.length && !solved.has(next.number) ? next : null;
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
