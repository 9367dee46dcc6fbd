import { element } from "./element.js";
import { sentence } from "./text.js";

/**
 * Does what a page cannot do without. Where that fails the page says why, and offers to try again;
 * as soon as the network is back it does so by itself.
 * @param {HTMLElement} place Where it is said.
 * @param {() => Promise<void>} task
 */
export async function insistOn(place, task) {
  place.replaceChildren();
  try {
    await task();
  } catch (error) {
    const again = () => {
      removeEventListener("online", again);
      insistOn(place, task);
    };
    place.replaceChildren(
      element("p", { class: "trouble", role: "alert" }, sentence(/** @type {Error} */ (error).message)),
      element("button", { type: "button", onclick: again }, "Try again"));
    addEventListener("online", again);
  }
}
