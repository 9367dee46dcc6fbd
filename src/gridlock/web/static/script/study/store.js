import { fetchAnalysis, fetchReview } from "../api.js";
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
 *
 * @typedef {{mistake: ReviewedAction, verdict: string, isSolved: boolean}} Quiz A mistake to do better.
 * @typedef {{cells: string, mover: 1 | 2, detail: string}} Draft A position being set up.
 */

/** The one place where the state of the page lives. */
export class StudyStore {
  /** @type {Map<string, Analysis>} */
  #known = new Map();
  /** @type {AbortController | null} */
  #asking = null;

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
      review: null, quiz: null, draft: null,
    };
    this.follower = follower;
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
    return this.#go(choose(line, cell));
  }

  /** @param {string[]} cells */
  playLine(cells) {
    return this.#go(choose(this.study.line, ...cells));
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
    const asking = new AbortController();
    this.#asking = asking;
    this.change({ isBusy: !this.#known.has(key), trouble: "" });
    try {
      const analysis = this.#known.get(key) ?? (await fetchAnalysis(query, asking.signal));
      this.#known.set(key, analysis);
      if (!asking.signal.aborted) this.change({ line, analysis, isBusy: false, quiz: null, ...more });
    } catch (error) {
      if (!asking.signal.aborted) this.change({ isBusy: false, trouble: messageOf(error) });
    }
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
    return this.#go(lineOf([], { grows: true }), { source, rulebook, review: null, draft: null });
  }

  async loadReview() {
    const { room } = this.study.source;
    if (!room) return;
    try {
      this.change({ review: await fetchReview(room.id, room.number) });
    } catch (error) {
      this.change({ trouble: messageOf(error) });
    }
  }
}

/** @param {unknown} error */
function messageOf(error) {
  return sentence(/** @type {Error} */ (error).message);
}
