import { sentence } from "../text.js";
import { answerOf } from "./sentences.js";

/** @import {Act, EventMessage, GameEvent, ServerMessage, State} from "../types.js" */

/**
 * @typedef {"connecting" | "open" | "lost" | "unreachable" | "busy" | "crowded" | "foreign" | "gone"} Link
 *
 * @typedef {object} Model All that the page of a room shows.
 * @property {State | null} state
 * @property {Link} link
 * @property {[boolean, boolean] | null} here Whether the seats' players are connected, once it was told.
 * @property {number} watchers
 * @property {Act | null} pending What was done here last, until it is answered.
 * @property {boolean} isSlow Whether that takes so long that it is said.
 * @property {boolean} isDelayed Whether the server says that moves may come late.
 * @property {Notice | null} notice
 * @property {string | null} hint A cell that is recommended now.
 * @property {number} skew Milliseconds by which the server's clock is ahead of this browser's.
 *
 * @typedef {object} Notice Stands in for the status until something happens.
 * @property {string} text
 * @property {boolean} isRefusal
 * @property {boolean} [stays] Whether it stays for longer than a few seconds while a game goes on.
 *
 * @typedef {ServerMessage
 *   | {type: "link", link: Link}
 *   | {type: "sent", act: Act}
 *   | {type: "slow"}
 *   | {type: "said", text: string, isRefusal?: boolean, stays?: boolean}
 *   | {type: "faded", notice: Notice}
 *   | {type: "hinted", cell: string, text: string}} Message
 */

/** @type {Model} */
const NOTHING = {
  state: null, link: "connecting", here: null, watchers: 0,
  pending: null, isSlow: false, isDelayed: false, notice: null, hint: null, skew: -Infinity,
};

/**
 * The events that a message tells.
 * @param {Message} message
 * @returns {GameEvent[]}
 */
export function eventsOf(message) {
  if (message.type === "event") return [message.event];
  return message.type === "state" ? message.missed ?? [] : [];
}

/**
 * Returns what the page shows after a message; what it showed before is left as it is.
 * @param {Model} model
 * @param {Message} message
 * @returns {Model}
 */
function reduce(model, message) {
  switch (message.type) {
    case "state":
      return answered(
        moved({ ...model, skew: -Infinity }, { ...message.state, you: message.state.you ?? model.state?.you ?? [] }),
        model, eventsOf(message));
    case "event":
      if (!model.state) return model;
      return answered(moved(model, grown(model.state, message)), model, eventsOf(message));
    case "refused":
      return { ...model, pending: null, isSlow: false, notice: { text: sentence(message.detail), isRefusal: true } };
    case "watching":
      return { ...model, watchers: message.watchers, here: message.here };
    case "link":
      return { ...model, link: message.link, isDelayed: model.isDelayed && message.link === "open" };
    case "delay":
      return { ...model, isDelayed: message.delayed };
    case "sent": {
      // A hint stays until the choice is answered: until then nothing new can be said.
      const isKept = message.act.do === "play" && !model.notice?.isRefusal;
      return { ...model, pending: message.act, isSlow: false, notice: isKept ? model.notice : null };
    }
    case "slow":
      return { ...model, isSlow: true };
    case "said":
      return { ...model, notice: { text: message.text, isRefusal: message.isRefusal ?? false, stays: message.stays } };
    case "faded":
      return model.notice === message.notice ? { ...model, notice: null } : model;
    case "hinted":
      return { ...model, hint: message.cell, notice: { text: `Hint: ${sentence(message.text)}`, isRefusal: false, stays: true } };
    default:
      return model;
  }
}

/**
 * @param {Model} model
 * @param {State} state
 * @returns {Model}
 */
function moved(model, state) {
  const before = model.state?.view;
  const { view } = state;
  const isSame = before && before.number === view.number && before.ply === view.ply && before.status === view.status;
  return {
    ...model,
    state,
    // Every message is late by its way here, so the largest difference is nearest to the truth.
    skew: Math.max(model.skew, view.now - Date.now()),
    pending: isSame ? model.pending : null,
    isSlow: isSame ? model.isSlow : false,
    notice: isSame ? model.notice : null,
    hint: isSame ? model.hint : null,
  };
}

/**
 * Strikes out what was done here, and tells the one who asked that it was refused.
 * @param {Model} model
 * @param {Model} before
 * @param {GameEvent[]} events
 * @returns {Model}
 */
function answered(model, before, events) {
  const isDone = events.some(({ id }) => id && id === model.pending?.id);
  const after = isDone ? { ...model, pending: null, isSlow: false } : model;
  const event = events.at(-1);
  const text = before.state && event && answerOf(before.state, event);
  return text ? { ...after, notice: { text, isRefusal: true } } : after;
}

/**
 * @param {State} state
 * @param {EventMessage} message
 * @returns {State}
 */
function grown(state, { view, move }) {
  if (!move) return { ...state, view };
  return { ...state, view, moves: [...state.moves, move.cell], movers: [...state.movers, move.player] };
}

/** The one place where the state of a room lives. */
export class RoomStore {
  /** @type {Set<(model: Model, before: Model, message: Message) => void>} */
  #followers = new Set();
  model = NOTHING;

  /** @param {(model: Model, before: Model, message: Message) => void} follower */
  follow(follower) {
    this.#followers.add(follower);
  }

  /** @param {Message} message */
  dispatch(message) {
    const before = this.model;
    this.model = reduce(before, message);
    for (const follower of this.#followers) follower(this.model, before, message);
  }
}
