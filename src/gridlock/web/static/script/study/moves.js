import { element } from "../element.js";
import { branchOf, moverOf } from "./line.js";

/** @import {Study, StudyStore} from "./store.js" */

/**
 * Who moves when, from the position where the moves begin.
 * @param {Study} study
 */
export function orderOf({ source, rulebook }) {
  const [, mover, detail] = (source.position ?? "").split(" ");
  return {
    first: /** @type {1 | 2} */ (source.position ? Number(mover) : source.first),
    actionsPerTurn: rulebook.actions_per_turn,
    isMidTurn: detail === "block",
  };
}

/**
 * Lists cells as buttons, each with its player's sign.
 * @param {HTMLElement} list
 * @param {object} what
 * @param {Study} what.study
 * @param {string[]} what.cells
 * @param {number} what.from How many actions come before them.
 * @param {number | null} what.present The number of actions played at the present place.
 * @param {Set<number>} [what.mistakes] The numbers of actions to mark.
 * @param {(count: number) => void} what.visit Handed the number of actions up to the chosen one.
 */
export function listCells(list, { study, cells, from, present, mistakes, visit }) {
  const order = orderOf(study);
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...cells.map((cell, index) => {
    const count = from + index + 1;
    const player = moverOf(order, from + index);
    return element("li", {},
      element("button", {
        type: "button",
        "aria-current": present === count ? "step" : undefined,
        onclick: () => visit(count),
      },
      element("span", { class: `sign ${player === 1 ? "one" : "two"}` }, study.rulebook.symbols[player - 1]),
      cell,
      mistakes?.has(count) && element("span", { class: "cross", title: "A mistake" }, "✗")));
  }));
  const now = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
  if (hadFocus) now?.focus();
}

/**
 * @param {{main: HTMLElement, side: HTMLElement}} lists
 * @param {Study} study
 * @param {StudyStore} store
 */
export function showMoves({ main, side }, study, store) {
  const { line } = study;
  const branch = branchOf(line);
  const mistakes = new Set(study.review?.actions.filter(({ mistake }) => mistake).map(({ number }) => number));
  const isOnMain = branch === null || line.cursor <= branch;
  listCells(main, {
    study, cells: line.main, from: 0, present: isOnMain ? line.cursor : null, mistakes,
    visit: (count) => store.goToMain(count),
  });
  if (branch === null) {
    side.replaceChildren();
    return;
  }
  listCells(side, {
    study, cells: line.path.slice(branch), from: branch, present: line.cursor,
    visit: (count) => store.goTo(count),
  });
}
