import { byTime, isDone } from "../kept-rooms.js";

/** @import {KeptRoom} from "../kept-rooms.js" */

/**
 * The rooms as they are listed, the latest first: where it is one's turn, where others are to do
 * something, and where nothing is left to play.
 * @param {KeptRoom[]} rooms
 * @returns {{mine: KeptRoom[], others: KeptRoom[], done: KeptRoom[]}}
 */
export function grouped(rooms) {
  const sorted = [...rooms].sort(byTime);
  const open = sorted.filter((room) => !isDone(room));
  return {
    mine: open.filter(({ isMine }) => isMine),
    others: open.filter(({ isMine }) => !isMine),
    done: sorted.filter(isDone),
  };
}

/**
 * How many rooms there are of each game, by its name.
 * @param {KeptRoom[]} rooms
 * @returns {Map<string, number>}
 */
export function countGames(rooms) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { game } of rooms) counts.set(game, (counts.get(game) ?? 0) + 1);
  return new Map([...counts].sort());
}
