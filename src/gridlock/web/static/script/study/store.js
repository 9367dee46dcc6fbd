import { Problem, fetchAnalysis, fetchReview } from "../api.js";
import { sentence } from "../text.js";
import { choose, goTo, goToMain, lineOf, played } from "./line.js";
import { queryOf } from "./source.js";

/** @import {Analysis, ReviewedAction, Review, Rulebook} from "../types.js" */
/** @import {Line} from "./line.js" */
/** @import {Source} from "./source.js" */

/**
 * @typedef {object} Study All that the page shows.
 * @property {Source} source
 * @property {Rulebook} rulebook
 * @property {Line} line
 * @property {Analysis | null} analysis Of the position shown, once it is there.
 * @property {boolean} isBusy
 * @property {string} trouble
 * @property {boolean} showsValues
 * @property {Review | null} review
 * @property {Quiz | null} quiz
 * @property {Draft | null} draft
 * @property {boolean} isStep Whether the browser's Back should lead to what was shown before.
 *
 * @typedef {{mistake: ReviewedAction, verdict: string, isSolved: boolean}} Quiz A mistake to do better.
 *
 * @typedef {object} Draft A position being set up.
 * @property {Rulebook} rulebook
 * @property {number} rows
 * @property {number} columns
 * @property {string} cells
 * @property {1 | 2} mover
 * @property {string} detail
 */

/** The one place where the state of the page lives. */
export class StudyStore {
  /** @type {Map<string, Analysis>} */
  #known = new Map();
  /** @type {AbortController | null} */
  #asking = null;
  /** @type {Map<"position" | "review", () => void>} What to do again when the server can be reached. */
  #toRetry = new Map();

  /**
   * @param {Source} source
   * @param {Rulebook} rulebook
   * @param {Line} line
   * @param {(study: Study) => void} follower
   */
  constructor(source, rulebook, line, follower) {
    /** @type {Study} */
    this.study = {
      source, rulebook, line, analysis: null, isBusy: true, trouble: "", showsValues: true,
      review: null, quiz: null, draft: null, isStep: false,
    };
    this.follower = follower;
    addEventListener("online", () => {
      const again = [...this.#toRetry.values()];
      this.#toRetry.clear();
      for (const retry of again) retry();
    });
  }

  /** @param {Partial<Study>} changes */
  change(changes) {
    this.study = { ...this.study, ...changes };
    this.follower(this.study);
  }

  /** @param {string} cell */
  choose(cell) {
    const { quiz, line, analysis } = this.study;
    if (quiz && !quiz.isSolved) return this.#answer(quiz, cell);
    if (analysis?.winner) return this.change({ trouble: "The game is over." });
    return this.#go(choose(line, cell), { isStep: true });
  }

  /** @param {string[]} cells */
  playLine(cells) {
    return this.#go(choose(this.study.line, ...cells), { isStep: true });
  }

  /** @param {number} cursor */
  goTo(cursor) {
    return this.#go(goTo(this.study.line, cursor));
  }

  /** @param {number} cursor */
  goToMain(cursor) {
    return this.#go(goToMain(this.study.line, cursor));
  }

  /** @param {ReviewedAction} mistake */
  tryAgain(mistake) {
    const quiz = { mistake, verdict: "", isSolved: false };
    return this.#go(goToMain(this.study.line, mistake.number - 1), { quiz });
  }

  /**
   * @param {Quiz} quiz
   * @param {string} cell
   */
  async #answer(quiz, cell) {
    const { analysis, line, source } = this.study;
    if (quiz.mistake.better.includes(cell)) {
      this.change({ quiz: { ...quiz, isSolved: true, verdict: `Right: ${cell} wins.` }, trouble: "" });
      return;
    }
    if (analysis?.board.legal.includes(cell)) {
      this.change({ quiz: { ...quiz, verdict: `${cell} does not win. Look again.` }, trouble: "" });
      return;
    }
    try {
      await fetchAnalysis(queryOf(source, [...played(line), cell]));
    } catch (error) {
      this.change({ trouble: messageOf(error) });
    }
  }

  /**
   * Shows another position; where the server refuses it, everything stays and the reason is said.
   * @param {Line} line
   * @param {Partial<Study>} [more]
   */
  async #go(line, more = {}) {
    const { source } = { ...this.study, ...more };
    const query = queryOf(source, played(line));
    const key = String(query);
    this.#asking?.abort();
    this.#toRetry.delete("position");
    const asking = new AbortController();
    this.#asking = asking;
    this.change({ isBusy: !this.#known.has(key), trouble: "" });
    try {
      const analysis = this.#known.get(key) ?? (await fetchAnalysis(query, asking.signal));
      this.#known.set(key, analysis);
      if (!asking.signal.aborted) this.change({ line, analysis, isBusy: false, trouble: "", quiz: null, isStep: false, ...more });
    } catch (error) {
      if (!asking.signal.aborted) this.#fail(error, "position", () => this.#go(line, more));
    }
  }

  /** Gives up what is being worked out. */
  stop() {
    this.#asking?.abort();
    this.#asking = null;
    this.#toRetry.delete("position");
    if (this.study.isBusy) this.change({ isBusy: false });
  }

  /**
   * @param {unknown} error
   * @param {"position" | "review"} what
   * @param {() => void} again
   */
  #fail(error, what, again) {
    if (isOffline(error)) this.#toRetry.set(what, again);
    this.change({ isBusy: what === "review" && this.study.isBusy, trouble: messageOf(error) });
  }

  /** Looks at the position again, as after the page was opened. */
  refresh() {
    return this.#go(this.study.line);
  }

  /**
   * Studies something else.
   * @param {Source} source
   * @param {Rulebook} rulebook
   */
  open(source, rulebook) {
    return this.#go(lineOf([], { grows: true }), { source, rulebook, review: null, draft: null, isStep: true });
  }

  /**
   * Shows again what was shown before.
   * @param {Source} source
   * @param {Rulebook} rulebook
   * @param {Line} line
   */
  restore(source, rulebook, line) {
    const review = isSame(source, this.study.source) ? this.study.review : null;
    return this.#go(line, { source, rulebook, review, draft: null });
  }

  async loadReview() {
    const { source } = this.study;
    const { room } = source;
    if (!room) return;
    try {
      const review = await fetchReview(room.id, room.number);
      if (isSame(source, this.study.source)) this.change({ review, trouble: "", isStep: false });
    } catch (error) {
      if (isSame(source, this.study.source)) this.#fail(error, "review", () => this.loadReview());
    }
  }
}

/**
 * @param {Source} one
 * @param {Source} other
 */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {unknown} error */
export const isOffline = (error) => error instanceof Problem && error.code === "offline";

/** @param {unknown} error */
function messageOf(error) {
  return sentence(/** @type {Error} */ (error).message);
}
