import { ask, linkRow } from "../dialog.js";
import { element, find, findAs } from "../element.js";
import { keptRooms } from "../kept-rooms.js";
import { svg } from "../svg.js";
import { countOf } from "../text.js";
import { grouped } from "./order.js";
import { merge, newRooms, pack, parcelOf, unpack } from "./parcel.js";
import { encode } from "./qr.js";

/** @import {Parcel} from "./parcel.js" */

const MOST_IN_CODE = 1200; // bytes: of more, the modules are too small for many phones
const QUIET_ZONE = 4; // modules of a code's margin

/**
 * Lets somebody take their games to another device.
 * @param {HTMLElement} section
 */
export function offerMoving(section) {
  const button = findAs(HTMLButtonElement, "button", section);
  const place = find(".parcel", section);
  button.addEventListener("click", async () => {
    const { mine, others, done } = grouped(keptRooms());
    const parcel = parcelOf([...mine, ...others, ...done]);
    const all = parcel.rooms.length;
    const { code, count } = await codeOf(parcel);
    place.replaceChildren(
      linkRow(await linkTo(parcel), "Link to all your games"),
      element("figure", {}, code, element("figcaption", { class: "quiet small" }, captionOf(count, all))));
    button.hidden = true;
    place.querySelector("button")?.focus();
  });
}

/**
 * @param {number} count
 * @param {number} all
 */
function captionOf(count, all) {
  if (count === all) return "The same link as a QR code";
  return `A QR code with ${count} of the ${all} games, unfinished ones first: the link has all`;
}

/** @param {Parcel} parcel */
const linkTo = async (parcel) => `${location.origin}/games#${await pack(parcel)}`;

/**
 * A code with as many of the first rooms as a phone can read.
 * @param {Parcel} parcel
 */
async function codeOf({ name, rooms }) {
  const linkToFirst = (/** @type {number} */ count) => linkTo({ name, rooms: rooms.slice(0, count) });
  let [count, tooMany] = [0, rooms.length + 1];
  while (count + 1 < tooMany) {
    const middle = Math.floor((count + tooMany) / 2);
    const isSmall = (await linkToFirst(middle)).length <= MOST_IN_CODE;
    if (isSmall) count = middle;
    else tooMany = middle;
  }
  return { code: draw(encode(new TextEncoder().encode(await linkToFirst(count)))), count };
}

/** @param {boolean[][]} rows */
function draw(rows) {
  const size = rows.length + 2 * QUIET_ZONE;
  const module = (/** @type {number} */ x, /** @type {number} */ y) => `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`;
  const dark = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? module(x, y) : "")));
  const attributes = { class: "code", role: "img", "aria-label": "QR code", viewBox: `0 0 ${size} ${size}` };
  return svg("svg", { ...attributes, "shape-rendering": "crispEdges" },
    svg("rect", { width: size, height: size }), svg("path", { d: dark.join("") }));
}

/**
 * Takes the games of a link out of the address, so that nobody passes them on with it, and adds them
 * to those that are here, if somebody wants that.
 * @param {(text: string) => void} tell Told what came of it.
 */
export async function receiveParcel(tell) {
  const text = location.hash.slice(1);
  if (!text || document.getElementById(text)) return;
  history.replaceState(null, "", location.pathname + location.search);
  const parcel = await unpack(text);
  if (!parcel) {
    tell("This link is damaged, or was not copied whole: nothing has changed.");
    return;
  }
  const count = newRooms(parcel).length;
  if (count === 0) {
    tell("There is nothing new in this link: its games are in the list already.");
    return;
  }
  const isWanted = await ask({
    title: `Add ${countOf(count, "game")} to this browser?`,
    text: "You then hold their seats here, too. Only add games from a link that you made yourself.",
    yes: "Add", no: "Do not add", isHarmless: true,
  });
  if (isWanted) merge(parcel);
  tell(isWanted ? `${countOf(count, "game")} added.` : "Nothing has changed.");
}
