/** Addresses of pages that others lead to. */

/**
 * Commas and slashes may stand in a query as they are, and people like to read them.
 * @param {URLSearchParams | string} query
 */
export const readable = (query) => String(query).replaceAll("%2C", ",").replaceAll("%2F", "/");

/**
 * Where a game is set up that begins at a position.
 * @param {string} game
 * @param {string} position
 */
export const playAddress = (game, position) => `/?${readable(new URLSearchParams({ game, position }))}`;
