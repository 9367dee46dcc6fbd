import { cellIndex, cellName } from "../board-cell.js";
import { capital } from "../text.js";

/** @import {Board, Player, Rulebook} from "../types.js" */

/**
 * @typedef {object} Draft A position being set up.
 * @property {Rulebook} rulebook
 * @property {number} rows
 * @property {number} columns
 * @property {string} cells
 * @property {Player} mover
 * @property {string} detail The last field of the position's text.
 * @property {Board["goals"]} goals
 */

/**
 * Begins with a position that the server has told.
 * @param {Rulebook} rulebook
 * @param {Board} board
 * @returns {Draft}
 */
export function draftOf(rulebook, { position, rows, columns, cells, mover, goals }) {
  return { rulebook, rows, columns, cells, mover, detail: position.split(" ")[2], goals };
}

/** @param {Draft} draft */
export const sizeOf = ({ rows, columns }) => `${rows}x${columns}`;

/** @param {Draft} draft */
export function textOf({ rows, columns, cells, mover, detail }) {
  const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
  return `${lines.join("/")} ${mover} ${detail}`;
}

/**
 * A draft as a board to draw: what is legal is not known before it is analysed.
 * @param {Draft} draft
 * @returns {Board}
 */
export function boardOf(draft) {
  const { rulebook: { phases: [phase] }, rows, columns, cells, mover, goals } = draft;
  return {
    position: textOf(draft), rows, columns, cells, mover, phase: phase.name, task: "", effect: phase.effect,
    legal: [], closed: [], closed_to: "", goals, winner: null,
  };
}

/**
 * Puts a square on a cell, or takes it away where it is already. A token is moved, not doubled.
 * @param {Draft} draft
 * @param {string} cell
 * @param {string} square
 * @returns {Draft}
 */
export function paint(draft, cell, square) {
  const { rulebook } = draft;
  const cells = Array.from(draft.cells);
  const place = cellIndex(draft, rulebook.counting, cell);
  const isThere = cells[place] === square;
  const isToken = rulebook.has_tokens && (square === "1" || square === "2");
  if (isToken && cells.includes(square)) cells[cells.indexOf(square)] = ".";
  cells[place] = isThere ? "." : square;
  return checked({ ...draft, cells: cells.join("") });
}

/**
 * @param {Draft} draft
 * @param {Player} mover
 */
export const withMover = (draft, mover) => checked({ ...draft, mover });

/**
 * What may stand in the last field of the position's text; nothing where there is no choice.
 * @param {Draft} draft
 * @returns {{value: string, text: string}[]}
 */
export function detailsOf({ rulebook, columns, cells, mover }) {
  const { detail, counting, phases } = rulebook;
  if (detail === "nothing" || detail === "other") return []; // it is written in the text
  if (detail === "phase") return phases.map(({ name, noun }) => ({ value: name, text: capital(noun) }));
  const owner = String(detail === "own-cell" ? mover : 3 - mover);
  const names = Array.from(cells).flatMap((square, index) =>
    square === owner ? [cellName({ columns }, counting, index)] : []);
  return [{ value: "-", text: "none" }, ...names.map((name) => ({ value: name, text: name }))];
}

/**
 * Keeps the last field one of those that may stand there.
 * @param {Draft} draft
 * @returns {Draft}
 */
function checked(draft) {
  const details = detailsOf(draft);
  const isPossible = !details.length || details.some(({ value }) => value === draft.detail);
  return isPossible ? draft : { ...draft, detail: details[0].value };
}
