import { cellIndex, cellName, facesOf } from "./board-cell.js";
import { element } from "./element.js";
import { mayMove } from "./memory.js";

/** @import {CellFace, Drawing} from "./board-cell.js" */

/** @typedef {CustomEvent<{cell: string}>} ChooseEvent */

const GLIDE_MS = 220;
/** @type {Record<string, [number, number]>} */
const STEPS = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity],
};

/** Of a board with more cells than this, only those near what is in sight are made. */
const MANY = 1000;
const RUN_LENGTH = 10;

/**
 * A board: it draws what it is handed and emits `choose` with the name of a cell. It keeps the same
 * elements from one drawing to the next, so that focus stays and only what is new moves.
 */
export class GridBoard extends HTMLElement {
  /** @type {Drawing | null} */
  #drawing = null;
  /** @type {(index: number) => CellFace} */
  #faceOf = () => { throw new Error("there is no drawing yet"); };
  /** @type {HTMLElement[]} Those that are made; the others are holes. */
  #cells = [];
  /** @type {HTMLElement[]} The parts of rows that hold the cells of a large board. */
  #runs = [];
  /** @type {string[]} What each cell shows, to leave alone what has not changed. */
  #shown = [];
  #cursor = 0;
  /** @type {IntersectionObserver | null} */
  #sight = null;

  connectedCallback() {
    this.addEventListener("click", this.#clicked);
    this.addEventListener("keydown", this.#pressed);
  }

  disconnectedCallback() {
    this.#sight?.disconnect();
  }

  /** @param {Drawing} drawing */
  show(drawing) {
    const before = this.#drawing;
    this.#drawing = drawing;
    this.#faceOf = facesOf(drawing);
    if (before && sameGrid(before, drawing)) this.#update(before, drawing);
    else this.#build(drawing);
    this.dataset.mover = String(drawing.board.mover);
    this.style.setProperty("--symbol-length", String(Math.max(...drawing.symbols.map(({ length }) => length))));
    this.classList.toggle("open", Boolean(drawing.open));
    this.firstElementChild?.setAttribute("aria-label", drawing.label);
  }

  /** @param {Drawing} drawing */
  #build({ board, mini, counting }) {
    const { rows, columns } = board;
    const isLarge = rows * columns > MANY && !mini;
    this.style.setProperty("--rows", String(rows));
    this.style.setProperty("--columns", String(columns));
    this.classList.toggle("mini", Boolean(mini));
    this.#sight?.disconnect();
    this.#cells = [];
    this.#shown = [];
    this.#runs = [];
    this.#cursor = board.legal.length && !mini ? cellIndex(board, counting, board.legal[0]) : 0;
    const lines = Array.from({ length: rows }, (_, row) =>
      element("div", { role: mini ? undefined : "row", class: "row", "aria-rowindex": isLarge ? row + 1 : undefined },
        !mini && number(row + counting),
        ...(isLarge ? this.#makeRuns(row, columns) : this.#makeCells(row * columns, (row + 1) * columns))));
    const columnNumbers = Array.from({ length: columns }, (_, column) => number(column + counting));
    const ruler = element("div", { class: "row ruler", "aria-hidden": "true" }, number(""), ...columnNumbers);
    const tray = element("div", {
      class: "tray", role: mini ? "img" : "grid",
      "aria-rowcount": isLarge ? rows : undefined, "aria-colcount": isLarge ? columns : undefined,
    }, !mini && ruler, ...lines);
    this.replaceChildren(tray);
    if (isLarge) this.#watchSight();
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #makeCells(from, to) {
    const { board, counting, mini } = /** @type {Drawing} */ (this.#drawing);
    return Array.from({ length: to - from }, (_, place) => {
      const index = from + place;
      const cell = element("div", {
        role: mini ? undefined : "gridcell", data: { cell: cellName(board, counting, index) },
        "aria-colindex": this.#runs.length ? (index % board.columns) + 1 : undefined,
      });
      if (!mini) cell.tabIndex = index === this.#cursor ? 0 : -1;
      this.#cells[index] = cell;
      this.#dress(cell, index, this.#faceOf(index));
      return cell;
    });
  }

  /**
   * The parts of a row, each with room for its cells.
   * @param {number} row
   * @param {number} columns
   */
  #makeRuns(row, columns) {
    const runs = Array.from({ length: Math.ceil(columns / RUN_LENGTH) }, (_, place) => {
      const from = place * RUN_LENGTH;
      const to = Math.min(from + RUN_LENGTH, columns);
      const run = element("div", { role: "none", class: "run", data: { from: row * columns + from, to: row * columns + to } });
      run.style.setProperty("--length", String(to - from));
      return run;
    });
    this.#runs.push(...runs);
    return runs;
  }

  /** Makes cells as they come near what is in sight; the one that keys go to is always there. */
  #watchSight() {
    this.#sight = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) this.#fill(/** @type {HTMLElement} */ (target));
      }
    }, { root: this, rootMargin: "25%" });
    for (const run of this.#runs) this.#sight.observe(run);
    this.#cell(this.#cursor);
  }

  /** @param {HTMLElement} run */
  #fill(run) {
    this.#sight?.unobserve(run);
    if (!run.hasChildNodes()) run.append(...this.#makeCells(Number(run.dataset.from), Number(run.dataset.to)));
  }

  /**
   * The element of a cell, which is made now if need be.
   * @param {number} index
   */
  #cell(index) {
    const run = this.#runs.find(({ dataset }) => index >= Number(dataset.from) && index < Number(dataset.to));
    if (run) this.#fill(run);
    return this.#cells[index];
  }

  /**
   * @param {Drawing} before
   * @param {Drawing} drawing
   */
  #update(before, drawing) {
    const from = this.#tokenPlaces(before);
    this.#cells.forEach((cell, index) => { // but for the holes
      const isNew = before.board.cells[index] === "." && drawing.board.cells[index] !== ".";
      cell.classList.remove("new");
      if (this.#dress(cell, index, this.#faceOf(index)) && isNew) cell.classList.add("new");
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
   * Where each player's token stands, in games that are played with one.
   * @param {Drawing} drawing
   */
  #tokenPlaces({ board, hasTokens }) {
    return ["1", "2"].map((square) => (hasTokens ? board.cells.indexOf(square) : -1));
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
      const target = this.#cell(place);
      const old = this.#cell(start).getBoundingClientRect();
      const now = target.getBoundingClientRect();
      target.classList.remove("new");
      target.querySelector(".mark")?.animate(
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
    this.#cell(this.#cursor)?.focus();
  }

  /**
   * Scrolls a cell of a large board to its middle, unless it is in sight. Only the board moves, not the page.
   * @param {string} name
   */
  reveal(name) {
    if (!this.#drawing) return;
    const cell = this.#cell(cellIndex(this.#drawing.board, this.#drawing.counting, name));
    if (!cell) return;
    const [view, box] = [this.getBoundingClientRect(), cell.getBoundingClientRect()];
    const isInSight = box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom;
    if (isInSight) return;
    this.scrollBy({
      left: box.left - view.left - (view.width - box.width) / 2,
      top: box.top - view.top - (view.height - box.height) / 2,
      behavior: mayMove() ? "smooth" : "instant",
    });
  }

  /** @param {number} index */
  #moveCursor(index) {
    this.#cell(this.#cursor).tabIndex = -1;
    this.#cursor = index;
    this.#cell(index).tabIndex = 0;
    this.#cell(index).focus();
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
