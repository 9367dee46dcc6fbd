import { element } from "../element.js";
import { branchOf, turnsFrom } from "./line.js";

/** @import {Turn} from "../turns.js" */
/** @import {Study, StudyStore} from "./store.js" */

/**
 * Lists turns, numbered, each cell a button.
 * @param {HTMLElement} list
 * @param {object} what
 * @param {[string, string]} what.symbols
 * @param {Turn[]} what.turns
 * @param {number | null} what.present The number of actions played at the present place.
 * @param {Set<number>} [what.mistakes] The numbers of actions to mark.
 * @param {(count: number) => void} what.visit Handed the number of actions up to the chosen one.
 */
export function listTurns(list, { symbols, turns, present, mistakes = new Set(), visit }) {
  const key = JSON.stringify([symbols, turns, [...mistakes]]);
  if (list.dataset.key !== key) {
    const hadFocus = list.contains(document.activeElement);
    list.dataset.key = key;
    list.replaceChildren(...turns.map((turn) => entry(turn)));
    if (hadFocus) list.querySelector("button")?.focus();
  }
  for (const button of list.querySelectorAll("button")) {
    const isHere = Number(button.dataset.count) === present;
    if (isHere) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
    button.onclick = () => visit(Number(button.dataset.count));
  }

  /** @param {Turn} turn */
  function entry({ number, player, cells, from }) {
    const buttons = cells.flatMap((cell, index) => {
      const count = from + index + 1;
      const button = element("button", { type: "button", data: { count: String(count) } },
        cell, mistakes.has(count) && element("span", { class: "cross", title: "A mistake", "aria-label": "a mistake", role: "img" }, "✗"));
      return index ? [element("span", { class: "slash" }, "/"), button] : [button];
    });
    return element("li", {},
      element("span", { class: "number" }, `${number}.`),
      element("span", { class: `sign ${player === 1 ? "one" : "two"}` }, symbols[player - 1]),
      ...buttons);
  }
}

/**
 * @param {{main: HTMLElement, side: HTMLElement}} lists
 * @param {Study} study
 * @param {StudyStore} store
 */
export function showMoves({ main, side }, study, store) {
  const { line, order, rulebook: { symbols } } = study;
  const branch = branchOf(line);
  const mistakes = new Set(study.review?.actions.filter(({ mistake }) => mistake).map(({ number }) => number));
  const isOnMain = branch === null || line.cursor <= branch;
  listTurns(main, {
    symbols, turns: turnsFrom(order, line.main), present: isOnMain ? line.cursor : null, mistakes,
    visit: (count) => store.goToMain(count),
  });
  listTurns(side, {
    symbols, turns: branch === null ? [] : turnsFrom(order, line.path, branch), present: line.cursor,
    visit: (count) => store.goTo(count),
  });
}
