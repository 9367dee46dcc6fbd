import { element } from "../element.js";
import { capital } from "../text.js";
import { branchOf, turnsFrom } from "./line.js";
import { isFaulty } from "./riddle.js";

/** @import {Turn} from "../turns.js" */
/** @import {Study, StudyStore} from "./store.js" */

/** @typedef {{look: string, sign: string, words: string}} Mark */

const MISTAKE = { look: "cross", sign: "✗", words: "a mistake" };
const DOUBT = { look: "doubt", sign: "?", words: "probably a mistake" };

/**
 * Lists turns, numbered, each cell a button.
 * @param {HTMLElement} list
 * @param {object} what
 * @param {[string, string]} what.symbols
 * @param {Turn[]} what.turns
 * @param {number | null} what.present The number of actions played at the present place.
 * @param {Map<number, Mark>} [what.marks] What is said of actions, by their numbers.
 * @param {(count: number) => void} what.visit Handed the number of actions up to the chosen one.
 */
export function listTurns(list, { symbols, turns, present, marks = new Map(), visit }) {
  const key = JSON.stringify([symbols, turns, [...marks]]);
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
      const mark = marks.get(count);
      const button = element("button", { type: "button", data: { count: String(count) } },
        cell, mark && element("span", { class: mark.look, title: capital(mark.words), "aria-label": mark.words, role: "img" }, mark.sign));
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
  const faulty = study.review?.actions.filter(isFaulty) ?? [];
  const marks = new Map(faulty.map(({ number, mistake }) => [number, mistake ? MISTAKE : DOUBT]));
  const isOnMain = branch === null || line.cursor <= branch;
  listTurns(main, {
    symbols, turns: turnsFrom(order, line.main), present: isOnMain ? line.cursor : null, marks,
    visit: (count) => store.goToMain(count),
  });
  listTurns(side, {
    symbols, turns: branch === null ? [] : turnsFrom(order, line.path, branch), present: line.cursor,
    visit: (count) => store.goTo(count),
  });
}
