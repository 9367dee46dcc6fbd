import "./timeline.js";
import { element, find, setText } from "../element.js";
import { branchOf } from "./line.js";

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
    this.timeline = find("game-timeline", track);
    this.list = find(".mistakes", box);
    /** @type {Review | null} */
    this.review = null;
    this.timeline.addEventListener("visit", (/** @type {CustomEvent<number>} */ { detail }) => store.goToMain(detail));
    find("[data-do=mistake-before]", track).addEventListener("click", () => this.jump(-1));
    find("[data-do=mistake-next]", track).addEventListener("click", () => this.jump(1));
  }

  /** Goes to the next mistake, or to the one before. @param {1 | -1} way */
  jump(way) {
    const { review, line } = this.store.study;
    const numbers = review?.actions.filter(({ mistake }) => mistake).map(({ number }) => number) ?? [];
    const next = way > 0
      ? numbers.find((number) => number > line.cursor)
      : numbers.findLast((number) => number < line.cursor);
    if (next) this.store.goToMain(next);
  }

  /** @param {Study} study */
  show({ review, rulebook, line, quiz, draft }) {
    this.box.hidden = this.track.hidden = !review || draft !== null;
    if (!review) return;
    const isOnGame = branchOf(line) === null;
    setText(find(".sign.one", this.track), rulebook.symbols[0]);
    setText(find(".sign.two", this.track), rulebook.symbols[1]);
    this.timeline.show(review, rulebook.symbols, line.cursor, isOnGame);
    const mistakes = review.actions.filter(({ mistake }) => mistake);
    find(".jumps", this.track).hidden = mistakes.length === 0;
    if (this.review !== review) {
      this.review = review;
      find(".summary", this.box).replaceChildren(...review.summary.map((text) => element("li", {}, text)));
      this.list.replaceChildren(...mistakes.map((mistake) => this.#entry(mistake)));
    }
    const none = review.complete
      ? "Nobody gave a won position away."
      : "No mistake was found, but not every position could be judged.";
    setText(find(".none", this.box), mistakes.length ? "" : none);
    // The sentences name the cell that is to be found.
    const isGuessing = quiz !== null && !quiz.isSolved;
    for (const entry of this.list.children) {
      const number = Number(entry.dataset.number);
      const text = /** @type {Element} */ (entry.firstElementChild);
      setText(text, isGuessing ? `Move ${number}` : this.#textOf(number));
      entry.classList.toggle("present", isOnGame && (quiz?.mistake.number ?? line.cursor) === number);
    }
  }

  /** @param {number} number */
  #textOf(number) {
    return this.review?.actions[number - 1]?.text ?? `Move ${number}`;
  }

  /** @param {ReviewedAction} mistake */
  #entry(mistake) {
    return element("li", { data: { number: String(mistake.number) } },
      element("button", { type: "button", class: "plain text", onclick: () => this.store.goToMain(mistake.number) }),
      mistake.better.length > 0
        && element("button", { type: "button", onclick: () => this.store.tryAgain(mistake) }, "Try again"));
  }
}
