import "./clock.js";
import { element, setText } from "../element.js";
import { nameOf } from "./sentences.js";

/** @import {Player} from "../types.js" */
/** @import {GameClock} from "./clock.js" */
/** @import {Model} from "./store.js" */

/** One player: sign, name, points, time, and whether it is their turn. */
export class PlayerBar extends HTMLElement {
  #sign = element("span", { class: "sign", "aria-hidden": "true" });
  #name = element("strong", { class: "name" });
  #tag = element("span", { class: "quiet small" });
  #points = element("span", { class: "points" });
  #clock = /** @type {GameClock} */ (document.createElement("game-clock"));

  connectedCallback() {
    if (this.firstChild) return;
    const who = element("div", { class: "who" }, this.#name, this.#tag);
    this.append(this.#sign, who, this.#points, this.#clock);
  }

  /**
   * @param {Model} model
   * @param {Player} player
   */
  show({ state, here, skew, link }, player) {
    if (!state) return;
    const { view, rulebook, seats, you, opponent } = state;
    const seat = seats[player - 1];
    const isMine = you.includes(player);
    this.#sign.className = `sign ${player === 1 ? "one" : "two"}`;
    setText(this.#sign, rulebook.symbols[player - 1]);
    setText(this.#name, nameOf(state, player));
    this.#name.title = nameOf(state, player); // a long one is cut off
    const isAway = link === "open" && seat.kind === "person" && seat.taken && here !== null && !here[player - 1];
    const tags = [];
    if (isMine && opponent !== "self") tags.push("you");
    if (isAway) tags.push("away");
    if (view.winner === player) tags.push("won");
    setText(this.#tag, tags.join(", "));
    this.#points.hidden = !state.terms;
    setText(this.#points, `${view.tally[player - 1]}`);
    this.#points.title = "Points in the series";
    this.#clock.hidden = !view.clock;
    if (view.clock) this.#clock.show(view.clock, player, skew, isMine);
    this.classList.toggle("one", player === 1);
    this.classList.toggle("two", player === 2);
    this.classList.toggle("moves", view.status === "playing" && view.board.mover === player);
    this.classList.toggle("won", view.winner === player);
  }
}

customElements.define("player-bar", PlayerBar);
