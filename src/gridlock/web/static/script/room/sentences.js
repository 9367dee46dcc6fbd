import { capital, sentence } from "../text.js";

/** @import {KeptRoom} from "../kept-rooms.js" */
/** @import {ClockTerms, Effect, GameEvent, Player, State} from "../types.js" */
/** @import {Link, Model} from "./store.js" */

/** What the page of a room says to the one who looks; what is the same for everybody is the server's to say. */

/**
 * @param {State} state
 * @param {Player} player
 */
export function nameOf(state, player) {
  const { kind, name, taken } = state.seats[player - 1];
  if (!taken) return isWatching(state) ? "A free seat" : "Your friend";
  if (kind === "computer") return capital(name);
  return name;
}

/** @param {State} state */
export const isMyTurn = ({ view, you }) => view.status === "playing" && you.includes(view.board.mover);

/**
 * From when somebody who waits for the other player need not wait any longer, in the server's time.
 * @param {State} state
 * @returns {{abort: number, claim: number}}
 */
export function patienceOf({ view, you }) {
  const isWaiting = view.status === "playing" && you.length === 1 && !you.includes(view.board.mover);
  const at = (/** @type {number | null} */ time) => (isWaiting && time !== null ? time : Infinity);
  return { abort: at(view.abort_at), claim: at(view.claim_at) };
}

/**
 * What somebody who has waited for long enough is told.
 * @param {State} state
 * @param {number} now The server's time.
 */
export function releaseOf(state, now) {
  const { abort, claim } = patienceOf(state);
  const name = nameOf(state, state.view.board.mover);
  if (now >= claim) return `${name} has been away for a while: you may claim the win.`;
  return now >= abort ? `${name} has not moved yet: you may abort the game.` : "";
}

/**
 * With whose eyes the board is seen: with one's own, also while the other one thinks; on one screen,
 * and by those who watch, with the mover's.
 * @param {State} state
 * @returns {Player}
 */
export const viewerOf = ({ view, you }) => (you.length === 1 ? you[0] : view.board.mover);

/** @param {State} state */
export const isWatching = ({ you }) => you.length === 0;

/** @param {State} state */
export function statusOf(state) {
  const { view, opponent, rulebook } = state;
  const { mover, task } = view.board;
  if (view.status === "waiting") return isWatching(state) ? "Waiting for the second player" : "Waiting for your friend";
  if (view.status === "over") return [view.ending, view.series].filter(Boolean).join(" ");
  if (opponent === "self" && !isWatching(state)) return `${rulebook.symbols[mover - 1]}: ${task}`;
  if (isMyTurn(state)) return `Your turn: ${task}`;
  if (state.seats[mover - 1].kind === "computer") return "The computer is thinking…";
  return `${nameOf(state, mover)} to move`;
}

/**
 * What the end of a game means to the one who looks. On one screen there is nothing to add to how it ended.
 * @param {State} state
 */
export function verdictOf(state) {
  const { view, you, opponent } = state;
  if (!view.winner) return "";
  if (you.length === 1) return you.includes(view.winner) ? "You win!" : "You lose.";
  return opponent === "self" ? "" : `${nameOf(state, view.winner)} wins!`;
}

/** @type {Record<Exclude<Link, "open" | "gone">, string>} */
const LINKS = {
  connecting: "Connecting…",
  lost: "The connection is lost. Trying again…",
  unreachable: "The server cannot be reached. Trying again…",
  busy: "The server is busy. Trying again…",
  crowded: "There are too many connections from here. Trying again…",
  foreign: "The server takes no connections from this address.",
};

/**
 * What is wrong with the connection, and what becomes of what was done here meanwhile.
 * @param {Model} model
 * @param {boolean} isOnline Whether the browser has a network at all.
 */
export function bannerOf({ link, pending, isDelayed }, isOnline) {
  if (link === "open") return isDelayed ? "The server is slow at the moment: moves may arrive a second or two late." : "";
  if (link === "gone") return "";
  const what = isOnline ? LINKS[link] : "You are offline.";
  if (!pending) return what;
  return `${what} ${pending.do === "play" ? "Your move" : "What you chose"} will be sent when the connection is back.`;
}

/** @param {Model} model */
export function sendingOf({ link, pending, isSlow }) {
  if (!pending || (link === "open" && !isSlow)) return "";
  return pending.cell ? `Sending ${pending.cell}…` : "Sending…";
}

/**
 * How far a room is and whose turn it is, in one line.
 * @param {State} state
 */
