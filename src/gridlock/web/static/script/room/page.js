import "../masthead.js";
import { announce } from "../announce.js";
import { fetchHint, fetchRecord } from "../api.js";
import { GridBoard } from "../board.js";
import { ask, showGame, showLinks } from "../dialog.js";
import { element, find, findAs, setText } from "../element.js";
import { keepRoom, markGone } from "../kept-rooms.js";
import { joining, preferences, rememberSeat, seatToken } from "../memory.js";
import { play, playMark } from "../sound.js";
import { capital, messageOf } from "../text.js";
import { turnText, turnsOf } from "../turns.js";
import { arrive, watchFragment } from "./arrival.js";
import { celebrate } from "./celebration.js";
import { LiveRoom } from "./live.js";
import { MoveList } from "./move-list.js";
import { PlayerBar } from "./player-bar.js";
import { secretLink, showInvite, watchLink } from "./seat.js";
import { RoomStore, eventsOf } from "./store.js";
import { Tools } from "./tools.js";
import {
  announcementOf, answerOf, bannerOf, entryOf, isMyTurn, isWatching, patienceOf, releaseOf, resignationOf, sendingOf,
  statusOf, termsOf, verdictOf, viewerOf,
} from "./sentences.js";

/** @import {ChooseEvent} from "../board.js" */
/** @import {Act, Command, Player, State} from "../types.js" */
/** @import {Message, Model} from "./store.js" */

const NOTICE_MS = 6000;
const SLOW_MS = 600;

const room = decodeURIComponent(location.pathname.split("/")[2] ?? "");
watchFragment();
const arrival = await arrive(room);
let { invite } = arrival;
let fading = 0;
let waking = 0;

const store = new RoomStore();
const board = findAs(GridBoard, "#board");
const live = new LiveRoom(room, {
  token: () => seatToken(room),
  version: () => store.model.state?.view.version ?? null,
  receive: (message) => store.dispatch(message),
  linked: (link) => store.dispatch({ type: "link", link }),
});

/**
 * @param {Command} command
 * @param {string} [cell]
 */
function act(command, cell) {
  const { state } = store.model;
  if (!state) return;
  /** @type {Act} */
  const wanted = { id: newId(), ply: state.view.ply, number: state.view.number, do: command, ...(cell && { cell }) };
  store.dispatch({ type: "sent", act: wanted });
  live.send(wanted);
  setTimeout(() => store.model.pending === wanted && store.dispatch({ type: "slow" }), SLOW_MS);
}

/** An id that no other action has; `randomUUID` is missing where a page is not served safely. */
function newId() {
  const numbers = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(numbers, (number) => number.toString(36)).join("-");
}

const tools = new Tools(find("#tools"), {
  act,
  async hint() {
    store.dispatch({ type: "said", text: "Looking for the best cell…", stays: true });
    try {
      const { cell, text } = await fetchHint(room, seatToken(room) ?? "");
      store.dispatch({ type: "hinted", cell, text });
    } catch (error) {
      store.dispatch({ type: "said", text: messageOf(error), isRefusal: true });
    }
    announce(store.model.notice?.text ?? "");
  },
  async resign() {
    const { state } = store.model;
    if (!state) return;
    const isSure = await ask({ title: "Give up this game?", text: resignationOf(state), yes: "Give up", no: "Play on" });
    if (isSure) act("resign");
  },
  links() {
    const token = seatToken(room);
    const watch = { label: "For watchers", text: "Whoever opens it sees the game live.", link: watchLink(room) };
    const seat = token && {
      label: "Your seat's link",
      text: "Open it on another device to go on playing there. Keep it to yourself: it is your seat.",
      link: secretLink(room, "seat", token),
    };
    showLinks("Links to this room", seat ? [watch, seat] : [watch]);
  },
  async copy() {
    const { state } = store.model;
    if (!state) return;
    const { moves, movers, view } = state;
    try {
      const record = await fetchRecord(room, view.number);
      const turns = turnsOf(moves, movers).map(turnText).join(" ");
      await showGame({ position: view.board.position, moves: turns, record });
    } catch (error) {
      store.dispatch({ type: "said", text: messageOf(error), isRefusal: true });
    }
  },
  redraw: () => render(store.model),
});

board.addEventListener("choose", (event) => {
  const { cell } = /** @type {ChooseEvent} */ (event).detail;
  const { state, pending } = store.model;
  if (!state || pending) return;
  if (isWatching(state)) store.dispatch({ type: "said", text: "You are watching: the players choose.", isRefusal: true });
  else act("play", cell);
});
document.addEventListener("low", () => announce("Ten seconds left."));
for (const change of ["online", "offline"]) addEventListener(change, () => render(store.model));

