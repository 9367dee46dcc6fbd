import { find } from "./element.js";

/**
 * Says something to those who do not see the page. A region that is emptied first says the same
 * thing again where it happens again.
 * @param {string} text
 */
export function announce(text) {
  const region = find("#announcer");
  region.textContent = "";
  requestAnimationFrame(() => (region.textContent = text));
}
