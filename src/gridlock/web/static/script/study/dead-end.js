import { find, findAs, setText } from "../element.js";
import { capital } from "../text.js";

/** @import {Rulebook} from "../types.js" */

/**
 * Says why there is nothing to show, and where to go from here.
 * @param {string} why
 * @param {Pick<Rulebook, "id">} [rulebook] The game that was meant, if it is known.
 */
export function showDeadEnd(why, rulebook) {
  const place = find("#dead-end");
  find("#main").setAttribute("aria-busy", "false");
  find("#main").classList.add("lost");
  place.hidden = false;
  setText(find("#title"), "This cannot be shown");
  setText(find(".why", place), why);
  const start = findAs(HTMLAnchorElement, ".start", place);
  start.hidden = !rulebook;
  if (!rulebook) return;
  start.href = `/study?game=${rulebook.id}`;
  setText(start, `Analyse ${capital(rulebook.id)} from the start`);
}
