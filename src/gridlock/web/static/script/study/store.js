import { Problem, fetchStart, followAnalysis, followReview } from "../api.js";
import { cellIndex } from "../board-cell.js";
import { persist } from "../persist.js";
import { messageOf } from "../text.js";
import { Analyst } from "./analyst.js";
import { draftOf } from "./draft.js";
import { joinReviews } from "./knowledge.js";
import { choose, goTo, goToMain, lineOf, orderOf, played } from "./line.js";
import { riddleOf } from "./riddle.js";
import { queryOf } from "./source.js";

/** @import {Analysis, Board, Review, ReviewedAction, Rulebook} from "../types.js" */
/** @import {Draft} from "./draft.js" */
/** @import {Line, Order} from "./line.js" */
/** @import {Source} from "./source.js" */

/**
 * @typedef {object} Study All that the page shows.
 * @property {Source} source
 * @property {Rulebook} rulebook
 * @property {Line} line
 * @property {Order} order Whose each action of the line is.
 * @property {Board | null} board The position shown; just after a cell was chosen, without what follows from it.
 * @property {Analysis | null} analysis What is known of it, as soon as anything is.
 * @property {boolean} isWaiting Whether another position was asked for and is not there yet.
 * @property {string | null} pending A cell that was chosen before it was known to be legal.
 * @property {string} trouble Why something was not done.
 * @property {string} outage Why the server does not answer.
 * @property {string} refusal Why there is nothing to show at all.
 * @property {boolean} showsValues
 * @property {boolean} showsOther Whether cells are hatched that are closed to the other player.
 * @property {Review | null} review
 * @property {boolean} isReviewing
 * @property {Set<number>} solved The numbers of the mistakes whose solution may be seen.
 * @property {{cell: string, isRight: boolean} | null} attempt What was tried instead of a mistake.
 * @property {Draft | null} draft
 * @property {boolean} isStep Whether the browser's Back should lead to what was shown before.
 */

/** The one place where the state of the page lives. */
export class StudyStore {
  #analyst = new Analyst({ learn: (analysis) => this.#learn(analysis), fail: (problem) => this.#fail(problem) });
  /** @type {Partial<Study> | null} What changes once the position that was asked for is there. */
  #arrival = null;
  /** @type {Partial<Study> | null} What was shown before a stone that the server knows nothing of yet. */
  #before = null;
  /** @type {string[]} Cells that were chosen faster than answers came. */
  #queue = [];
  /** @type {AbortController | null} */
  #explaining = null;
  /** @type {AbortController | null} */
  #reviewing = null;
  /** @type {AbortController | null} */
  #starting = null;

  /**
   * @param {Source} source
   * @param {Rulebook} rulebook
   * @param {Line} line
   * @param {(study: Study) => void} follower
   */
  constructor(source, rulebook, line, follower) {
    /** @type {Study} */
    this.study = {
      source, rulebook, line, order: orderOf(rulebook, source), board: null, analysis: null, isWaiting: true, pending: null,
      trouble: "", outage: "", refusal: "", showsValues: true, showsOther: false,
      review: null, isReviewing: false, solved: new Set(), attempt: null, draft: null, isStep: false,
    };
    this.follower = follower;
  }

  /** Where the person is, or will be when the server answers. */
  get line() {
    return this.#arrival?.line ?? this.study.line;
  }

  /** @param {Partial<Study>} changes */
  change(changes) {
    this.study = { ...this.study, ...changes };
    this.follower(this.study);
  }

