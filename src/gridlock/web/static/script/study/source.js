import { readable } from "../address.js";
import { fetchRoom } from "../api.js";
import { seatToken } from "../memory.js";
import { turnText } from "../turns.js";
import { branchOf, choose, lineOf, played, turnsFrom } from "./line.js";

/** @import {Player, Rulebook} from "../types.js" */
/** @import {Line, Order} from "./line.js" */
/** @import {Study} from "./store.js" */

/**
 * What is being studied, as the address says it.
 * @typedef {object} Source
 * @property {string} game
 * @property {string} size
 * @property {Player} first
 * @property {string | null} position Where the moves begin, if it is not the start of the game.
 * @property {{id: string, number: number, isFinished: boolean, you: Player[]} | null} room The game of a
 *   room; `you` are the players whose seats this browser holds.
 */

/**
 * @param {URLSearchParams} query
 * @param {Rulebook[]} rulebooks
 * @returns {Promise<{source: Source, line: Line}>}
 */
export async function readAddress(query, rulebooks) {
  const ply = countIn(query, "ply");
  const room = query.get("room");
  if (room) return readRoom(room, query, ply);
  const game = query.get("game") ?? rulebooks[0].id;
  const rulebook = rulebooks.find(({ id }) => id === game);
  if (!rulebook) throw new Error(`There is no game called ${game}. There are ${rulebooks.map(({ id }) => id).join(", ")}.`);
  const first = query.get("first") ?? "1";
  if (first !== "1" && first !== "2") throw new Error(`Player ${first} cannot begin: first is 1 or 2.`);
  const position = query.get("position");
  /** @type {Source} */
  const source = {
    game,
    size: query.get("size") ?? (position ? sizeIn(position) : rulebook.size),
    first: first === "2" ? 2 : 1,
    position,
    room: null,
  };
  return { source, line: lineOf(movesIn(query.get("moves")), { cursor: ply, grows: true }) };
}

/**
 * @param {string} id
 * @param {URLSearchParams} query
 * @param {number} [ply]
 * @returns {Promise<{source: Source, line: Line}>}
 */
async function readRoom(id, query, ply) {
  const state = await fetchRoom(id, seatToken(id));
  const number = countIn(query, "number") ?? state.view.number;
  const finished = state.games[number - 1];
  if (!finished && number !== state.view.number) throw new Error(`There is no game ${number} in this room.`);
  const { first, moves } = finished ?? state;
  return {
    source: {
      game: state.rulebook.id, size: state.size, first, position: state.setup ?? null,
      room: { id, number, isFinished: Boolean(finished), you: state.you },
    },
    line: choose(lineOf(moves, { cursor: ply, grows: false }), ...movesIn(query.get("line"))),
  };
}

/**
 * The address of this very page: the game with its side line, and where one stands in it.
 * @param {Pick<Study, "source" | "order" | "line">} study
 * @param {boolean} isReview
 */
export function addressOf({ source, order, line }, isReview) {
  const branch = branchOf(line);
  if (source.room) {
    const query = new URLSearchParams({ room: source.room.id, number: String(source.room.number) });
    query.set("ply", String(Math.min(branch ?? line.cursor, line.cursor)));
    if (branch !== null && branch < line.cursor) query.set("line", written(order, played(line), branch));
    if (isReview) query.set("review", "1");
    return `/study?${readable(query)}`;
  }
  const query = queryOf(source, line.path, order);
  if (line.cursor < line.path.length) query.set("ply", String(line.cursor));
  return `/study?${readable(query)}`;
}

/**
 * The permanent address of the position shown: it needs no room.
 * @param {Pick<Study, "source" | "order" | "line">} study
 */
export const permanentLink = ({ source, order, line }) =>
  `${location.origin}/study?${readable(queryOf(source, played(line), order))}`;

/**
 * The moves that lead to the position shown, as in records.
 * @param {Pick<Study, "order" | "line">} study
 */
export const movesOf = ({ order, line }) => written(order, played(line));

/**
 * @param {Source} source
 * @param {string[]} moves
 * @param {Order} [order] Whose they are, to be written turn by turn: people read that more easily.
 */
export function queryOf({ game, size, first, position }, moves, order) {
  const query = new URLSearchParams({ game, size });
  if (position) query.set("position", position);
  else query.set("first", String(first));
  if (moves.length) query.set("moves", order ? written(order, moves) : moves.join(" "));
  return query;
}

/**
 * Moves as in records, one word a turn; `movesIn` reads single cells as well.
 * @param {Order} order
 * @param {string[]} moves
 * @param {number} [from]
 */
const written = (order, moves, from) => turnsFrom(order, moves, from).map(turnText).join(" ");

/**
 * @param {URLSearchParams} query
 * @param {string} name
 */
function countIn(query, name) {
  const text = query.get(name) ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** How large the board of a position is: its text says it. @param {string} position */
function sizeIn(position) {
  const rows = position.split(" ")[0].split("/");
  return `${rows.length}x${rows[0].length}`;
}

/** @param {string | null} text */
const movesIn = (text) => (text ?? "").split(/[\s/]+/).filter(Boolean);
