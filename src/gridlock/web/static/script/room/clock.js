import { setText } from "../element.js";
import { play } from "../sound.js";

/** @import {Clock, Player} from "../types.js" */

const WARNING_MS = 10000;
const TICK_MS = 100;

/** A player's time, counted down here from the server's numbers. */
export class GameClock extends HTMLElement {
  #timer = 0;
  #wasLow = false;

  connectedCallback() {
    this.setAttribute("role", "timer");
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  /**
   * @param {Clock} clock
   * @param {Player} player
   * @param {number} skew Milliseconds by which the server is ahead.
   * @param {boolean} isMine Whether its running out is worth a sound.
   */
  show(clock, player, skew, isMine) {
    clearInterval(this.#timer);
    const isRunning = clock.running === player;
    const draw = () => {
      const spent = isRunning ? Math.max(0, Date.now() + skew - clock.at) : 0;
      const left = Math.max(0, clock.left[player - 1] - spent);
      const isLow = isRunning && left < WARNING_MS;
      if (isLow && !this.#wasLow && isMine) {
        play("hurry");
        this.dispatchEvent(new CustomEvent("low", { bubbles: true }));
      }
      this.#wasLow = isLow;
      this.classList.toggle("low", left < WARNING_MS);
      setText(this, written(left));
    };
    this.classList.toggle("running", isRunning);
    draw();
    if (isRunning) this.#timer = window.setInterval(draw, TICK_MS);
  }
}

customElements.define("game-clock", GameClock);

/** @param {number} left Milliseconds. */
function written(left) {
  if (left < WARNING_MS) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
