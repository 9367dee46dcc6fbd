import { Problem } from "./api.js";

const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

/**
 * Does something that needs the server, and does it again for as long as what hinders it may pass.
 * @template Result
 * @param {() => Promise<Result>} act
 * @param {(problem: Problem) => void} tell Told each time what hinders it.
 * @param {AbortSignal} [signal]
 * @returns {Promise<Result>}
 */
export async function persist(act, tell, signal) {
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await act();
    } catch (error) {
      if (signal?.aborted || !(error instanceof Problem && error.passes)) throw error;
      tell(error);
      await delay(Math.max(pause, error.pause * 1000), signal);
      signal?.throwIfAborted();
    }
  }
}

/**
 * Waits for a while, or until the browser is online again.
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function delay(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end);
    signal?.addEventListener("abort", end);

    function end() {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal?.removeEventListener("abort", end);
      resolve();
    }
  });
}
