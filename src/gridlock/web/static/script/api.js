/** @import {Analysis, Board, Hint, Lesson, ProblemReport, Review, Rulebook, State} from "./types.js" */
/** @import {FittingLevel, Joined, Joining, LevelQuestion, MadeRoom, NewRoom} from "./types.js" */
/** @import {DailyPuzzle, Puzzle, PuzzleCollection, PuzzleResult, PuzzleWishes} from "./types.js" */
/** @import {Rated, ShareText, Solution, Tried, Try} from "./types.js" */
/** @import {Mistake} from "./puzzle/mistakes.js" */

/**
 * A refusal: `message` is a sentence to show, `code` is stable. One that `passes` is worth asking
 * again, after `pause` seconds where the server says so.
 */
export class Problem extends Error {
  /** @param {Partial<ProblemReport> & {status: number, pause?: number}} problem */
  constructor({ status, detail, code = "", pause = 0 }) {
    super(detail || `The server answers with an error (${status}).`);
    this.status = status;
    this.code = code;
    this.pause = pause;
  }

  get passes() {
    return PASSING.includes(this.status);
  }
}

const OFFLINE = 0;
const PASSING = [OFFLINE, 429, 502, 503, 504];
const PATIENCE = 2;

/**
 * Asks the server, and returns its answer unless that is a refusal.
 * @param {string} path
 * @param {{body?: object, token?: string | null, signal?: AbortSignal}} [options]
 */
