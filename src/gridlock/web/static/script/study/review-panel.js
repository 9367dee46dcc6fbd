import { element, find, findAs, setText } from "../element.js";
import { branchOf } from "./line.js";
import { presentMistake } from "./riddle.js";
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
    this.timeline.addEventListener("visit", (event) => store.goToMain(/** @type {CustomEvent<number>} */ (event).detail));
    find("[data-do=mistake-before]", track).addEventListener("click", () => this.jump(-1));
    find("[data-do=mistake-next]", track).addEventListener("click", () => this.jump(1));
  }

  /** Goes to where the next mistake was made, or the one before. @param {1 | -1} way */
  jump(way) {
    const { cursor } = this.store.line;
    const places = this.#mistakes.map(({ number }) => number - 1);
    const next = way > 0 ? places.find((place) => place > cursor) : places.findLast((place) => place < cursor);
    if (next !== undefined) this.store.goToMain(next);
  }

  get #mistakes() {
    return this.store.study.review?.actions.filter(({ mistake }) => mistake) ?? [];
  }

  /** @param {Study} study */
  show(study) {
    const { review, rulebook, line, solved, draft, isReviewing } = study;
    this.box.hidden = (!review && !isReviewing) || draft !== null;
    this.track.hidden = !review || draft !== null;
    const mistakes = this.#mistakes;
    setText(find(".none", this.box), isReviewing ? progressOf(review) : mistakes.length ? "" : noneFound(review));
    if (!review) return;
    const isOnGame = branchOf(line) === null;
    setText(find(".sign.one", this.track), rulebook.symbols[0]);
    setText(find(".sign.two", this.track), rulebook.symbols[1]);
    this.timeline.show(review, rulebook.symbols, line.cursor, isOnGame);
    find(".jumps", this.track).hidden = mistakes.length === 0;
    const key = JSON.stringify([review.summary, mistakes.map(({ number, better }) => [number, better.length > 0])]);
    if (this.list.dataset.key !== key) { // so that focus stays while more becomes known
      this.list.dataset.key = key;
      find(".summary", this.box).replaceChildren(...review.summary.filter(Boolean).map((text) => element("li", {}, text)));
      this.list.replaceChildren(...mistakes.map((mistake) => this.#entry(mistake)));
    }
    const present = presentMistake(study);
    mistakes.forEach((mistake, index) => {
      const entry = this.list.children[index];
      const { number, better, fault, text } = mistake;
      setText(find(".text", entry), (better.length && !solved.has(number) ? fault : text) ?? "");
      entry.classList.toggle("present", mistake === present);
    });
  }

  /** @param {ReviewedAction} mistake */
  #entry(mistake) {
    return element("li", {},
      element("button", { type: "button", class: "plain text", onclick: () => this.store.goToMain(mistake.number - 1) }),
      mistake.better.length > 0
        && element("button", { type: "button", onclick: () => this.store.tryAgain(mistake) }, "Try again"));
  }
}

/**
 * How far the search for mistakes has come, counted in turns, from the end of the game.
 * @param {Review | null} review
 */
function progressOf(review) {
  const turns = new Set(review?.actions.map(({ turn }) => turn));
  const judged = new Set(review?.actions.filter(({ before }) => before !== "unknown").map(({ turn }) => turn));
  return `Looking for mistakes…${turns.size ? ` ${judged.size} of ${turns.size} moves judged` : ""}`;
}

/** @param {Review | null} review */
function noneFound(review) {
  return review?.limit === null
    ? "No move gave a won position away."
    : "No mistake was found, but not every position could be judged.";
}
