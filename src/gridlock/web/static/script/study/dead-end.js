import { find, findAs, setText } from "../element.js";
import { capital } from "../text.js";

/** @import {Rulebook} from "../types.js" */

/** The sizes of boards: another one may be what cannot be shown. */
const SIZE = /^([1-9]\d?|100)x([1-9]\d?|100)$/;

/**
 * Says why there is nothing to show, and where to go from here.
 * @param {string} why
 * @param {Pick<Rulebook, "id">} [rulebook] The game that was meant, if it is known.
 * @param {string} [size] The board that was meant.
 */
export function showDeadEnd(why, rulebook, size = "") {
  const place = find("#dead-end");
  find("#main").setAttribute("aria-busy", "false");
  find("#main").classList.add("lost");
  place.hidden = false;
  setText(find("#title"), "This cannot be shown");
  setText(find(".why", place), why);
  const start = findAs(HTMLAnchorElement, ".start", place);
  start.hidden = !rulebook;
  if (!rulebook) return;
  start.href = `/study?game=${rulebook.id}${SIZE.test(size) ? `&size=${size}` : ""}`;
  setText(start, `Analyse ${capital(rulebook.id)} from the start`);
}
