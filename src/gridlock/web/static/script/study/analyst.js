import { Problem, followAnalysis } from "../api.js";
import { delay, persist } from "../persist.js";
import { joinAnalyses } from "./knowledge.js";

/** @import {Analysis} from "../types.js" */

const SHORTEST_GAP_MS = 150; // between two questions: whoever steps on quickly waits for none of them
const MOST_KNOWN = 100_000; // cells, of all lines together: some ten megabytes

/**
 * Finds out about one position at a time, and remembers what it learnt of the last ones. It asks
 * again by itself when the server is busy or cannot be reached.
 */
export class Analyst {
  /** @type {Map<string, Analysis>} */
  #known = new Map();
  /** How many cells are named in all that is known. */
  #size = 0;
  /** @type {AbortController | null} */
  #asking = null;
  /** When the next question may be asked. */
  #earliest = 0;

  /**
   * @param {object} ends
   * @param {(analysis: Analysis) => void} ends.learn Handed what is known, each time that more is.
   * @param {(problem: Problem) => void} ends.fail Told why there is no answer; none yet, if that passes.
   */
  constructor({ learn, fail }) {
    this.learn = learn;
    this.fail = fail;
  }

  /**
   * Asks about a position, and no longer about the one before.
   * @param {URLSearchParams} query
   */
  async ask(query) {
    this.stop();
    const known = this.#known.get(String(query));
    if (known) this.learn(known);
    if (known?.complete) return;
    const { signal } = (this.#asking = new AbortController());
    const gap = this.#earliest - performance.now();
    if (gap > 0) await delay(gap, signal);
    if (signal.aborted) return;
    this.#earliest = performance.now() + SHORTEST_GAP_MS;
    try {
      await persist(() => this.#follow(query, signal), this.fail, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      this.fail(error);
    }
  }

  /** Asks no more: the server gives the search up. */
  stop() {
    this.#asking?.abort();
    this.#asking = null;
  }

  /**
   * @param {URLSearchParams} query
   * @param {AbortSignal} signal
   */
  async #follow(query, signal) {
    const key = String(query);
    for await (const news of followAnalysis(query, signal)) {
      if (signal.aborted) return;
      this.learn(this.#remember(key, news));
    }
  }

  /**
   * @param {string} key
   * @param {Analysis} news
   */
  #remember(key, news) {
    const analysis = joinAnalyses(news, this.#known.get(key));
    this.#forget(key); // so that the latest is the last
    this.#known.set(key, analysis);
    this.#size += sizeOf(analysis);
    for (const oldest of this.#known.keys()) {
      if (this.#size <= MOST_KNOWN || oldest === key) break;
      this.#forget(oldest);
    }
    return analysis;
  }

  /** @param {string} key */
  #forget(key) {
    const known = this.#known.get(key);
    if (known) this.#size -= sizeOf(known);
    this.#known.delete(key);
  }
}

/** @param {Analysis} analysis */
const sizeOf = ({ actions }) => actions.reduce((sum, { line }) => sum + 1 + line.length, 0);
