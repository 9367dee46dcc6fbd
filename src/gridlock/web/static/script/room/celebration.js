import { element } from "../element.js";
import { mayMove } from "../memory.js";

/** @import {Player} from "../types.js" */

const HOP_MS = 420;
const HOP_GAP_MS = 30;
const MOST_HOPS = 40;
const PIECES = 26;
const FLIGHT_MS = 1300;

/**
 * A moment of delight: the winner's marks hop, and small ones of their shape and colour fly up.
 * Nothing happens where nothing may move.
 * @param {HTMLElement} place What holds the board, and nothing else.
 * @param {Player} winner
 */
export function celebrate(place, winner) {
  if (!mayMove()) return;
  const shape = winner === 1 ? "one" : "two";
  const marks = Array.from(place.querySelectorAll(`.${shape} > .mark`)).slice(-MOST_HOPS);
  marks.forEach((mark, index) =>
    mark.animate(
      [{}, { translate: "0 -22%", scale: "1.08", offset: 0.4 }, { translate: "0 0", scale: "0.96", offset: 0.8 }, {}],
      { duration: HOP_MS, delay: index * HOP_GAP_MS, easing: "ease-out" }));
  if (marks.length) throwPieces(place, shape, marks);
}

/**
 * @param {HTMLElement} place
 * @param {string} shape
 * @param {Element[]} marks From where they fly.
 */
function throwPieces(place, shape, marks) {
  const sky = element("div", { class: "celebration", "aria-hidden": "true" });
  place.append(sky);
  const origin = sky.getBoundingClientRect();
  const flights = Array.from({ length: PIECES }, (_, index) => {
    const box = marks[index % marks.length].getBoundingClientRect();
    const piece = element("i", { class: shape });
    sky.append(piece);
    const x = box.x + box.width / 2 - origin.x;
    const y = box.y + box.height / 2 - origin.y;
    const aside = (Math.random() - 0.5) * 180;
    const up = 50 + Math.random() * 110;
    const turn = (Math.random() - 0.5) * 540;
    return piece.animate(
      [
        { transform: `translate(${x}px, ${y}px) scale(0.4)`, opacity: 1, easing: "cubic-bezier(0.2, 0.8, 0.5, 1)" },
        {
          transform: `translate(${x + aside * 0.7}px, ${y - up}px) rotate(${turn / 2}deg)`, opacity: 1, offset: 0.4,
          easing: "cubic-bezier(0.5, 0, 0.9, 0.6)",
        },
        { transform: `translate(${x + aside}px, ${y + 60}px) rotate(${turn}deg)`, opacity: 0 },
      ],
      { duration: FLIGHT_MS * (0.8 + Math.random() * 0.4), delay: Math.random() * 250, fill: "both" }).finished;
  });
  Promise.allSettled(flights).then(() => sky.remove());
}
