import { svg } from "../svg.js";
import { dayOf } from "../text.js";

/** @import {Standing} from "../results.js" */

const MOST_DRAWN = 30; // games: as many as can be told apart on a phone
const COLUMN = 12;
const ROW = 18;
const MARGIN = 24;
const RADIUS = 4;

/**
 * The latest results over time: one column per game, one row per level.
 * @param {Standing} standing
 * @returns {SVGSVGElement}
 */
export function drawResults({ results }) {
  const latest = results.slice(-MOST_DRAWN);
  const levels = latest.map(({ level }) => level);
  const highest = Math.max(...levels);
  const lowest = Math.min(...levels);
  const y = (/** @type {number} */ level) => (highest - level + 0.5) * ROW;
  const x = (/** @type {number} */ place) => MARGIN + (place + 0.5) * COLUMN;
  const width = MARGIN + MOST_DRAWN * COLUMN;
  const rows = Array.from({ length: highest - lowest + 1 }, (_, place) => highest - place);
  const drawing = svg("svg", {
    class: "chart", role: "img", viewBox: `0 0 ${width} ${rows.length * ROW}`,
    "aria-label": `The last ${latest.length} games, from ${dayOf(latest[0].at)} to ${dayOf(latest[latest.length - 1].at)}`,
  });
  for (const level of rows) {
    drawing.append(
      svg("text", { x: 0, y: y(level), "dominant-baseline": "central" }, String(level)),
      svg("line", { x1: MARGIN - COLUMN / 2, y1: y(level), x2: width, y2: y(level) }));
  }
  latest.forEach(({ level, won }, place) => drawing.append(
    svg("circle", { class: won ? "won" : "lost", cx: x(place), cy: y(level), r: RADIUS })));
  return drawing;
}
