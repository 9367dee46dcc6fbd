/** @import {Board, Player} from "./types.js" */

/**
 * A word on a cell, such as what it is worth.
 * @typedef {{text: string, kind: string, strength: number, words: string}} Note `strength` from 0 to 1.
 *
 * @typedef {object} Drawing Everything that a board shows; it knows no rules itself.
 * @property {Board} board
 * @property {[string, string]} symbols
 * @property {number} counting
 * @property {string} label What the board is, for those who do not see it.
 * @property {boolean} [hasTokens] Whether each player has one token that moves.
 * @property {boolean} [mini] A picture: nothing can be chosen, and there are no numbers.
 * @property {boolean} [open] Whether the legal cells are offered.
 * @property {Player} [closedTo] To whom cells are closed that are hatched; to the mover if not told.
 * @property {boolean} [both] Whether cells that are closed only to the other player are hatched too, the other way.
 * @property {string[]} [last] The cells of the last turn.
 * @property {string | null} [pending] A cell that was chosen and is not yet confirmed.
 * @property {string | null} [hint] A cell that is recommended.
 * @property {Map<string, Note>} [notes]
 *
 * @typedef {object} CellFace How one cell looks.
 * @property {string} classes
 * @property {string} mark The symbol that stands on it.
 * @property {Note | null} note
 * @property {boolean} isGoal
 * @property {string} label
 */

/**
 * Prepares to tell how each cell of a drawing looks.
 * @param {Drawing} drawing
 * @returns {(index: number) => CellFace}
 */
export function facesOf(drawing) {
  const { board, symbols, counting } = drawing;
  const legal = new Set(board.legal);
  const viewer = drawing.closedTo ?? board.mover;
  const other = 3 - viewer;
  const last = new Set(drawing.last);
  return (index) => {
    const name = cellName(board, counting, index);
    const square = board.cells[index];
    const owner = square === "1" || square === "2" ? /** @type {Player} */ (Number(square)) : null;
    const isClosed = board.closed_to[index] === String(viewer) || board.closed_to[index] === "*";
    const classes = ["cell", kindOf(square, isClosed)];
    const words = [name, wordFor(square, symbols, isClosed)];
    const note = drawing.notes?.get(name) ?? null;
    if (drawing.open && legal.has(name)) classes.push("legal");
    else if (square === "." && !isClosed && drawing.open) words[1] = "free, not now";
    if (drawing.both && board.closed_to[index] === String(other)) {
      add(`closed-to-${other}`, `closed to ${symbols[other - 1]}`);
    }
    if (last.has(name)) add("last", "last move");
    if (drawing.pending === name) add("pending", "being sent");
    if (drawing.hint === name) add("hint", "hint");
    for (const player of [1, 2]) {
      if (board.goals[player - 1] !== name) continue;
      add(`goal goal-${player}`, `${symbols[player - 1]}'s goal`);
    }
    if (note) add(`noted ${note.kind}`, note.words);
    return {
      classes: classes.join(" "), mark: owner ? symbols[owner - 1] : "", note,
      isGoal: board.goals.includes(name), label: words.join(", "),
    };

    /**
     * @param {string} look
     * @param {string} word
     */
    function add(look, word) {
      classes.push(look);
      words.push(word);
    }
  };
}

/**
 * @param {Pick<Board, "columns">} board
 * @param {number} counting
 * @param {number} index
 */
export function cellName(board, counting, index) {
  const row = Math.floor(index / board.columns);
  return `${row + counting},${(index % board.columns) + counting}`;
}

/**
 * @param {string} square
 * @param {boolean} isClosed
 */
function kindOf(square, isClosed) {
  if (square === "1") return "one";
  if (square === "2") return "two";
  if (square === "#") return "blocked";
  return isClosed ? "closed" : "free";
}

/**
 * @param {string} square
 * @param {[string, string]} symbols
 * @param {boolean} isClosed
 */
function wordFor(square, symbols, isClosed) {
  if (square === "1" || square === "2") return `${symbols[Number(square) - 1]}'s`;
  if (square === "#") return "blocked";
  return isClosed ? "closed" : "free";
}

/**
 * @param {Pick<Board, "columns">} board
 * @param {number} counting
 * @param {string} name
 */
export function cellIndex(board, counting, name) {
  const [row, column] = name.split(",").map((part) => Number(part) - counting);
  return row * board.columns + column;
}
