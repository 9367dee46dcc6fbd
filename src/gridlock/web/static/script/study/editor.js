import { cellIndex, cellName } from "../board-cell.js";
import { find } from "../element.js";
import { capital } from "../text.js";

/** @import {Analysis, Board, Player, Rulebook} from "../types.js" */
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
    find("[data-do=empty]", form).addEventListener("click", () => this.#redraft(startOf(this.#size())));
    find("[data-do=cancel]", form).addEventListener("click", () => store.leaveDraft());
  }

  /** Begins with the position that is shown. */
  begin() {
    const { analysis, rulebook } = this.store.study;
    if (!analysis) return;
    this.#redraft(draftOf(rulebook, analysis));
  }

  #fill() {
    const { draft } = this.store.study;
    if (!draft) return;
    const { rulebook } = draft;
    const isRace = rulebook.actions_per_turn > 1;
    this.game.value = rulebook.id;
    this.#field("rows").value = String(draft.rows);
    this.#field("columns").value = String(draft.columns);
    this.#field("mover").value = String(draft.mover);
    find("[data-for=last]", this.form).hidden = !FOLLOWING.has(rulebook.id);
    find("[data-for=phase]", this.form).hidden = !isRace;
    if (isRace) this.#field("phase").value = draft.detail;
    this.#field("position").value = textOf(draft);
    this.form.querySelectorAll("[data-symbol]").forEach((sign) => {
      sign.textContent = rulebook.symbols[Number(/** @type {HTMLElement} */ (sign).dataset.symbol) - 1];
    });
    this.#listLastCells(draft);
  }

  /** @param {Draft} draft */
  #listLastCells(draft) {
    const other = String(3 - draft.mover);
    const names = Array.from(draft.cells).flatMap((square, index) =>
      square === other ? [cellName(draft, draft.rulebook.counting, index)] : []);
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
    const { draft } = this.store.study;
    if (!draft) return;
    const { rulebook } = draft;
    const brush = this.#field("brush").value;
    const cells = Array.from(draft.cells);
    const hasOneToken = rulebook.actions_per_turn > 1 && (brush === "1" || brush === "2");
    if (hasOneToken && cells.includes(brush)) cells[cells.indexOf(brush)] = ".";
    const place = cellIndex(draft, rulebook.counting, cell);
    cells[place] = cells[place] === brush ? "." : brush;
    this.#redraft({ ...draft, cells: cells.join("") });
  }

  /** @param {string} name The field that was changed. */
  #changed(name) {
    const { draft } = this.store.study;
    if (!draft) return;
    if (name === "game") this.#redraft(startOf(this.#ownSize()));
    if (name === "rows" || name === "columns") this.#redraft(startOf(this.#size()));
    if (name === "mover") this.#redraft({ ...draft, mover: /** @type {Player} */ (Number(this.#field("mover").value)) });
    if (name === "last" || name === "phase") this.#redraft({ ...draft, detail: this.#field(name).value });
  }

  /** @param {Draft} draft */
  #redraft(draft) {
    const { rulebook } = draft;
    if (FOLLOWING.has(rulebook.id) && draft.detail !== "-") {
      const last = cellIndex(draft, rulebook.counting, draft.detail);
      if (draft.cells[last] !== String(3 - draft.mover)) draft = { ...draft, detail: "-" };
    }
    this.store.edit(draft);
    this.#fill();
  }

  /** The game that is chosen, with the rows and columns that are written. */
  #size() {
    const rows = lengthIn(this.#field("rows"));
    const columns = lengthIn(this.#field("columns"));
    return { rulebook: this.#rulebook, rows, columns };
  }

  /** The game that is chosen, as large as it is meant to be. */
  #ownSize() {
    const [rows, columns] = this.#rulebook.size.split("x").map(Number);
    return { rulebook: this.#rulebook, rows, columns };
  }

  get #rulebook() {
    return this.rulebooks.find(({ id }) => id === this.game.value) ?? this.rulebooks[0];
  }

  #finish() {
    const { draft } = this.store.study;
    if (!draft) return;
    const { rulebook, rows, columns } = draft;
    const position = this.#field("position").value.trim() || textOf(draft);
    const size = `${rows}x${columns}`;
    this.store.open({ game: rulebook.id, size, first: 1, position, room: null }, rulebook);
  }
}

const LONGEST = 100;

/** @param {HTMLInputElement} field */
const lengthIn = ({ value }) => Math.min(Math.max(Math.floor(Number(value)) || 1, 1), LONGEST);

/**
 * Where a game begins: on an empty board, or with a token in each corner.
 * @param {Pick<Draft, "rulebook" | "rows" | "columns">} game
 * @returns {Draft}
 */
function startOf({ rulebook, rows, columns }) {
  const isRace = rulebook.actions_per_turn > 1;
  const cells = ".".repeat(rows * columns);
  return {
    rulebook, rows, columns, mover: 1,
    cells: isRace && cells.length > 1 ? `1${cells.slice(2)}2` : cells,
    detail: isRace ? "move" : "-",
  };
}

/**
 * @param {Rulebook} rulebook
 * @param {Analysis} analysis
 * @returns {Draft}
 */
function draftOf(rulebook, { position, board }) {
  const [lines, mover, detail] = position.split(" ");
  const { rows, columns } = board;
  return { rulebook, rows, columns, cells: lines.replaceAll("/", ""), mover: mover === "2" ? 2 : 1, detail };
}

/** @param {Draft} draft */
function textOf({ rows, columns, cells, mover, detail }) {
  const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
  return `${lines.join("/")} ${mover} ${detail}`;
}

/**
 * A position that is being set up, as a board to draw.
 * @param {Draft} draft
 * @returns {Board}
 */
export function draftBoard(draft) {
  const { rulebook, rows, columns, cells, mover } = draft;
  const isRace = rulebook.actions_per_turn > 1;
  const corners = [cells.length - 1, 0].map((index) => cellName(draft, rulebook.counting, index));
  return {
    position: textOf(draft), rows, columns, cells, mover, phase: "place", task: "",
    legal: [], closed: [], closed_to: "", goals: isRace ? corners : [null, null], winner: null,
  };
}