function stageOf(state) {
  const { view, opponent, rulebook, seats } = state;
  const { mover } = view.board;
  /** @param {string} text */
  const said = (text) => capital(view.place ? `${view.place}, ${text}` : text);
  if (view.status === "waiting") return said("waiting for your friend");
  if (view.finished) return view.series || outcomeOf(state);
  if (view.status === "over") return `Game ${view.number} is over`;
  if (opponent === "self") return said(`${rulebook.symbols[mover - 1]} to move`);
  if (isMyTurn(state)) return said("your turn");
  return said(seats[mover - 1].kind === "computer" ? "the computer is thinking" : `${nameOf(state, mover)} to move`);
}

/**
 * How a game ended, to those who look back at it.
 * @param {State} state
 */
function outcomeOf({ view, you, rulebook }) {
  if (!view.winner) return view.ending ?? "";
  if (you.length === 1) return you.includes(view.winner) ? "You won" : "You lost";
  return `${rulebook.symbols[view.winner - 1]} won`;
}

/**
 * A room as lists have it.
 * @param {State} state
 * @returns {KeptRoom}
 */
export function entryOf(state) {
  const { room, rulebook, size, you, view, games } = state;
  const other = /** @type {Player} */ (3 - you[0]);
  const { kind, name, level, taken } = state.seats[other - 1];
  const opponent = kind === "computer" ? `the ${name}` : taken ? name : "a friend";
  const against = state.opponent === "self" ? "on one screen" : `against ${opponent}`;
  return {
    room, game: rulebook.id, size, against, you,
    stage: stageOf(state), isMine: isMyTurn(state), isOver: view.finished, games: games.length,
    ...(view.changed_at && { at: view.changed_at }),
    // What was won from a position that somebody chose says nothing about a level.
    ...(level !== null && !state.setup && { level, won: games.map(({ winner }) => winner === you[0]) }),
  };
}

/** @param {State} state */
export function termsOf(state) {
  const { size, clock, setup, view } = state;
  return [size.replace("x", " × "), setup && "from a position", clock && clockTerms(clock), view.place]
    .filter(Boolean).join(", ");
}

/** @param {ClockTerms} clock */
function clockTerms({ base, increment }) {
  const time = base % 60 ? `${base} s` : `${base / 60} min`;
  return increment ? `${time} + ${increment} s` : time;
}

const VERBS = { mark: "takes", step: "steps to", block: "blocks", choose: "chooses" };

/**
 * What an event means to those who do not see the board.
 * @param {State} state The state after it.
 * @param {GameEvent} event
 * @param {Effect} effect What choosing a cell did before it.
 */
export function announcementOf(state, event, effect) {
  const symbol = event.player ? state.rulebook.symbols[event.player - 1] : "";
  const name = event.player ? nameOf(state, event.player) : "";
  switch (event.type) {
    case "played":
      return `${symbol} ${VERBS[effect]} ${event.cell}. ${newsOf(state)}`;
    case "joined":
      return `${name} has come. ${newsOf(state)}`;
    case "resigned":
    case "flagged":
    case "aborted":
    case "claimed":
      return newsOf(state);
    case "undone":
      return `A turn was taken back. ${newsOf(state)}`;
    case "begun":
      return `Game ${state.view.number} begins. ${newsOf(state)}`;
    case "declined":
      return state.view.status === "over" ? "No change." : "No change: the game goes on.";
    case "offered":
      return offerOf(state);
    default:
      return "";
  }
}

/** @param {State} state */
const newsOf = (state) => `${verdictOf(state)} ${sentence(statusOf(state))}`.trim();

/** @param {State} state */
export function resignationOf({ opponent, rulebook, view }) {
  const { mover } = view.board;
  if (opponent !== "self") return "Your opponent wins it.";
  return `${rulebook.symbols[mover - 1]} gives up, and ${rulebook.symbols[2 - mover]} wins it.`;
}

/**
 * What the one who asked is told when the other player refuses, or plays on instead of answering.
 * @param {State} state The state before the event.
 * @param {GameEvent} event
 */
export function answerOf(state, { type, player }) {
  const { offer } = state.view;
  if (!offer || !player || player === offer.player || !state.you.includes(offer.player)) return "";
  const what = offer.what === "undo" ? "no turn is taken back" : "there is no rematch";
  if (type === "declined") return `${nameOf(state, player)} refused: ${what}.`;
  return type === "played" ? `${nameOf(state, player)} plays on: ${what}.` : "";
}

/** @param {State} state */
export function offerOf(state) {
  const { offer } = state.view;
  if (!offer) return "";
  const isMine = state.you.includes(offer.player);
  const what = offer.what === "undo" ? "to take a turn back" : "for a rematch";
  return isMine ? `You asked ${what}. Waiting for an answer.` : `${nameOf(state, offer.player)} asks ${what}.`;
}