  /**
   * Chooses a cell. The stone stands at once where it may; a choice that comes before that is known
   * waits for it.
   * @param {string} cell
   */
  choose(cell) {
    const { line, board, analysis, rulebook, isWaiting } = this.study;
    if (isWaiting || !analysis || !board) {
      if (this.#queue.at(-1) !== cell && (isWaiting || line.path[line.cursor - 1] !== cell)) this.#queue.push(cell);
      this.change({ pending: this.#queue[0] ?? null });
    } else if (analysis.winner) this.change({ trouble: "The game is over." });
    else if (!board.legal.includes(cell)) this.#explain(cell);
    else if (riddleOf(this.study)) this.#answer(cell);
    else {
      this.#ask({ line: choose(line, cell), isStep: true });
      if (!this.#arrival) return;
      this.#arrive(drawAhead(board, rulebook, cell));
      this.#before = { line, board, analysis };
    }
  }

  /** @param {string[]} cells */
  playLine(cells) {
    this.#go({ line: choose(this.line, ...cells), isStep: true });
  }

  /** @param {number} cursor */
  goTo(cursor) {
    this.#go({ line: goTo(this.line, cursor) });
  }

  /** @param {number} cursor */
  goToMain(cursor) {
    this.#go({ line: goToMain(this.line, cursor) });
  }

  /** Goes to where a mistake was made, to do better. @param {ReviewedAction} mistake */
  tryAgain({ number }) {
    const solved = new Set(this.study.solved);
    solved.delete(number);
    this.change({ solved });
    this.goToMain(number - 1);
  }

  /** Shows what would have been right. */
  solve() {
    const riddle = riddleOf(this.study);
    if (riddle) this.change({ solved: new Set(this.study.solved).add(riddle.number), attempt: null });
  }

  /** @param {string} cell */
  #answer(cell) {
    const riddle = riddleOf(this.study);
    if (!riddle) return;
    const isRight = riddle.better.includes(cell);
    if (isRight) this.solve();
    this.change({ attempt: { cell, isRight }, trouble: "" });
  }

  /**
   * Shows another position; where the server refuses it, everything stays and the reason is said.
   * @param {Partial<Study> & {line: Line}} arrival
   */
  #go(arrival) {
    this.#queue = [];
    this.#ask(arrival);
    if (this.#arrival) this.change({ isWaiting: true, pending: null, trouble: "" });
  }

  /** @param {Partial<Study> & {line: Line}} arrival */
  #ask(arrival) {
    const { source } = { ...this.study, ...arrival };
    this.#explaining?.abort();
    this.#starting?.abort();
    this.#before = null;
    this.#arrival = arrival;
    this.#analyst.ask(queryOf(source, played(arrival.line)));
  }

  /**
   * Shows what was asked for.
   * @param {Board} board
   * @param {Analysis | null} [analysis]
   */
  #arrive(board, analysis = null) {
    const arrival = this.#arrival;
    this.#arrival = null;
    const { order, rulebook } = { ...this.study, ...arrival };
    const fresh = { isWaiting: false, pending: null, trouble: "", attempt: null, isStep: false };
    this.change({ ...fresh, ...arrival, order: analysis ? orderOf(rulebook, analysis) : order, board, analysis });
  }

  /** @param {Analysis} analysis */
  #learn(analysis) {
    this.#before = null;
    if (this.#arrival) this.#arrive(analysis.board, analysis);
    else this.change({ board: analysis.board, analysis });
    if (this.study.outage) this.change({ outage: "" });
    const next = this.#queue.shift();
    if (next) this.choose(next);
  }

  /** @param {Problem} problem */
  #fail(problem) {
    if (problem.passes) {
      this.#tellOutage(problem);
      return;
    }
    this.#arrival = null;
    this.#queue = [];
    const isLost = this.study.board === null;
    this.change({ ...this.#before, isWaiting: false, pending: null, [isLost ? "refusal" : "trouble"]: messageOf(problem) });
    this.#before = null;
  }

  /** @param {Problem} problem */
  #tellOutage = (problem) => this.change({ outage: `${messageOf(problem)} Trying again…` });

  /**
   * Says why a cell may not be chosen: the rules are the server's.
   * @param {string} cell
   */
  async #explain(cell) {
    const { line, source } = this.study;
    this.#queue = [];
    this.#explaining?.abort();
    const asking = (this.#explaining = new AbortController());
    try {
      await followAnalysis(queryOf(source, [...played(line), cell]), asking.signal).next();
      asking.abort();
    } catch (error) {
      if (!asking.signal.aborted) this.change({ trouble: messageOf(error), pending: null });
    }
  }

  /** Looks at the position, as after the page was opened. */
  refresh() {
    this.#go({ line: this.study.line });
  }

  /** Sets up a position; nobody waits any more for what was being worked out. @param {Draft} draft */
  edit(draft) {
    this.#starting?.abort();
    this.#analyst.stop();
    this.#queue = [];
    this.#arrival = null;
    this.change({ draft, trouble: "", outage: "", isWaiting: false, pending: null });
  }

  /**
   * Sets up the position in which a game begins, or one that is written down. Everything stays until
   * the server tells it, and whatever is done meanwhile calls it off. Tells whether it is set up.
   * @param {Rulebook} rulebook
   * @param {{size: string} | {position: string}} where
   */
  async editStart(rulebook, where) {
    this.#starting?.abort();
    const { signal } = (this.#starting = new AbortController());
    this.change({ isWaiting: true, trouble: "", outage: "" });
    try {
      const board = await persist(() => fetchStart({ game: rulebook.id, ...where }, signal), this.#tellOutage, signal);
      if (signal.aborted) return false;
      this.edit(draftOf(rulebook, board));
      return true;
    } catch (error) {
      if (!signal.aborted) this.change({ isWaiting: false, trouble: messageOf(error), outage: "" });
      return false;
    }
  }

  /** Sets up no position after all. */
  leaveDraft() {
    this.#go({ line: this.study.line, draft: null });
  }

  /**
   * Studies something else.
   * @param {Source} source
   * @param {Rulebook} rulebook
   */
  open(source, rulebook) {
    this.#stopReviewing();
    this.#go({ line: lineOf([], { grows: true }), source, rulebook, ...NO_REVIEW, draft: null, isStep: true });
  }

  /**
   * Shows again what was shown before.
   * @param {Source} source
   * @param {Rulebook} rulebook
   * @param {Line} line
   */
  restore(source, rulebook, line) {
    const isOther = !isSame(source, this.study.source);
    if (isOther) this.#stopReviewing();
    this.#go({ line, source, rulebook, ...(isOther && NO_REVIEW), draft: null });
  }

  /** Finds out where the game was given away; tells whether it is still the one looked at then. */
  async loadReview() {
    const { room } = this.study.source;
    if (!room) return false;
    const { signal } = (this.#reviewing = new AbortController());
    this.change({ isReviewing: true });
    try {
      await persist(() => this.#follow(room, signal), this.#tellOutage, signal);
    } catch (error) {
      if (!signal.aborted) this.change({ trouble: messageOf(error), isReviewing: false });
      return false;
    }
    if (!signal.aborted) this.change({ isReviewing: false });
    return !signal.aborted;
  }

  #stopReviewing() {
    this.#reviewing?.abort();
    this.change({ isReviewing: false });
  }

  /**
   * @param {{id: string, number: number}} room
   * @param {AbortSignal} signal
   */
  async #follow({ id, number }, signal) {
    for await (const news of followReview(id, number, signal)) {
      if (signal.aborted) return;
      this.change({ review: joinReviews(news, this.study.review), outage: "", isStep: false });
    }
  }
}

const NO_REVIEW = { review: null, solved: new Set() };

/**
 * The board as it looks when a legal cell was chosen, until the server says what follows from it. Which of
 * several tokens steps, only the server knows.
 * @param {Board} board
 * @param {Rulebook} rulebook
 * @param {string} cell
 * @returns {Board}
 */
function drawAhead(board, { counting, has_tokens: hasTokens }, cell) {
  if (board.effect === "choose" || (board.effect === "step" && !hasTokens)) return board;
  const cells = Array.from(board.cells);
  if (board.effect === "step") cells[cells.indexOf(String(board.mover))] = ".";
  cells[cellIndex(board, counting, cell)] = board.effect === "block" ? "#" : String(board.mover);
  return { ...board, cells: cells.join(""), legal: board.legal.filter((other) => other !== cell) };
}

/**
 * @param {Source} one
 * @param {Source} other
 */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
