import { turnsOf } from "../turns.js";

/** @import {Turn} from "../turns.js" */
/** @import {Player} from "../types.js" */
/** @import {Study} from "./store.js" */

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
 * Who moves when, from the position where the moves begin.
 * @param {Pick<Study, "source" | "rulebook">} study
 */
export function orderOf({ source, rulebook }) {
  const [, mover, detail] = (source.position ?? "").split(" ");
  return {
    first: /** @type {1 | 2} */ (source.position ? Number(mover) : source.first),
    actionsPerTurn: rulebook.actions_per_turn,
    isMidTurn: detail === "block",
  };
}

/**
 * The turns that moves make, but for what was played before some place.
 * @param {Pick<Study, "source" | "rulebook">} study
 * @param {string[]} moves
 * @param {number} [from]
 * @returns {Turn[]}
 */
export function turnsFrom(study, moves, from = 0) {
  const order = orderOf(study);
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
