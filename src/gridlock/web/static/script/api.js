/** @import {Analysis, Review, Rulebook, State} from "./types.js" */

/** A refusal: `message` is a sentence to show, `code` is stable. */
export class Problem extends Error {
  /** @param {{status: number, detail?: string, title?: string, code?: string}} problem */
  constructor(problem) {
    super(problem.detail || problem.title || "Something went wrong.");
    this.status = problem.status;
    this.code = problem.code || "";
  }
}

const BUSY = [429, 503];
const PATIENCE = 2;

/**
 * @param {string} path
 * @param {{body?: object, token?: string | null, signal?: AbortSignal}} [options]
 * @param {number} [patience] How often a question is asked again that finds the server busy.
 * @returns {Promise<any>}
 */
async function request(path, { body, token, signal } = {}, patience = PATIENCE) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem({ status: 0, code: "offline", detail: "The server cannot be reached." });
  }
  const pause = Number(response.headers.get("Retry-After"));
  if (!body && patience > 0 && BUSY.includes(response.status) && pause) {
    await new Promise((resume) => setTimeout(resume, pause * 1000));
    signal?.throwIfAborted();
    return request(path, { token, signal }, patience - 1);
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem({ ...answer, status: response.status });
  return answer;
}

/** @param {string} room */
const roomPath = (room) => `/api/rooms/${encodeURIComponent(room)}`;

/** @returns {Promise<Rulebook[]>} */
export const fetchGames = () => request("/api/games");

/**
 * @param {object} terms
 * @returns {Promise<{token: string, invite: string | null, state: State}>}
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
 * @param {string} invite
 * @param {string} name
 * @param {string} token The guest's own: it may be sent again where the answer was lost.
 * @returns {Promise<{token: string, state: State}>}
 */
export const joinRoom = (room, invite, name, token) =>
  request(`${roomPath(room)}/join`, { body: { invite, name, token } });

/**
 * @param {string} room
 * @param {string} token
 * @returns {Promise<{cell: string, text: string}>}
 */
export const fetchHint = (room, token) => request(`${roomPath(room)}/hint`, { body: {}, token });

/**
 * @param {string} room
 * @param {number} number
 */
export const recordPath = (room, number) => `${roomPath(room)}/record?number=${number}`;

/**
 * @param {string} room
 * @param {number} number
 * @returns {Promise<Review>}
 */
export const fetchReview = (room, number) => request(`${roomPath(room)}/review?number=${number}`);

/**
 * @param {URLSearchParams} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Analysis>}
 */
export const fetchAnalysis = (query, signal) => request(`/api/analysis?${query}`, { signal });
