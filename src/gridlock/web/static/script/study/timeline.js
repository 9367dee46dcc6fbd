import { element } from "../element.js";
import { percentOf } from "./notes.js";

/** @import {Review, ReviewedAction, Value} from "../types.js" */

/** @type {Record<Value, Value>} */
const OTHER = { win: "loss", loss: "win", unknown: "unknown" };

/**
 * The game as a row of bars: up where player 1 would win, down where player 2 would. Of an estimate
 * the bar is as long as one of them is likelier to win.
 */
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
      const chance = chanceOf(action);
      const look = chance === null ? value : `estimate ${chance < 0.5 ? "down" : "up"}`;
      bar.className = `bar ${look}${action.mistake ? " mistake" : action.doubtful ? " doubtful" : ""}`;
      bar.style.setProperty("--lead", String(Math.abs(2 * (chance ?? 0.5) - 1)));
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
function describe(action, value, symbols) {
  const { turn, player, cell, mistake, doubtful } = action;
  const outlook = { win: `${symbols[0]} wins`, loss: `${symbols[1]} wins`, unknown: outlookOf(action, symbols) }[value];
  const fault = mistake ? ", a mistake" : doubtful ? ", probably a mistake" : "";
  return `${turn}: ${symbols[player - 1]} ${cell}, ${outlook}${fault}`;
}

/**
 * Who is likelier to win after an action that is not solved.
 * @param {ReviewedAction} action
 * @param {[string, string]} symbols
 */
function outlookOf(action, symbols) {
  const chance = chanceOf(action);
  if (chance === null) return "unknown";
  const [symbol, likely] = chance < 0.5 ? [symbols[1], 1 - chance] : [symbols[0], chance];
  return `${symbol} estimated at about ${percentOf(likely)} per cent`;
}

/**
 * Player 1's chance after an action, where it is only estimated.
 * @param {ReviewedAction} action
 */
function chanceOf({ player, after, estimate_after: chance }) {
  if (after !== "unknown" || chance === null) return null;
  return player === 1 ? chance : 1 - chance;
}
