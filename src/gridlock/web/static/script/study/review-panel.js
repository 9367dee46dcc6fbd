import { element, find, findAs, setText } from "../element.js";
import { mistakesOf } from "../puzzle/mistakes.js";
import { branchOf } from "./line.js";
import { isFaulty, presentMistake } from "./riddle.js";
import { GameTimeline } from "./timeline.js";

/** @import {Review, ReviewedAction} from "../types.js" */
/** @import {Study, StudyStore} from "./store.js" */

/** What happened in the game: timeline, sentences, and mistakes to do better. */
export class ReviewPanel {
  /**
   * @param {{box: HTMLElement, track: HTMLElement}} places
   * @param {StudyStore} store
   */
  constructor({ box, track }, store) {
    this.box = box;
    this.track = track;
    this.store = store;
    this.timeline = findAs(GameTimeline, "game-timeline", track);
    this.list = find(".mistakes", box);
    this.doubts = find(".doubts", box);
    this.timeline.addEventListener("visit", (event) => store.goToMain(/** @type {CustomEvent<number>} */ (event).detail));
    find("[data-do=mistake-before]", track).addEventListener("click", () => this.jump(-1));
    find("[data-do=mistake-next]", track).addEventListener("click", () => this.jump(1));
  }

  /** Goes to where the next mistake was made, or the one before. @param {1 | -1} way */
  jump(way) {
    const { cursor } = this.store.line;
    const places = this.#faults.map(({ number }) => number - 1);
    const next = way > 0 ? places.find((place) => place > cursor) : places.findLast((place) => place < cursor);
    if (next !== undefined) this.store.goToMain(next);
  }

  /** The mistakes, and what was probably one. */
  get #faults() {
    return this.store.study.review?.actions.filter(isFaulty) ?? [];
  }

  /** @param {Study} study */
  show(study) {
    const { source, review, rulebook, line, solved, draft, isReviewing } = study;
    this.box.hidden = (!review && !isReviewing) || draft !== null;
    this.track.hidden = !review || draft !== null;
    const faults = this.#faults;
    const mistakes = faults.filter(({ mistake }) => mistake);
    const doubts = faults.filter(({ mistake }) => !mistake);
    setText(find(".none", this.box), isReviewing ? progressOf(review) : mistakes.length ? "" : noneFound(review));
    find(".kept", this.box).hidden = !review?.complete || !mistakesOf(review, source.room?.you ?? [], "").length;
    if (!review) return;
    const isOnGame = branchOf(line) === null;
    setText(find(".sign.one", this.track), rulebook.symbols[0]);
    setText(find(".sign.two", this.track), rulebook.symbols[1]);
    this.timeline.show(review, rulebook.symbols, line.cursor, isOnGame);
    find(".jumps", this.track).hidden = faults.length === 0;
    find(".doubtful", this.box).hidden = doubts.length === 0;
    const key = JSON.stringify([review.summary, faults.map(({ number, mistake, better }) => [number, mistake, better.length > 0])]);
    if (this.list.dataset.key !== key) { // so that focus stays while more becomes known
      this.list.dataset.key = key;
      find(".summary", this.box).replaceChildren(...review.summary.filter(Boolean).map((text) => element("li", {}, text)));
      this.list.replaceChildren(...mistakes.map((mistake) => this.#entry(mistake)));
      this.doubts.replaceChildren(...doubts.map((doubt) => this.#entry(doubt)));
    }
    const present = presentMistake(study);
    const entries = [...this.list.children, ...this.doubts.children];
    [...mistakes, ...doubts].forEach((action, index) => {
      const { number, mistake, better, fault, text } = action;
      const isHidden = mistake && better.length > 0 && !solved.has(number);
      setText(find(".text", entries[index]), (isHidden ? fault : text) ?? "");
      entries[index].classList.toggle("present", action === present);
    });
  }

  /** @param {ReviewedAction} mistake */
  #entry(mistake) {
    return element("li", {},
      element("button", { type: "button", class: "plain text", onclick: () => this.store.goToMain(mistake.number - 1) }),
      mistake.mistake && mistake.better.length > 0
        && element("button", { type: "button", onclick: () => this.store.tryAgain(mistake) }, "Try again"));
  }
}

/**
 * How far the search for mistakes has come, counted in turns, from the end of the game.
 * @param {Review | null} review
 */
function progressOf(review) {
  const { actions } = review ?? { actions: [] };
  const turns = new Set(actions.map(({ turn }) => turn));
  const judged = new Set(actions.filter(({ before }) => before !== "unknown").map(({ turn }) => turn));
  const open = actions.filter(({ turn, estimate_before: chance }) => chance !== null && !judged.has(turn));
  const estimated = new Set(open.map(({ turn }) => turn));
  const more = estimated.size ? `, ${estimated.size} estimated` : "";
  return `Looking for mistakes…${turns.size ? ` ${judged.size} of ${turns.size} moves judged${more}` : ""}`;
}

/** @param {Review | null} review */
function noneFound(review) {
  return review?.limit === null
    ? "No move gave a won position away."
    : "No mistake was found, but not every position could be judged.";
}
