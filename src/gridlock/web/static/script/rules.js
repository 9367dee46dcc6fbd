import "./masthead.js";
import { fetchGames } from "./api.js";
import { GridBoard } from "./board.js";
import { element, find, findAs, setText } from "./element.js";
import { linkGames } from "./game-links.js";
import { persist } from "./persist.js";
import { capital, messageOf } from "./text.js";

/** @import {Rulebook} from "./types.js" */

const NUMBERED = /^\d+\. /;
const DRAWN = /^ {4}/m;

const obstacle = find("#trouble");

async function begin() {
  const rulebooks = await persist(fetchGames, (problem) => setText(obstacle, `${messageOf(problem)} Trying again…`));
  setText(obstacle, "");
  const wanted = decodeURIComponent(location.pathname.split("/")[2] ?? rulebooks[0].id);
  show(linkGames(find("#games"), rulebooks, "/rules", wanted));
  find("#main").classList.remove("empty");
}

/** @param {Rulebook} rulebook */
function show({ id, title, about, rules, sample, symbols, counting, has_lesson: hasLesson }) {
  // Four of the five are called GridLock: the name that each goes by here tells them apart.
  document.title = `${capital(id)}: the rules – GridLock`;
  find("#title").textContent = capital(id);
  find("#full-title").textContent = title;
  find("#about").textContent = `${about}.`;
  find("#rules").replaceChildren(...rules.trimEnd().split(/\n\s*\n/).map(block));
  findAs(HTMLAnchorElement, "#play").href = `/?game=${id}`;
  findAs(HTMLAnchorElement, "#learn").href = `/learn/${id}`;
  find("#learn").hidden = !hasLesson;
  findAs(HTMLAnchorElement, "#analyse").href = `/study?game=${id}`;
  findAs(GridBoard, "grid-board").show({ board: sample, symbols, counting, mini: true, open: true, label: `A position of ${id}` });
  find("figcaption").textContent =
    `${symbols[sample.mover - 1]} is to move and may choose a cell with a dot.`
    + (/[^.]/.test(sample.closed_to) ? " Hatched cells are closed." : "")
    + (sample.cells.includes("#") ? " Dark cells are blocked." : "");
}

/**
 * A paragraph, a numbered list, or a drawing: what is indented is drawn with characters.
 * @param {string} text
 */
function block(text) {
  if (DRAWN.test(text) && !NUMBERED.test(text)) return element("pre", { tabIndex: 0 }, text.replace(/^ {4}/gm, ""));
  if (!NUMBERED.test(text)) return element("p", {}, text.replace(/\s+/g, " "));
  const items = text.split(/\n(?=\d+\. )/);
  return element("ol", {}, ...items.map((item) => element("li", {}, item.replace(NUMBERED, "").replace(/\s+/g, " "))));
}

begin().catch((error) => setText(obstacle, messageOf(error)));
