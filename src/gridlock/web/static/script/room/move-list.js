import { element } from "../element.js";
import { turnText, turnsOf } from "../turns.js";

/** @import {Turn} from "../turns.js" */
/** @import {State} from "../types.js" */

/** The moves of the game: a turn an entry, the last one in sight. */
export class MoveList extends HTMLElement {
  /** @param {State} state */
  show(state) {
    const { moves, movers, rulebook, view } = state;
    const turns = turnsOf(moves, movers);
    const key = JSON.stringify([turns, view.status, view.number]);
    if (this.dataset.key === key) return;
    this.dataset.key = key;
    const isOver = view.status === "over";
    this.replaceChildren(
      turns.length
        ? element("ol", { class: "moves" }, ...turns.map((turn) => entry(turn)))
        : element("p", { class: "quiet small" }, "No moves yet."));
    // Not scrollIntoView: that would move the page on a phone.
    this.scrollTop = this.scrollHeight;

    /** @param {Turn} turn */
    function entry({ number, player, cells, from }) {
      const sign = element("span", { class: `sign ${player === 1 ? "one" : "two"}` }, rulebook.symbols[player - 1]);
      const label = [element("span", { class: "number quiet" }, `${number}.`), sign, turnText({ cells })];
      const query = new URLSearchParams({
        room: state.room, number: String(view.number), ply: String(from + cells.length),
      });
      return element("li", {},
        isOver
          ? element("a", { href: `/study?${query}`, title: "Analyse from here" }, ...label)
          : element("span", {}, ...label));
    }
  }
}

customElements.define("move-list", MoveList);
