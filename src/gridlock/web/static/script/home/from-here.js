import { readable } from "../address.js";
import { GridBoard } from "../board.js";
import { find, findAs } from "../element.js";
import { capital } from "../text.js";

/** @import {Board, Rulebook} from "../types.js" */

/** Of more cells nothing could be made out in so small a picture. */
const MOST_DRAWN = 400;

/**
 * Shows the position in which a game is to begin, in place of the games to choose from.
 * @param {HTMLElement} main
 * @param {Rulebook} rulebook
 * @param {Board} board
 */
export function showPosition(main, rulebook, board) {
  const { id, symbols, counting, has_tokens: hasTokens } = rulebook;
  const { rows, columns, mover, position, task } = board;
  main.classList.add("from-here");
  find("h1", main).textContent = "Play from here";
  const box = find("#from-here", main);
  box.hidden = false;
  const picture = findAs(GridBoard, "grid-board", box);
  picture.hidden = rows * columns > MOST_DRAWN;
  if (!picture.hidden) picture.show({ board, symbols, counting, hasTokens, mini: true, label: id });
  find("h2", box).textContent = `${capital(id)} ${rows}\u00a0×\u00a0${columns}`;
  find(".what", box).textContent = `${symbols[mover - 1]} to move: ${task}.`;
  findAs(HTMLAnchorElement, "a", box).href = `/study?${readable(new URLSearchParams({ game: id, position }))}`;
}

/**
 * Shows the games to choose from again.
 * @param {HTMLElement} main
 * @param {string} title
 */
export function hidePosition(main, title) {
  main.classList.remove("from-here");
  find("h1", main).textContent = title;
  find("#from-here", main).hidden = true;
}
