/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * What the server says begins small and has no full stop, as it may stand within a sentence.
 * @param {string} text
 */
export function sentence(text) {
  return /[.!?…]$/.test(text) ? capital(text) : `${capital(text)}.`;
}

/** What went wrong, as a sentence. @param {unknown} error */
export const messageOf = (error) => sentence(/** @type {Error} */ (error).message);

/** A size as people read it. @param {string} size */
export const boardOf = (size) => size.replace("x", " × ");

/**
 * @param {number} count
 * @param {string} noun
 */
export const countOf = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A day in a few words. @param {number} at Milliseconds. */
export const dayOf = (at) => new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