async function ask(path, { body, token, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const response = await reaching(signal, () => fetch(path, {
    method: body ? "POST" : "GET",
    headers,
    body: body && JSON.stringify(body),
    signal,
  }));
  if (response.ok) return response;
  /** @type {Partial<ProblemReport>} */
  const answer = await response.json().catch(() => ({}));
  const pause = Number(response.headers.get("Retry-After")) || 0;
  throw new Problem({ ...answer, status: response.status, pause });
}

/**
 * Does something that needs the server; where it fails and was not called off, nobody is there.
 * @template Answer
 * @param {AbortSignal | undefined} signal
 * @param {() => Promise<Answer>} act
 * @returns {Promise<Answer>}
 */
async function reaching(signal, act) {
  try {
    return await act();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem({ status: OFFLINE, code: "offline", detail: "The server cannot be reached." });
  }
}

/**
 * @param {string} path
 * @param {{body?: object, token?: string | null, signal?: AbortSignal}} [options]
 * @param {number} [patience] How often a question is asked again that finds the server busy.
 * @returns {Promise<any>}
 */
async function request(path, options = {}, patience = PATIENCE) {
  try {
    const response = await ask(path, options);
    return await reaching(options.signal, () => response.json());
  } catch (error) {
    const isBusy = error instanceof Problem && error.pause > 0;
    if (!isBusy || options.body || patience === 0) throw error;
    await new Promise((resume) => setTimeout(resume, error.pause * 1000));
    options.signal?.throwIfAborted();
    return request(path, options, patience - 1);
  }
}

/** @param {string} path */
async function requestText(path) {
  const response = await ask(path);
  return reaching(undefined, () => response.text());
}

/** @param {string} room */
const roomPath = (room) => `/api/rooms/${encodeURIComponent(room)}`;

/**
 * Asks once: the pages that cannot do without the answer persist, and say what hinders them.
 * @returns {Promise<Rulebook[]>}
 */
export const fetchGames = () => request("/api/games", {}, 0);

/**
 * Asks once, as `fetchGames` does.
 * @param {string} game
 * @returns {Promise<Lesson>}
 */
export const fetchLesson = (game) => request(`/api/lessons/${encodeURIComponent(game)}`, {}, 0);

/**
 * Where a game begins: on a board of some size, or at a position.
 * @param {{game: string, size: string} | {game: string, position: string}} where
 * @param {AbortSignal} [signal]
 * @returns {Promise<Board>}
 */
export const fetchStart = (where, signal) => request(`/api/start?${new URLSearchParams(where)}`, { signal }, 0);

/**
 * @param {NewRoom} terms
 * @returns {Promise<MadeRoom>}
 */
export const openRoom = (terms) => request("/api/rooms", { body: terms });

/**
 * @param {string} room
 * @param {string | null} token
 * @returns {Promise<State>}
 */
export const fetchRoom = (room, token) => request(roomPath(room), { token });

/**
 * @param {string} room
 * @param {Joining} guest
 * @returns {Promise<Joined>}
 */
export const joinRoom = (room, guest) => request(`${roomPath(room)}/join`, { body: guest });

/**
 * @param {string} room
 * @param {string} token
 * @returns {Promise<Hint>}
 */
export const fetchHint = (room, token) => request(`${roomPath(room)}/hint`, { body: {}, token });

/**
 * @param {string} room
 * @param {number} number
 */
export const recordPath = (room, number) => `${roomPath(room)}/record?number=${number}`;

/**
 * @param {LevelQuestion} played
 * @returns {Promise<FittingLevel[]>}
 */
export const fetchLevels = (played) => request("/api/levels", { body: played });

/**
 * A game of a room as its record.
 * @param {string} room
 * @param {number} number
 */
export const fetchRecord = (room, number) => requestText(recordPath(room, number));

/**
 * The moves that lead to a position as the record of a game.
 * @param {URLSearchParams} query
 */
export const writeRecord = (query) => requestText(`/api/record?${query}`);

/** @returns {Promise<PuzzleCollection>} */
export const fetchPuzzles = () => request("/api/puzzles", {}, 0);

/**
 * @param {string} date The visitor's own.
 * @returns {Promise<DailyPuzzle>}
 */
export const fetchDaily = (date) => request(`/api/daily?${new URLSearchParams({ date })}`, {}, 0);

/**
 * @param {PuzzleWishes} wishes
 * @returns {Promise<Puzzle>}
 */
export const fetchNext = (wishes) => request("/api/puzzles/next", { body: wishes });

/**
 * A puzzle as the server knows it: by its id, or a mistake of somebody's own by all that it is.
 * @typedef {string | Pick<Mistake, "game" | "position" | "winning">} PuzzleName
 */

/**
 * @param {PuzzleName} puzzle
 * @param {string} part
 * @param {string[]} found
 * @param {Record<string, string>} [others]
 */
function puzzlePath(puzzle, part, found, others = {}) {
  const query = new URLSearchParams(others);
  for (const cell of found) query.append("found", cell);
  if (typeof puzzle === "string") return `/api/puzzles/${encodeURIComponent(puzzle)}${part}?${query}`;
  const { game, position, winning } = puzzle;
  for (const [name, text] of Object.entries({ game, position, winning })) query.set(name, text);
  return `/api/mistakes${part}?${query}`;
}

/**
 * @param {PuzzleName} puzzle
 * @param {string[]} found
 * @returns {Promise<Puzzle>}
 */
export const fetchPuzzle = (puzzle, found) => request(puzzlePath(puzzle, "", found), {}, 0);

/**
 * @param {PuzzleName} puzzle
 * @param {Try} tried
 * @returns {Promise<Tried>}
 */
export const tryCell = (puzzle, tried) => request(puzzlePath(puzzle, "/tries", []), { body: tried });

/**
 * @param {PuzzleName} puzzle
 * @param {string[]} found
 * @returns {Promise<Solution>}
 */
export const fetchSolution = (puzzle, found) => request(puzzlePath(puzzle, "/solution", found));

/**
 * A result as a text for friends.
 * @param {string} puzzle
 * @param {string[]} found
 * @param {Record<string, string>} result
 * @returns {Promise<ShareText>}
 */
export const fetchShare = (puzzle, found, result) => request(puzzlePath(puzzle, "/share", found, result));

/**
 * @param {string} puzzle
 * @param {PuzzleResult} result
 * @returns {Promise<Rated>}
 */
export const rateResult = (puzzle, result) => request(puzzlePath(puzzle, "/rating", []), { body: result });

/**
 * Follows the review of a game of a room, as `follow` does.
 * @param {string} room
 * @param {number} number
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Review>}
 */
export const followReview = (room, number, signal) => follow(`${roomPath(room)}/review/stream?number=${number}`, signal);

/**
 * Follows the analysis of a position, as `follow` does.
 * @param {URLSearchParams} query
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Analysis>}
 */
export const followAnalysis = (query, signal) => follow(`/api/analysis/stream?${query}`, signal);

/**
 * Follows a search: what is known at once, then more and more, until it is `complete`. Calling it
 * off ends the search on the server too.
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<any>}
 */
async function* follow(path, signal) {
  const response = await ask(path, { signal });
  const body = /** @type {ReadableStream<any>} */ (response.body);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reaching(signal, () => reader.read());
    if (done) break;
    const lines = (text + value).split("\n");
    text = lines.pop() ?? "";
    const latest = lines.findLast(Boolean); // of several that came together
    if (!latest) continue;
    const found = JSON.parse(latest);
    yield found;
    if (found.complete) return;
  }
  throw new Problem({ status: OFFLINE, code: "offline", detail: "The connection was lost." });
}
