/** @import {Analysis, Review, ReviewedAction, ValuedAction} from "../types.js" */

/** @typedef {Pick<ValuedAction, "value" | "distance" | "estimate">} Worth */

/**
 * Whether anything can be said of what an action, or a position, is worth.
 * @param {Worth} worth
 */
export const isJudged = (worth) => weightOf(worth) > 0;

/**
 * Whether what is said is a guess, and must not be taken for a fact.
 * @param {Worth} worth
 */
export const isEstimate = (worth) => weightOf(worth) === 1;

/**
 * How much is known: nothing, an estimate, who wins, or also how soon.
 * @param {Worth} worth
 */
function weightOf({ value, distance, estimate }) {
  if (value === "unknown") return estimate === null ? 0 : 1;
  return distance === null ? 2 : 3;
}

/**
 * What is known after more was heard. A search that begins anew knows less at first than the one
 * before it did: a fact is never replaced by an estimate, and nothing that was shown disappears. Of
 * two estimates the later one counts.
 * @param {Analysis} news
 * @param {Analysis} [before]
 * @returns {Analysis}
 */
export function joinAnalyses(news, before) {
  const known = new Map(before?.actions.map((action) => [action.cell, action]));
  const actions = news.actions.map((action) => {
    const old = known.get(action.cell);
    return old && weightOf(old) > weightOf(action) ? old : action;
  });
  const isLess = before && weightOf(before) > weightOf(news);
  if (!isLess && actions.every((action, index) => action === news.actions[index])) return news;
  const { value, distance, estimate, sentence } = isLess ? before : news;
  return { ...news, value, distance, estimate, sentence, actions: actions.sort(byWorth) };
}

/**
 * Best first: short wins, what is likely, long losses.
 * @param {ValuedAction} one
 * @param {ValuedAction} other
 */
const byWorth = (one, other) => PLACES[one.value] - PLACES[other.value] || rankOf(one) - rankOf(other) || 0;
const PLACES = { win: 0, unknown: 1, loss: 2 };
const FAR = 1e9; // further than any distance

/** @param {ValuedAction} action */
function rankOf({ value, distance, estimate }) {
  if (value === "unknown") return -(estimate ?? 0);
  if (distance === null) return FAR;
  return value === "win" ? distance : -distance;
}

/**
 * What is known of a game after more was heard, likewise.
 * @param {Review} news
 * @param {Review | null} before
 * @returns {Review}
 */
export function joinReviews(news, before) {
  const actions = news.actions.map((action, index) => {
    const old = before?.actions[index];
    return old && knowledgeOf(old) > knowledgeOf(action) ? old : action;
  });
  return { ...news, actions };
}

/**
 * How much is known of an action: facts count most, then estimates, then explanations.
 * @param {ReviewedAction} action
 */
function knowledgeOf({ before, after, estimate_before, estimate_after, better, punishment }) {
  const facts = Number(before !== "unknown") + Number(after !== "unknown");
  const estimates = Number(estimate_before !== null) + Number(estimate_after !== null);
  return 100 * facts + 10 * estimates + Number(better.length > 0) + Number(punishment !== null);
}
