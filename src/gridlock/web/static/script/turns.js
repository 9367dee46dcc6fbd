/** @import {Player} from "./types.js" */

/**
 * @typedef {object} Turn All that a player chose until it was the other one's turn.
 * @property {number} number From 1, whoever begins.
 * @property {Player} player
 * @property {string[]} cells
 * @property {number} from How many actions came before it.
 */

/**
 * Puts the actions of a game together to turns.
 * @param {string[]} moves
 * @param {Player[]} movers Who chose each.
 * @returns {Turn[]}
 */
export function turnsOf(moves, movers) {
  /** @type {Turn[]} */
  const turns = [];
  moves.forEach((cell, index) => {
    const last = turns.at(-1);
    if (last && last.player === movers[index]) last.cells.push(cell);
    else turns.push({ number: turns.length + 1, player: movers[index], cells: [cell], from: index });
  });
  return turns;
}

/**
 * A turn in one word, as in records: `3,3`, or with several actions `0,1/1,0`.
 * @param {Pick<Turn, "cells">} turn
 */
export const turnText = ({ cells }) => cells.join("/");
