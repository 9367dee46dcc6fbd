/** @import {Player} from "../types.js" */

/**
 * Where someone stands in a game and its side lines. `main` are the moves of the game, `path` those
 * of the line being looked at, and `cursor` counts how many of them have been played.
 * @typedef {{main: string[], path: string[], cursor: number}} Line
 */

/**
 * @param {string[]} main
 * @param {number} [cursor]
 * @returns {Line}
 */
export const lineOf = (main, cursor = main.length) => ({ main, path: main, cursor: within(cursor, main) });

/**
 * Chooses a cell: steps on where the line goes there anyway, otherwise begins a side line.
 * @param {Line} line
 * @param {...string} cells
 * @returns {Line}
 */
export function choose(line, ...cells) {
  return cells.reduce((now, cell) => {
    const { path, cursor, main } = now;
    if (path[cursor] === cell) return { ...now, cursor: cursor + 1 };
    const played = [...path.slice(0, cursor), cell];
    const isMain = played.every((move, index) => move === main[index]);
    return { main, path: isMain ? main : played, cursor: cursor + 1 };
  }, line);
}

/**
 * @param {Line} line
 * @param {number} cursor
 * @returns {Line}
 */
export const goTo = (line, cursor) => ({ ...line, cursor: within(cursor, line.path) });

/**
 * Goes to a place of the game itself, and leaves any side line.
 * @param {Line} line
 * @param {number} cursor
 * @returns {Line}
 */
export const goToMain = (line, cursor) => lineOf(line.main, cursor);

/** @param {Line} line */
export function branchOf({ main, path }) {
  const branch = path.findIndex((move, index) => move !== main[index]);
  return branch < 0 ? null : branch;
}

/** @param {Line} line */
export const played = ({ path, cursor }) => path.slice(0, cursor);

/**
 * Who chose the action with this index, in a game whose turns all have the same number of actions.
 * @param {{first: Player, actionsPerTurn: number, isMidTurn: boolean}} order
 * @param {number} index
 * @returns {Player}
 */
export function moverOf({ first, actionsPerTurn, isMidTurn }, index) {
  const turn = Math.floor((index + (isMidTurn ? 1 : 0)) / actionsPerTurn);
  return /** @type {Player} */ (turn % 2 ? 3 - first : first);
}

/**
 * @param {number} cursor
 * @param {string[]} path
 */
const within = (cursor, path) => Math.min(Math.max(cursor, 0), path.length);
