import { find } from "../element.js";
import { capital } from "../text.js";
import { detailsOf, draftOf, paint, sizeOf, textOf, withMover } from "./draft.js";

/** @import {Player, Rulebook} from "../types.js" */
/** @import {Draft} from "./draft.js" */
/** @import {Study, StudyStore} from "./store.js" */

const LONGEST = 100;

/** Sets up any position by hand: a brush for the cells, and who is to move. */
export class PositionEditor {
  /** @type {Draft | null} The one that the form shows. */
  #shown = null;
  /** Whether the text was written by hand: then it is what counts. */
  #isWritten = false;

  /**
   * @param {HTMLFormElement} form
   * @param {StudyStore} store
   * @param {Rulebook[]} rulebooks
   */
  constructor(form, store, rulebooks) {
    this.form = form;
    this.store = store;
    this.rulebooks = rulebooks;
    find("[name=game]", form).append(...rulebooks.map(({ id }) => new Option(capital(id), id)));
    form.addEventListener("change", (event) => this.#changed(/** @type {HTMLInputElement} */ (event.target).name));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#finish();
    });
    this.#field("position").addEventListener("input", () => (this.#isWritten = true));
    find("[data-do=paste]", form).addEventListener("click", () => this.#paste());
    find("[data-do=empty]", form).addEventListener("click", () => this.#restart());
    find("[data-do=cancel]", form).addEventListener("click", () => store.leaveDraft());
  }

  /** Begins with the position that is shown. */
  begin() {
    const { analysis, rulebook } = this.store.study;
    if (analysis) this.#redraft(draftOf(rulebook, analysis.board));
  }

  /** Puts what the brush holds on a cell. @param {string} cell */
  paint(cell) {
    const { draft } = this.store.study;
    if (draft) this.#redraft(paint(draft, cell, this.#field("brush").value));
  }

  /** @param {Study} study */
  show({ draft }) {
    if (!draft || draft === this.#shown) return;
    this.#shown = draft;
    const { rulebook } = draft;
    this.#field("game").value = rulebook.id;
    this.#field("rows").value = String(draft.rows);
    this.#field("columns").value = String(draft.columns);
    this.#field("mover").value = String(draft.mover);
    if (!this.#isWritten) this.#field("position").value = textOf(draft);
    this.form.querySelectorAll("[data-symbol]").forEach((sign) => {
      sign.textContent = rulebook.symbols[Number(/** @type {HTMLElement} */ (sign).dataset.symbol) - 1];
    });
    const details = detailsOf(draft);
    find("[data-for=detail]", this.form).hidden = details.length === 0;
    find("[for=edit-detail]", this.form).textContent = rulebook.detail === "phase" ? "Phase" : "The cell taken last";
    find("[name=detail]", this.form).replaceChildren(...details.map(({ value, text }) => new Option(text, value)));
    this.#field("detail").value = draft.detail;
  }

  /** @param {string} name */
  #field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  /** @param {string} name The field that was changed. */
  #changed(name) {
    const { draft } = this.store.study;
    if (!draft) return;
    if (name === "game") this.#takeOwnSize();
    if (name === "game" || name === "rows" || name === "columns") this.#restart();
    if (name === "mover") this.#redraft(withMover(draft, /** @type {Player} */ (Number(this.#field("mover").value))));
    if (name === "position" && this.#isWritten) this.#read();
    if (name === "detail") this.#redraft({ ...draft, detail: this.#field("detail").value });
  }

  /** @param {Draft} draft */
  #redraft(draft) {
    this.#isWritten = false;
    this.store.edit(draft);
  }

  /** Sets up where the chosen game begins, once that is known. */
  async #restart() {
    this.#isWritten = false;
    await this.store.editStart(this.#rulebook, { size: this.#size });
  }

  /** Sets up the position that is written, on the board that it says by itself; tells whether it can be. */
  async #read() {
    const position = this.#field("position").value.trim();
    const isRead = await this.store.editStart(this.#rulebook, { position });
    if (isRead) this.#isWritten = false;
    return isRead;
  }

  /** Takes the position from the clipboard, where the browser allows it. */
  async #paste() {
    const field = this.#field("position");
    try {
      field.value = (await navigator.clipboard.readText()).trim();
    } catch {
      field.focus();
      field.select();
      this.store.change({ trouble: "This browser does not let the page read the clipboard: paste into the field." });
      return;
    }
    this.#isWritten = true;
    await this.#read();
  }

  #takeOwnSize() {
    const [rows, columns] = this.#rulebook.size.split("x");
    this.#field("rows").value = rows;
    this.#field("columns").value = columns;
  }

  get #rulebook() {
    const { value } = this.#field("game");
    return this.rulebooks.find(({ id }) => id === value) ?? this.rulebooks[0];
  }

  /** The rows and columns that are written. */
  get #size() {
    return `${lengthIn(this.#field("rows"))}x${lengthIn(this.#field("columns"))}`;
  }

  /** Whether the position that is shown belongs to the game and the size that are written. */
  get #isCurrent() {
    const { draft } = this.store.study;
    return draft !== null && draft.rulebook === this.#rulebook && sizeOf(draft) === this.#size;
  }

  /** Studies the position, once it is there. */
  async #finish() {
    if (this.#isWritten && this.#field("position").value.trim()) {
      if (!(await this.#read())) return;
    } else if (!this.#isCurrent) await this.#restart();
    const { draft } = this.store.study;
    if (!draft || !this.#isCurrent) return;
    const { rulebook } = draft;
    this.store.open({ game: rulebook.id, size: sizeOf(draft), first: 1, position: textOf(draft), room: null }, rulebook);
  }
}

/** @param {HTMLInputElement} field */
const lengthIn = ({ value }) => Math.min(Math.max(Math.floor(Number(value)) || 1, 1), LONGEST);
