import { Problem, fetchPuzzle, fetchShare, fetchSolution, rateResult, tryCell } from "../api.js";
import { mayMove } from "../memory.js";
import { delay, persist } from "../persist.js";
import { messageOf } from "../text.js";
import { daysUntil } from "./day.js";
import { afterTry, dueMistakes, isLearnt, isSame } from "./mistakes.js";
import {
  afterRating, attemptOf, dailyStreak, dateOf, loadProgress, settled, updateProgress, withAttempt,
} from "./progress.js";

/** @import {Attempt, Board, Puzzle, Step, Tried} from "../types.js" */
/** @import {Mistake} from "./mistakes.js" */
/** @import {Progress} from "./progress.js" */

/**
 * @typedef {{title: string, start: Board, steps: Step[]}} Line
 *
 * @typedef {object} Model Everything that the page shows of a puzzle.
 * @property {Puzzle} puzzle
 * @property {string | null} date The day, if it is a daily one.
 * @property {Mistake | null} mistake As it was before it was tried, if it is one of somebody's own.
 * @property {Attempt} attempt
 * @property {boolean} isGivenUp
 * @property {string | null} pending A cell that was chosen and is not answered yet.
 * @property {string[]} wrong Cells that were tried in vain, of the present position.
 * @property {{text: string, kind: "" | "right" | "wrong"}} news
 * @property {boolean} hasClue
 * @property {Line | null} line A line that can be played through.
 * @property {number} cursor How many steps of it are shown.
 * @property {Step | null} answering A step of a right try that is just being shown.
 * @property {boolean} isFirst Whether a try counts.
 * @property {string} standing What the last result did to the rating.
 * @property {string} share The result as a text for friends, once there is one.
 * @property {string} trouble
 */

const ANSWER_MS = 500;
const SOLVED = "Solved.";
const OTHER_RELEASE = "found";
const LEARNT = "You have learnt from it: it does not come back.";
const NOTHING_TO_SHARE = { text: "" };
const NEW = { found: [], isGivenUp: false };
const TRIED_BEFORE = "You have tried this one before: only the first try counts.";

/** Somebody at a puzzle. What they try is kept before it is shown, so that no reload undoes it. */
export class Session {
  /** @type {Model | null} */
  model = null;
  /** After how many days mistakes come back: the server says it. @type {number[]} */
  pauses = [];
  #changed;

