import { isEstimate, isJudged } from "./knowledge.js";

/** @import {Note} from "../board-cell.js" */
/** @import {Analysis, ValuedAction} from "../types.js" */

const VERBS = { win: "wins", loss: "loses", unknown: "unknown" };

/**
 * What each cell is worth, written on it: quick wins, long losses and likely wins stand out. While the
 * search goes on, a cell about which nothing is known has no note.
 * @param {Analysis} analysis
 * @returns {Map<string, Note>}
 */
export function notesOf({ actions, complete }) {
  const ranges = { win: rangeOf(actions, "win"), loss: rangeOf(actions, "loss"), unknown: null };
  const noted = complete ? actions : actions.filter(isJudged);
  return new Map(noted.map((action) => {
    const { cell, value, distance, label } = action;
    if (isEstimate(action)) {
      return [cell, { text: label, kind: "estimate", strength: action.estimate ?? 0, words: estimateOf(action) }];
    }
    const words = distance === null ? VERBS[value] : `${VERBS[value]} in ${distance}`;
    return [cell, { text: label, kind: value, strength: strengthOf(action, ranges[value]), words }];
  }));
}

/**
 * A chance in per cent: what is not proved is never 0 or 100.
 * @param {number} chance
 */
export const percentOf = (chance) => Math.min(99, Math.max(1, Math.round(100 * chance)));

/**
 * An estimate in words: the number is that of the label.
 * @param {Pick<ValuedAction, "label">} action
 */
export const estimateOf = ({ label }) => `estimated at about ${label.replace("~", "")} per cent`;

/**
 * How far the search has come, or what it has not found out.
 * @param {Analysis} analysis
 */
export function progressOf({ actions, complete, unsolved }) {
  const all = actions.length;
  const solved = actions.filter(({ value }) => value !== "unknown").length;
  const measured = actions.filter(({ distance }) => distance !== null).length;
  const estimated = actions.filter(isEstimate).length;
  if (!complete) {
    const known = solved < all ? `${solved} of ${all}` : `${measured} of ${all} distances`;
    return `Searching… ${known} known${estimated ? `, ${estimated} estimated` : ""}`;
  }
  if (unsolved) return unsolved;
  if (solved === all) return all ? `All ${all} cells are solved.` : "";
  const others = estimated ? "estimated" : "unknown";
  if (solved === 0) return `No cell is solved: all are ${others}.`;
  return `${solved} of ${all} cells ${solved === 1 ? "is" : "are"} solved, the others are ${others}.`;
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
