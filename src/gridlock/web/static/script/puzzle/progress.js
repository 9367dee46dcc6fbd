import { puzzleText, rememberPuzzles, setPuzzlesAside } from "../memory.js";
import { dayAfter } from "./day.js";

/** @import {PuzzleRating, Rated} from "../types.js" */
/** @import {Mistake} from "./mistakes.js" */

/**
 * How somebody gets on with puzzles, by the same rules as in the terminal. It is read and written
 * as a whole without a pause between, so that two tabs at once lose nothing.
 *
 * @typedef {object} Progress
 * @property {PuzzleRating | null} rating Null before anything was rated.
 * @property {string} shown The rating as people see it.
 * @property {Record<string, boolean>} seen The puzzles that were tried, and whether the first try was right.
 * @property {Record<string, boolean>} days The days whose puzzle was tried, and whether it was solved without a mistake.
 * @property {number} streak How many rated puzzles in a row were solved without a mistake.
 * @property {number} longest
 * @property {Result[]} unrated First tries that the server has yet to rate, in their order.
 * @property {KeptAttempt[]} attempts The latest last.
 * @property {Mistake[]} mistakes Somebody's own, which were not always kept.
 *
 * @typedef {{id: string, solved: boolean}} Result
 *
 * @typedef {object} KeptAttempt How far somebody had come, so that a reload goes on from there.
 * @property {string} key The puzzle, or the day of a daily one.
 * @property {string[]} found
 * @property {number} mistakes
 * @property {boolean} isGivenUp
 */

const VERSION = 1;
const MOST_ATTEMPTS = 50;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** The ratings that the server takes. */
const LEAST = { rating: 0, deviation: 1, volatility: 0.001 };
const MOST = { rating: 4000, deviation: 350, volatility: 1 };

/** @type {Progress} */
const NOTHING = { rating: null, shown: "", seen: {}, days: {}, streak: 0, longest: 0, unrated: [], attempts: [], mistakes: [] };

/** @returns {Progress} What is kept; nothing if there is none, or what there is is damaged. */
export function loadProgress() {
  return readProgress(puzzleText()) ?? NOTHING;
}

/**
 * Changes what is kept, and returns it.
 * @param {(now: Progress) => Progress} change
 */
export function updateProgress(change) {
  const text = puzzleText();
  if (text !== null && !readProgress(text)) setPuzzlesAside(text);
  const changed = change(readProgress(text) ?? NOTHING);
  rememberPuzzles(JSON.stringify({ version: VERSION, ...changed }));
  return changed;
}

/**
 * @param {string | null} text
 * @returns {Progress | null} Null where it cannot be read.
 */
export function readProgress(text) {
  try {
    const { version, ...told } = JSON.parse(text ?? "null");
    const kept = { mistakes: [], ...told };
    const isSound = version === VERSION
      && (kept.rating === null || isRating(kept.rating))
      && typeof kept.shown === "string"
      && isRecord(kept.seen) && isRecord(kept.days) && Object.keys(kept.days).every((day) => DATE.test(day))
      && isCount(kept.streak) && isCount(kept.longest)
      && kept.unrated.every((/** @type {any} */ { id, solved }) => typeof id === "string" && typeof solved === "boolean")
      && kept.attempts.every(isAttempt)
      && kept.mistakes.every(isMistake);
    return isSound ? kept : null;
  } catch {
    return null;
  }
}

/** @param {any} rating */
function isRating(rating) {
  const names = /** @type {(keyof PuzzleRating)[]} */ (Object.keys(LEAST));
  return names.every((name) => rating[name] >= LEAST[name] && rating[name] <= MOST[name] && typeof rating[name] === "number");
}

/** @param {any} record */
const isRecord = (record) => Object.values(record).every((value) => typeof value === "boolean") && !Array.isArray(record);

/** @param {any} count */
const isCount = (count) => Number.isInteger(count) && count >= 0;

/** @param {any} attempt */
function isAttempt({ key, found, mistakes, isGivenUp }) {
  return typeof key === "string" && found.every((/** @type {any} */ cell) => typeof cell === "string")
    && isCount(mistakes) && typeof isGivenUp === "boolean";
}

/** @param {any} mistake */
function isMistake({ game, position, winning, due, solved }) {
  return [game, position, winning].every((text) => typeof text === "string") && DATE.test(due) && isCount(solved);
}

/**
 * The progress after a try at a puzzle, which may be that of a day; only the first of each counts.
 * @param {Progress} now
 * @param {string} id
 * @param {boolean} solved
 * @param {string | null} date
 * @returns {Progress}
 */
export function settled(now, id, solved, date) {
  const days = date === null ? now.days : { [date]: solved, ...now.days };
  if (Object.hasOwn(now.seen, id)) return { ...now, days };
  return { ...now, days, seen: { ...now.seen, [id]: solved }, unrated: [...now.unrated, { id, solved }] };
}

/**
 * The progress after the server has rated the first of what waited, unless another tab was faster.
 * @param {Progress} now
 * @param {Result} result
 * @param {PuzzleRating | null} before The rating that the server was told.
 * @param {Rated | null} rated Null where the puzzle is no more.
 * @returns {Progress}
 */
export function afterRating(now, result, before, rated) {
  const [first, ...unrated] = now.unrated;
  const isSame = first?.id === result.id && now.rating?.rating === before?.rating;
  if (!isSame) return now;
  if (!rated) return { ...now, unrated };
  const { rating, shown, streak } = rated;
  return { ...now, unrated, rating, shown, streak, longest: Math.max(now.longest, streak) };
}

/**
 * For how many days in a row the daily puzzle was solved, today or until today.
 * @param {Progress} progress
 * @param {string} today
 */
export function dailyStreak({ days }, today) {
  let day = Object.hasOwn(days, today) ? today : dayAfter(today, -1);
  let streak = 0;
  for (; days[day]; day = dayAfter(day, -1)) streak += 1;
  return streak;
}

/** The visitor's own date. @param {Date} [now] */
export function dateOf(now = new Date()) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * @param {Progress} progress
 * @param {string} key
 * @returns {KeptAttempt}
 */
export function attemptOf({ attempts }, key) {
  return attempts.find((kept) => kept.key === key) ?? { key, found: [], mistakes: 0, isGivenUp: false };
}

/**
 * The progress with an attempt as it is now. Wrong tries in another tab are not forgotten.
 * @param {Progress} now
 * @param {KeptAttempt} attempt
 * @returns {Progress}
 */
export function withAttempt(now, attempt) {
  const others = now.attempts.filter(({ key }) => key !== attempt.key);
  const mistakes = Math.max(attemptOf(now, attempt.key).mistakes, attempt.mistakes);
  return { ...now, attempts: [...others, { ...attempt, mistakes }].slice(-MOST_ATTEMPTS) };
}