/** @param {Model} model */
function render(model) {
  const { state, link } = model;
  const banner = bannerOf(model, navigator.onLine);
  find("#banner").hidden = !banner;
  setText(find("#banner"), banner);
  find("#main").setAttribute("aria-busy", String(!state));
  find("#main").classList.toggle("gone", link === "gone");
  find("#gone").hidden = link !== "gone";
  if (link === "gone") {
    setText(find("#title"), "There is no such room");
    document.title = "No such room – GridLock";
    return;
  }
  if (!state) return;
  const { rulebook, view, you } = state;
  const near = /** @type {Player} */ (you.length === 1 ? you[0] : 2);
  const far = /** @type {Player} */ (3 - near);
  setText(find("#title"), capital(rulebook.id));
  setText(find("#terms"), termsOf(state));
  find("#watching").hidden = !isWatching(state) || (invite !== null && view.status === "waiting");
  find("#watchers").hidden = model.watchers === 0;
  setText(find("#watchers"), watchersText(state, model.watchers));
  board.show({
    board: view.board, symbols: rulebook.symbols, counting: rulebook.counting, hasTokens: rulebook.has_tokens,
    last: view.last,
    open: isMyTurn(state), pending: model.pending?.cell, hint: model.hint,
    closedTo: viewerOf(state), both: preferences().both,
    label: `${rulebook.id}, ${state.size}`,
  });
  findAs(PlayerBar, "#far").show(model, far);
  findAs(PlayerBar, "#near").show(model, near);
  showNews(model, state);
  showInvite(find("#invite"), state, invite, (hasJoined, why) => {
    invite = null;
    if (hasJoined) live.reconnect();
    if (why) store.dispatch({ type: "said", text: why, stays: true });
    render(store.model);
  });
  const focused = document.activeElement;
  tools.show(model);
  if (focused instanceof HTMLElement && tools.hasLost(focused)) board.focusCell();
  findAs(MoveList, "move-list").show(state);
  document.title = `${isMyTurn(state) ? "● Your turn: " : ""}${capital(rulebook.id)} – GridLock`;
  wakeLater(model);
}

/**
 * Says what is to be done, what came of it, and how the game has ended.
 * @param {Model} model
 * @param {State} state
 */
function showNews(model, state) {
  const { rulebook, view, you } = state;
  find("#phases").hidden = rulebook.phases.length === 1 || view.status !== "playing";
  find("#phases").replaceChildren(...rulebook.phases.map(({ name, noun }) =>
    element("li", { "aria-current": name === view.board.phase ? "step" : undefined }, capital(noun))));
  const verdict = find("#verdict");
  setText(verdict, verdictOf(state));
  verdict.hidden = !verdict.textContent;
  verdict.classList.toggle("won", view.winner !== null && you.includes(view.winner));
  const status = find("#status");
  const now = Date.now() + model.skew;
  setText(status, sendingOf(model) || model.notice?.text || releaseOf(state, now) || statusOf(state));
  status.classList.toggle("refusal", Boolean(model.notice?.isRefusal));
  status.classList.toggle("mine", isMyTurn(state));
  status.classList.toggle("over", view.status === "over");
}

/**
 * Draws the page anew when the one who waits need not wait any longer.
 * @param {Model} model
 */
function wakeLater({ state, skew }) {
  clearTimeout(waking);
  if (!state) return;
  const now = Date.now() + skew;
  const next = Math.min(...Object.values(patienceOf(state)).filter((time) => time > now));
  if (next === Infinity) return;
  waking = window.setTimeout(() => {
    render(store.model);
    announce(releaseOf(state, next));
  }, next - now);
}

/**
 * @param {State} state
 * @param {number} watchers
 */
function watchersText(state, watchers) {
  const others = isWatching(state) ? watchers - 1 : watchers;
  const who = others === 1 ? "One person is" : `${others} people are`;
  return others > 0 ? `${who} watching${isWatching(state) ? " with you" : ""}.` : "";
}

/**
 * @param {Model} model
 * @param {Model} before
 * @param {Message} message
 */
function react(model, before, message) {
  const { state } = model;
  if (model.notice !== before.notice) fadeLater(model);
  if (model.link === "gone") markGone(room);
  if (!state) return;
  if (!before.state) greet(state, arrival.notice);
  else if (before.state.view.status === "waiting" && !joining(room)) greet(state, "");
  if (message.type === "refused") {
    play("refused");
    announce(model.notice?.text ?? "");
  }
  const events = eventsOf(message);
  const event = events.at(-1);
  if (before.state && event) {
    const answer = answerOf(before.state, event);
    announce(`${answer} ${announcementOf(state, event, before.state.view.board.effect)}`.trim());
    if (events.some(({ type }) => type === "joined")) play("joined");
    if (event.type === "played" && event.player) playMark(event.player);
    if (event.type === "rematched" && event.room && !isWatching(state)) goToRematch(event.room);
  }
  const hasEnded = before.state?.view.status === "playing" && state.view.status === "over";
  if (hasEnded && state.view.winner) {
    const isLost = state.you.length === 1 && !state.you.includes(state.view.winner);
    play(isLost ? "lost" : "won");
    if (state.you.includes(state.view.winner)) celebrate(find(".place"), state.view.winner);
  }
  if (message.type === "state" || message.type === "event") remember(state);
}

/**
 * Explains a link that did not give the seat that somebody hoped for.
 * @param {State} state
 * @param {string} otherwise What is said where it is not the invitation.
 */
function greet(state, otherwise) {
  const isUsed = invite !== null && isWatching(state) && state.view.status !== "waiting";
  if (isUsed) invite = null;
  const text = isUsed ? "This invitation has been used: you can only watch." : otherwise;
  if (!text) return;
  store.dispatch({ type: "said", text, stays: true });
  announce(text);
}

/**
 * An explanation gives way to what it explains, and never stands for long before a result.
 * @param {Model} model
 */
function fadeLater({ notice, state }) {
  clearTimeout(fading);
  if (!notice || (notice.stays && state?.view.status !== "over")) return;
  fading = window.setTimeout(() => store.dispatch({ type: "faded", notice }), NOTICE_MS);
}

/** @param {string} next */
function goToRematch(next) {
  rememberSeat(next, seatToken(room) ?? "");
  location.assign(`/room/${encodeURIComponent(next)}`);
}

/** @param {State} state */
function remember(state) {
  if (isWatching(state)) return;
  const { view } = state;
  if (view.rematch) rememberSeat(view.rematch, seatToken(room) ?? "");
  keepRoom(entryOf(state));
}

store.follow(render);
store.follow(react);
