import { joinRoom } from "../api.js";
import { linkRow } from "../dialog.js";
import { element } from "../element.js";
import { inviteSecret, myName, rememberName, rememberSeat, seatToken } from "../memory.js";
import { sentence } from "../text.js";
import { nameOf } from "./words.js";

/** @import {State} from "../types.js" */

/**
 * Takes secrets out of the address bar, so that nobody passes them on with it.
 * @param {string} room
 * @returns {string | null} An invitation, unless this browser already holds a seat.
 */
export function readFragment(room) {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get("seat");
  const invite = fragment.get("invite");
  if (token) rememberSeat(room, token);
  if (token || invite) history.replaceState(null, "", location.pathname + location.search);
  return seatToken(room) ? null : invite;
}

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
 * @param {(joined: boolean) => void} answered
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
    element("p", { class: "quiet" }, "Send this link. The game begins when your friend opens it."),
    linkRow(secretLink(room, "invite", secret), "Invitation"),
  ];
}

/**
 * @param {State} state
 * @param {string} invite
 * @param {(joined: boolean) => void} answered
 */
function guestForm(state, invite, answered) {
  const name = element("input", { id: "guest-name", value: myName(), maxLength: 30, autocomplete: "nickname" });
  const trouble = element("p", { class: "trouble", role: "alert" });
  const form = element("form", { class: "guest" },
    element("h2", { id: "invite-title" }, `${nameOf(state, 1)} invites you to play`),
    element("div", { class: "field" }, element("label", { htmlFor: "guest-name" }, "Your name"), name),
    trouble,
    element("div", { class: "link-row" },
      element("button", { class: "primary" }, "Take the seat"),
      element("button", { type: "button", class: "plain", onclick: () => answered(false) }, "Only watch")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    rememberName(name.value.trim());
    try {
      const { token } = await joinRoom(state.room, invite, name.value.trim());
      rememberSeat(state.room, token);
      answered(true);
    } catch (error) {
      trouble.textContent = sentence(/** @type {Error} */ (error).message);
    }
  });
  return form;
}
