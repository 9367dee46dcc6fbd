import { find, findAs } from "../element.js";

/** @import {NewRoom, Rulebook} from "../types.js" */

const FIRST_WORDS = {
  computer: ["You", "The computer"],
  friend: ["You", "Your friend"],
  self: ["Player 1", "Player 2"],
};

/** The form of the first page: it keeps its parts in agreement and says what was asked for. */
export class SetupForm {
  /**
   * @param {HTMLFormElement} form
   * @param {Rulebook[]} rulebooks
   */
  constructor(form, rulebooks) {
    this.form = form;
    this.rulebooks = rulebooks;
    form.addEventListener("change", (event) => {
      const { name } = /** @type {HTMLInputElement} */ (event.target);
      if (name === "game") this.#takeOwnSize();
      this.agree();
    });
    form.addEventListener("click", (event) => this.#step(/** @type {Element} */ (event.target)));
  }

  /** @param {string} name */
  #field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  get rulebook() {
    const { value } = this.#field("game");
    return this.rulebooks.find(({ id }) => id === value) ?? this.rulebooks[0];
  }

  /**
   * Fills in what was chosen before; what makes no sense any more is left as it is.
   * @param {Record<string, any>} values
   */
  fill(values) {
    this.#takeOwnSize();
    for (const [name, value] of Object.entries(values)) {
      const field = this.#field(name);
      if (!field || name === "game" || !isOffered(field, value)) continue;
      field.value = value;
    }
    this.agree();
  }

  #takeOwnSize() {
    const [rows, columns] = this.rulebook.size.split("x");
    this.#field("rows").value = rows;
    this.#field("columns").value = columns;
  }

  /** Shows what belongs to what is chosen, and hides the rest. */
  agree() {
    const { id, about, title, has_lesson: hasLesson } = this.rulebook;
    const opponent = /** @type {keyof typeof FIRST_WORDS} */ (this.#field("opponent").value);
    find("#about").textContent = `${about}.`;
    find("#title").textContent = `${title}.`;
    findAs(HTMLAnchorElement, "#rules").href = `/rules/${id}`;
    findAs(HTMLAnchorElement, "#lesson").href = `/learn/${id}`;
    find("#lesson").hidden = !hasLesson;
    find("#levels").hidden = opponent !== "computer";
    find("#series").hidden = !this.#field("length").value;
    this.#offerScores();
    const [me, other] = FIRST_WORDS[opponent];
    find("[data-first=me]").textContent = me;
    find("[data-first=other]").textContent = other;
    find(".go button").textContent = opponent === "friend" ? "Play, and invite a friend" : "Play";
  }

  /** Only what the rulebook can count is offered. */
  #offerScores() {
    const field = findAs(HTMLSelectElement, "[name=score]", this.form);
    /** @type {string[]} */
    const scores = this.rulebook.scores;
    for (const option of field.options) option.hidden = option.disabled = !scores.includes(option.value);
    if (field.selectedOptions[0]?.disabled) [field.value] = scores;
  }

  /** @param {Element} target */
  #step(target) {
    const button = target.closest("[data-by]");
    if (!(button instanceof HTMLElement)) return;
    const field = findAs(HTMLInputElement, "input", /** @type {Element} */ (button.parentElement));
    field.value = String(Math.min(100, Math.max(1, Number(field.value) + Number(button.dataset.by))));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** @returns {Record<string, string>} Every field as it stands, to be remembered. */
  values() {
    return /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(this.form)));
  }

  /**
   * What the server is asked for; the form offers nothing else.
   * @param {number} level The computer's: what was chosen need not be a number.
   * @returns {NewRoom}
   */
  terms(level) {
    const { game, rows, columns, opponent, first, clock, length, score, starter, name } = this.values();
    const [base, increment] = clock.split("+").map(Number);
    const [kind, count] = length.split(":");
    return /** @type {NewRoom} */ ({
      game,
      size: `${rows}x${columns}`,
      opponent,
      ...(opponent === "computer" && { level }),
      ...(name.trim() && { name: name.trim() }),
      first,
      clock: clock ? { base, increment } : null,
      ...(length && { [kind]: Number(count), score, starter }),
    });
  }
}

/**
 * @param {HTMLInputElement | HTMLSelectElement | RadioNodeList} field
 * @param {string} value
 */
function isOffered(field, value) {
  if (field instanceof HTMLInputElement) return true;
  const options = field instanceof HTMLSelectElement ? field.options : field;
  const offered = Array.from(/** @type {Iterable<HTMLOptionElement | HTMLInputElement>} */ (options));
  return offered.some((option) => option.value === value);
}
