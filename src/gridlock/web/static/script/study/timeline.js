import { element } from "../element.js";

/** @import {Review, ReviewedAction, Value} from "../types.js" */

/** @type {Record<Value, Value>} */
const OTHER = { win: "loss", loss: "win", unknown: "unknown" };

/** The game as a row of bars: up where player 1 would win, down where player 2 would. */
class GameTimeline extends HTMLElement {
  /** @type {Review | null} */
  #review = null;

  /**
   * @param {Review} review
   * @param {[string, string]} symbols
   * @param {number} cursor
   * @param {boolean} isOnGame Whether the game itself is looked at, not a side line.
   */
  show(review, symbols, cursor, isOnGame) {
    if (this.#review !== review) this.#build(review, symbols);
    this.querySelectorAll("button").forEach((bar, index) => {
      if (isOnGame && index + 1 === cursor) bar.setAttribute("aria-current", "step");
      else bar.removeAttribute("aria-current");
    });
    const present = /** @type {HTMLElement | null} */ (this.querySelector("[aria-current]"));
    if (present) this.scrollLeft = present.offsetLeft - this.clientWidth / 2;
  }

  /**
   * @param {Review} review
   * @param {[string, string]} symbols
   */
  #build(review, symbols) {
    this.#review = review;
    this.replaceChildren(element("ol", {}, ...review.actions.map((action) => {
      const value = action.player === 1 ? action.after : OTHER[action.after];
      return element("li", {},
        element("button", {
          type: "button",
          class: `bar ${value}${action.mistake ? " mistake" : ""}`,
          "aria-label": describe(action, value, symbols),
          title: describe(action, value, symbols),
          onclick: () => this.dispatchEvent(new CustomEvent("visit", { detail: action.number, bubbles: true })),
        }));
    })));
  }
}

customElements.define("game-timeline", GameTimeline);

/**
 * @param {ReviewedAction} action
 * @param {Value} value Player 1's, after it.
 * @param {[string, string]} symbols
 */
function describe({ turn, player, cell, mistake }, value, symbols) {
  const outlook = { win: `${symbols[0]} wins`, loss: `${symbols[1]} wins`, unknown: "unknown" }[value];
  return `${turn}: ${symbols[player - 1]} ${cell}, ${outlook}${mistake ? ", a mistake" : ""}`;
}