  /** @param {(model: Model) => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {Partial<Model>} changes */
  #change(changes) {
    if (!this.model) return;
    this.model = { ...this.model, ...changes };
    this.#changed(this.model);
  }

  /**
   * Begins a puzzle, or goes on where a reload broke off.
   * @param {Puzzle} puzzle
   * @param {object} [how]
   * @param {string | null} [how.date] The day, if it is a daily one.
   * @param {Mistake | null} [how.mistake] The one that comes back; it takes one action, so there is nowhere to go on.
   * @param {boolean} [how.isAnew] Whether one that is over is begun again.
   */
  async open(puzzle, { date = null, mistake = null, isAnew = false } = {}) {
    const progress = loadProgress();
    const { found, isGivenUp } = mistake ? NEW : attemptOf(progress, date ?? puzzle.id);
    const resumed = found.length ? await this.#resume(puzzle, found) : puzzle;
    const isOver = isGivenUp || resumed.attempt.solved;
    const shown = isOver && isAnew ? puzzle : resumed;
    this.model = {
      puzzle, date, mistake, attempt: shown.attempt, isGivenUp: isGivenUp && !isAnew, pending: null, wrong: [],
      news: { text: "", kind: "" }, hasClue: false, line: null, cursor: 0, answering: null,
      isFirst: mistake ? this.#isDue(mistake) : isFirst(progress, puzzle, date), standing: "", share: "", trouble: "",
    };
    if (!this.model.isFirst) this.model.standing = TRIED_BEFORE;
    if (isOver && !isAnew) await this.#showEnd();
    this.#changed(this.model);
  }

  /**
   * @param {Puzzle} puzzle
   * @param {string[]} found
   */
  async #resume(puzzle, found) {
    try {
      return await fetchPuzzle(puzzle.id, found);
    } catch (error) {
      if (error instanceof Problem && error.code === OTHER_RELEASE) return puzzle;
      throw error;
    }
  }

  /** Begins a puzzle once more that is over. */
  async again() {
    if (!this.model) return;
    const { puzzle, date, mistake } = this.model;
    const anew = (/** @type {Progress} */ now) =>
      withAttempt(now, { ...attemptOf(now, date ?? puzzle.id), found: [], isGivenUp: false });
    if (!mistake) updateProgress(anew);
    await this.open({ ...puzzle }, { date, mistake }); // another object: what was asked about the old one is not for it
  }

  get isOver() {
    return this.model !== null && (this.model.isGivenUp || this.model.attempt.solved);
  }

  /** @param {string} cell */
  async choose(cell) {
    const { model } = this;
    if (!model || model.pending || model.answering || this.isOver) return;
    if (model.cursor > 0) {
      this.show(0);
      return;
    }
    this.#change({ pending: cell, trouble: "" });
    const mistakes = model.mistake ? model.wrong.length : attemptOf(loadProgress(), keyOf(model)).mistakes;
    const body = { cell, found: model.attempt.found, mistakes };
    const tried = await this.#reach(() => tryCell(nameOf(model), body));
    if (this.model?.puzzle !== model.puzzle) return; // another one was opened meanwhile
    this.#change({ pending: null });
    if (tried?.right) await this.#goOn(tried);
    else if (tried) this.#fail(cell, tried);
  }

  /**
   * @param {string} cell
   * @param {Tried} tried
   */
  #fail(cell, tried) {
    const { wrong } = /** @type {Model} */ (this.model);
    this.#settle(1, false);
    this.#change({
      wrong: [...wrong, cell], news: { text: tried.text, kind: "wrong" }, cursor: 0,
      line: tried.steps.length > 1 ? { title: "Why not", start: tried.attempt.board, steps: tried.steps } : null,
    });
  }

  /** @param {Tried} tried */
  async #goOn({ attempt, text, steps }) {
    const { puzzle } = /** @type {Model} */ (this.model);
    this.#change({ attempt, wrong: [], line: null });
    if (attempt.solved) this.#settle(0, true);
    else this.#keep(0, false);
    for (const step of mayMove() ? steps.slice(0, -1) : []) {
      this.#change({ answering: step });
      await delay(ANSWER_MS);
      if (this.model?.puzzle !== puzzle) return;
    }
    this.#change({ answering: null, news: { text, kind: "right" } });
    if (attempt.solved) await this.#showEnd();
  }

  /** Shows how it goes, which counts as a wrong try as soon as it is asked for. */
  async giveUp() {
    if (!this.model || this.model.pending || this.model.answering || this.isOver) return;
    this.#change({ isGivenUp: true, wrong: [], news: { text: "", kind: "" }, line: null, cursor: 0 });
    this.#settle(1, false);
    await this.#showEnd();
  }

  /** Gets what there is to show when a puzzle is over: the text to share, and what was to be found. */
  async #showEnd() {
    const model = /** @type {Model} */ (this.model);
    const { puzzle, date, mistake, attempt: { found, solved, board } } = model;
    if (mistake && solved) return; // what was found stands on the board
    const progress = loadProgress();
    const { mistakes } = attemptOf(progress, keyOf(model));
    /** @type {Record<string, string>} */
    const ofDay = date === null ? {} : { date, streak: String(dailyStreak(progress, date)) };
    const [share, solution] = await Promise.all([
      mistake ? NOTHING_TO_SHARE : this.#reach(() => fetchShare(puzzle.id, found, { mistakes: String(mistakes), ...ofDay })),
      this.#reach(() => fetchSolution(nameOf(model), solved ? [] : found)),
    ]);
    if (this.model?.puzzle !== puzzle || !share || !solution) return;
    const { steps, text } = solution;
    this.#change({
      share: share.text,
      line: { title: "Solution", start: solved ? puzzle.attempt.board : board, steps },
      cursor: solved ? steps.length : 0,
      news: this.model.news.text ? this.model.news : { text: solved ? SOLVED : text, kind: solved ? "right" : "" },
    });
  }

  /** Shows the clue. */
  hint() {
    this.#change({ hasClue: true });
  }

  /**
   * Shows the board after some steps of the line.
   * @param {number} cursor
   */
  show(cursor) {
    const steps = this.model?.line?.steps.length ?? 0;
    this.#change({ cursor: Math.min(Math.max(cursor, 0), steps) });
  }

  /**
   * Keeps how the first try went, before anybody sees it, and lets it be rated.
   * @param {number} mistakes How many more there are.
   * @param {boolean} isSolved
   */
  #settle(mistakes, isSolved) {
    const model = /** @type {Model} */ (this.model);
    if (model.mistake) {
      if (model.isFirst) this.#settleMistake(model.mistake, isSolved);
      return;
    }
    const total = this.#keep(mistakes, model.isGivenUp);
    updateProgress((now) => settled(now, model.puzzle.id, isSolved && total === 0, model.date));
    this.rateAll();
  }

  /**
   * Keeps when a mistake comes back.
   * @param {Mistake} mistake
   * @param {boolean} isSolved
   */
  #settleMistake(mistake, isSolved) {
    const today = dateOf();
    const after = afterTry(mistake, today, isSolved, this.pauses);
    updateProgress((now) => ({ ...now, mistakes: now.mistakes.map((one) => (isSame(one, mistake) ? after : one)) }));
    const days = daysUntil(after.due, today);
    const standing = isLearnt(after, this.pauses) ? LEARNT : `It comes back ${days === 1 ? "tomorrow" : `in ${days} days`}.`;
    this.#change({ isFirst: false, standing });
  }

  /** @param {Mistake} mistake */
  #isDue(mistake) {
    return dueMistakes(loadProgress().mistakes, dateOf(), this.pauses).some((one) => isSame(one, mistake));
  }

  /**
   * Keeps how far somebody has come, and returns how many tries were wrong.
   * @param {number} mistakes
   * @param {boolean} isGivenUp
   */
  #keep(mistakes, isGivenUp) {
    const model = /** @type {Model} */ (this.model);
    const key = keyOf(model);
    const after = updateProgress((now) => withAttempt(now, {
      key, found: model.attempt.found, mistakes: attemptOf(now, key).mistakes + mistakes, isGivenUp,
    }));
    return attemptOf(after, key).mistakes;
  }

  /** Lets the server rate all results that wait for it, also those that a reload broke off. */
  async rateAll() {
    for (;;) {
      const { unrated: [first], rating, streak } = loadProgress();
      if (!first) return;
      const body = { solved: first.solved, rating, streak };
      const rated = await persist(() => rateResult(first.id, body), () => {}).catch((error) => {
        if (!(error instanceof Problem)) throw error;
        return null; // a puzzle of another release
      });
      updateProgress((now) => afterRating(now, first, rating, rated));
      if (rated && this.model?.puzzle.id === first.id) this.#change({ standing: rated.text, isFirst: false });
    }
  }

  /**
   * Asks the server; what hinders it is said.
   * @template Answer
   * @param {() => Promise<Answer>} act
   * @returns {Promise<Answer | null>}
   */
  async #reach(act) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#change({ trouble: messageOf(error) });
      return null;
    }
  }
}

/** By what the server knows the puzzle. @param {Model} model */
const nameOf = ({ puzzle, mistake }) => mistake ?? puzzle.id;

/**
 * What an attempt is kept under: a puzzle that was solved some time ago may be that of a day later.
 * @param {Model} model
 */
const keyOf = ({ puzzle, date }) => date ?? puzzle.id;

/**
 * @param {Progress} progress
 * @param {Puzzle} puzzle
 * @param {string | null} date
 */
function isFirst({ seen, days }, puzzle, date) {
  return !Object.hasOwn(seen, puzzle.id) || (date !== null && !Object.hasOwn(days, date));
}
