import { Problem, joinRoom } from "../api.js";
import { linkRow } from "../dialog.js";
import { element } from "../element.js";
import {
  forgetJoining, inviteSecret, joining, myName, rememberJoining, rememberName, rememberSeat,
} from "../memory.js";
import { persist } from "../persist.js";
import { messageOf } from "../text.js";
import { nameOf } from "./sentences.js";

/** @import {State} from "../types.js" */

/**
 * @param {string} room
 * @param {"invite" | "seat"} kind
 * @param {string} secret
 */
export const secretLink = (room, kind, secret) =>
  `${location.origin}/room/${encodeURIComponent(room)}#${kind}=${encodeURIComponent(secret)}`;

/** @param {string} room */
export const watchLink = (room) => `${location.origin}/room/${encodeURIComponent(room)}`;

/**
 * Fills the card that brings the second player: with the link to send, or for the guest with the
 * question whether to play.
 * @param {HTMLElement} card
 * @param {State} state
 * @param {string | null} invite The guest's invitation.
 * @param {(hasJoined: boolean, why?: string) => void} answered
 */
export function showInvite(card, state, invite, answered) {
  const isWaiting = state.view.status === "waiting";
  const secret = inviteSecret(state.room);
  const kind = isWaiting && invite ? "guest" : isWaiting && state.you.length && secret ? "host" : "";
  card.hidden = !kind;
  if (card.dataset.kind === kind) return;
  card.dataset.kind = kind;
  if (kind === "host" && secret) card.replaceChildren(...hostCard(state.room, secret));
  else if (kind === "guest" && invite) card.replaceChildren(guestForm(state, invite, answered));
  else card.replaceChildren();
}

/**
 * @param {string} room
 * @param {string} secret
 */
function hostCard(room, secret) {
  return [
    element("h2", { id: "invite-title" }, "Invite your friend"),
    element("p", { class: "quiet" }, "Send this link. The game begins when your friend takes the seat."),
    linkRow(secretLink(room, "invite", secret), "Invitation"),
  ];
}

/**
 * @param {State} state
 * @param {string} invite
 * @param {(hasJoined: boolean, why?: string) => void} answered
 */
function guestForm(state, invite, answered) {
  const name = element("input", { id: "guest-name", value: myName(), maxLength: 30, autocomplete: "nickname" });
  const trouble = element("p", { class: "trouble", role: "alert" });
  const take = element("button", { class: "primary" }, "Take the seat");
  const host = state.seats[0].taken ? 1 : 2;
  const form = element("form", { class: "guest" },
    element("h2", { id: "invite-title" }, `${nameOf(state, host)} invites you to play`),
    element("div", { class: "field" }, element("label", { htmlFor: "guest-name" }, "Your name"), name),
    trouble,
    element("div", { class: "link-row" },
      take,
      element("button", { type: "button", class: "plain", onclick: () => answered(false) }, "Only watch")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    rememberName(name.value.trim());
    trouble.textContent = "";
    take.disabled = true;
    try {
      await join(state.room, invite, name.value.trim(), (problem) => {
        trouble.textContent = `${messageOf(problem)} Trying again…`;
      });
      answered(true);
    } catch (error) {
      const why = messageOf(error);
      if (error instanceof Problem && error.code === "invite") answered(false, why);
      else trouble.textContent = why;
    }
    take.disabled = false;
  });
  return form;
}

/**
 * Takes the seat with a secret that is remembered before it is sent: should the answer be lost, the
 * same one is sent again, until there is one, and holds the seat.
 * @param {string} room
 * @param {string} invite
 * @param {string} name
 * @param {(problem: Problem) => void} tell Told each time what hinders it.
 */
async function join(room, invite, name, tell) {
  const before = joining(room);
  const asked = before?.invite === invite ? before : { invite, token: newToken() };
  rememberJoining(room, asked);
  try {
    await persist(() => joinRoom(room, { invite, name, token: asked.token }), tell);
    rememberSeat(room, asked.token);
    forgetJoining(room);
  } catch (error) {
    if (error instanceof Problem && error.code === "invite") forgetJoining(room);
    throw error;
  }
}

/** A secret that nobody can guess. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
