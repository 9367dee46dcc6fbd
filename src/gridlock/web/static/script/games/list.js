import { element, find } from "../element.js";
import { boardOf, capital, dayOf } from "../text.js";
import { grouped } from "./order.js";

/** @import {KeptRoom} from "../kept-rooms.js" */

const FEW = 20; // finished games that are shown at first

/** The lists of rooms: where it is one's turn, others that are unfinished, and finished ones. */
export class RoomLists {
  #isWhole = false;
  #key = "";

  /**
   * @param {HTMLElement} place
   * @param {(room: KeptRoom) => void} remove Told of a room that is to be taken off the list.
   */
  constructor(place, remove) {
    this.place = place;
    this.remove = remove;
    find("#more", place).addEventListener("click", () => {
      this.#isWhole = true;
      this.show(this.rooms);
      /** @type {HTMLElement | null} */ (place.querySelector(`#done li:nth-child(${FEW + 1}) :is(a, button)`))?.focus();
    });
    /** @type {KeptRoom[]} */
    this.rooms = [];
  }

  /** @param {KeptRoom[]} rooms */
  show(rooms) {
    this.rooms = rooms;
    const key = JSON.stringify([rooms, this.#isWhole]);
    if (key === this.#key) return; // so that focus stays
    this.#key = key;
    const { mine, others, done } = grouped(rooms);
    const { shownDone } = this;
    for (const [id, listed] of Object.entries({ mine, others, done: shownDone })) {
      const section = find(`#${id}`, this.place);
      section.hidden = listed.length === 0;
      find("ul", section).replaceChildren(...listed.map((room) => this.#entry(room)));
    }
    const more = find("#more", this.place);
    more.hidden = shownDone.length === done.length;
    more.textContent = `Show all ${done.length}`;
  }

  /** The finished rooms that are shown. */
  get shownDone() {
    const { done } = grouped(this.rooms);
    return this.#isWhole ? done : done.slice(0, FEW);
  }

  /** @param {KeptRoom} kept */
  #entry(kept) {
    const { room, against, stage = "", at, games = 0, isOver, isGone } = kept;
    const title = titleOf(kept);
    const day = at ? element("time", { dateTime: new Date(at).toISOString() }, dayOf(at)) : null;
    const text = [
      element("strong", {}, title), ` ${against}`, element("br"),
      element("span", { class: "stage" }, isGone && !isOver ? "Not finished" : stage),
      day && element("span", { class: "quiet small" }, " · ", day),
      isGone && element("span", { class: "gone quiet small" }, "Gone: the server has deleted this room."),
    ];
    const review = `/study?${new URLSearchParams({ room, number: String(games), review: "1" })}`;
    return element("li", {},
      isGone
        ? element("div", { class: "about" }, ...text)
        : element("a", { class: "about", href: `/room/${encodeURIComponent(room)}` }, ...text),
      !isGone && isOver && games > 0 && element("a", {
        class: "button plain", href: review, "aria-label": `Review ${games > 1 ? "the last game of " : ""}${title} ${against}`,
      }, "Review"),
      element("button", {
        type: "button", class: "plain", "aria-label": `Take ${title} ${against} off the list`, title: "Take off the list",
        onclick: () => this.remove(kept),
      }, "×"));
  }
}

/** @param {KeptRoom} room */
export const titleOf = ({ game, size }) => `${capital(game)} ${boardOf(size)}`;
