import { element } from "../element.js";

/** @import {Step} from "../types.js" */

/**
 * Lists the steps of a line; each shows the board after it.
 * @param {HTMLElement} list
 * @param {{steps: Step[], symbols: [string, string], cursor: number, show: (cursor: number) => void}} options
 */
export function listSteps(list, { steps, symbols, cursor, show }) {
  const focused = [...list.children].findIndex((item) => item.contains(document.activeElement));
  list.replaceChildren(...steps.map(({ cell, player }, place) =>
    element("li", {},
      element("button", {
        type: "button", "aria-current": cursor === place + 1 ? "step" : undefined, onclick: () => show(place + 1),
      }, element("span", { class: `sign ${player === 1 ? "one" : "two"}` }, symbols[player - 1]), cell))));
  if (focused >= 0) list.children[focused]?.querySelector("button")?.focus();
}
