import "../board.js";
import { element } from "../element.js";
import { capital } from "../text.js";

/** @import {GridBoard} from "../board.js" */
/** @import {Rulebook} from "../types.js" */

/**
 * Puts the rulebooks on the shelf, each drawn as a small board.
 * @param {HTMLFieldSetElement} shelf
 * @param {Rulebook[]} rulebooks
 * @param {string} chosen
 */
export function fillShelf(shelf, rulebooks, chosen) {
  shelf.append(...rulebooks.map((rulebook) => card(rulebook, rulebook.id === chosen)));
}

/**
 * @param {Rulebook} rulebook
 * @param {boolean} checked
 */
function card(rulebook, checked) {
  const board = /** @type {GridBoard} */ (document.createElement("grid-board"));
  board.ariaHidden = "true"; // the name and the sentence below it say more
  board.show({
    board: rulebook.sample, symbols: rulebook.symbols, counting: rulebook.counting,
    mini: true, open: true, label: rulebook.id,
  });
  return element("label", {},
    element("input", { type: "radio", name: "game", value: rulebook.id, checked, required: true }),
    element("span", { class: "face" },
      board,
      // Four of the five are called GridLock: people see the name that each goes by here.
      element("span", { class: "name" }, capital(rulebook.id)),
      element("span", { class: "about" }, rulebook.about)));
}
