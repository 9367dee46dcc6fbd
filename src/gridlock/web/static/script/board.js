import { cellName, facesOf } from "./board-cell.js";
import { element } from "./element.js";
import { mayMove } from "./memory.js";

/** @import {CellFace, Drawing} from "./board-cell.js" */

const GLIDE_MS = 220;
/** @type {Record<string, [number, number]>} */
const STEPS = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity],
};

/**
 * A board: it draws what it is handed and emits `choose` with the name of a cell. It keeps the same
 * elements from one drawing to the next, so that focus stays and only what is new moves.
 */
export class GridBoard extends HTMLElement {
  /** @type {Drawing | null} */
  #drawing = null;
  /** @type {HTMLElement[]} */
  #cells = [];
  /** @type {string[]} What each cell shows, to leave alone what has not changed. */
  #shown = [];
  #cursor = 0;

  connectedCallback() {
    this.addEventListener("click", this.#clicked);
    this.addEventListener("keydown", this.#pressed);
  }

  /** @param {Drawing} drawing */
  show(drawing) {
    const before = this.#drawing;
    this.#drawing = drawing;
    if (before && sameGrid(before, drawing)) this.#update(before, drawing);
    else this.#build(drawing);
    this.dataset.mover = String(drawing.board.mover);
    this.classList.toggle("open", Boolean(drawing.open));
    this.firstElementChild?.setAttribute("aria-label", drawing.label);
  }

  /** @param {Drawing} drawing */
  #build(drawing) {
    const { board, mini, counting } = drawing;
    this.style.setProperty("--rows", String(board.rows));
    this.style.setProperty("--columns", String(board.columns));
    this.classList.toggle("mini", Boolean(mini));
    const faceOf = facesOf(drawing);
    this.#cells = Array.from({ length: board.rows * board.columns }, (_, index) =>
      element("div", { role: mini ? undefined : "gridcell", data: { cell: cellName(board, counting, index) } }),
    );
    this.#shown = [];
    this.#cells.forEach((cell, index) => this.#dress(cell, index, faceOf(index)));
    const rows = Array.from({ length: board.rows }, (_, row) =>
      element("div", { role: mini ? undefined : "row", class: "row" },
        !mini && number(row + counting),
        ...this.#cells.slice(row * board.columns, (row + 1) * board.columns)));
    const columnNumbers = Array.from({ length: board.columns }, (_, column) => number(column + counting));
    const ruler = element("div", { class: "row ruler", "aria-hidden": "true" }, number(""), ...columnNumbers);
    this.replaceChildren(
      element("div", { class: "tray", role: mini ? "img" : "grid" }, !mini && ruler, ...rows));
    if (mini) return;
    const firstLegal = this.#cells.findIndex((cell) => cell.classList.contains("legal"));
    this.#cursor = Math.max(firstLegal, 0);
    this.#cells.forEach((cell, index) => (cell.tabIndex = index === this.#cursor ? 0 : -1));
  }

  /**
   * @param {Drawing} before
   * @param {Drawing} drawing
   */
  #update(before, drawing) {
    const from = this.#tokenPlaces(before);
    const faceOf = facesOf(drawing);
    this.#cells.forEach((cell, index) => {
      const isNew = before.board.cells[index] === "." && drawing.board.cells[index] !== ".";
      cell.classList.remove("new");
      if (this.#dress(cell, index, faceOf(index)) && isNew) cell.classList.add("new");
    });
    if (mayMove()) this.#glide(from, this.#tokenPlaces(drawing));
  }

  /**
   * @param {HTMLElement} cell
   * @param {number} index
   * @param {CellFace} face
   * @returns {boolean} Whether anything changed.
   */
  #dress(cell, index, face) {
    const shown = JSON.stringify(face);
    if (this.#shown[index] === shown) return false;
    this.#shown[index] = shown;
    cell.className = face.classes;
    const { mark, note, isGoal } = face;
    cell.replaceChildren(
      ...(isGoal ? [element("span", { class: "flag" })] : []),
      ...(mark ? [element("span", { class: "mark" }, mark)] : []),
      ...(note ? [element("span", { class: "note" }, note.text)] : []));
    if (note) cell.style.setProperty("--strength", String(note.strength));
    if (cell.hasAttribute("role")) cell.setAttribute("aria-label", face.label);
    return true;
  }

  /**
   * Where each player's single token stands, in games that are played with one.
   * @param {Drawing} drawing
   */
  #tokenPlaces({ board }) {
    return ["1", "2"].map((square) => {
      const place = board.cells.indexOf(square);
      return board.phase !== "place" && place === board.cells.lastIndexOf(square) ? place : -1;
    });
  }

  /**
   * Lets tokens that have stepped glide there.
   * @param {number[]} from
   * @param {number[]} to
   */
  #glide(from, to) {
    to.forEach((place, player) => {
      const start = from[player];
      if (place < 0 || start < 0 || start === place) return;
      const old = this.#cells[start].getBoundingClientRect();
      const now = this.#cells[place].getBoundingClientRect();
      this.#cells[place].classList.remove("new");
      this.#cells[place].querySelector(".mark")?.animate(
        [{ transform: `translate(${old.x - now.x}px, ${old.y - now.y}px)` }, { transform: "none" }],
        { duration: GLIDE_MS, easing: "ease-out" });
    });
  }

  /** @param {MouseEvent} event */
  #clicked = (event) => {
    const cell = /** @type {Element} */ (event.target).closest("[role=gridcell]");
    if (!(cell instanceof HTMLElement)) return;
    this.#moveCursor(this.#cells.indexOf(cell));
    this.#choose(cell);
  };

  /** @param {KeyboardEvent} event */
  #pressed = (event) => {
    if (!this.#drawing || event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = /** @type {Element} */ (event.target).closest("[role=gridcell]");
    if (!(cell instanceof HTMLElement)) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(cell);
    } else if (event.key in STEPS) {
      event.preventDefault();
      event.stopPropagation();
      const { rows, columns } = this.#drawing.board;
      const [down, right] = STEPS[event.key];
      const here = this.#cells.indexOf(cell);
      const row = clamp(Math.floor(here / columns) + down, rows);
      const column = clamp((here % columns) + right, columns);
      this.#moveCursor(row * columns + column);
    }
  };

  /** Takes the focus to the cell where it was last. */
  focusCell() {
    this.#cells[this.#cursor]?.focus();
  }

  /** @param {number} index */
  #moveCursor(index) {
    this.#cells[this.#cursor].tabIndex = -1;
    this.#cursor = index;
    this.#cells[index].tabIndex = 0;
    this.#cells[index].focus();
  }

  /** @param {HTMLElement} cell */
  #choose(cell) {
    this.dispatchEvent(new CustomEvent("choose", { detail: { cell: cell.dataset.cell }, bubbles: true }));
  }
}

customElements.define("grid-board", GridBoard);

/** @param {number | string} text */
function number(text) {
  return element("span", { class: "number", "aria-hidden": "true" }, String(text));
}

/**
 * @param {Drawing} one
 * @param {Drawing} other
 */
function sameGrid(one, other) {
  return one.board.rows === other.board.rows && one.board.columns === other.board.columns
    && one.counting === other.counting && one.mini === other.mini;
}

/**
 * @param {number} value
 * @param {number} count
 */
function clamp(value, count) {
  return Math.min(Math.max(value, 0), count - 1);
}
