/** Days as they are written, such as `2026-11-18`. */

const DAY_MS = 86_400_000;

/**
 * @param {string} day
 * @param {number} count May be negative.
 */
export const dayAfter = (day, count) => new Date(timeOf(day) + count * DAY_MS).toISOString().slice(0, 10);

/**
 * How many days it is until a day; fewer than none where it is past.
 * @param {string} day
 * @param {string} today
 */
export const daysUntil = (day, today) => (timeOf(day) - timeOf(today)) / DAY_MS;

/** @param {string} day */
const timeOf = (day) => Date.parse(`${day}T00:00Z`);
