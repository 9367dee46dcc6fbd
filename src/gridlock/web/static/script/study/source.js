import { fetchRoom } from "../api.js";
import { seatToken } from "../memory.js";
import { branchOf, choose, lineOf, played } from "./line.js";

/** @import {Player} from "../types.js" */
/** @import {Line} from "./line.js" */

/**
 * What is being studied, as the address says it.
 * @typedef {object} Source
 * @property {string} game
 * @property {string} size
 * @property {Player} first
 * @property {string | null} position Where the moves begin, if it is not the start of the game.
 * @property {{id: string, number: number, isFinished: boolean} | null} room
 */

/**
 * @param {URLSearchParams} query
 * @param {(game: string) => string} ownSize
 * @returns {Promise<{source: Source, line: Line}>}
 */
export async function readAddress(query, ownSize) {
  const ply = query.has("ply") ? Number(query.get("ply")) : undefined;
  const room = query.get("room");
  if (room) return readRoom(room, query, ply);
  const game = query.get("game") ?? "occupation";
  /** @type {Source} */
  const source = {
    game,
    size: query.get("size") ?? ownSize(game),
    first: query.get("first") === "2" ? 2 : 1,
    position: query.get("position"),
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
  const number = Number(query.get("number") ?? state.view.number);
  const finished = state.games[number - 1];
  const { first, moves } = finished ?? state;
  return {
    source: {
      game: state.rulebook.id, size: state.size, first, position: null,
      room: { id, number, isFinished: Boolean(finished) },
    },
    line: choose(lineOf(moves, { cursor: ply, grows: false }), ...movesIn(query.get("line"))),
  };
}

/**
 * The address of this very page: the game with its side line, and where one stands in it.
 * @param {Source} source
 * @param {Line} line
 * @param {boolean} isReview
 */
export function addressOf(source, line, isReview) {
  const branch = branchOf(line);
  if (source.room) {
    const query = new URLSearchParams({ room: source.room.id, number: String(source.room.number) });
    query.set("ply", String(Math.min(branch ?? line.cursor, line.cursor)));
    if (branch !== null && branch < line.cursor) query.set("line", line.path.slice(branch, line.cursor).join(" "));
    if (isReview) query.set("review", "1");
    return `/study?${readable(query)}`;
  }
  const query = queryOf(source, line.path);
  if (line.cursor < line.path.length) query.set("ply", String(line.cursor));
  return `/study?${readable(query)}`;
}

/**
 * The permanent address of the position shown: it needs no room.
 * @param {Source} source
 * @param {Line} line
 */
export const permanentLink = (source, line) => `${location.origin}/study?${readable(queryOf(source, played(line)))}`;

/**
 * @param {Source} source
 * @param {string[]} moves
 */
export function queryOf({ game, size, first, position }, moves) {
  const query = new URLSearchParams({ game, size });
  if (position) query.set("position", position);
  else query.set("first", String(first));
  if (moves.length) query.set("moves", moves.join(" "));
  return query;
}

/**
 * Commas and slashes may stand in a query as they are, and people like to read them.
 * @param {URLSearchParams | string} query
 */
export const readable = (query) => String(query).replaceAll("%2C", ",").replaceAll("%2F", "/");

/** @param {string | null} text */
const movesIn = (text) => (text ?? "").split(/[\s/]+/).filter(Boolean);
