import { element } from "../element.js";
import { dropRoom, keptRooms } from "../memory.js";
import { capital } from "../text.js";

/**
 * Lists the unfinished rooms of this browser.
 * @param {HTMLElement} section
 */
export function listRooms(section) {
  const rooms = keptRooms();
  section.hidden = rooms.length === 0;
  section.querySelector("ul")?.replaceChildren(
    ...rooms.map(({ room, game, size, against, ply }) => {
      const title = `${capital(game)} ${size}`;
      return element("li", {},
        element("a", { href: `/room/${encodeURIComponent(room)}` },
          element("strong", {}, title), element("br"),
          element("span", { class: "quiet small" }, `${against}, ${ply ? `${ply} played` : "not begun"}`)),
        element("button", {
          type: "button", class: "plain", "aria-label": `Take ${title} off the list`, title: "Take off the list",
          onclick: () => {
            dropRoom(room);
            listRooms(section);
          },
        }, "×"));
    }));
}
