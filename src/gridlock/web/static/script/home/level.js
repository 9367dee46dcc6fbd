import { Problem } from "../api.js";
import { element, find, findAs, setText } from "../element.js";
import { keptRooms } from "../kept-rooms.js";
import { fitLevels, keyOf, standingsOf } from "../results.js";

/** @import {FittingLevel} from "../types.js" */

/** The choice that leaves the level to one's results. */
const AUTO = "auto";

/** What the first page knows of somebody's level: it says which one to try, and finds the one that fits. */
export class LevelAdvice {
  /** @type {ReturnType<typeof fitLevels> | null} */
  #fitting = null;
  #shown = "";

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.standings = standingsOf(keptRooms());
    form.addEventListener("change", () => this.show());
  }

  /** @returns {Record<string, string>} */
  get #values() {
    return /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(this.form)));
  }

  /** The level that fits the game which is chosen. @returns {Promise<FittingLevel>} */
  async #fit() {
    this.#fitting ??= fitLevels(this.standings);
    const { game, rows, columns } = this.#values;
    try {
      return (await this.#fitting)(game, `${rows}x${columns}`);
    } catch (error) {
      this.#fitting = null; // it is asked again
      throw error;
    }
  }

  /** The level that is chosen. */
  async level() {
    const { opponent, level } = this.#values;
    return opponent === "computer" && level === AUTO ? (await this.#fit()).level : Number(level);
  }

  /** Says which level fits, where that is not what is chosen. */
  async show() {
    const { opponent, level, game, rows, columns } = this.#values;
    const board = keyOf(game, `${rows}x${columns}`);
    const isPlayed = this.standings.some((standing) => keyOf(standing.game, standing.size) === board);
    const key = opponent === "computer" && (isPlayed || level === AUTO) ? `${board} ${level}` : "";
    if (key === this.#shown) return;
    this.#shown = key;
    const advice = find("#advice");
    if (!key) return advice.replaceChildren();
    try {
      const fitting = await this.#fit();
      if (this.#shown !== key) return;
      const isNew = fitting.text !== "" && Number(level) !== fitting.level;
      if (level === AUTO) setText(advice, `${fitting.text} Your level is ${fitting.level}.`.trim());
      else advice.replaceChildren(...(isNew ? [fitting.text, this.#taker(fitting)] : []));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#shown = "";
      advice.replaceChildren(); // it is no more than advice
    }
  }

  /** @param {FittingLevel} fitting */
  #taker({ level }) {
    return element("button", {
      type: "button",
      onclick: () => {
        const radio = findAs(HTMLInputElement, `[name=level][value="${level}"]`, this.form);
        radio.checked = true;
        radio.focus();
        this.show();
      },
    }, `Take level ${level}`);
  }
}
