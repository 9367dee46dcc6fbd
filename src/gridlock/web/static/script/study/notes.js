/** @import {Note} from "../board-cell.js" */
/** @import {Analysis, ValuedAction} from "../types.js" */

const VERBS = { win: "wins", loss: "loses", unknown: "unknown" };

/**
 * What each cell is worth, written on it: quick wins and long losses stand out. While the search
 * goes on, a cell about which nothing is known has no note.
 * @param {Analysis} analysis
 * @returns {Map<string, Note>}
 */
export function notesOf({ actions, complete }) {
  const ranges = { win: rangeOf(actions, "win"), loss: rangeOf(actions, "loss"), unknown: null };
  const noted = complete ? actions : actions.filter(({ value }) => value !== "unknown");
  return new Map(noted.map((action) => {
    const { cell, value, distance, label } = action;
    const words = distance === null ? VERBS[value] : `${VERBS[value]} in ${distance}`;
    return [cell, { text: label, kind: value, strength: strengthOf(action, ranges[value]), words }];
  }));
}

/**
 * How far the search has come, or why it ended before everything was known.
 * @param {Analysis} analysis
 */
export function progressOf({ actions, complete, limit }) {
  const all = actions.length;
  const solved = actions.filter(({ value }) => value !== "unknown").length;
  const measured = actions.filter(({ distance }) => distance !== null).length;
  if (!complete) return solved < all ? `Searching… ${solved} of ${all} known` : `Searching… ${measured} of ${all} distances known`;
  if (!limit || measured === all) return "";
  return solved < all
    ? `${all - solved} of ${all} cells are unknown (${limit}).`
    : `${all - measured} of ${all} distances are unknown (${limit}).`;
}

/**
 * @param {ValuedAction[]} actions
 * @param {"win" | "loss"} value
 * @returns {[number, number] | null}
 */
function rangeOf(actions, value) {
  const distances = actions.flatMap((action) =>
    action.value === value && action.distance !== null ? [action.distance] : []);
  return distances.length ? [Math.min(...distances), Math.max(...distances)] : null;
}

/**
 * @param {ValuedAction} action
 * @param {[number, number] | null} range
 */
function strengthOf({ value, distance }, range) {
  if (distance === null || !range) return 0.5;
  const [least, most] = range;
  if (least === most) return 1;
  const share = (distance - least) / (most - least);
  return value === "win" ? 1 - share : share;
}
