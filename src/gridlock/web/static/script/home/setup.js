import { find, findAs } from "../element.js";

/** @import {Board, NewRoom, Rulebook} from "../types.js" */

const FIRST_WORDS = {
  computer: ["You", "The computer"],
  friend: ["You", "Your friend"],
  self: ["Player 1", "Player 2"],
};

/** The form of the first page: it keeps its parts in agreement and says what was asked for. */
export class SetupForm {
  /** Where the game is to begin, if not at its start. @type {Board | null} */
  #begin = null;

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

  /**
   * Lets the game begin at a position, which says by itself on what board; or at its start again.
   * @param {Board | null} board
   */
  beginAt(board) {
    this.#begin = board;
    this.agree();
  }

  #takeOwnSize() {
    const [rows, columns] = this.rulebook.size.split("x");
    this.#field("rows").value = rows;
    this.#field("columns").value = columns;
  }

  /** Shows what belongs to what is chosen, and hides the rest. */
  agree() {
    const { id, about, title, symbols, has_lesson: hasLesson } = this.rulebook;
    const begin = this.#begin;
    const opponent = /** @type {keyof typeof FIRST_WORDS} */ (this.#field("opponent").value);
    find("#about").textContent = `${about}.`;
    find("#title").textContent = `${title}.`;
    findAs(HTMLAnchorElement, "#rules").href = `/rules/${id}`;
    findAs(HTMLAnchorElement, "#lesson").href = `/learn/${id}`;
    find("#lesson").hidden = !hasLesson;
    find("#levels").hidden = opponent !== "computer";
    find("#series").hidden = !this.#field("length").value;
    find("#size").hidden = find(".shelf").hidden = find(".chosen").hidden = find("#next").hidden = begin !== null;
    find("#first").hidden = begin !== null && opponent === "self";
    find("#first legend").textContent = begin ? `Who plays ${symbols[begin.mover - 1]}, and moves first` : "Who begins";
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

  /** @returns {Record<string, string>} Every field as it stands. */
  values() {
    return /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(this.form)));
  }

  /** What was chosen, to be remembered; the game of a position was not. */
  choices() {
    const { game, rows, columns, ...rest } = this.values();
    return this.#begin ? rest : { game, rows, columns, ...rest };
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
    const begin = this.#begin;
    return /** @type {NewRoom} */ ({
      game,
      ...(begin ? { position: begin.position, seat: seatOf(begin, opponent, first) } : { size: `${rows}x${columns}`, first }),
      opponent,
      ...(opponent === "computer" && { level }),
      ...(name.trim() && { name: name.trim() }),
      clock: clock ? { base, increment } : null,
      ...(length && { [kind]: Number(count), score, starter }),
    });
  }
}

/**
 * Which player somebody is who makes a room at a position.
 * @param {Board} board
 * @param {string} opponent
 * @param {string} first Who is to move: `1` is the one who makes the room.
 */
function seatOf({ mover }, opponent, first) {
  if (opponent === "self") return 1;
  if (first === "toss") return first;
  return first === "1" ? mover : 3 - mover;
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
