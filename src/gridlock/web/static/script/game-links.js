import { element, find } from "./element.js";
import { capital } from "./text.js";

/** @import {Rulebook} from "./types.js" */

/**
 * Fills the row of links to a page of each game, and brings that of the present one into sight.
 * @param {HTMLElement} row
 * @param {Rulebook[]} rulebooks
 * @param {string} path What comes before the name of a game.
 * @param {string} wanted The game whose page this is.
 * @returns {Rulebook} That game, or an error is thrown.
 */
export function linkGames(row, rulebooks, path, wanted) {
  row.replaceChildren(...rulebooks.map(({ id }) =>
    element("a", { href: `${path}/${id}`, "aria-current": id === wanted ? "page" : undefined }, capital(id))));
  const rulebook = rulebooks.find(({ id }) => id === wanted);
  if (!rulebook) throw new Error(`There is no game called ${wanted}: choose one above.`);
  find("[aria-current]", row).scrollIntoView({ block: "nearest", inline: "center" });
  return rulebook;
}
