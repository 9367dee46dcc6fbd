import { cellName } from "../board-cell.js";
import { find } from "../element.js";
import { capital } from "../text.js";

/** @import {Board, Player, Rulebook} from "../types.js" */
/** @import {Draft, StudyStore} from "./store.js" */

/** Rulebooks whose position ends in the cell that was taken last. */
const FOLLOWING = new Set(["trail"]);

/** Sets up any position by hand: a brush for the cells, and who is to move. */
export class PositionEditor {
  /**
   * @param {HTMLFormElement} form
   * @param {StudyStore} store
   * @param {Rulebook[]} rulebooks
   */
  constructor(form, store, rulebooks) {
    this.form = form;
    this.store = store;
    this.rulebooks = rulebooks;
    this.game = find("[name=game]", form);
    this.game.append(...rulebooks.map(({ id }) => new Option(capital(id), id)));
    form.addEventListener("change", (event) => this.#changed(/** @type {HTMLInputElement} */ (event.target).name));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#finish();
    });
    find("[data-do=empty]", form).addEventListener("click", () => this.#openGame());
    find("[data-do=cancel]", form).addEventListener("click", () => store.change({ draft: null, trouble: "" }));
  }

  /** Begins with the position that is shown. */
  begin() {
    const { analysis } = this.store.study;
    if (!analysis) return;
    this.store.change({ draft: draftOf(analysis.position), quiz: null, trouble: "" });
    this.#fill();
  }

  #fill() {
    const { draft, analysis, source, rulebook } = this.store.study;
    if (!draft || !analysis) return;
    const [rows, columns] = source.size.split("x");
    const isRace = rulebook.actions_per_turn > 1;
    this.game.value = source.game;
    this.#field("rows").value = rows;
    this.#field("columns").value = columns;
    this.#field("mover").value = String(draft.mover);
    find("[data-for=last]", this.form).hidden = !FOLLOWING.has(rulebook.id);
    find("[data-for=phase]", this.form).hidden = !isRace;
    if (isRace) this.#field("phase").value = draft.detail;
    this.#field("position").value = textOf(draft, analysis.board);
    this.form.querySelectorAll("[data-symbol]").forEach((sign) => {
      sign.textContent = rulebook.symbols[Number(/** @type {HTMLElement} */ (sign).dataset.symbol) - 1];
    });
    this.#listLastCells(draft, analysis.board, rulebook.counting);
  }

  /**
   * @param {Draft} draft
   * @param {Board} board
   * @param {number} counting
   */
  #listLastCells(draft, board, counting) {
    const other = String(3 - draft.mover);
    const names = Array.from(draft.cells).flatMap((square, index) =>
      square === other ? [cellName(board, counting, index)] : []);
    const last = find("[name=last]", this.form);
    last.replaceChildren(new Option("none: go anywhere", "-"), ...names.map((name) => new Option(name, name)));
    last.value = names.includes(draft.detail) ? draft.detail : "-";
  }

  /** @param {string} name */
  #field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  /** Puts what the brush holds on a cell. @param {string} cell */
  paint(cell) {
    const { draft, analysis, rulebook } = this.store.study;
    if (!draft || !analysis) return;
    const { columns } = analysis.board;
    const [row, column] = cell.split(",").map((part) => Number(part) - rulebook.counting);
    const brush = this.#field("brush").value;
    const cells = Array.from(draft.cells);
    const hasOneToken = rulebook.actions_per_turn > 1 && (brush === "1" || brush === "2");
    if (hasOneToken && cells.includes(brush)) cells[cells.indexOf(brush)] = ".";
    const place = row * columns + column;
    cells[place] = cells[place] === brush ? "." : brush;
    this.#redraft({ ...draft, cells: cells.join("") });
  }

  /** @param {string} name The field that was changed. */
  #changed(name) {
    const { draft } = this.store.study;
    if (["game", "rows", "columns"].includes(name)) this.#openGame(name === "game");
    if (!draft) return;
    if (name === "mover") this.#redraft({ ...draft, mover: /** @type {Player} */ (Number(this.#field("mover").value)) });
    if (name === "last" || name === "phase") this.#redraft({ ...draft, detail: this.#field(name).value });
  }

  /** @param {Draft} draft */
  #redraft(draft) {
    const { rulebook, analysis } = this.store.study;
    if (FOLLOWING.has(rulebook.id) && draft.detail !== "-" && analysis) {
      const [row, column] = draft.detail.split(",").map((part) => Number(part) - rulebook.counting);
      if (draft.cells[row * analysis.board.columns + column] !== String(3 - draft.mover)) draft = { ...draft, detail: "-" };
    }
    this.store.change({ draft, trouble: "" });
    this.#fill();
  }

  /** Begins anew, with the empty board of a game. @param {boolean} [withOwnSize] */
  async #openGame(withOwnSize = false) {
    const rulebook = this.rulebooks.find(({ id }) => id === this.game.value) ?? this.rulebooks[0];
    const size = withOwnSize ? rulebook.size : `${this.#field("rows").value}x${this.#field("columns").value}`;
    await this.store.open({ game: rulebook.id, size, first: 1, position: null, room: null }, rulebook);
    if (!this.store.study.trouble) this.begin();
  }

  #finish() {
    const { source, rulebook, draft, analysis } = this.store.study;
    if (!draft || !analysis) return;
    const written = this.#field("position").value.trim();
    const position = written || textOf(draft, analysis.board);
    this.store.open({ ...source, position, room: null }, rulebook);
  }
}

/**
 * @param {string} position
 * @returns {Draft}
 */
function draftOf(position) {
  const [rows, mover, detail] = position.split(" ");
  return { cells: rows.replaceAll("/", ""), mover: mover === "2" ? 2 : 1, detail };
}

/**
 * @param {Draft} draft
 * @param {Pick<Board, "rows" | "columns">} board
 */
function textOf({ cells, mover, detail }, { rows, columns }) {
  const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
  return `${lines.join("/")} ${mover} ${detail}`;
}
