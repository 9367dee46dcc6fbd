import { capital, sentence } from "../text.js";

/** @import {GameEvent, Player, State, View} from "../types.js" */

/** What the page of a room says. */

/**
 * @param {State} state
 * @param {Player} player
 */
export function nameOf(state, player) {
  const { kind, name, taken } = state.seats[player - 1];
  if (!taken) return isWatching(state) ? "A free seat" : "Your friend";
  if (kind === "computer") return capital(name);
  return name || `Player ${state.rulebook.symbols[player - 1]}`;
}

/** @param {State} state */
export const isMyTurn = ({ view, you }) => view.status === "playing" && you.includes(view.board.mover);

/** @param {State} state */
export const isWatching = ({ you }) => you.length === 0;

/** @param {State} state */
export function statusOf(state) {
  const { view, opponent, rulebook } = state;
  const { mover, task } = view.board;
  if (view.status === "waiting") return isWatching(state) ? "Waiting for the second player" : "Waiting for your friend";
  if (view.status === "over") return [result(state), seriesResult(state)].filter(Boolean).join(" ");
  if (opponent === "self" && !isWatching(state)) return `${rulebook.symbols[mover - 1]}: ${task}`;
  if (isMyTurn(state)) return `Your turn: ${task}`;
  if (state.seats[mover - 1].kind === "computer") return "The computer is thinking…";
  return `${nameOf(state, mover)} to move`;
}

/** @param {State} state */
function result({ view, you }) {
  if (you.length !== 1 || !view.winner) return view.ending;
  return `${you.includes(view.winner) ? "You won" : "You lost"}: ${view.ending}`;
}

/** @param {State} state */
function seriesResult(state) {
  const { view, terms } = state;
  if (!terms || !view.finished) return "";
  const [one, two] = view.tally;
  if (one === two) return `The series is a tie, ${one} : ${two}.`;
  const winner = one > two ? 1 : 2;
  return `${nameOf(state, winner)} wins the series, ${Math.max(one, two)} : ${Math.min(one, two)}.`;
}

/** @param {State} state */
export function termsOf(state) {
  const { clock, terms, view } = state;
  const words = [state.size.replace("x", " × ")];
  if (clock) words.push(clockTerms(clock));
  if (terms?.rounds) words.push(`game ${view.number} of ${terms.rounds}`);
  if (terms?.target) words.push(`game ${view.number}, to ${terms.target} points`);
  return words.join(", ");
}

/** @param {{base: number, increment: number}} clock */
function clockTerms({ base, increment }) {
  const time = base % 60 ? `${base} s` : `${base / 60} min`;
  return increment ? `${time} + ${increment} s` : time;
}

const DEEDS = { place: "takes", move: "steps to", block: "blocks" };

/**
 * What an event means to those who do not see the board.
 * @param {State} state The state after it.
 * @param {GameEvent} event
 * @param {View["board"]["phase"]} phase What the mover had to do before it.
 */
export function announcementOf(state, event, phase) {
  const symbol = event.player ? state.rulebook.symbols[event.player - 1] : "";
  const name = event.player ? nameOf(state, event.player) : "";
  switch (event.type) {
    case "played":
      return `${symbol} ${DEEDS[phase]} ${event.cell}. ${sentence(statusOf(state))}`;
    case "joined":
      return `${name} has come. ${sentence(statusOf(state))}`;
    case "resigned":
    case "flagged":
      return statusOf(state);
    case "undone":
      return `A turn was taken back. ${sentence(statusOf(state))}`;
    case "begun":
      return `Game ${state.view.number} begins. ${sentence(statusOf(state))}`;
    case "declined":
      return state.view.status === "over" ? "No change." : "No change: the game goes on.";
    case "offered":
      return offerOf(state);
    default:
      return "";
  }
}

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
