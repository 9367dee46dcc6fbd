import { element, find } from "../element.js";
import { fitLevels, sharesOf, standingsOf } from "../results.js";
import { boardOf, capital, countOf, dayOf } from "../text.js";
import { drawResults } from "./chart.js";

/** @import {KeptRoom} from "../kept-rooms.js" */
/** @import {Standing} from "../results.js" */

/**
 * Shows how somebody did against the computer, and soon which level to try.
 * @param {HTMLElement} section
 * @param {KeptRoom[]} rooms
 */
export async function showResults(section, rooms) {
  const standings = standingsOf(rooms);
  const key = JSON.stringify(standings);
  if (section.dataset.key === key) return; // so that focus stays, and what is open
  section.dataset.key = key;
  section.hidden = standings.length === 0;
  find(".standings", section).replaceChildren(...standings.map(card));
  if (standings.length === 0) return;
  const fitting = await fitLevels(standings);
  if (section.dataset.key !== key) return; // something else is shown by now
  section.querySelectorAll(".advice").forEach((advice, place) => {
    advice.textContent = fitting(standings[place].game, standings[place].size).text;
  });
}

/** @param {Standing} standing */
function card(standing) {
  const { game, size, results } = standing;
  const won = results.filter((result) => result.won).length;
  const shares = sharesOf(standing).map((share) => `${share.won} of ${share.games} at level ${share.level}`);
  const [begin, end] = [results[0], results[results.length - 1]].map(({ at }) => dayOf(at));
  return element("article", { class: "card" },
    element("h3", {}, `${capital(game)} ${boardOf(size)}: ${countOf(results.length, "game")}, ${won} won`),
    element("figure", {}, drawResults(standing),
      element("figcaption", { class: "quiet small" }, begin === end ? begin : `${begin} to ${end}`)),
    element("p", {}, `You won ${shares.join(", ")}.`),
    element("p", { class: "advice" }),
    element("details", {}, element("summary", {}, "Every game as a table"), table(standing)));
}

/** @param {Standing} standing */
function table({ game, size, results }) {
  const headings = ["Date", "Level", "Result"].map((text) => element("th", { scope: "col" }, text));
  const rows = results.toReversed().map(({ at, level, won }) =>
    element("tr", {}, ...[dayOf(at), String(level), won ? "won" : "lost"].map((text) => element("td", {}, text))));
  return element("table", {},
    element("caption", { class: "only-spoken" }, `${capital(game)} ${boardOf(size)}, the latest game first`),
    element("thead", {}, element("tr", {}, ...headings)),
    element("tbody", {}, ...rows));
}
