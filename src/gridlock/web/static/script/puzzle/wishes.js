import { element, findAs } from "../element.js";
import { puzzleWishes, rememberPuzzleWishes } from "../memory.js";
import { capital } from "../text.js";

/** @import {PuzzleCollection} from "../types.js" */

/** What puzzles somebody wants: of which game, and about what. Only what there is can be chosen. */
export class WishForm {
  /**
   * @param {HTMLFormElement} form
   * @param {PuzzleCollection} collection
   * @param {string | null} game One that is wanted by the page's address.
   */
  constructor(form, collection, game) {
    this.collection = collection;
    this.game = findAs(HTMLSelectElement, "[name=game]", form);
    this.theme = findAs(HTMLSelectElement, "[name=theme]", form);
    const kept = puzzleWishes();
    const games = collection.games.filter(({ count }) => count > 0).map((one) => one.game);
    offer(this.game, [["", "All games"], ...games.map((id) => [id, capital(id)])], game ?? kept.game);
    this.#offerThemes(kept.theme);
    this.game.addEventListener("change", () => this.#offerThemes(this.theme.value));
  }

  /** @param {string} [chosen] */
  #offerThemes(chosen) {
    const { games, themes } = this.collection;
    const shown = games.filter(({ game }) => !this.game.value || game === this.game.value);
    const offered = themes.filter(({ id }) => shown.some((one) => one.themes.includes(id)));
    offer(this.theme, [["", "Anything"], ...offered.map(({ id, text }) => [id, capital(text)])], chosen);
  }

  /** What is chosen; it is remembered. */
  take() {
    const [game, theme] = [this.game.value, this.theme.value];
    rememberPuzzleWishes({ game, theme });
    return { game: game || null, theme: theme || null };
  }
}

/**
 * @param {HTMLSelectElement} select
 * @param {string[][]} choices
 * @param {string} [chosen] Where it is not among them, the first is.
 */
function offer(select, choices, chosen) {
  const selected = choices.some(([value]) => value === chosen) ? chosen : choices[0][0];
  select.replaceChildren(...choices.map(([value, text]) => element("option", { value, selected: value === selected }, text)));
}
