import { eventsOf } from "./store.js";

/** @import {Act, ClientMessage, ServerMessage} from "../types.js" */
/** @import {Link} from "./store.js" */

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const PING_MS = 20000;
const ANSWER_MS = 8000;
const HURRIED_ANSWER_MS = 2500;
const NO_SUCH_ROOM = 4404;
/** @type {Record<number, Link>} What a server that turns somebody away means by it. */
const REASONS = { 1013: "busy", 4403: "foreign", 4429: "crowded" };

/**
 * The wire to a room. It comes back by itself, says where it left off, and sends again what was not
 * answered: each action has an id, so the server never plays one twice.
 */
export class LiveRoom {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, Act>} */
  #unanswered = new Map();
  #pause = SHORTEST_PAUSE_MS;
  #isGreeting = false;
  #wasOpen = false;
  #retry = 0;
  #silence = 0;

  /**
   * @param {string} room
   * @param {object} ends
   * @param {() => string | null} ends.token
   * @param {() => number | null} ends.version The version of the last event that was seen.
   * @param {(message: ServerMessage) => void} ends.receive
   * @param {(link: Link) => void} ends.linked
   */
  constructor(room, ends) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.address = `${scheme}//${location.host}/api/rooms/${encodeURIComponent(room)}/live`;
    this.ends = ends;
    addEventListener("online", () => this.#hurry());
    // A server on this very machine may still answer: whether it does is asked, not assumed.
    addEventListener("offline", () => this.#socket && this.#ping(HURRIED_ANSWER_MS));
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#hurry());
    this.#connect();
  }

  /** @param {Act} act */
  send(act) {
    this.#unanswered.set(act.id, act);
    if (!this.#isGreeting) this.#write({ type: "action", ...act });
  }

  /** Comes again as somebody else, after a seat was taken. */
  reconnect() {
    const socket = this.#socket;
    this.#connect();
    socket?.close();
  }

  /** Tells the server who we are and what we have seen. */
  #greet() {
    this.#isGreeting = true;
    this.#write({ type: "hello", token: this.ends.token(), since: this.ends.version() });
  }

  #connect() {
    clearTimeout(this.#retry);
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.addEventListener("open", () => socket === this.#socket && this.#greet());
    socket.addEventListener("message", ({ data }) => socket === this.#socket && this.#receive(JSON.parse(data)));
    socket.addEventListener("close", ({ code }) => socket === this.#socket && this.#closed(code));
    this.#listen(ANSWER_MS);
  }

  /** @param {number} code */
  #closed(code) {
    this.#socket = null;
    clearTimeout(this.#silence);
    if (code === NO_SUCH_ROOM) {
      this.ends.linked("gone");
      return;
    }
    this.ends.linked(REASONS[code] ?? (this.#wasOpen ? "lost" : "unreachable"));
    // Everybody else in the house has lost the connection, too: not all come back in the same moment.
    this.#retry = window.setTimeout(() => this.#connect(), this.#pause * (0.5 + Math.random() / 2));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }

  /** Connects at once where a pause is going on, and makes sure of a connection that looks alive. */
  #hurry() {
    if (this.#socket) {
      this.#ping();
    } else if (this.#retry) {
      this.#pause = SHORTEST_PAUSE_MS;
      this.#connect();
    }
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    this.#listen(PING_MS);
    const seen = this.ends.version();
    // What is told to everybody meanwhile is also in the answer to the greeting.
    const isForAll = message.type === "event" || (message.type === "state" && message.state.you === null);
    if (this.#isGreeting && isForAll) return;
    this.#strike(message);
    if (isForAll && seen !== null) {
      const version = message.type === "event" ? message.event.version : message.state.view.version;
      const isOld = message.type === "event" ? version <= seen : version < seen;
      if (isOld) return;
      if (message.type === "event" && version > seen + 1) {
        this.#greet();
        return;
      }
    }
    if (message.type === "pong" && seen !== null && message.version > seen) this.#greet();
    this.ends.receive(message);
    if (message.type === "state" && this.#isGreeting) this.#resume();
  }

  /**
   * Forgets the actions that a message answers.
   * @param {ServerMessage} message
   */
  #strike(message) {
    const answered = message.type === "refused" ? [message.id] : eventsOf(message).map(({ id }) => id);
    for (const id of answered) if (id) this.#unanswered.delete(id);
  }

  /** Sends again what the answer to a greeting leaves unanswered. */
  #resume() {
    this.#isGreeting = false;
    this.#pause = SHORTEST_PAUSE_MS;
    this.#wasOpen = true;
    this.ends.linked("open");
    for (const act of this.#unanswered.values()) this.#write({ type: "action", ...act });
  }

  /**
   * After a while of silence a ping asks for an answer; without one the connection is given up.
   * @param {number} patience Milliseconds.
   */
  #listen(patience) {
    clearTimeout(this.#silence);
    const act = patience === PING_MS ? () => this.#ping() : () => this.#abandon();
    this.#silence = window.setTimeout(act, patience);
  }

  /** @param {number} [patience] Milliseconds. */
  #ping(patience = ANSWER_MS) {
    this.#write({ type: "ping" });
    this.#listen(patience);
  }

  #abandon() {
    const socket = this.#socket;
    this.#closed(0);
    socket?.close();
  }

  /** @param {ClientMessage} message */
  #write(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
