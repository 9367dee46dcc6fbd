import { fetchLevels } from "./api.js";
import { byTime } from "./kept-rooms.js";

/** @import {KeptRoom} from "./kept-rooms.js" */
/** @import {FittingLevel} from "./types.js" */

/**
 * How somebody did against the computer, by the rooms that this browser keeps.
 *
 * @typedef {{at: number, level: number, won: boolean}} Result
 *
 * @typedef {object} Standing All results of one game, the oldest first.
 * @property {string} game
 * @property {string} size
 * @property {Result[]} results
 */

/** The most that the server is told at once; it looks at far fewer results. */
const MOST_STANDINGS = 49;
const MOST_RESULTS = 30;

/**
 * @param {KeptRoom[]} rooms
 * @returns {Standing[]} The game played last first.
 */
export function standingsOf(rooms) {
  /** @type {Map<string, Standing>} */
  const games = new Map();
  for (const { game, size, level, won = [], at = 0 } of [...rooms].sort(byTime)) {
    if (level === undefined || won.length === 0) continue;
    const standing = games.get(keyOf(game, size)) ?? { game, size, results: [] };
    games.set(keyOf(game, size), standing);
    standing.results.unshift(...won.map((isWon) => ({ at, level, won: isWon })));
  }
  return [...games.values()];
}

/**
 * @param {string} game
 * @param {string} size
 */
export const keyOf = (game, size) => `${game} ${size}`;

/**
 * How often games were won at each level that was played, the highest first.
 * @param {Standing} standing
 * @returns {{level: number, won: number, games: number}[]}
 */
export function sharesOf({ results }) {
  const levels = [...new Set(results.map(({ level }) => level))].sort((one, other) => other - one);
  return levels.map((level) => {
    const played = results.filter((result) => result.level === level);
    return { level, won: played.filter(({ won }) => won).length, games: played.length };
  });
}

/**
 * Asks the server which levels fit, by the rule that holds everywhere; it keeps nothing of what it is told.
 * @param {Standing[]} standings
 * @returns {Promise<(game: string, size: string) => FittingLevel>} That of a newcomer where nothing was played.
 */
export async function fitLevels(standings) {
  const told = standings.slice(0, MOST_STANDINGS);
  const played = told.map(({ results }) =>
    results.slice(-MOST_RESULTS).map(({ level, won }) => ({ level, won })).reverse());
  const [first, ...fitting] = await fetchLevels({ games: [[], ...played] });
  const found = new Map(told.map(({ game, size }, place) => [keyOf(game, size), fitting[place]]));
  return (game, size) => found.get(keyOf(game, size)) ?? first;
}
