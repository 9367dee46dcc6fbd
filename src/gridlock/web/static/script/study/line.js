import { turnsOf } from "../turns.js";

/** @import {Turn} from "../turns.js" */
/** @import {Player, Rulebook} from "../types.js" */

/**
 * Where someone stands in a game and its side lines. `main` are the moves of the game, `path` those
 * of the line being looked at, and `cursor` counts how many of them have been played. A game that was
 * played in a room stays as it is; any other one `grows` by what is chosen at its end.
 * @typedef {{main: string[], path: string[], cursor: number, grows: boolean}} Line
 */

/**
 * @param {string[]} main
 * @param {{cursor?: number, grows: boolean}} options
 * @returns {Line}
 */
export function lineOf(main, { cursor = main.length, grows }) {
  return { main, path: main, cursor: within(cursor, main), grows };
}

/**
 * Chooses a cell: steps on where the line goes there anyway, otherwise begins a side line.
 * @param {Line} line
 * @param {...string} cells
 * @returns {Line}
 */
export function choose(line, ...cells) {
  return cells.reduce((now, cell) => {
    const { path, cursor, main, grows } = now;
    if (path[cursor] === cell) return { ...now, cursor: cursor + 1 };
    const played = [...path.slice(0, cursor), cell];
    if (grows && path === main && cursor === main.length) return lineOf(played, { grows });
    const isMain = played.every((move, index) => move === main[index]);
    return { ...now, path: isMain ? main : played, cursor: cursor + 1 };
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
export const goToMain = ({ main, grows }, cursor) => lineOf(main, { cursor, grows });

/** @param {Line} line */
export function branchOf({ main, path }) {
  const branch = path.findIndex((move, index) => move !== main[index]);
  return branch < 0 ? null : branch;
}

/** @param {Line} line */
export const played = ({ path, cursor }) => path.slice(0, cursor);

/**
 * Whose the actions are, in a game whose turns all have the same number of them: `first` begins,
 * and has made the first `begun` actions of that turn already.
 * @typedef {{first: Player, begun: number, actionsPerTurn: number}} Order
 */

/**
 * @param {Pick<Rulebook, "actions_per_turn">} rulebook
 * @param {{first: Player, begun?: number}} start Where the moves begin.
 * @returns {Order}
 */
export const orderOf = ({ actions_per_turn: actionsPerTurn }, { first, begun = 0 }) => ({ first, begun, actionsPerTurn });

/**
 * Who chose the action with this index.
 * @param {Order} order
 * @param {number} index
 * @returns {Player}
 */
export function moverOf({ first, begun, actionsPerTurn }, index) {
  const turn = Math.floor((index + begun) / actionsPerTurn);
  return /** @type {Player} */ (turn % 2 ? 3 - first : first);
}

/**
 * The turns that moves make, but for what was played before some place.
 * @param {Order} order
 * @param {string[]} moves
 * @param {number} [from]
 * @returns {Turn[]}
 */
export function turnsFrom(order, moves, from = 0) {
  const turns = turnsOf(moves, moves.map((_, index) => moverOf(order, index)));
  return turns.flatMap((turn) => {
    const before = Math.max(from - turn.from, 0);
    const cells = turn.cells.slice(before);
    return cells.length ? [{ ...turn, cells, from: turn.from + before }] : [];
  });
}

/**
 * @param {number} cursor
 * @param {string[]} path
 */
const within = (cursor, path) => Math.min(Math.max(cursor, 0), path.length);
