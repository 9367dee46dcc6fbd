import { element } from "../element.js";
import { dropRoom, keptRooms } from "../kept-rooms.js";
import { refreshRooms } from "../room-news.js";
import { capital } from "../text.js";

const MOST_SHOWN = 12;

/**
 * Lists the rooms of this browser that are unfinished, or ended unseen: at once as they were when it
 * last heard of them, and soon as they are now.
 * @param {HTMLElement} section
 */
export async function listRooms(section) {
  show(section);
  await refreshRooms(shelved());
  show(section);
}

const shelved = () =>
  keptRooms().filter(({ isOver, isNews, isGone }) => !isGone && (!isOver || isNews)).slice(0, MOST_SHOWN);

/** @param {HTMLElement} section */
function show(section) {
  const rooms = shelved();
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
