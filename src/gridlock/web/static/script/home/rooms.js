import { Problem, fetchRoom } from "../api.js";
import { element } from "../element.js";
import { dropRoom, keptRooms, seatToken, updateRoom } from "../memory.js";
import { entryOf } from "../room/sentences.js";
import { capital } from "../text.js";

/** @import {KeptRoom} from "../memory.js" */

/**
 * Lists the unfinished rooms of this browser: at once as they were when it last heard of them, and
 * soon as they are now.
 * @param {HTMLElement} section
 */
export async function listRooms(section) {
  show(section);
  await Promise.all(keptRooms().map(refresh));
  show(section);
}

/**
 * Asks what has become of a room, and forgets one that is no more.
 * @param {KeptRoom} kept
 */
async function refresh({ room, you }) {
  try {
    // Who only looks at the list is not in the room: the seat's secret would say so.
    const state = await fetchRoom(room, you ? null : seatToken(room));
    updateRoom(entryOf({ ...state, you: you ?? state.you }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Where the server cannot be asked, what was known is shown.
    if (error.status === 404) dropRoom(room);
  }
}

/** @param {HTMLElement} section */
function show(section) {
  const rooms = keptRooms();
  const key = JSON.stringify(rooms);
  if (section.dataset.key === key) return; // so that focus stays
  section.dataset.key = key;
  section.hidden = rooms.length === 0;
  section.querySelector("ul")?.replaceChildren(
    ...rooms.map(({ room, game, size, against, stage = "" }) => {
      const title = `${capital(game)} ${size.replace("x", " × ")}`;
      return element("li", {},
        element("a", { href: `/room/${encodeURIComponent(room)}` },
          element("strong", {}, title), ` ${against}`, element("br"),
          element("span", { class: "quiet small" }, stage)),
        element("button", {
          type: "button", class: "plain", "aria-label": `Take ${title} off the list`, title: "Take off the list",
          onclick: () => {
            dropRoom(room);
            show(section);
          },
        }, "×"));
    }));
}
