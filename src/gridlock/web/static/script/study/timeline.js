import { element } from "../element.js";

/** @import {Review, ReviewedAction, Value} from "../types.js" */

/** @type {Record<Value, Value>} */
const OTHER = { win: "loss", loss: "win", unknown: "unknown" };

/** The game as a row of bars: up where player 1 would win, down where player 2 would. */
export class GameTimeline extends HTMLElement {
  /** @type {Review | null} */
  #review = null;

  /**
   * @param {Review} review
   * @param {[string, string]} symbols
   * @param {number} cursor
   * @param {boolean} isOnGame Whether the game itself is looked at, not a side line.
   */
  show(review, symbols, cursor, isOnGame) {
    if (this.#review !== review) this.#draw(review, symbols);
    this.querySelectorAll("button").forEach((bar, index) => {
      if (isOnGame && index + 1 === cursor) bar.setAttribute("aria-current", "step");
      else bar.removeAttribute("aria-current");
    });
    const present = /** @type {HTMLElement | null} */ (this.querySelector("[aria-current]"));
    if (present) this.scrollLeft = present.offsetLeft - this.clientWidth / 2;
  }

  /**
   * Draws what is known; as more becomes known the bars stay, and with them the focus.
   * @param {Review} review
   * @param {[string, string]} symbols
   */
  #draw(review, symbols) {
    this.#review = review;
    const { actions } = review;
    if (this.querySelectorAll("button").length !== actions.length) {
      this.replaceChildren(element("ol", {}, ...actions.map(({ number }) => element("li", {},
        element("button", {
          type: "button",
          onclick: () => this.dispatchEvent(new CustomEvent("visit", { detail: number, bubbles: true })),
        })))));
    }
    this.querySelectorAll("button").forEach((bar, index) => {
      const action = actions[index];
      const value = action.player === 1 ? action.after : OTHER[action.after];
      bar.className = `bar ${value}${action.mistake ? " mistake" : ""}`;
      bar.ariaLabel = bar.title = describe(action, value, symbols);
    });
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
