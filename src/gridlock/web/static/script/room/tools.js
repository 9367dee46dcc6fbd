import { recordPath } from "../api.js";
import { element } from "../element.js";
import { prefer, preferences } from "../memory.js";
import { isWatching, offerOf, patienceOf, viewerOf } from "./sentences.js";

/** @import {Command, State} from "../types.js" */
/** @import {Model} from "./store.js" */

/**
 * @typedef {object} Commands What the buttons do.
 * @property {(command: Command) => void} act
 * @property {() => void} hint
 * @property {() => void} resign
 * @property {() => void} links
 * @property {() => void} copy
 * @property {() => void} redraw Shows the board anew: it is to be seen in another way.
 */

/** The buttons of a room. Each is made once and only shown or hidden, so that focus stays. */
export class Tools {
  /**
   * @param {HTMLElement} box
   * @param {Commands} commands
   */
  constructor(box, commands) {
    const { act } = commands;
    this.box = box;
    this.offer = element("p", { class: "offer-text" });
    this.agree = button("Agree", "primary", () => act("agree"));
    this.decline = button("Refuse", "", () => act("decline"));
    this.offerRow = element("div", { class: "offer", role: "group", "aria-label": "Offer" },
      this.offer, this.agree, this.decline);
    this.claim = button("Claim the win", "primary", () => act("claim"));
    this.abort = button("Abort the game", "", () => act("abort"));
    this.next = button("Next game", "primary", () => act("next"));
    this.rematch = button("Rematch", "primary", () => act("rematch"));
    this.follow = element("a", { class: "button primary" }, "To the rematch");
    this.review = element("a", { class: "button" }, "Review");
    this.undo = button("Take back", "", () => act("undo"));
    this.hint = button("Hint", "", commands.hint);
    this.resign = button("Give up", "", commands.resign);
    this.fresh = element("a", { class: "button", href: "/" }, "New game");
    this.links = button("Links", "plain", commands.links);
    this.copy = button("Copy", "plain", commands.copy);
    this.analyse = element("a", { class: "button plain" }, "Analyse");
    this.rules = element("a", { class: "button plain" }, "Rules");
    this.record = element("a", { class: "button plain", download: "" }, "Save");
    this.bothText = element("span");
    this.both = element("label", { class: "switch small" }, this.bothText, bothBox(commands.redraw));
    box.append(
      this.offerRow,
      element("div", { class: "buttons" },
        this.claim, this.abort, this.next, this.rematch, this.follow, this.review, this.undo, this.hint, this.resign,
        this.fresh),
      element("div", { class: "buttons" }, this.links, this.copy, this.analyse, this.rules, this.record),
      this.both);
  }

  /** @param {Model} model */
  show({ state, link, skew }) {
    if (!state) return;
    const patience = patienceOf(state);
    const now = Date.now() + skew;
    this.abort.hidden = now < patience.abort;
    this.claim.hidden = now < patience.claim;
    const { view, opponent, rulebook } = state;
    const isPlaying = view.status === "playing" && !isWatching(state);
    const isOver = view.status === "over";
    const isSeated = !isWatching(state);
    this.#showOffer(state);
    this.next.hidden = !(isOver && isSeated && !view.finished);
    this.rematch.hidden = !(isOver && isSeated && view.finished && !view.rematch && !view.offer);
    this.follow.hidden = !view.rematch;
    if (view.rematch) this.follow.href = `/room/${encodeURIComponent(view.rematch)}`;
    this.follow.textContent = isSeated ? "To the rematch" : "Watch the rematch";
    this.review.hidden = !view.winner;
    const here = { room: state.room, number: String(view.number) };
    this.review.href = `/study?${new URLSearchParams({ ...here, review: "1" })}`;
    // Against a friend nobody looks ahead while the game goes on.
    this.analyse.hidden = opponent === "friend" && !isOver;
    this.analyse.href = `/study?${new URLSearchParams({ ...here, ply: String(view.ply) })}`;
    this.undo.hidden = !isSeated || !(isPlaying || view.undo.length) || view.offer !== null;
    this.undo.disabled = !view.undo.some((player) => state.you.includes(player));
    this.hint.hidden = !isPlaying || opponent === "friend";
    this.hint.disabled = !state.you.includes(view.board.mover);
    this.resign.hidden = !isPlaying;
    this.fresh.hidden = !isOver && isSeated;
    this.rules.href = `/rules/${rulebook.id}`;
    this.copy.hidden = view.status === "waiting";
    this.record.hidden = view.ply === 0;
    this.record.href = recordPath(state.room, view.number);
    for (const tool of [this.next, this.rematch, this.agree, this.decline, this.abort, this.claim]) {
      tool.disabled = link !== "open";
    }
    // Where a cell is closed to one player only, what the other one cannot do is worth seeing.
    this.both.hidden = !/[12]/.test(view.board.closed_to);
    const other = 3 - viewerOf(state);
    this.bothText.textContent = `Show what is closed to ${rulebook.symbols[other - 1]}`;
  }

  /**
   * Whether a button that had the focus cannot keep it.
   * @param {HTMLElement} tool
   */
  hasLost(tool) {
    const isGone = tool.closest("[hidden]") !== null && this.box.contains(tool);
    return isGone || (tool === this.undo && this.undo.disabled);
  }

  /** @param {State} state */
  #showOffer(state) {
    const { offer } = state.view;
    this.offerRow.hidden = !offer || isWatching(state);
    if (!offer) return;
    this.offer.textContent = offerOf(state);
    const isMine = state.you.includes(offer.player);
    this.agree.hidden = isMine;
    this.decline.textContent = isMine ? "Withdraw" : "Refuse";
  }
}

/** @param {() => void} redraw */
function bothBox(redraw) {
  const box = element("input", { type: "checkbox", role: "switch", checked: preferences().both });
  box.addEventListener("change", () => {
    prefer({ both: box.checked });
    redraw();
  });
  return box;
}

/**
 * @param {string} text
 * @param {string} look
 * @param {() => void} onclick
 */
function button(text, look, onclick) {
  return element("button", { type: "button", class: look, onclick }, text);
}
