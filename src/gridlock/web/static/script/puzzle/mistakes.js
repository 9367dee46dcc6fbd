import { dayAfter, daysUntil } from "./day.js";

/** @import {Player, Review} from "../types.js" */

/**
 * Mistakes of somebody's own, which come back until they are learnt, by the same rules as in the
 * terminal. `pauses` are the server's: the days until one comes back, by how often it was solved.
 *
 * @typedef {object} Mistake A position that somebody won and gave away, to be won when it comes back.
 * @property {string} game
 * @property {string} position
 * @property {string} winning The cells that would have won.
 * @property {string} due The day on which it comes back.
 * @property {number} solved
 */

/**
 * The mistakes of some players in a game, due from today on.
 * @param {Pick<Review, "game" | "actions">} review
 * @param {Player[]} players
 * @param {string} today
 * @returns {Mistake[]}
 */
export function mistakesOf({ game, actions }, players, today) {
  return actions.flatMap(({ player, position, better }) =>
    position && players.includes(player) ? [{ game, position, winning: better.join(" "), due: today, solved: 0 }] : []);
}

/**
 * Whether two are the same: a position alone may be one of several games.
 * @param {Pick<Mistake, "game" | "position">} one
 * @param {Pick<Mistake, "game" | "position">} other
 */
export const isSame = (one, other) => one.game === other.game && one.position === other.position;

/**
 * Mistakes with more to learn from; those that are there already stay as they are.
 * @param {Mistake[]} mistakes
 * @param {Mistake[]} found
 */
export function joinMistakes(mistakes, found) {
  return found.reduce((all, one) => (all.some((known) => isSame(known, one)) ? all : [...all, one]), mistakes);
}

/**
 * Whether one has been solved often enough not to come back.
 * @param {Mistake} mistake
 * @param {number[]} pauses
 */
export const isLearnt = ({ solved }, pauses) => solved >= pauses.length;

/**
 * Those that come back today, the ones that wait longest first.
 * @param {Mistake[]} mistakes
 * @param {string} today
 * @param {number[]} pauses
 */
export function dueMistakes(mistakes, today, pauses) {
  const isDue = (/** @type {Mistake} */ mistake) => {
    const ahead = daysUntil(mistake.due, today);
    // A day too far ahead was set by a clock that was wrong.
    return !isLearnt(mistake, pauses) && !(ahead > 0 && ahead <= Math.max(...pauses));
  };
  return mistakes.filter(isDue).sort((one, other) => (one.due < other.due ? -1 : Number(one.due > other.due)));
}

/**
 * A mistake after somebody has tried it again.
 * @param {Mistake} mistake
 * @param {string} today
 * @param {boolean} isSolved
 * @param {number[]} pauses
 * @returns {Mistake}
 */
export function afterTry(mistake, today, isSolved, pauses) {
  const pause = isSolved ? pauses[Math.min(mistake.solved, pauses.length - 1)] : pauses[0];
  return { ...mistake, due: dayAfter(today, pause), solved: isSolved ? mistake.solved + 1 : 0 };
}
